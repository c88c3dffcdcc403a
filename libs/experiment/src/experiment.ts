/**
 * `npm run experiment`: runs, writes the report, and fails if `full` lost a request, if its calls passed the limit, or if a write that was
 * acknowledged is not in the spreadsheet exactly once.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY_ROOT } from '@app/local-stack';
import { readCommandLine, UsageError, type CommandLine } from './command-line';
import { htmlReport } from './report/html-report';
import { markdownSummary } from './report/markdown-summary';
import { readmeImage } from './report/readme-image';
import { runExperiment, type Experiment } from './run-experiment';
import { Interrupted } from './stage/run-stage';

const README_IMAGE = join(REPOSITORY_ROOT, 'docs/images/experiment.svg');

/** As a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

export async function experiment(words: readonly string[], print: (line: string) => void = console.log): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = readCommandLine(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  if (commandLine.from !== undefined) {
    const { command, ...result } = JSON.parse(readFileSync(commandLine.from, 'utf8')) as { command: string } & Experiment;
    return deliver(result, command, commandLine, print);
  }
  const interruption = new AbortController();
  const interrupt = (): void => {
    print('stopping: the processes of the run are being ended');
    interruption.abort();
  };
  // Only the first: a second Ctrl-C ends this process at once, and its children end with it.
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    const result = await runExperiment(commandLine.settings, { print, over: interruption.signal });
    return deliver(result, ['npm run experiment --', ...words].join(' '), commandLine, print);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return INTERRUPTED;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

function deliver(
  result: Experiment,
  command: string,
  { outDirectory, json, readme }: CommandLine,
  print: (line: string) => void,
): number {
  const summary = markdownSummary(result, command);
  print(`\n${summary}`);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    print(`written: ${file}`);
  };
  write(join(outDirectory, 'report.html'), htmlReport(result, command));
  write(join(outDirectory, 'summary.md'), summary);
  if (json !== undefined) write(json, `${JSON.stringify({ command, ...result }, null, 2)}\n`);
  if (readme) write(README_IMAGE, readmeImage(result));
  for (const problem of result.problems) print(`PROBLEM  ${problem}`);
  return result.problems.length === 0 ? 0 : 1;
}
