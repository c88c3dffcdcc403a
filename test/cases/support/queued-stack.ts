/**
 * A gateway whose quota is used up, so that every write is queued, and a drain of its own that can be held: what a person or another
 * client does between a write's acceptance and its sending happens exactly then.
 */
import { startStack, type App, type Environment, type PrivateRedis, type Stack } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { Client, Upstream, type Answer } from '../../support/client';

/** Far beyond what a drain takes on a busy machine. */
const SETTLED_TIMEOUT_MS = 45_000;

/** Half of the smallest quota that there is, and one more. */
const READS_TO_DEGRADE = 6;

/** Longer than a test run, so that what is used up stays so. */
const WINDOW_MS = '600000';

export interface QueuedStackOptions {
  readonly redis?: PrivateRedis;
  readonly commonEnv?: Environment;
  /** Makes what the gateway's first look shall find. */
  readonly prepare?: (upstream: Upstream, mockUrl: string) => Promise<void>;
  /** Paths that are read before the quota is used up. */
  readonly firstLooks?: () => readonly string[];
}

export class QueuedStack {
  readonly client: Client;
  readonly upstream: Upstream;

  constructor(readonly stack: Stack) {
    this.client = new Client(stack.gateways[0].baseUrl);
    this.upstream = new Upstream(stack.mock.baseUrl);
  }

  private get drain(): App {
    return this.stack.gateways[1];
  }

  /** Nothing is sent from here on. */
  async hold(): Promise<void> {
    await this.settled();
    this.drain.pause();
  }

  /** Sends what has gathered, and waits until all of it is settled. */
  async letGo(): Promise<void> {
    this.drain.resume();
    await this.settled();
  }

  pause(): void {
    this.drain.pause();
  }

  resume(): void {
    this.drain.resume();
  }

  async settled(): Promise<void> {
    await waitFor('every write to be settled', async () => (await this.pending())?.length === 0, {
      timeoutMs: SETTLED_TIMEOUT_MS,
      everyMs: 50,
    });
  }

  /** Undefined where nobody can say, since Redis is away. */
  async pending(): Promise<unknown[] | undefined> {
    const answer = await this.client.get('/writes?state=accepted,sending,unknown');
    return answer.status === 200 ? (answer.body.writes as unknown[]) : undefined;
  }

  async stateOf(answer: Answer): Promise<string> {
    return (await this.client.get(`/writes/${answer.body.id}`)).body.state as string;
  }

  async receiptOf(answer: Answer): Promise<Record<string, unknown>> {
    return (await this.client.get(`/writes/${answer.body.id}`)).body as Record<string, unknown>;
  }

  async writeCalls(): Promise<number> {
    return (await this.upstream.calls()).filter((call) => call.kind === 'write').length;
  }

  async stop(): Promise<void> {
    this.drain.resume();
    await this.stack.stop();
  }
}

export async function startQueuedStack(options: QueuedStackOptions = {}): Promise<QueuedStack> {
  const { redis, commonEnv = {}, prepare, firstLooks } = options;
  const envs: Environment[] = [
    { ROLE: 'api', QUOTA_LIMIT: '10', QUOTA_WINDOW_MS: WINDOW_MS },
    { ROLE: 'drain', QUOTA_LIMIT: '100000', QUOTA_WINDOW_MS: WINDOW_MS, DRAIN_PACE_MS: '100' },
  ];
  const stack = await startStack<PrivateRedis>({
    ...(redis === undefined ? {} : { redis }),
    gateways: envs.length,
    mockEnv: { MOCK_LATENCY_MS: '3', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
    gatewayEnv: (index) => ({ ...commonEnv, ...envs[index] }),
  });
  const queued = new QueuedStack(stack);
  try {
    await prepare?.(queued.upstream, stack.mock.baseUrl);
    for (const path of firstLooks?.() ?? []) await queued.client.get(path);
    for (let count = 0; count < READS_TO_DEGRADE; count += 1) await queued.client.get('/sheets/orders/rows');
    const last = await queued.client.get('/sheets/orders/rows');
    if (last.headers.get('x-degraded-reason') !== 'quota') throw new Error('the quota was not used up');
    return queued;
  } catch (error) {
    await queued.stop();
    throw error;
  }
}
