/** Speaks to a running gateway as an operator. */
export interface Gateway {
  /** `T`: what the route answers, by the types that its handler has. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete<T>(path: string): Promise<T>;
}

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
}

/** The gateway answered, and said no. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message !== undefined ? `${body.code}: ${body.message}` : `the gateway answered ${status}`);
  }
}

/** Nobody answered. */
export class Unreachable extends Error {}

/** One answer. A refresh of a large spreadsheet waits for the upstream. */
const ANSWER_MAX_MS = 60_000;

export interface OperatorCredentials {
  readonly user: string;
  readonly password: string;
}

export function gatewayAt(url: string, credentials: OperatorCredentials | undefined): Gateway {
  const authorization: Record<string, string> =
    credentials === undefined
      ? {}
      : { Authorization: `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}` };
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { ...authorization, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    }).catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new Unreachable(`no gateway answers at ${url} (${message}); is it running? --url or GATEWAY_URL names another`);
    });
    const text = await answer.text();
    const content = asJson(text);
    if (!answer.ok) throw new Refused(answer.status, content as ErrorBody);
    return content as T;
  };
  return {
    get: async (path) => await send('GET', path),
    post: async (path, body = {}) => await send('POST', path, body),
    delete: async (path) => await send('DELETE', path),
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
