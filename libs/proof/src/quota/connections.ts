/**
 * What clients send through: connections that are kept and bounded, so that hundreds of clients do not open hundreds of sockets
 * each, and an answer that says what a proof of the quota looks at.
 */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export type ClientAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** As the header says it; undefined: there was none. */
      readonly degraded?: string;
      readonly degradedReason?: string;
      /** Calls that the ledger counts. */
      readonly consumed?: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly why: string };

export interface ClientRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** To one gateway. More requests than this wait for a connection, as in the pool of any application. */
const CONNECTIONS_MAX = 64;

/** Longer than a direct write is waited for and the machine is busy; past it a client would call it a failure. */
const PATIENCE_MS = 30_000;

export class Connections {
  private readonly agent: Agent;

  /** @param connectionsMax to one gateway; Infinity where a request must never wait for another's answer */
  constructor(connectionsMax = CONNECTIONS_MAX) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  }

  async send({ method, url, body, headers = {} }: ClientRequest): Promise<ClientAnswer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const content =
      payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    return await new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException): void => resolve({ kind: 'failed', why: error.code ?? error.message });
      const outgoing = request(url, { method, agent: this.agent, headers: { ...headers, ...content } }, (response) => {
        const chunks: Buffer[] = [];
        const header = (name: string): string | undefined => response.headers[name] as string | undefined;
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => {
          const consumed = header('x-quota-consumed');
          resolve({
            kind: 'answered',
            status: response.statusCode ?? 0,
            degraded: header('x-system-degraded'),
            degradedReason: header('x-degraded-reason'),
            consumed: consumed === undefined ? undefined : Number(consumed),
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          });
        });
      });
      outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS / 1_000} s`)));
      outgoing.on('error', failed);
      outgoing.end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
