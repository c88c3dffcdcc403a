/** A client of the gateway as a program would write it: plain HTTP, JSON in and out, nothing retried. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // What the API answers differs from route to route; tests look at what they expect.
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export type Headering = Readonly<Record<string, string>>;

export class Client {
  constructor(
    readonly baseUrl: string,
    private readonly headers: Headering = {},
  ) {}

  get(path: string, headers: Headering = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }
  post(path: string, body: unknown, headers: Headering = {}): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body), headers);
  }
  patch(path: string, body: unknown, headers: Headering = {}): Promise<Answer> {
    return this.send('PATCH', path, JSON.stringify(body), headers);
  }
  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, JSON.stringify(body), {});
  }
  delete(path: string, headers: Headering = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers);
  }

  async send(method: string, path: string, body: string | undefined, headers: Headering): Promise<Answer> {
    const response = await fetch(this.baseUrl + path, {
      method,
      body,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers, ...headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : parse(text) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface UpstreamCallRecord {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly kind: 'read' | 'write';
  readonly status: number;
}

/** The upstream's own word: its log of calls, and what its spreadsheet holds. */
export class Upstream {
  private readonly control: Client;
  private readonly person: Client;

  constructor(baseUrl: string) {
    this.control = new Client(baseUrl);
    // A person at the spreadsheet is not a client of the API: uncounted, and met by no fault.
    this.person = new Client(baseUrl, { 'X-Mock-Uncounted': '1' });
  }

  async calls(): Promise<UpstreamCallRecord[]> {
    return (await this.control.get('/control/calls')).body.calls as UpstreamCallRecord[];
  }

  async reset(): Promise<void> {
    await this.control.post('/control/reset', {});
  }

  async quota(settings: unknown): Promise<void> {
    await expectOk(this.control.put('/control/quota', settings));
  }

  async faults(plan: unknown): Promise<void> {
    await expectOk(this.control.put('/control/faults', plan));
  }

  /** The cells of a range, unformatted. */
  async values(range: string, spreadsheetId = 'mock-spreadsheet'): Promise<unknown[][]> {
    const path = `/v4/spreadsheets/${spreadsheetId}/values/${encodeURIComponent(range)}?valueRenderOption=UNFORMATTED_VALUE`;
    return ((await expectOk(this.person.get(path))).body.values ?? []) as unknown[][];
  }

  async edit(requests: unknown[], spreadsheetId = 'mock-spreadsheet'): Promise<Answer> {
    return await expectOk(this.person.post(`/v4/spreadsheets/${spreadsheetId}:batchUpdate`, { requests }));
  }

  async write(range: string, values: unknown[][], spreadsheetId = 'mock-spreadsheet'): Promise<void> {
    const path = `/v4/spreadsheets/${spreadsheetId}/values/${encodeURIComponent(range)}?valueInputOption=RAW`;
    await expectOk(this.person.put(path, { values }));
  }
}

async function expectOk(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  if (got.status !== 200) throw new Error(`expected 200, got ${got.status}: ${JSON.stringify(got.body)}`);
  return got;
}
