export { observeHttp } from './observe-http';
export { Telemetry, type DataSource, type HttpAnswer, type ModeChange, type TelemetrySubscriber } from './telemetry';
