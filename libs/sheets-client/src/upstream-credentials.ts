import { GoogleAuth } from 'google-auth-library';

/** What a call carries to say who calls. */
export interface UpstreamCredentials {
  headers(): Promise<Record<string, string>>;
}

/** The mock takes anybody. */
export const NO_CREDENTIALS: UpstreamCredentials = { headers: async () => ({}) };

/** Scope of the Sheets API that allows reading and writing. Source: "Choose Google Sheets API scopes". */
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';

/** Signs in with a service-account file; tokens are kept and renewed by the library before they expire. */
export class ServiceAccountCredentials implements UpstreamCredentials {
  private readonly auth: GoogleAuth;

  constructor(keyFile: string) {
    this.auth = new GoogleAuth({ keyFile, scopes: [SCOPE] });
  }

  async headers(): Promise<Record<string, string>> {
    const headers = await this.auth.getRequestHeaders();
    return Object.fromEntries(headers.entries());
  }
}
