/** As whom the upstream is called. */
export interface UpstreamAccount {
  /** Tells it from the others of the application; the name of its quotas. Not its address, since quotas are told to many. */
  readonly id: string;
  /** What a spreadsheet is shared with. Absent: not known. */
  readonly email?: string;
  /** What a call carries. Rejects where no token can be had. */
  headers(): Promise<Record<string, string>>;
  /** The upstream did not take the token. @returns whether the next call will carry another. */
  forgetToken(): boolean;
}

/** The name that the quota gives to an application with a single, nameless user. */
export const NOBODY_ID = 'default';

/** The mock takes anybody. */
export const NOBODY: UpstreamAccount = { id: NOBODY_ID, headers: async () => ({}), forgetToken: () => false };
