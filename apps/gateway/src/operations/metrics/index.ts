export { GatewayMetrics } from './gateway-metrics';
export { MetricsController } from './metrics.controller';
export { defineMetrics } from './metrics';
