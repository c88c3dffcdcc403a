/** `npm run prove:quota`: runs, prints what the upstream's log says, and fails if the quota was exceeded anywhere. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { anySeed, runQuotaProof, type QuotaProofResult } from './run-quota-proof';

const USAGE = `usage: npm run prove:quota -- [--minutes 3] [--gateways 4] [--clients 500] [--kills] [--without-enforcing] [--seed N] [--json FILE]

  --kills              kill a gateway with SIGKILL every few seconds and start it again
  --without-enforcing  the gateways only count: the control, which has to fail`;

/** Of the case study: calls a minute. */
const LIMIT = 300;
const WINDOW_MS = 60_000;

/** Two cores serve about a hundred requests a second of this load with everything on one machine. */
const REQUESTS_PER_SECOND = 100;

export async function proveQuota(words: readonly string[], print: (line: string) => void = console.log): Promise<number> {
  const given = read(words);
  if (given === undefined) {
    print(USAGE);
    return 2;
  }
  const { minutes, gateways, clients, kills, enforce, seed, json } = given;
  print(
    `seed ${seed}, ${minutes} minute(s), ${gateways} gateways, ${clients} clients${kills ? ', gateways killed' : ''}${enforce ? '' : ', NOT enforcing'}`,
  );
  const result = await runQuotaProof({
    durationMs: minutes * 60_000,
    gateways,
    clients,
    kills,
    enforce,
    seed,
    limit: LIMIT,
    windowMs: WINDOW_MS,
    thinkMs: (clients * 1_000) / REQUESTS_PER_SECOND,
    print,
  });
  report(result, minutes, print);
  const { byStatus, ...load } = result.load;
  if (json !== undefined)
    writeFileSync(
      json,
      `${JSON.stringify({ ...given, ...result, load: { ...load, byStatus: Object.fromEntries(byStatus) } }, null, 2)}\n`,
    );
  return result.refused === 0 && result.worst <= LIMIT && result.load.unexpected.length === 0 ? 0 : 1;
}

function report(result: QuotaProofResult, minutes: number, print: (line: string) => void): void {
  const { load } = result;
  const answers = [...load.byStatus].sort().map(([status, count]) => `${status}: ${count}`);
  const total = [...load.byStatus.values()].reduce((sum, count) => sum + count, 0);
  print('');
  print(`requests:           ${total} (${answers.join(', ')}), ${load.degraded} of them degraded`);
  print(`upstream calls:     ${result.calls}, ${result.refused} refused with 429`);
  print(`worst 60 s:         ${result.worst} of ${LIMIT}`);
  print(`first, last window: ${result.firstWindow}, ${result.lastWindow} calls`);
  print(`mode changes:       ${(load.modeChanges / minutes).toFixed(1)} a minute`);
  print(`gateways killed:    ${result.kills}`);
  for (const line of load.unexpected) print(`UNEXPECTED: ${line}`);
}

interface CommandLine {
  readonly minutes: number;
  readonly gateways: number;
  readonly clients: number;
  readonly kills: boolean;
  readonly enforce: boolean;
  readonly seed: number;
  readonly json?: string;
}

function read(words: readonly string[]): CommandLine | undefined {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        minutes: { type: 'string', default: '3' },
        gateways: { type: 'string', default: '4' },
        clients: { type: 'string', default: '500' },
        kills: { type: 'boolean', default: false },
        'without-enforcing': { type: 'boolean', default: false },
        seed: { type: 'string' },
        json: { type: 'string' },
      },
    });
    const line = {
      minutes: Number(values.minutes),
      gateways: Number(values.gateways),
      clients: Number(values.clients),
      seed: values.seed === undefined ? anySeed() : Number(values.seed),
    };
    const sound =
      line.minutes > 0 &&
      line.minutes <= 60 &&
      whole(line.gateways, 16) &&
      whole(line.clients, 5_000) &&
      Number.isInteger(line.seed);
    return sound ? { ...line, kills: values.kills, enforce: !values['without-enforcing'], json: values.json } : undefined;
  } catch {
    return undefined;
  }
}

function whole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}
