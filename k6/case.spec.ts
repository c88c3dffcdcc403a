import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from '@app/local-stack';
import type { Options, RampingArrivalRateScenario } from 'k6/options';
import { operationFor, OPERATIONS, WEIGHTS, type Operation } from './mix.ts';
import { PHASE_NAMES, PROFILES, type Profile } from './profiles.ts';
import { type LOAD_VARIABLES, PROFILE_NAMES, readSettings, STAGE_NAMES, type StageName } from './settings.ts';
import type { Run, Script } from './stand-in/run.ts';

type LoadVariable = (typeof LOAD_VARIABLES)[number];
type Environment = Partial<Record<LoadVariable, string>>;

/** A script and its stand-in, fresh for every run: k6 gives each run a process of its own. */
async function withCase<T>(environment: Environment, use: (script: Script, standIn: StandIn) => Promise<T>): Promise<T> {
  Object.assign(globalThis, { __ENV: environment });
  let script: Script | undefined;
  let standIn: StandIn | undefined;
  await jest.isolateModulesAsync(async () => {
    standIn = await import('./stand-in/run.ts');
    script = await import('./case.ts');
  });
  if (!script || !standIn) throw new Error('the script did not load');
  return use(script, standIn);
}
type StandIn = typeof import('./stand-in/run.ts');

async function optionsFor(environment: Environment): Promise<Options> {
  return withCase(environment, async (script, { endWorker }) => {
    await endWorker();
    return script.options;
  });
}

/** The load of minutes in a few seconds: as many requests as the mock's bucket holds, and a third as many again. */
const ITERATIONS = { warm_up: 60, ramp: 100, peak: 200, cool_down: 40 };

const runCase = (environment: Environment): Promise<Run> =>
  withCase(environment, async (script, { runScript }) => runScript(script, ITERATIONS));

interface Gateway {
  baseUrl: string;
  stop(): Promise<unknown>;
}

/** The real gateway and the mock, as processes of their own: this thread waits for each answer. */
async function startGateway(stage: StageName, apiKey = ''): Promise<Gateway> {
  const stack = await startStack({
    mockEnv: { MOCK_LATENCY_MS: '1', MOCK_LATENCY_JITTER_MS: '0' },
    gatewayEnv: { PROTECTION: stage, API_KEYS: apiKey },
  });
  const [gateway] = stack.gateways;
  return { baseUrl: gateway?.baseUrl ?? '', stop: () => stack.stop() };
}

/** How fast a machine answers that runs tests is no matter of right or wrong. */
const withoutSpeed = (missed: readonly string[]): string[] => missed.filter((line) => !line.startsWith('http_req_duration'));

describe('the load of the case, run against a gateway', () => {
  let gateway: Gateway | undefined;
  afterEach(async () => {
    await gateway?.stop();
  });

  it.each(STAGE_NAMES)('meets every check and threshold of the stage %s', async (stage) => {
    gateway = await startGateway(stage);
    const run = await runCase({ BASE_URL: gateway.baseUrl, STAGE: stage, PROFILE: 'mild' });

    expect(run.checksMissed).toEqual([]);
    expect(withoutSpeed(run.thresholdsMissed)).toEqual([]);
    expect(run.samples('http_reqs').length).toBeGreaterThanOrEqual(400);
  });

  it('fails where a gateway that should protect does not: lost requests cannot pass for success', async () => {
    gateway = await startGateway('count');
    const run = await runCase({ BASE_URL: gateway.baseUrl, STAGE: 'full' });

    expect(run.checksMissed).toContain('the status is one that this stage may give');
    const missed = run.thresholdsMissed.join('\n');
    expect(missed).toContain('requests_lost: rate==0');
    expect(missed).toContain('http_req_failed: rate==0');
    expect(missed).toContain('answers_degraded{scenario:peak}: rate>0.25');
  });

  it('fails where the stage without protection loses nothing: then the problem was not reproduced', async () => {
    gateway = await startGateway('full');
    const run = await runCase({ BASE_URL: gateway.baseUrl, STAGE: 'off' });
    expect(run.thresholdsMissed.join('\n')).toContain('requests_lost: rate>0.05');
  });

  it('sends every kind of request, reads and writes about three to one', async () => {
    gateway = await startGateway('full');
    const run = await runCase({ BASE_URL: gateway.baseUrl, STAGE: 'full' });

    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) expect(run.samples(`http_reqs{method:${method}}`)).not.toEqual([]);
    const reads = run.samples('requests_lost{operation:read}').length;
    const writes = run.samples('requests_lost{operation:write}').length;
    expect(reads / (reads + writes)).toBeGreaterThan(0.65);
    expect(reads / (reads + writes)).toBeLessThan(0.85);
  });

  it('sends the key, the first where the list of the gateway is handed on', async () => {
    gateway = await startGateway('full', 'one-key-of-sixteen');
    const environment: Environment = { BASE_URL: gateway.baseUrl };
    await expect(runCase(environment)).rejects.toThrow('set API_KEY');
    expect(withoutSpeed((await runCase({ ...environment, API_KEY: 'one-key-of-sixteen,another' })).thresholdsMissed)).toEqual([]);
  });

  it('says before the load what is wrong with it: the sheet, the stage, the address', async () => {
    gateway = await startGateway('off');
    const environment: Environment = { BASE_URL: gateway.baseUrl, STAGE: 'off' };
    await expect(runCase({ ...environment, SHEET: 'nope' })).rejects.toThrow("the spreadsheet has no sheet 'nope': set SHEET");
    await expect(runCase({ ...environment, STAGE: 'full' })).rejects.toThrow('start it with PROTECTION=full');
    await expect(runCase({ BASE_URL: 'http://127.0.0.1:1' })).rejects.toThrow('is the gateway up?');
  });
});

describe('the timelines', () => {
  /** The arrivals of the whole run, in seconds, as the executor spaces them: one whenever the area under the rate grows by one. */
  function arrivalsOf({ phases }: Profile): number[] {
    const stepSeconds = 0.001;
    const arrivals: number[] = [];
    let now = 0;
    let owed = 0;
    for (const { fromPerMinute, legs } of PHASE_NAMES.map((name) => phases[name])) {
      let from = fromPerMinute;
      for (const { seconds, toPerMinute } of legs) {
        for (let at = 0; at < seconds; at += stepSeconds, now += stepSeconds) {
          owed += ((from + ((toPerMinute - from) * at) / seconds) / 60) * stepSeconds;
          if (owed < 1) continue;
          owed -= 1;
          arrivals.push(now);
        }
        from = toPerMinute;
      }
    }
    return arrivals;
  }

  /** What the mock's default quota refuses of it: a bucket of 300 that refills at 5 a second. */
  function refusedOf(arrivals: number[]): number {
    let bucket = 300;
    let before = 0;
    return arrivals.filter((now) => {
      bucket = Math.min(300, bucket + (now - before) * 5);
      before = now;
      if (bucket < 1) return true;
      bucket -= 1;
      return false;
    }).length;
  }

  it('mild: about 1,260 requests, of which an unprotected client loses about 12.7 %', () => {
    const arrivals = arrivalsOf(PROFILES.mild);
    expect(Math.abs(arrivals.length - 1_260)).toBeLessThan(15);
    expect(refusedOf(arrivals) / arrivals.length).toBeCloseTo(0.127, 2);
  });

  it('heavy: an unprotected client loses about 78 %', () => {
    const arrivals = arrivalsOf(PROFILES.heavy);
    expect(refusedOf(arrivals) / arrivals.length).toBeCloseTo(0.78, 2);
  });

  it.each(PROFILE_NAMES)(
    '%s: one phase begins where and when the one before it ended, and nothing is lost in the first',
    async (name) => {
      const { scenarios = {} } = await optionsFor({ PROFILE: name });
      const phases = Object.values(scenarios) as RampingArrivalRateScenario[];
      expect(Object.keys(scenarios)).toEqual(PHASE_NAMES);
      let endSeconds = 0;
      let rate = phases[0]?.startRate;
      for (const { executor, startTime, startRate, timeUnit, stages } of phases) {
        expect({ executor, startTime, startRate, timeUnit }).toEqual({
          executor: 'ramping-arrival-rate',
          startTime: `${endSeconds}s`,
          startRate: rate,
          timeUnit: '1m',
        });
        endSeconds += stages.reduce((sum, { duration }) => sum + Number.parseInt(duration), 0);
        rate = stages.at(-1)?.target;
      }
      expect(endSeconds).toBe(300);
      const { warm_up } = PROFILES[name].phases;
      expect(Math.max(warm_up.fromPerMinute, ...warm_up.legs.map(({ toPerMinute }) => toPerMinute))).toBeLessThan(150);
    },
  );

  it.each(PROFILE_NAMES)('%s: the thresholds leave room around the loss that the arithmetic says', (name) => {
    const arrivals = arrivalsOf(PROFILES[name]);
    const loss = refusedOf(arrivals) / arrivals.length;
    const { above, below } = PROFILES[name].lossUnprotected;
    expect(loss - above).toBeGreaterThan(0.05);
    expect(below - loss).toBeGreaterThan(0.05);
  });
});

describe('the mix', () => {
  it('follows its weights over the whole range of the draw', () => {
    const counts = Object.fromEntries(OPERATIONS.map((operation) => [operation, 0])) as Record<Operation, number>;
    for (let part = 0; part < 100; part++) counts[operationFor((part + 0.5) / 100, true)] += 1;
    expect(counts).toEqual(WEIGHTS);
    expect(OPERATIONS.reduce((sum, operation) => sum + WEIGHTS[operation], 0)).toBe(100);
  });

  it('asks for no row of its own while there is none', () => {
    const drawn = new Set(Array.from({ length: 100 }, (_, part) => operationFor(part / 100, false)));
    expect([...drawn].sort()).toEqual(['create', 'list']);
  });
});

describe('the settings', () => {
  it('has a default for each variable', () => {
    expect(readSettings({})).toEqual({
      baseUrl: 'http://127.0.0.1:3000',
      apiKey: '',
      stage: 'full',
      profile: 'mild',
      sheet: 'orders',
    });
  });

  it('reports all problems together', () => {
    const load = () => readSettings({ BASE_URL: 'localhost', STAGE: 'on', PROFILE: 'wild' });
    expect(load).toThrow(/BASE_URL is 'localhost'[^]*/);
    expect(load).toThrow(/STAGE is 'on': expected one of off, count, reads, full/);
    expect(load).toThrow(/PROFILE is 'wild': expected one of mild, heavy/);
  });
});

describe('the scripts', () => {
  const sources = readdirSync(__dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));

  it.each(sources)(
    '%s can be loaded by k6: it imports only its modules and files by full name, and uses nothing of Node',
    (name) => {
      const source = readFileSync(join(__dirname, name), 'utf8');
      const imported = [...source.matchAll(/\bfrom '([^']+)'/g)].map(([, specifier]) => specifier);
      expect(imported.filter((specifier) => !/^(k6(\/\w+)?|\.\/[\w-]+\.ts)$/.test(specifier ?? ''))).toEqual([]);
      expect(source).not.toMatch(/\b(process|Buffer|require|setTimeout|fetch|structuredClone)\b[.(]/);
    },
  );
});
