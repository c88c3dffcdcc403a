/** `npm run mock:fidelity -- --recordings DIR`: how many recorded answers of the real service the mock gives, by kind of call. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readRecordings, RecordingsError, replay } from './fidelity/replay.mjs';
import { ensureBuild, ensureDependencies, ensureNode } from './prepare.mjs';

const USAGE = `usage: npm run mock:fidelity -- --recordings DIR [--base URL] [--verbose] [--json FILE]

  --recordings DIR  the recordings (apps/sheets-mock/README.md says their form)
  --base URL        another server than a mock of its own, without quota and latency
  --verbose         each answer that differs, and where
  --json FILE       the score, and each answer that differs, as JSON

Ends with 0 whatever the score; with 2 where it cannot measure.
`;
const DIFFERENCES_SHOWN_MAX = 10;
const TEXT_SHOWN_MAX = 200;

async function main() {
  const { recordings, base, verbose, json, help } = readOptions();
  if (help) return void process.stdout.write(USAGE);
  const files = readRecordings(recordings);
  const mock = base === undefined ? await startMock() : undefined;
  const results = [];
  try {
    for await (const result of replay((base ?? mock.baseUrl).replace(/\/+$/, ''), files)) {
      results.push(result);
      if (verbose && result.verdict !== 'matched') console.log(describe(result));
    }
  } finally {
    await mock?.stop();
  }
  const score = scoreOf(results);
  console.log(tableOf(score));
  if (json !== undefined)
    writeFileSync(
      json,
      `${JSON.stringify({ ...score, differing: results.filter(({ verdict }) => verdict !== 'matched') }, null, 2)}\n`,
    );
}

function readOptions() {
  try {
    const text = { type: 'string' };
    const flag = { type: 'boolean' };
    const { values } = parseArgs({ options: { recordings: text, base: text, json: text, verbose: flag, help: flag } });
    if (values.recordings === undefined && !values.help) throw new Error('--recordings is missing');
    return values;
  } catch (error) {
    throw new RecordingsError(`${error.message}\n\n${USAGE}`);
  }
}

async function startMock() {
  ensureNode();
  ensureDependencies();
  ensureBuild();
  const { startMock: start } = (await import('../dist/apps/sheets-mock/src/index.js')).default;
  return await start({ quota: 'off', latencyMs: 0 });
}

function scoreOf(results) {
  const kinds = new Map();
  for (const { kind, verdict } of results) {
    const row = kinds.get(kind) ?? { kind, calls: 0, matched: 0, mismatched: 0, notImplemented: 0 };
    row.calls += 1;
    row[verdict === 'not-implemented' ? 'notImplemented' : verdict] += 1;
    kinds.set(kind, row);
  }
  const rows = [...kinds.values()].sort((one, other) => other.calls - one.calls || one.kind.localeCompare(other.kind));
  const matched = results.filter(({ verdict }) => verdict === 'matched').length;
  const percentByKind = rows.reduce((sum, row) => sum + (100 * row.matched) / row.calls, 0) / (rows.length || 1);
  return { calls: results.length, matched, percent: (100 * matched) / (results.length || 1), percentByKind, kinds: rows };
}

function tableOf({ calls, matched, percent, percentByKind, kinds }) {
  const width = Math.max(...kinds.map(({ kind }) => kind.length), 'call kind'.length);
  const lines = kinds.map(
    ({ kind, calls: of, matched: ok, notImplemented }) =>
      `${kind.padEnd(width)}  ${ok} of ${of}${notImplemented > 0 ? ` (${notImplemented} not implemented)` : ''}`,
  );
  // Rounded down, so that 100.0 means all.
  const floor = (value) => (Math.floor(value * 10) / 10).toFixed(1);
  const total = `${matched} of ${calls} calls match (${floor(percent)} %); as the average of ${kinds.length} kinds ${floor(percentByKind)} %`;
  return [`${'call kind'.padEnd(width)}  matched`, ...lines, '', total].join('\n');
}

function describe({ file, recording, call, kind, verdict, request, differences }) {
  const short = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, TEXT_SHOWN_MAX);
  const shown = differences
    .slice(0, DIFFERENCES_SHOWN_MAX)
    .map(({ at, expected, found }) => `    ${at}: expected ${short(expected)}, found ${short(found)}`);
  const more = differences.length - shown.length;
  return [
    `${verdict}: ${file}, recording ${recording + 1}, call ${call + 1}, ${kind}`,
    `  ${request.method} ${request.path}`,
    ...shown,
    ...(more > 0 ? [`    and ${more} more`] : []),
    '',
  ].join('\n');
}

main().catch((error) => {
  console.error(error instanceof RecordingsError ? `mock:fidelity: ${error.message}` : error);
  process.exitCode = 2;
});
