/** The ceiling of a plain cache: nginx with proxy_cache in front of the mock, for the same sheet. It shows no write before it expires. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@app/local-stack';
import { waitFor } from '@app/platform';
import { rowsPath, sheetName, startDegradedGateway } from '../degraded-gateway';
import { alternate, ratio } from '../load/alternate';
import type { Measurement } from '../measurement';

const ROWS = 100;

export const nginxCache: Measurement = {
  number: 8,
  title: 'beside nginx proxy_cache',
  async measure(bench) {
    const what = 'whole sheet of 100 rows, degraded : nginx proxy_cache';
    if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status !== 0)
      return [{ what, result: 'skipped: there is no nginx on the PATH' }];
    const { gateway, mock, port } = await startDegradedGateway(bench, [ROWS]);
    const nginx = bench.keep(await startNginx(mock.baseUrl));
    const { connections } = bench.scale;
    const path = `/v4/spreadsheets/mock-spreadsheet/values/${sheetName(ROWS)}!A1:J${ROWS + 1}`;
    const [ours, theirs] = await alternate(
      bench.load,
      [
        { name: 'gateway', pid: gateway.pid, request: { port, method: 'GET', path: rowsPath(ROWS), connections, status: 200 } },
        { name: 'nginx', request: { port: nginx.port, method: 'GET', path, connections, status: 200 } },
      ],
      bench.scale,
    );
    return [{ what, result: `${ratio(ours, theirs).toFixed(2)} x`, details: { ours, theirs } }];
  },
};

async function startNginx(upstream: string): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join('\n');
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(directory, 'pid')}; error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; ${temporary}
  proxy_cache_path ${join(directory, 'cache')} keys_zone=mock:1m;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; proxy_cache mock; proxy_cache_valid 200 1h; proxy_ignore_headers Cache-Control Expires Vary; proxy_set_header X-Mock-Uncounted 1; }
  }
}
`,
  );
  const child = spawn('nginx', ['-c', file, '-p', directory], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await waitFor('nginx', () =>
      fetch(`http://127.0.0.1:${port}/control/quota`).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}
