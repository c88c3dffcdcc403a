import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY_ROOT } from '@app/local-stack';

const PROMETHEUS = join(REPOSITORY_ROOT, 'deploy/prometheus');
const GRAFANA = join(REPOSITORY_ROOT, 'deploy/grafana');
const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).error === undefined;

/** The words that `promtool` says, when it is content. */
function promtool(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: PROMETHEUS, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}
const rulesOf = (file: string): readonly Rule[] =>
  (parse(readFileSync(join(PROMETHEUS, file), 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);

// Debian has promtool in its package `prometheus`; without it the rules are checked only for what they name (metrics.spec.ts).
const withPromtool = hasPromtool ? describe : describe.skip;

withPromtool(`alert rules, by promtool${hasPromtool ? '' : ' (skipped: promtool is not on the PATH)'}`, () => {
  it('are rules that Prometheus accepts', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS');
  });

  it('fire and keep quiet on the series of alerts.test.yml', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });
});

describe('alert rules', () => {
  it('are each tested by series', () => {
    const { tests } = parse(readFileSync(join(PROMETHEUS, 'alerts.test.yml'), 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test: all }) => all);
    for (const { alert } of rulesOf('alerts.yml')) {
      const counts = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts: alerts }) => alerts.length);
      expect([alert, counts.includes(1), counts.includes(0)]).toEqual([alert, true, true]);
    }
  });
});

describe('the dashboard', () => {
  interface Panel {
    readonly id: number;
    readonly title: string;
    readonly type: string;
    readonly datasource: { readonly uid: string };
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
  }
  const dashboard = JSON.parse(readFileSync(join(GRAFANA, 'dashboards/gateway.json'), 'utf8')) as {
    schemaVersion: number;
    uid: string;
    templating: { list: { name: string; type: string; query: string }[] };
    panels: Panel[];
  };

  it('takes whichever Prometheus its reader has', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(dashboard.templating.list).toEqual([
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    ]);
    for (const { datasource, targets } of dashboard.panels)
      for (const { uid } of [datasource, ...targets.map((target) => target.datasource)]) expect(uid).toBe('${datasource}');
  });

  it('has panels that do not overlap, each with a query', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { gridPos: a, targets, id } of panels) {
      expect(a.x + a.w).toBeLessThanOrEqual(24);
      expect(targets.length).toBeGreaterThan(0);
      for (const { gridPos: b, id: other } of panels)
        if (other > id) expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true);
    }
  });

  it('shows every metric that has a meaning of its own', () => {
    const table = readFileSync(join(REPOSITORY_ROOT, 'docs/metrics.md'), 'utf8');
    const metrics = [...table.matchAll(/^\| `(gateway_[a-z_]+)`/gm)].map(([, name = '']) => name);
    const asked = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    expect(metrics.length).toBeGreaterThan(20);
    expect(metrics.filter((name) => !asked.includes(name))).toEqual([]);
  });

  (hasPromtool ? it : it.skip)('asks in words that Prometheus reads', () => {
    const names = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')));
    const rules = { groups: [{ name: 'panels', rules: names.map((expr, at) => ({ record: `panel:${at}`, expr })) }] };
    const directory = mkdtempSync(join(tmpdir(), 'dashboard-'));
    try {
      writeFileSync(join(directory, 'panels.json'), JSON.stringify(rules));
      expect(promtool('check', 'rules', join(directory, 'panels.json'))).toContain(`SUCCESS: ${names.length} rules found`);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('is found by the provisioning that stands beside it', () => {
    expect(readdirSync(join(GRAFANA, 'provisioning')).sort()).toEqual(['dashboards', 'datasources']);
    const { providers } = parse(readFileSync(join(GRAFANA, 'provisioning/dashboards/gateway.yml'), 'utf8')) as {
      providers: { options: { path: string } }[];
    };
    expect(providers[0]?.options.path).toBe('/var/lib/grafana/dashboards');
  });
});
