export { bench } from './bench';
