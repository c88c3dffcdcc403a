import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import Ajv from 'ajv';
import { CONFIGURATION_VARIABLES, readConfiguration } from '../../apps/gateway/src/configuration';
import { MOCK_VARIABLES, readConfiguration as readMockConfiguration } from '../../apps/sheets-mock/src/configuration';
import { LOAD_VARIABLES } from '../../k6/settings';
import { type ComposeFile, MissingVariable, parseCompose, parseUnresolved, type Service } from './compose-file';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const source = read('docker-compose.yml');
const REQUIRED = { API_KEYS: 'a-key-of-one-client,a-key-of-another', OPERATOR_USER: 'ops', OPERATOR_PASSWORD: 'secret' };
const compose = parseCompose(source, REQUIRED);
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build);
const SECRET = /KEY|PASSWORD|SECRET|TOKEN|CREDENTIAL|OPERATOR/;

describe('docker-compose.yml', () => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, strictTuples: false }).compile(
    JSON.parse(read('test/deployment/compose-schema.json')) as object,
  );

  it('is what the Compose Specification says, whatever else is in the environment', () => {
    for (const more of [{}, { PORT: '8080', MOCK_PORT: '9000', PROTECTION: 'off', PROFILE: 'heavy', QUOTA_PRESET: 'google' }]) {
      validate(parseCompose(source, { ...REQUIRED, ...more }));
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  it.each<[string, (file: ComposeFile) => unknown]>([
    ['a misspelt key', ({ services: { gateway } }) => Object.assign(gateway, { enviroment: {} })],
    ['a port that is none', ({ services: { gateway } }) => gateway.ports!.push('all:3000')],
    ['a condition that does not exist', ({ services: { k6 } }) => (k6.depends_on!['gateway'].condition = 'healthy')],
    ['a health check that names no kind', ({ services: { redis } }) => (redis.healthcheck!.test = ['valkey-cli', 'ping'])],
    ['a duration without a unit', ({ services: { redis } }) => Object.assign(redis, { stop_grace_period: '30' })],
    [
      'a variable whose value is a map',
      ({ services: { drain } }) => Object.assign(drain.environment!, { ROLE: { is: 'drain' } }),
    ],
    ['a service of nothing', ({ services: all }) => (all['empty'] = {})],
    ['an element of no kind', (file) => Object.assign(file, { service: {} })],
  ])('is really checked: %s is refused', (_what, spoil) => {
    const spoilt = structuredClone(compose);
    spoil(spoilt);
    expect(validate(spoilt)).toBe(false);
  });

  it.each(Object.keys(REQUIRED))('does not start without %s: there is no default key', (name) => {
    const problem = () => parseCompose(source, { ...REQUIRED, [name]: '' });
    expect(problem).toThrow(MissingVariable);
    expect(problem).toThrow(name);
  });

  it('publishes every port on 127.0.0.1 only', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports).toEqual(['4100:4100', '3000:3000', '9090:9090', '3001:3000'].map((port) => `127.0.0.1:${port}`));
    expect(compose.services['redis']).not.toHaveProperty('ports');
  });

  it('keeps Redis, which has no password, on a network that only the gateway and its drain share', () => {
    expect(compose.networks['data']).toEqual({ internal: true });
    expect(services.filter(([, { networks }]) => networks?.includes('data')).map(([name]) => name)).toEqual([
      'redis',
      'gateway',
      'drain',
    ]);
    expect(compose.services['redis']?.networks).toEqual(['data']);
  });

  it('runs a Redis that loses no acknowledged write: append-only, flushed each time, never evicting, on a volume', () => {
    const { command = [], volumes } = compose.services['redis'] ?? {};
    const option = (name: string) => command[command.indexOf(name) + 1];
    expect(option('--appendonly')).toBe('yes');
    expect(option('--appendfsync')).toBe('always');
    expect(option('--maxmemory-policy')).toBe('noeviction');
    expect(volumes).toEqual(['redis-data:/data']);
  });

  it.each([
    ['gateway', CONFIGURATION_VARIABLES],
    ['drain', CONFIGURATION_VARIABLES],
    ['sheets-mock', MOCK_VARIABLES],
    ['k6', LOAD_VARIABLES],
  ])('sets only variables that the configuration of %s knows', (name, known: readonly string[]) => {
    const set = Object.keys(compose.services[name]?.environment ?? {});
    expect(set).not.toEqual([]);
    expect(set.filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it.each(['off', 'count', 'reads', 'full'])('sets values that the configurations accept, in the stage %s', (PROTECTION) => {
    for (const QUOTA_PRESET of ['case-study', 'google']) {
      const { gateway, drain, 'sheets-mock': mock } = parseCompose(source, { ...REQUIRED, PROTECTION, QUOTA_PRESET }).services;
      expect(readConfiguration(gateway?.environment ?? {})).toMatchObject({ role: 'api', host: '0.0.0.0', port: 3000 });
      expect(readConfiguration(drain?.environment ?? {})).toMatchObject({ role: 'drain', host: '0.0.0.0', port: 3000 });
      expect(readMockConfiguration(mock?.environment ?? {})).toMatchObject({ host: '0.0.0.0', port: 4100, dataDir: '/data' });
    }
  });

  it('splits the roles, and lets one variable set the stage of gateway, drain and load', () => {
    const off = parseCompose(source, { ...REQUIRED, PROTECTION: 'off' }).services;
    expect(off['gateway']?.environment).toMatchObject({ ROLE: 'api', PROTECTION: 'off' });
    expect(off['drain']?.environment).toMatchObject({ ROLE: 'drain', PROTECTION: 'off' });
    expect(off['k6']?.environment).toMatchObject({ STAGE: 'off' });
    expect(off['k6']?.profiles).toEqual(['load']);
  });

  it('counts by the same limit in the gateway and in the mock', () => {
    const google = parseCompose(source, { ...REQUIRED, QUOTA_PRESET: 'google' }).services;
    expect(google['gateway']?.environment?.['QUOTA_PRESET']).toBe('google');
    expect(google['sheets-mock']?.environment?.['MOCK_QUOTA']).toBe('google');
  });

  it('holds no secret: each comes from the environment, and has no default', () => {
    for (const { environment = {} } of Object.values(parseUnresolved(source).services)) {
      const secrets = Object.entries(environment).filter(([name]) => SECRET.test(name));
      for (const [name, value] of secrets) expect(`${name}=${value}`).toMatch(/^\w+=\$\{\w+:\?[^}]+\}$/);
    }
    expect(source).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/);
  });

  it('pins every image to a full version', () => {
    const images = services.flatMap(([, { image }]) => image ?? []);
    expect(images).toHaveLength(4);
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it.each(services)('hardens %s: no privileges, no capabilities, a file system that cannot be written', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service).not.toHaveProperty('privileged');
    expect(service.user ?? 'the image says').not.toMatch(/^(root|0)\b/);
    expect((service.volumes ?? []).filter((mount) => mount.includes('docker.sock'))).toEqual([]);
  });

  it('names only networks, volumes and services that it declares, and waits only for those that have a health check', () => {
    for (const [, { networks = [], volumes = [], depends_on: needs = {} }] of services) {
      expect(networks.filter((name) => !(name in compose.networks))).toEqual([]);
      const sources = volumes.map((mount) => mount.split(':')[0] ?? '');
      expect(
        sources.filter((name) => (name.startsWith('.') ? !existsSync(join(root, name)) : !(name in compose.volumes))),
      ).toEqual([]);
      for (const [needed, { condition }] of Object.entries(needs)) {
        expect([needed, condition]).toEqual([needed, 'service_healthy']);
        expect(compose.services[needed]?.healthcheck?.test).toBeDefined();
      }
    }
  });

  it.each(ours)(
    'builds %s from a target of the Dockerfile, and probes the port that it listens on',
    (_name, service: Service) => {
      const target = service.build?.target ?? '';
      expect(targets).toContain(target);
      const { PORT, MOCK_PORT } = service.environment ?? {};
      expect(service.healthcheck?.test.join(' ')).toMatch(
        new RegExp(`^CMD node deploy/healthcheck\\.mjs http://127\\.0\\.0\\.1:${MOCK_PORT ?? PORT}/`),
      );
    },
  );
});

const dockerfile = read('Dockerfile');
const stages = dockerfile
  .split(/^FROM /m)
  .slice(1)
  .map((text) => {
    const [, base = '', name = ''] = /^(\S+) AS (\S+)/.exec(text) ?? [];
    return { base, name, text };
  });
const targets = stages.map(({ name }) => name);

describe('the image', () => {
  it('is built from pinned images only', () => {
    const bases = stages.map(({ base }) => base).filter((base) => !targets.includes(base));
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^node:20\.\d+\.\d+-\w+-slim$/);
  });

  it.each(['gateway', 'sheets-mock'])('runs %s as a user that is not root', (target) => {
    const chain: string[] = [];
    for (let name = target; ;) {
      const stage = stages.find((candidate) => candidate.name === name);
      if (!stage) break;
      chain.unshift(stage.text);
      name = stage.base;
    }
    const users = [...chain.join('\n').matchAll(/^USER (\S+)$/gm)].map(([, user]) => user);
    expect(users.at(-1)).toBe('node');
  });

  it('makes the gateway where no target is named', () => {
    expect(targets.at(-1)).toBe('gateway');
  });

  it.each([
    ['gateway', 'gateway'],
    ['sheets-mock', 'sheets-mock'],
  ])('starts %s with a file that the build makes', (target, app) => {
    const { text = '' } = stages.find(({ name }) => name === target) ?? {};
    expect(text).toContain(`CMD ["node", "dist/apps/${app}/src/main.js"]`);
    expect(existsSync(join(root, `apps/${app}/src/main.ts`))).toBe(true);
  });

  it('installs what the lock file says, builds, and leaves the tools of the build behind', () => {
    const order = ['npm ci', 'npm run build', 'npm prune --omit=dev', 'AS runtime'].map((step) => dockerfile.indexOf(step));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it('holds no secret', () => {
    const instructions = dockerfile.split('\n').filter((line) => /^(ENV|ARG|LABEL|COPY|ADD)\b/.test(line));
    expect(instructions.filter((line) => SECRET.test(line.toUpperCase()))).toEqual([]);
    expect(instructions.filter((line) => /\.env\b|^ADD\b|^COPY \. /.test(line))).toEqual([]);
  });

  it('is given by .dockerignore all that it copies, and no file of settings', () => {
    const [everything, ...rules] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).toBe('*');
    const isGiven = (path: string) => {
      const rule = rules.findLast((pattern) => {
        const [, anywhere, glob = ''] = /^!?(\*\*\/)?(.*)$/.exec(pattern) ?? [];
        const parts = glob.split('*').map((part) => part.replace(/[.]/g, '\\.'));
        return new RegExp(`${anywhere ? '(^|/)' : '^'}${parts.join('[^/]*')}(/|$)`).test(path);
      });
      return rule?.startsWith('!') ?? false;
    };
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
    expect(copied).not.toEqual([]);
    expect(copied.filter((path) => !isGiven(path) || !existsSync(join(root, path)))).toEqual([]);
    expect(['.env', 'apps/gateway/.env', 'apps/gateway/.env.local', '.data/redis', 'node_modules/x'].filter(isGiven)).toEqual([]);
  });
});

describe('the health check', () => {
  async function probe(url: string): Promise<{ code: number; says: string }> {
    const child = spawn(process.execPath, [join(root, 'deploy/healthcheck.mjs'), url]);
    let says = '';
    child.stderr.on('data', (chunk: Buffer) => (says += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, says };
  }
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/well' ? 200 : 503).end('{"redis":"down"}');
  });
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => server.close(closed)));

  it('passes where the service answers 2xx', async () => {
    expect(await probe(`${url}/well`)).toEqual({ code: 0, says: '' });
  });

  it('fails and says why where it answers otherwise or not at all', async () => {
    expect(await probe(`${url}/ill`)).toEqual({ code: 1, says: `${url}/ill answered 503: {"redis":"down"}\n` });
    const { code, says } = await probe('http://127.0.0.1:1/');
    expect(code).toBe(1);
    expect(says).toContain('cannot be reached: ');
  });
});
