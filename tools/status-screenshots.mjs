/**
 * `npm run status:screenshots`: brings a stack of this machine into each state that the status page knows, and photographs the page
 * as a laptop and a phone show it, light and dark, under .data/screenshots/. Takes about two minutes.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureAll, root } from './prepare.mjs';

ensureAll();
const { startStack } = (await import('../dist/libs/local-stack/src/index.js')).default;
const { waitFor } = (await import('../dist/libs/platform/src/index.js')).default;
const { chromium } = await import('playwright-core');

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const executablePath = CHROMIUM_NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim()).find(
  Boolean,
);
if (executablePath === undefined) {
  console.error(
    `No browser found: one of ${CHROMIUM_NAMES.join(', ')} has to be on the PATH (Debian: apt-get install chromium).`,
  );
  process.exit(1);
}

const folder = join(root, '.data/screenshots');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const DEVICES = {
  laptop: { viewport: { width: 1366, height: 768 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true },
};

/** A quota that fills and empties in seconds, and a drain that takes its time. */
const stack = await startStack({
  gateways: 2,
  mockEnv: { MOCK_LATENCY_MS: '20', MOCK_LATENCY_JITTER_MS: '5', MOCK_QUOTA: 'off' },
  gatewayEnv: (index) => ({
    ROLE: index === 0 ? 'all' : 'drain',
    QUOTA_LIMIT: '100',
    QUOTA_WINDOW_MS: '20000',
    QUOTA_MIN_DEGRADED_MS: '3000',
    UPSTREAM_TIMEOUT_MS: '1000',
    DRAIN_PACE_MS: '2500',
  }),
});
const { baseUrl } = stack.gateways[0];
const browser = await chromium.launch({ executablePath });
let load;

try {
  const send = (method, path, body) =>
    fetch(baseUrl + path, {
      method,
      body: body && JSON.stringify(body),
      headers: body && { 'content-type': 'application/json' },
    }).catch(() => undefined);
  const control = (path, body) =>
    fetch(`${stack.mock.baseUrl}/control/${path}`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const state = async () => await (await fetch(`${baseUrl}/status.json`)).json();
  const situation = (name, more = () => true) =>
    waitFor(
      `the state ${name}`,
      async () => {
        const now = await state();
        return now.situation.name === name && more(now);
      },
      { timeoutMs: 90_000, everyMs: 250 },
    );

  let written = 0;
  const read = () => send('GET', `/sheets/${written % 3 === 0 ? 'customers' : 'orders'}/rows?limit=5`);
  const write = (rows = 1) =>
    send(
      'POST',
      '/sheets/orders/rows',
      Array.from({ length: rows }, () => ({ id: `S-${(written += 1)}`, item: 'Espresso beans 1 kg', quantity: 1 })),
    );
  /** So many reads and writes a second until the next call. */
  const loadOf = (readsPerSecond, writesPerSecond) => {
    clearInterval(load);
    let readsDue = 0;
    let writesDue = 0;
    load = setInterval(() => {
      for (readsDue += readsPerSecond / 10; readsDue >= 1; readsDue -= 1) void read();
      for (writesDue += writesPerSecond / 10; writesDue >= 1; writesDue -= 1) void write();
    }, 100);
  };

  const pages = [];
  for (const [device, settings] of Object.entries(DEVICES)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ ...settings, colorScheme });
      const page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && console.log(`page: ${message.text()}`));
      page.on('pageerror', (error) => console.log(`page: ${error.stack}`));
      await page.goto(baseUrl);
      pages.push({ page, name: `${device}-${colorScheme}` });
    }
  }
  const photograph = async (name) => {
    for (const { page, name: kind } of pages) {
      await page.waitForSelector(`#banner[data-situation='${name}']`, { timeout: 15_000 });
      const path = join(folder, `${name}-${kind}.png`);
      // The laptop shows what fits; a phone is scrolled.
      await page.screenshot({ path, fullPage: kind.startsWith('phone') });
      console.log(relative(root, path));
    }
  };

  console.log('direct: a little traffic');
  loadOf(1.5, 0.3);
  await situation(
    'direct',
    ({ timeline }) => timeline.buckets.length > 12 && timeline.buckets.some(({ counters }) => counters['writes.done'] > 0),
  );
  await photograph('direct');

  console.log('degraded: more than the quota allows, a limit that the upstream states, two writes that cannot be carried out');
  loadOf(25, 5);
  await situation('degraded');
  await send('PATCH', '/sheets/orders/rows/ORD-0007', { item: 'Filter papers' });
  await send('PATCH', '/sheets/orders/rows/ORD-0008', { item: 'Filter papers' });
  await fetch(`${stack.mock.baseUrl}/v4/spreadsheets/mock-spreadsheet:batchUpdate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Mock-Uncounted': '1' },
    body: JSON.stringify({
      requests: [{ deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 7, endIndex: 9 } } }],
    }),
  });
  await control('faults', { rules: [{ fault: '429', on: 'any', times: 1, limitValue: 90 }] });
  await situation('degraded', ({ failures, quotas }) => failures.total >= 2 && quotas[0].learntLimit !== undefined);
  await photograph('degraded');

  console.log('draining: the load ends, what was queued is sent');
  for (let count = 0; count < 24; count += 1) await write(400);
  loadOf(0.5, 0);
  await situation('draining', ({ forecast }) => forecast.kind === 'time');
  await photograph('draining');

  console.log('upstream-down: every call is left hanging, the load goes on');
  await situation('direct');
  loadOf(5, 1);
  await control('faults', { rules: [{ fault: 'hang', on: 'any' }] });
  await situation('upstream-down', ({ pending }) => pending.writes > 5);
  await photograph('upstream-down');

  console.log('redis-down: Redis stops answering, the upstream is back');
  await control('faults', { rules: [] });
  await waitFor('the upstream to be seen again', async () => !(await state()).upstream.down, { timeoutMs: 60_000, everyMs: 250 });
  stack.redis.pause();
  await situation('redis-down', ({ timeline }) => timeline.buckets.at(-1).counters['reads.memory'] > 0);
  await photograph('redis-down');
} finally {
  clearInterval(load);
  stack.redis.resume();
  await browser.close();
  await stack.stop();
}
