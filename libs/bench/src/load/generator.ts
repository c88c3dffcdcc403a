/**
 * The load generator, a process of its own: keep-alive connections that each send the next request when the answer to the last one is
 * complete (a closed loop). It reads no more of an answer than its status and length, since a generator that costs more than the
 * server would measure itself.
 */
import { connect, type Socket } from 'node:net';
import { monotonicMs } from '@app/platform';
import type { LoadReply, LoadRequest, LoadResult } from './protocol';

const HEAD_END = Buffer.from('\r\n\r\n');

let sequence = 0;

class Run {
  private readonly sockets: Socket[] = [];
  private readonly times: number[] = [];
  private readonly beganMs = monotonicMs();
  private bytes = 0;
  private sent = 0;
  private open = 0;
  private ended = false;

  constructor(
    private readonly request: LoadRequest,
    private readonly resolve: (result: LoadResult) => void,
    private readonly reject: (error: Error) => void,
  ) {
    for (let index = 0; index < request.connections; index += 1) this.connection();
  }

  private connection(): void {
    const socket = connect({ port: this.request.port, host: '127.0.0.1', noDelay: true });
    this.sockets.push(socket);
    this.open += 1;
    let sentMs = 0;
    let missing = -1;
    let head: Buffer = Buffer.alloc(0);
    const next = (): void => {
      if (this.isOver()) return this.close();
      this.sent += 1;
      sentMs = monotonicMs();
      socket.write(this.text());
    };
    socket.on('connect', next);
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      if (missing < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        if (Number(text.slice(9, 12)) !== this.request.status)
          return this.fail(new Error(`expected ${this.request.status}, got: ${head.toString('latin1', 0, 400)}`));
        const length = /\r\ncontent-length: (\d+)/i.exec(text);
        if (length === null) return this.fail(new Error(`an answer without Content-Length: ${text}`));
        missing = Number(length[1]) - (head.length - end - HEAD_END.length);
        head = Buffer.alloc(0);
      } else missing -= chunk.length;
      if (missing > 0) return;
      missing = -1;
      this.times.push(monotonicMs() - sentMs);
      next();
    });
  }

  private text(): string {
    const { method, path, headers = {}, body: template } = this.request;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const start = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}`;
    if (template === undefined) return `${start}\r\n`;
    const body = template.replaceAll('{n}', `${process.pid}-${(sequence += 1)}`);
    return `${start}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }

  private isOver(): boolean {
    const { durationMs = Infinity, requests = Infinity } = this.request;
    return this.sent >= requests || monotonicMs() - this.beganMs >= durationMs;
  }

  private close(): void {
    this.open -= 1;
    if (this.open > 0 || this.ended) return;
    const seconds = (monotonicMs() - this.beganMs) / 1_000;
    const sorted = this.times.sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    this.end();
    this.resolve({ requests: sorted.length, seconds, bytes: this.bytes, p50: at(0.5), p99: at(0.99) });
  }

  private fail(error: Error): void {
    if (this.ended) return;
    this.end();
    this.reject(error);
  }

  private end(): void {
    this.ended = true;
    for (const socket of this.sockets) socket.destroy();
  }
}

process.on('message', (request: LoadRequest) => {
  const answer = (reply: LoadReply): void => void process.send?.(reply);
  new Promise<LoadResult>((resolve, reject) => new Run(request, resolve, reject)).then(
    (result) => answer({ result }),
    (error: Error) => answer({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
