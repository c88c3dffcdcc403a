/** Carries what google-auth-library sends to token endpoints. */
import { gaxios } from 'google-auth-library';

/** The library knows no time-out of its own: an endpoint that hangs would hold every call. */
const TOKEN_TIMEOUT_MS = 10_000;

/** Where the library fetches tokens of service accounts, whatever `token_uri` their file names. */
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';

type RequestOptions = Parameters<gaxios.Gaxios['request']>[0];
type Response<T> = ReturnType<typeof gaxios.Gaxios.prototype.request<T>>;

export class TokenTransporter extends gaxios.Gaxios {
  /** @param tokenUrl where to go in the place of Google's token endpoint. */
  constructor(private readonly tokenUrl: string = GOOGLE_TOKEN_URL) {
    super({ timeout: TOKEN_TIMEOUT_MS });
  }

  override request<T = unknown>(options: RequestOptions = {}): Response<T> {
    const url = String(options.url) === GOOGLE_TOKEN_URL ? this.tokenUrl : options.url;
    return super.request<T>({ ...options, url, noProxy: noProxyFor(String(url)) });
  }
}

/** NO_PROXY in the two spellings that curl and axios know and gaxios does not: `*`, and a host with its port. */
function noProxyFor(url: string): string[] {
  const rules = (process.env.NO_PROXY ?? process.env.no_proxy ?? '').split(',').map((rule) => rule.trim());
  const { host, origin } = new URL(url);
  return rules.includes('*') || rules.includes(host) ? [origin] : [];
}
