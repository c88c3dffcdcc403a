/** The files of the status page, read once: nothing is built, and nothing comes from another host. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  readonly etag: string;
}

const OWN = join(__dirname, 'page');
const UPLOT = dirname(require.resolve('uplot/dist/uPlot.iife.min.js'));

const FILES: Readonly<Record<string, { readonly path: string; readonly type: string }>> = {
  'index.html': { path: join(OWN, 'index.html'), type: 'text/html; charset=utf-8' },
  'status.css': { path: join(OWN, 'status.css'), type: 'text/css; charset=utf-8' },
  'status.js': { path: join(OWN, 'status.js'), type: 'text/javascript; charset=utf-8' },
  'charts.js': { path: join(OWN, 'charts.js'), type: 'text/javascript; charset=utf-8' },
  'words.js': { path: join(OWN, 'words.js'), type: 'text/javascript; charset=utf-8' },
  'icon.svg': { path: join(OWN, 'icon.svg'), type: 'image/svg+xml' },
  'uPlot.js': { path: join(UPLOT, 'uPlot.iife.min.js'), type: 'text/javascript; charset=utf-8' },
  'uPlot.css': { path: join(UPLOT, 'uPlot.min.css'), type: 'text/css; charset=utf-8' },
};

/** Everything from here, nothing inline: what a sheet's title or a reason says can never run. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

export function readPageFiles(): ReadonlyMap<string, PageFile> {
  return new Map(
    Object.entries(FILES).map(([name, { path, type }]) => {
      const content = readFileSync(path);
      return [name, { type, content, etag: `"${createHash('sha256').update(content).digest('hex').slice(0, 16)}"` }];
    }),
  );
}
