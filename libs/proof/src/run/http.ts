/** Plain HTTP with the one distinction that a history needs: whether a request without an answer can have arrived. */
export type HttpAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  /** Nobody listened: it is certain that nothing was asked for. */
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'no-answer'; readonly why: string };

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export async function send({ method, url, body, headers = {}, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return {
      kind: 'answered',
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === 'ECONNREFUSED') return { kind: 'not-sent' };
    return { kind: 'no-answer', why: code ?? (error as Error).name };
  }
}

/** For those routes that have to work: the mock's, and receipts when all is well again. */
export async function expectOk<T>(request: Omit<HttpRequest, 'timeoutMs'>): Promise<T> {
  const answer = await send({ ...request, timeoutMs: 20_000 });
  if (answer.kind === 'answered' && answer.status === 200) return answer.body as T;
  const got = answer.kind === 'answered' ? `${answer.status} ${JSON.stringify(answer.body)}` : JSON.stringify(answer);
  throw new Error(`${request.method} ${request.url}: expected 200, got ${got}`);
}
