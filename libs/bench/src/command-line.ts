import { parseArgs } from 'node:util';

export interface CommandLine {
  readonly quick: boolean;
  /** Absent: all. */
  readonly only?: readonly number[];
  readonly json?: string;
  readonly writeDocs: boolean;
}

export class UsageError extends Error {}

export const USAGE = 'npm run bench -- [--quick] [--only 1,3] [--json FILE] [--write-docs]';

export function readCommandLine(words: readonly string[], numbers: readonly number[]): CommandLine {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...words],
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        json: { type: 'string' },
        'write-docs': { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
  const only = values.only?.split(',').map(Number);
  if (only?.some((number) => !numbers.includes(number)) === true)
    throw new UsageError(`--only: found ${JSON.stringify(values.only)}, expected some of ${numbers.join(',')}\n${USAGE}`);
  if (values['write-docs'] && only !== undefined) throw new UsageError(`--write-docs: expected without --only\n${USAGE}`);
  return { quick: values.quick, json: values.json, writeDocs: values['write-docs'], ...(only === undefined ? {} : { only }) };
}
