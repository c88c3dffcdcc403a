import { runCommandLine } from './command-line';

const terminal = {
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
};

void runCommandLine(process.argv.slice(2), process.env, terminal).then((code) => (process.exitCode = code));
