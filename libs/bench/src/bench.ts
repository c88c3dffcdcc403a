/** `npm run bench`: runs the measurements one after another, each with processes of its own that end with it, and prints the table. */
import { writeFileSync } from 'node:fs';
import { REPOSITORY_ROOT } from '@app/local-stack';
import { monotonicMs } from '@app/platform';
import { readCommandLine, UsageError, type CommandLine } from './command-line';
import { startLoad, type Load } from './load/load';
import { describeMachine } from './machine';
import { FULL, QUICK, type Figure, type Measurement, type Scale } from './measurement';
import { MEASUREMENTS } from './measurements';
import { markdownTable, writeDocuments, type Measured } from './report';

export async function bench(words: readonly string[], print: (line: string) => void = console.log): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = readCommandLine(
      words,
      MEASUREMENTS.map(({ number }) => number),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const { quick, only, json, writeDocs } = commandLine;
  const wanted = MEASUREMENTS.filter(({ number }) => only === undefined || only.includes(number));
  const stopping = new AbortController();
  const onSignal = (): void => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const load = startLoad();
  try {
    const measured: Measured[] = [];
    for (const measurement of wanted) {
      print(`${measurement.number}. ${measurement.title} ...`);
      const beganMs = monotonicMs();
      const figures = await measureOne(measurement, load, quick ? QUICK : FULL, print, stopping.signal);
      measured.push({ number: measurement.number, figures });
      for (const { what, result } of figures) print(`   ${what}: ${result}`);
      print(`   (${((monotonicMs() - beganMs) / 1_000).toFixed(0)} s)`);
    }
    const machine = describeMachine();
    const command = `npm run bench${words.length === 0 ? '' : ` -- ${words.filter((word) => word !== '--write-docs').join(' ')}`}`;
    const table = markdownTable(machine, command.replace(/ -- $/, ''), measured);
    print(`\n${table}`);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, command, measured }, null, 2)}\n`);
    if (writeDocs) writeDocuments(REPOSITORY_ROOT, table);
    return 0;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    print('stopped');
    return 130;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
    load.stop();
  }
}

export async function measureOne(
  measurement: Measurement,
  load: Load,
  scale: Scale,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<Figure[]> {
  const parts: { stop(): unknown }[] = [];
  const keep = <T extends { stop(): unknown }>(part: T): T => {
    parts.push(part);
    return part;
  };
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  const measuring = measurement.measure({ load, scale, keep, progress: (line) => print(`   ${line}`) });
  try {
    return await Promise.race([measuring, aborted]);
  } finally {
    // What was started after a Ctrl-C ends with this process (each child watches its parent).
    measuring.catch(() => undefined);
    aborted.catch(() => undefined);
    for (const part of parts.reverse()) await part.stop();
  }
}
