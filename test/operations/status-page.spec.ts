import { spawnSync } from 'node:child_process';
import { startStack, type Stack } from '@app/local-stack';
import { pause, waitFor } from '@app/platform';
import { chromium, type Browser, type Page } from 'playwright-core';
import { Client, Upstream } from '../support/client';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim())
  .find((path) => path !== '' && path !== undefined);
if (CHROMIUM === undefined) console.warn('The tests of the status page in a browser are skipped: no chromium is on the PATH.');
const inBrowser = CHROMIUM === undefined ? it.skip : it;

/** From the moment that the upstream dies: what operators are promised. */
const TOLD_WITHIN_MS = 15_000;

describe('the status page', () => {
  let stack: Stack;
  let client: Client;
  let upstream: Upstream;
  let browser: Browser | undefined;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    stack = await startStack({
      mockEnv: { MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0', MOCK_QUOTA: 'off' },
      gatewayEnv: {
        QUOTA_LIMIT: '40',
        QUOTA_WINDOW_MS: '15000',
        QUOTA_MIN_DEGRADED_MS: '1000',
        UPSTREAM_TIMEOUT_MS: '1000',
        DRAIN_PACE_MS: '2000',
      },
    });
    client = new Client(stack.gateways[0].baseUrl);
    upstream = new Upstream(stack.mock.baseUrl);
    if (CHROMIUM === undefined) return;
    browser = await chromium.launch({ executablePath: CHROMIUM });
    page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(stack.gateways[0].baseUrl);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const situation = async (): Promise<string> => (await client.get('/status.json')).body.situation.name as string;

  inBrowser('shows the change from direct to degraded as it happens, and what is pending', async () => {
    await page.waitForSelector('#banner[data-situation=direct]');
    for (let count = 0; count < 30; count += 1) await client.get('/sheets/orders/rows');
    const write = await client.post('/sheets/orders/rows', { id: 'secret-key', item: 'secret-cell' });
    expect(write.status).toBe(202);
    await page.waitForSelector('#banner[data-situation=degraded]');
    await waitFor('the page to announce it', async () =>
      /^Degraded\./.test(await page.textContent('#announcement').then(String)),
    );
    await page.waitForSelector('.plot canvas');
    expect(await page.textContent('body')).not.toMatch(/secret/);
  });

  inBrowser('has landmarks, headings and names, fits its screen, and every link is reached by keyboard', async () => {
    for (const role of ['banner', 'main', 'navigation'] as const) expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole('heading').count()).toBeGreaterThanOrEqual(7);
    expect(await page.getByRole('img', { name: /calls in the window now/ }).count()).toBe(1);
    const focused = "document.activeElement.getAttribute('href') ?? document.activeElement.tagName";
    const reached: string[] = [];
    for (let key = 0; key < 14; key += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<string>(focused));
    }
    expect(reached).toEqual(expect.arrayContaining(['#now', '/queues', '/docs', '/status.json', 'SUMMARY']));
    for (const width of [1366, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const across = async (): Promise<boolean> => (await page.evaluate<number>('document.documentElement.scrollWidth')) <= width;
      await waitFor(`nothing to stick out at ${width}`, across);
    }
  });

  it('says within 15 s that the upstream is dead, while clients get 200 and 202', async () => {
    await waitFor('the quota to be free again', async () => (await situation()) === 'direct', {
      timeoutMs: 60_000,
      everyMs: 200,
    });
    const diedMs = Date.now();
    await upstream.faults({ rules: [{ fault: 'hang', on: 'any' }] });
    const statuses = new Set<number>();
    let count = 0;
    while ((await situation()) !== 'upstream-down' && Date.now() - diedMs < 2 * TOLD_WITHIN_MS) {
      statuses.add((await client.get('/sheets/orders/rows')).status);
      statuses.add((await client.post('/sheets/orders/rows', { id: `dead-${(count += 1)}` })).status);
      await pause(100);
    }
    expect(Date.now() - diedMs).toBeLessThan(TOLD_WITHIN_MS);
    expect([...statuses].sort()).toEqual([200, 202]);
    if (browser !== undefined) await page.waitForSelector('#banner[data-situation=upstream-down]');
    await upstream.faults({ rules: [] });
  }, 120_000);

  it('says that Redis is down, and shows the last known state', async () => {
    stack.redis.pause();
    try {
      await waitFor('the page to say so', async () => (await situation()) === 'redis-down', { everyMs: 200 });
      const { body } = (await client.get('/status.json')) as { body: { lastKnownAtMs: number; atMs: number; quotas: unknown[] } };
      expect(body.lastKnownAtMs).toBeLessThanOrEqual(body.atMs);
      expect(body.quotas).toHaveLength(1);
    } finally {
      stack.redis.resume();
    }
    await waitFor('Redis to be seen again', async () => (await situation()) !== 'redis-down', { everyMs: 200 });
  }, 60_000);

  inBrowser('loads and runs without an error, nothing of it from elsewhere or inline', () => {
    expect(complaints).toEqual([]);
  });
});
