import { createServer } from 'node:net';

/** A port of loopback on which nobody listens at this moment. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Why nobody can listen there now, as the system's error code (`EADDRINUSE`); undefined: it is free. */
export async function whyNotFree(host: string, port: number): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
