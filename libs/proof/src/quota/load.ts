/** Many clients in a closed loop: a request, the answer, a pause. About three reads to a write, over the tabs of one spreadsheet. */
import { monotonicMs, pause } from '@app/platform';
import { send } from '../run/http';
import type { Random } from '../run/random';

export interface LoadCounts {
  /** Answers by status; `cut` and `refused` are connections to a gateway that was killed. */
  readonly byStatus: Map<string, number>;
  degraded: number;
  /** Times that an answer's mode differed from the one before it, as all clients together saw it. */
  modeChanges: number;
  /** Answers that no client should meet, with what they said: the first few. */
  readonly unexpected: string[];
}

export interface LoadOptions {
  readonly clients: number;
  readonly untilMs: number;
  readonly thinkMs: number;
  readonly sheets: readonly string[];
  /** Where the gateways are, as of now. */
  readonly baseUrls: () => readonly string[];
  readonly random: Random;
}

const EXPECTED = new Set([200, 201, 202]);
const UNEXPECTED_KEPT_MAX = 10;
const CLIENT_PATIENCE_MS = 20_000;

/** Whose answers tell the mode: those about the quota, not about a slow or contended spreadsheet. */
function modeOf(headers: Headers): string | undefined {
  if (headers.get('x-system-degraded') === 'false') return 'direct';
  return headers.get('x-degraded-reason') === 'quota' ? 'degraded' : undefined;
}

export async function runLoad(options: LoadOptions): Promise<LoadCounts> {
  const counts: LoadCounts = { byStatus: new Map(), degraded: 0, modeChanges: 0, unexpected: [] };
  const lastMode = { at: '', sinceMs: 0 };
  await Promise.all(Array.from({ length: options.clients }, (_, at) => runClient(at, options, counts, lastMode)));
  return counts;
}

async function runClient(
  at: number,
  options: LoadOptions,
  counts: LoadCounts,
  lastMode: { at: string; sinceMs: number },
): Promise<void> {
  const random = options.random.split();
  await pause(random.next() * options.thinkMs);
  for (let number = 0; monotonicMs() < options.untilMs; number += 1) {
    const baseUrl = random.pick(options.baseUrls());
    const url = `${baseUrl}/sheets/${random.pick(options.sheets)}/rows`;
    const answer = random.chance(0.25)
      ? await send({
          method: 'POST',
          url,
          body: { id: `q-${at}-${number}-${random.between(0, 1e9)}` },
          timeoutMs: CLIENT_PATIENCE_MS,
        })
      : await send({ method: 'GET', url: `${url}?limit=1`, timeoutMs: CLIENT_PATIENCE_MS });
    note(counts, answer, lastMode);
    await pause(options.thinkMs * (0.5 + random.next()));
  }
}

function note(counts: LoadCounts, answer: Awaited<ReturnType<typeof send>>, lastMode: { at: string; sinceMs: number }): void {
  const name = answer.kind === 'answered' ? String(answer.status) : answer.kind;
  counts.byStatus.set(name, (counts.byStatus.get(name) ?? 0) + 1);
  if (answer.kind !== 'answered') return;
  if (!EXPECTED.has(answer.status) && counts.unexpected.length < UNEXPECTED_KEPT_MAX) {
    counts.unexpected.push(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
  if (answer.headers.get('x-system-degraded') === 'true') counts.degraded += 1;
  const mode = modeOf(answer.headers);
  // Answers cross on their way: a change counts once the mode has lasted for a second.
  if (mode === undefined || mode === lastMode.at || monotonicMs() - lastMode.sinceMs < 1_000) return;
  if (lastMode.at !== '') counts.modeChanges += 1;
  lastMode.at = mode;
  lastMode.sinceMs = monotonicMs();
}
