/** Stands between gateway and upstream: keeps what was sent, word for word, and refuses what a test wants refused. */
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface PassedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

export interface RecordingProxy {
  readonly baseUrl: string;
  /** Where it sends on to: known only once the upstream runs. */
  sendTo(baseUrl: string): void;
  /** The answer to what it does not send on. */
  refuse(refusal: ((request: PassedRequest) => Refusal | undefined) | undefined): void;
  readonly requests: readonly PassedRequest[];
  stop(): Promise<void>;
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const requests: PassedRequest[] = [];
  let target = '';
  let refusalOf: ((request: PassedRequest) => Refusal | undefined) | undefined;
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const passed = { method: incoming.method ?? '', url: incoming.url ?? '', body };
      requests.push(passed);
      const refusal = refusalOf?.(passed);
      if (refusal !== undefined) {
        outgoing.writeHead(refusal.status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal.body));
        return;
      }
      const onward = httpRequest(target + passed.url, { method: passed.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      // What the upstream does to a connection, the proxy does to its own; and who gives up here gives up there.
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    sendTo: (baseUrl) => (target = baseUrl),
    refuse: (refusal) => (refusalOf = refusal),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
