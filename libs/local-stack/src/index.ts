export * from './app';
export { ChildAppError, type ChildApp } from './child-app';
export { cleanEnvironment, type Environment } from './clean-environment';
export { freePort } from './free-port';
export { launch, type LaunchOptions } from './launcher/launch';
export { LAUNCHER_VARIABLES } from './launcher/plan';
export * from './private-redis';
export { appScript, REPOSITORY_ROOT, type AppName } from './repository';
export * from './stack';
