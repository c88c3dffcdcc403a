import { verify } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/workbook';
import { Clock } from '../time/clock';
import { TOKEN_SECONDS, type AccessRules } from './access-rules';
import { readToken, writeToken } from './token';

/** Who calls, as far as the call says. */
export interface Caller {
  /** Whose quota the call uses. */
  readonly user: string;
  /** Of a token that this mock has issued. */
  readonly email?: string;
  readonly token?: string;
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly seconds: number;
}

/** Refusals of the token endpoint. Source: RFC 6749, 5.2; the texts are Google's. */
export class SignInError extends Error {
  constructor(
    readonly error: 'invalid_grant',
    description: string,
  ) {
    super(description);
  }
}

/** The project that the mock's accounts belong to, in messages. */
const PROJECT = '100000000001';

/** Signs accounts in, and says what they may do. */
@Injectable()
export class AccessGate {
  private rules: AccessRules = {};

  constructor(private readonly clock: Clock) {}

  use(rules: AccessRules): void {
    this.rules = rules;
  }

  describe(): AccessRules {
    return { requireCredentials: false, tokenSeconds: TOKEN_SECONDS, accounts: {}, sharing: {}, ...this.rules };
  }

  /** Exchanges the assertion of a service account, a signed JWT, for a token. */
  signIn(assertion: string): IssuedToken {
    const email = issuerOf(assertion);
    const { signIn, publicKey } = this.rules.accounts?.[email] ?? {};
    if (signIn === 'refused') throw new SignInError('invalid_grant', 'Invalid grant: account not found');
    if (publicKey !== undefined && !isSignedWith(assertion, publicKey))
      throw new SignInError('invalid_grant', 'Invalid JWT Signature.');
    return this.issue(email);
  }

  issue(user: string): IssuedToken {
    const seconds = this.rules.tokenSeconds ?? TOKEN_SECONDS;
    return { accessToken: writeToken(user, this.clock.nowMs() + seconds * 1_000), seconds };
  }

  /** Who calls by this token; one of somebody else's making is a user of its own. */
  callerOf(token: string): Caller {
    const email = readToken(token)?.user;
    return { user: `token ${email ?? token}`, token, ...(email === undefined ? {} : { email }) };
  }

  /** Before anything is counted or parsed. */
  checkCredentials({ token, email }: Caller): void {
    const issued = token === undefined ? undefined : readToken(token);
    if (issued !== undefined && issued.endsAtMs <= this.clock.nowMs()) throw unauthenticated('Request had invalid authentication credentials.'); // prettier-ignore
    if (this.rules.requireCredentials && issued === undefined)
      throw unauthenticated(token === undefined ? 'Request is missing required authentication credential.' : 'Request had invalid authentication credentials.'); // prettier-ignore
    if (email !== undefined && this.rules.accounts?.[email]?.apiDisabled) throw apiDisabled();
  }

  /** Once the spreadsheet is known to exist. */
  checkPermission({ email }: Caller, spreadsheetId: string, access: 'read' | 'write'): void {
    const roles = this.rules.sharing?.[spreadsheetId];
    if (roles === undefined) return;
    const role = (email !== undefined && Object.hasOwn(roles, email) ? roles[email] : undefined) ?? 'none';
    if (role === 'none' || (role === 'reader' && access === 'write'))
      throw new ApiError(403, 'PERMISSION_DENIED', 'The caller does not have permission');
  }
}

function unauthenticated(sentence: string): ApiError {
  return new ApiError(401, 'UNAUTHENTICATED', `${sentence} Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.`); // prettier-ignore
}

function apiDisabled(): ApiError {
  const activationUrl = `https://console.developers.google.com/apis/api/sheets.googleapis.com/overview?project=${PROJECT}`;
  const message = `Google Sheets API has not been used in project ${PROJECT} before or it is disabled. Enable it by visiting ${activationUrl} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`;
  return new ApiError(403, 'PERMISSION_DENIED', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'SERVICE_DISABLED',
      domain: 'googleapis.com',
      metadata: {
        service: 'sheets.googleapis.com',
        serviceTitle: 'Google Sheets API',
        consumer: `projects/${PROJECT}`,
        containerInfo: PROJECT,
        activationUrl,
      },
    },
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
    {
      '@type': 'type.googleapis.com/google.rpc.Help',
      links: [{ description: 'Google developers console API activation', url: activationUrl }],
    },
  ]);
}

function issuerOf(assertion: string): string {
  try {
    const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as { iss?: unknown };
    if (typeof claims.iss === 'string' && claims.iss !== '') return claims.iss;
  } catch {
    // Told below.
  }
  throw new SignInError('invalid_grant', 'Invalid JWT: the assertion cannot be read, or has no issuer (iss).');
}

function isSignedWith(assertion: string, publicKey: string): boolean {
  const mark = assertion.lastIndexOf('.');
  const signature = Buffer.from(assertion.slice(mark + 1), 'base64url');
  return verify('RSA-SHA256', Buffer.from(assertion.slice(0, mark)), publicKey, signature);
}
