/** `npm run prove:writes`: runs, prints what happened and what was found, and says by its exit code whether anything was. */
import { writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { STEP_NAMES } from '@app/platform';
import { VIOLATION_KINDS, type Violation } from './history';
import { runProof, type ProofResult } from './run/run-proof';
import { GATEWAY_ENV, LEASE_MS, MOCK_ENV, readCommandLine, TROUBLES, UsageError, type CommandLine } from './run/settings';

/** Violations that are printed whole; one cause often shows in hundreds of reads. */
const PRINTED_MAX = 20;

const WRITE_GROUPS = ['appends', 'patches', 'deletes'] as const;

export async function proveWrites(words: readonly string[], print: (line: string) => void = console.log): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = readCommandLine(words, () => randomInt(0x7fffffff));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const { minutes, seed, clients, without, json } = commandLine;
  print(
    `seed ${seed}, ${minutes} minute(s), ${clients} clients, two gateways, one drain${without ? `, without ${without}` : ''}`,
  );
  const scaled = Object.entries({ ...GATEWAY_ENV, ...MOCK_ENV }).map(([name, value]) => `${name}=${value}`);
  print(`scaled by configuration: ${scaled.join(' ')}; writer lease ${LEASE_MS} ms; Redis with appendfsync always`);
  const result = await runProof({ seed, durationMs: minutes * 60_000, clients, troubles: TROUBLES, without, print });
  report(result, print);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(summary(commandLine, result), null, 2)}\n`);
  return result.violations.length + result.problems.length === 0 ? 0 : 1;
}

function report(
  { violations, trouble, problems, counts, seconds, upstreamCalls }: ProofResult,
  print: (line: string) => void,
): void {
  for (const violation of violations.slice(0, PRINTED_MAX)) for (const line of violationLines(violation)) print(line);
  if (violations.length > 0) for (const line of ['trouble before the first of them:', ...trouble]) print(`    ${line}`);
  if (violations.length > PRINTED_MAX) print(`... and ${violations.length - PRINTED_MAX} more violations`);
  for (const problem of problems) print(`PROBLEM: ${problem}`);
  print('');
  for (const group of WRITE_GROUPS) print(`${`${group}:`.padEnd(13)} ${counts.total(group)} (${counts.line(group)})`);
  for (const group of ['asked again', 'reads', 'kills', 'pauses', 'faults', 'person'])
    print(`${`${group}:`.padEnd(13)} ${counts.total(group)} (${counts.line(group)})`);
  const missed = STEP_NAMES.filter((name) => !(`at ${name}` in counts.of('kills')));
  if (missed.length > 0) print(`steps at which no process was killed this time: ${missed.join(', ')}`);
  print(`${seconds.toFixed(0)} s, ${upstreamCalls} upstream calls`);
  print(VIOLATION_KINDS.map((kind) => `${countOf(violations, kind)} ${kind}`).join(', '));
}

function violationLines({ kind, what, history }: Violation): string[] {
  return [`VIOLATION (${kind}): ${what}`, ...history.map((line) => `    ${line}`)];
}

function countOf(violations: readonly Violation[], kind: string): number {
  return violations.filter((violation) => violation.kind === kind).length;
}

function summary(
  commandLine: CommandLine,
  { violations, trouble, problems, counts, seconds, upstreamCalls }: ProofResult,
): unknown {
  const groups = [...WRITE_GROUPS, 'asked again', 'reads', 'kills', 'pauses', 'faults', 'person'];
  return {
    ...commandLine,
    configuration: { ...GATEWAY_ENV, ...MOCK_ENV, leaseMs: LEASE_MS },
    seconds,
    upstreamCalls,
    counts: Object.fromEntries(groups.map((group) => [group, counts.of(group)])),
    found: Object.fromEntries(VIOLATION_KINDS.map((kind) => [kind, countOf(violations, kind)])),
    violations,
    ...(violations.length === 0 ? {} : { trouble }),
    problems,
  };
}
