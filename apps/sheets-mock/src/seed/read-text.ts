import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../configuration';

/** A file that a variable of the environment names. */
export function readText(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`${variable}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
