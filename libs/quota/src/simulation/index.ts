export { simulate, type SimulationServices } from './main';
