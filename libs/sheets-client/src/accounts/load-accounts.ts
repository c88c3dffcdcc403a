import { AccountError, GoogleAccount } from './google-account';

export interface AccountSources {
  /** Account files. */
  readonly files: readonly string[];
  /** Also, or only, the Application Default Credentials of the machine. */
  readonly applicationDefault: boolean;
}

/** Reads all accounts. Throws one AccountError that tells every problem. */
export function loadAccounts({ files, applicationDefault }: AccountSources): GoogleAccount[] {
  const problems: string[] = [];
  const accounts: GoogleAccount[] = [];
  for (const file of files) {
    try {
      const account = GoogleAccount.fromFile(file);
      const known = accounts.find(({ id }) => id === account.id);
      if (known === undefined) accounts.push(account);
      else problems.push(`${file}: found ${known.name} a second time, expected each account once: its quota is one`);
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0)
    throw new AccountError(problems.map((problem) => `GOOGLE_APPLICATION_CREDENTIALS: ${problem}`).join('\n'));
  return applicationDefault ? [...accounts, GoogleAccount.applicationDefault()] : accounts;
}
