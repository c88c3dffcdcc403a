/**
 * A gateway small enough to read at a glance, on a thread of its own: rows in memory, the mock's bucket of 300, the four stages'
 * answers. It tells whether the scripts judge rightly; whether the gateway is right, the run against the live stack tells.
 */
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { stage, apiKey } = workerData;
const WINDOW_MS = 60_000;
const TRIGGER = 150;
const rows = new Map([['1', { id: '1', status: 'new', quantity: 1 }]]);
const calls = [];
let bucket = 300;

setInterval(() => (bucket = Math.min(300, bucket + 1)), 200).unref();

function answerTo({ method, url, headers }, body) {
  if (url === '/health/ready') return { status: 200 };
  if (apiKey && headers.authorization !== `Bearer ${apiKey}`) return { status: 401 };
  const [, sheet, key] = /^\/sheets\/([^/]+)\/rows(?:\/([^?]+))?/.exec(url) ?? [];
  if (sheet !== 'orders') return { status: 404, body: { message: 'the tabs are: orders' } };

  while (calls.length > 0 && calls[0] < Date.now() - WINDOW_MS) calls.shift();
  const isRead = method === 'GET';
  const degraded = (stage === 'full' || (stage === 'reads' && isRead)) && calls.length >= TRIGGER;
  if (!degraded) {
    calls.push(Date.now());
    if (bucket < 1) return { status: 429, degraded };
    bucket -= 1;
  }
  if (method === 'DELETE') rows.delete(key);
  else if (!isRead) rows.set(key ?? body.id, { ...rows.get(key), ...body });
  if (isRead) return { status: 200, degraded, body: key ? rows.get(key) : { rows: [...rows.values()] } };
  if (degraded) return { status: 202, degraded, headers: { location: '/writes/7' } };
  return { status: method === 'POST' ? 201 : 200, degraded };
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const { status, degraded, body = {}, headers = {} } = answerTo(request, text ? JSON.parse(text) : {});
    if (stage !== 'off' && degraded !== undefined) {
      headers['x-quota-consumed'] = String(Math.min(calls.length, 300));
      headers['x-system-degraded'] = String(degraded);
      headers['x-pending-writes'] = '0';
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}`));
