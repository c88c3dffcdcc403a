export * from './history';
export { proveWrites } from './prove-writes';
export { runProof, type ProofResult } from './run/run-proof';
export { TROUBLES, type FaultRule, type ProofSettings, type Trouble } from './run/settings';
