export * from './configuration';
export * from './variables';
