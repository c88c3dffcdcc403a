/** Answers 200 to everything, and writes to the file ENDINGS when it ends in good order. */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

export function standIn(name, port) {
  const behaviour = process.env[`${name.toUpperCase()}_STAND_IN`];
  if (behaviour === 'fails') {
    console.error('CREDENTIALS: found nothing, expected a file');
    process.exit(3);
  }
  if (behaviour === 'never ready') {
    setInterval(() => undefined, 1_000);
    return;
  }
  process.on('SIGTERM', () => {
    if (behaviour === 'deaf') return;
    appendFileSync(process.env.ENDINGS, `${name}\n`);
    process.exit(0);
  });
  createServer((_, response) => response.end()).listen(Number(port), '127.0.0.1', () => console.log(`${name} listens`));
}
