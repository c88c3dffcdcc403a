import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { LoadReply, LoadRequest, LoadResult } from './protocol';

export interface Load {
  /** One run at a time. Throws where any answer was not the expected one. */
  run(request: LoadRequest): Promise<LoadResult>;
  stop(): void;
}

export function startLoad(): Load {
  const child = fork(join(__dirname, 'generator.js'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        const onExit = (): void => reject(new Error('the load generator ended'));
        child.once('exit', onExit);
        child.once('message', (reply: LoadReply) => {
          child.off('exit', onExit);
          if ('error' in reply) reject(new Error(`${request.method} ${request.path}: ${reply.error}`));
          else resolve(reply.result);
        });
        child.send(request);
      }),
    stop: () => void child.disconnect(),
  };
}
