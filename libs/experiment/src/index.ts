export { experiment } from './experiment';
export { runExperiment, type Experiment, type ProfileFigures } from './run-experiment';
export type { ExperimentSettings, StageName } from './settings';
export { htmlReport } from './report/html-report';
export { markdownSummary } from './report/markdown-summary';
