/** Who may do what, as set by the control route. Nothing set: everybody may do everything, with or without a token. */

export type Role = 'writer' | 'reader' | 'none';

export interface AccountRules {
  /** `refused`: the token endpoint does not know the account or its key. */
  readonly signIn?: 'ok' | 'refused';
  /** PEM: assertions of this account have to be signed with the key to it. Absent: signatures are not looked at. */
  readonly publicKey?: string;
  /** The Sheets API is not enabled in the account's project. */
  readonly apiDisabled?: boolean;
}

export interface AccessRules {
  /** Calls without a token are refused. */
  readonly requireCredentials?: boolean;
  /** How long a token lasts, in seconds of the mock's clock. Default 3,599. */
  readonly tokenSeconds?: number;
  /** By e-mail address. */
  readonly accounts?: Readonly<Record<string, AccountRules>>;
  /** By spreadsheet, then by e-mail address: accounts that are not named may not see it. Spreadsheets not named: everybody may write. */
  readonly sharing?: Readonly<Record<string, Readonly<Record<string, Role>>>>;
}

/** How long a token of the service is said to last. Source: "Using OAuth 2.0 for Server to Server Applications". */
export const TOKEN_SECONDS = 3_599;
