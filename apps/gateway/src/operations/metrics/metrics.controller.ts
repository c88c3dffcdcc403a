import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { GatewayMetrics } from './gateway-metrics';

@ApiTags('operators')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: GatewayMetrics) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @ApiProduces('text/plain')
  @ApiOperation({ summary: 'What Prometheus reads; docs/metrics.md says what each metric means' })
  read(): Promise<string> {
    return this.metrics.text();
  }
}
