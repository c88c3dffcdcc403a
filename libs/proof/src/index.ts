export * from './history';
export { proveWrites } from './prove-writes';
export { runProof, type ProofResult } from './run/run-proof';
export { TROUBLES, type FaultRule, type ProofSettings, type Trouble } from './run/settings';
export { proveQuota } from './quota/prove-quota';
export { runQuotaProof, type QuotaProofResult } from './quota/run-quota-proof';
export type { QuotaProofSettings } from './quota/settings';
export { worstWindow } from './quota/worst-window';
