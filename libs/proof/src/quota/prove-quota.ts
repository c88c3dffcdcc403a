/** `npm run prove:quota`: runs, prints what the upstream's log and the clients say, and fails if the promise was broken anywhere. */
import { writeFileSync } from 'node:fs';
import { runQuotaProof, type QuotaProofResult } from './run-quota-proof';
import { readCommandLine, UsageError, type CommandLine, type QuotaProofSettings } from './settings';

export async function proveQuota(words: readonly string[], print: (line: string) => void = console.log): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = readCommandLine(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const { settings, json } = commandLine;
  print(headline(settings));
  const result = await runQuotaProof({ ...settings, print });
  print('');
  for (const [name, text] of reportLines(result)) print(`${name.padEnd(20)}${text}`);
  for (const problem of result.problems) print(`PROBLEM             ${problem}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ settings, ...result }, null, 2)}\n`);
  return result.problems.length === 0 ? 0 : 1;
}

function headline(settings: CommandLine['settings']): string {
  const { seed, preset, gateways, clients, durationMs, triggerRatio, killEveryMs, enforce }: Omit<QuotaProofSettings, 'print'> =
    settings;
  const special = [
    ...(killEveryMs === undefined ? [] : [`one killed every ${killEveryMs / 1_000} s`]),
    ...(enforce ? [] : ['which only count: the control']),
  ];
  return (
    `seed ${seed}: ${clients} clients for ${durationMs / 60_000} min, ${gateways} gateways${special.map((text) => `, ${text}`).join('')}; ` +
    `quota ${preset}, degraded past ${triggerRatio} of it`
  );
}

function reportLines(result: QuotaProofResult): readonly (readonly [string, string])[] {
  const { calls, places } = result;
  return [
    ['upstream calls', `${calls.all} (${calls.reads} reads, ${calls.writes} writes), ${calls.refused} refused with 429`],
    ...result.slices.map(
      ({ name, worst, limit, windowMs }) => [`worst ${windowMs / 1_000}-s slice`, `${worst} of ${limit} (${name})`] as const,
    ),
    ['calls of a window', `${result.firstWindowCalls} in the first, ${result.lastWindowCalls} in the last`],
    ['clients got', listed(result.answers)],
    ['X-System-Degraded', listed(result.degraded)],
    [
      'mode changes',
      `${result.modeChanges} in ${result.seconds.toFixed(0)} s, at most ${result.modeChangesInAMinute} in a minute`,
    ],
    ['gateways killed', listed(result.kills)],
    ['broken connections', listed(result.brokenConnections)],
    ...(places === undefined ? [] : [['places held', returnedLine(places)] as const]),
  ];
}

function returnedLine({ countedAtTheEnd, seenAtTheEnd, backAfterMs }: NonNullable<QuotaProofResult['places']>): string {
  const counts = `${countedAtTheEnd} counted, ${seenAtTheEnd} seen by the upstream when the clients stopped`;
  return `${counts}; ${backAfterMs === undefined ? 'never' : `${(backAfterMs / 1_000).toFixed(1)} s later`} no more than it saw`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
