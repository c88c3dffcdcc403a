export * from './account';
export { AccountPool, PERMISSION_RECHECK_MS } from './account-pool';
export { AccountError, GoogleAccount } from './google-account';
export { loadAccounts, type AccountSources } from './load-accounts';
