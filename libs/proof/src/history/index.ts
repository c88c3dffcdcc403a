export * from './events';
export { HistoryChecker } from './history-checker';
