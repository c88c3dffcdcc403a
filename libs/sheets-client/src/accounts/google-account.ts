/**
 * Accounts of Google: from a file (a service account, or any other kind that google-auth-library reads), or the Application
 * Default Credentials of the machine. The library exchanges keys for tokens; when that happens is the token keeper's.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { wallMs } from '@app/platform';
import { GoogleAuth, JWT, OAuth2Client, type AuthClient } from 'google-auth-library';
import type { UpstreamAccount } from './account';
import { TokenKeeper, type Token } from './token-keeper';
import { TokenTransporter } from './token-transporter';

/** Scope of the Sheets API that allows reading and writing. Source: "Choose Google Sheets API scopes". */
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';

/** Of a client whose token tells no end: so often the library, which keeps it, is asked again. */
const ASK_AGAIN_MS = 60_000;

/** What is read of a file. Source: service account keys, "Create and delete service account keys". */
interface AccountFile {
  readonly type?: string;
  readonly client_email?: string;
  readonly private_key?: string;
  readonly private_key_id?: string;
  readonly project_id?: string;
  readonly token_uri?: string;
}

/** The account cannot be used as it is: says which file, what was found, what is expected. */
export class AccountError extends Error {}

export class GoogleAccount implements UpstreamAccount {
  readonly id: string;
  private readonly keeper: TokenKeeper;

  private constructor(
    /** What names it to its operator: its address, else where it comes from. */
    readonly name: string,
    readonly email: string | undefined,
    readonly projectId: string | undefined,
    clientOf: () => Promise<AuthClient>,
  ) {
    this.id = createHash('sha256').update(name).digest('hex').slice(0, 8);
    let client: Promise<AuthClient> | undefined;
    this.keeper = new TokenKeeper(async () => {
      client ??= clientOf();
      client.catch(() => (client = undefined));
      return await newTokenOf(await client);
    });
  }

  static fromFile(path: string): GoogleAccount {
    const file = readAccountFile(path);
    if (file.type !== 'service_account') {
      const auth = new GoogleAuth({ scopes: [SCOPE], keyFilename: path, clientOptions: { transporter: new TokenTransporter() } });
      return new GoogleAccount(path, undefined, file.project_id, () => auth.getClient());
    }
    const { client_email: email, private_key: key, private_key_id: keyId, token_uri: tokenUrl } = file;
    for (const [field, value] of Object.entries({ client_email: email, private_key: key }))
      if (typeof value !== 'string' || value === '')
        throw new AccountError(`${path}: found a service account without ${field}, expected the file as Google Cloud gave it`);
    if (tokenUrl !== undefined && !URL.canParse(tokenUrl))
      throw new AccountError(`${path}: found token_uri ${JSON.stringify(tokenUrl)}, expected a URL`);
    const jwt = new JWT({ email, key, keyId, scopes: [SCOPE], transporter: new TokenTransporter(tokenUrl) });
    return new GoogleAccount(email as string, email, file.project_id, async () => jwt);
  }

  /** Where `gcloud auth application-default login`, or the metadata server of a machine of Google's, says who calls. */
  static applicationDefault(): GoogleAccount {
    const auth = new GoogleAuth({ scopes: [SCOPE], clientOptions: { transporter: new TokenTransporter() } });
    return new GoogleAccount('application-default', undefined, undefined, () => auth.getClient());
  }

  async headers(): Promise<Record<string, string>> {
    return await this.keeper.headers();
  }

  forgetToken(): boolean {
    this.keeper.forget();
    return true;
  }
}

/** A new one, not the one that the library keeps: that it would give out until it ends. */
async function newTokenOf(client: AuthClient): Promise<Token> {
  // Clients of other kinds (external accounts) keep theirs elsewhere and renew it themselves, five minutes before its end.
  if (client instanceof OAuth2Client) client.credentials = { ...client.credentials, access_token: undefined, expiry_date: 1 };
  const headers = await client.getRequestHeaders();
  return { headers: Object.fromEntries(headers.entries()), endsAtMs: client.credentials.expiry_date ?? wallMs() + ASK_AGAIN_MS };
}

function readAccountFile(path: string): AccountFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AccountError(`${path}: found ${code === 'ENOENT' ? 'no such file' : `a file that cannot be read (${code})`}, expected an account file`, { cause: error }); // prettier-ignore
  }
  try {
    const file: unknown = JSON.parse(text);
    if (typeof file === 'object' && file !== null && !Array.isArray(file)) return file;
  } catch {
    // Told below, without the text: it may hold a key.
  }
  throw new AccountError(`${path}: found something other than a JSON object, expected an account file`);
}
