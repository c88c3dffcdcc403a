import { FaultInjector, type FaultyCall } from './fault-injector';

const injector = () => new FaultInjector({ latencyMs: 100, latencyJitterMs: 20, acceptClashingMetadataIds: false, seed: 1 });
const read: FaultyCall = { access: 'read', path: '/v4/spreadsheets/A/values/x', spreadsheetId: 'A', bodyText: '' };
const write: FaultyCall = { ...read, access: 'write', bodyText: '{"values":[["a \\"poison\\" pill"]]}' };

describe('a fault plan', () => {
  it('fires as often as it says, then leaves calls alone', () => {
    const faults = injector();
    faults.use({ rules: [{ fault: '503', times: 2 }] });
    expect([1, 2, 3].map(() => faults.pick(read)?.fault)).toEqual(['503', '503', undefined]);
    expect(faults.describe()).toMatchObject({ rules: [{ fault: '503', fired: 2 }] });
  });

  it('fires on every nth call that fits', () => {
    const faults = injector();
    faults.use({ rules: [{ fault: 'cut', on: 'write', every: 3 }] });
    expect([write, read, write, write, write].map((call) => faults.pick(call)?.fault)).toEqual([undefined, undefined, undefined, 'cut', undefined]); // prettier-ignore
  });

  it('draws the same chances from the same seed', () => {
    const draw = () => {
      const faults = injector();
      faults.use({ seed: 7, rules: [{ fault: '500', probability: 0.5 }] });
      return Array.from({ length: 50 }, () => faults.pick(read) !== undefined);
    };
    expect(draw()).toEqual(draw());
    expect(draw()).toContain(true);
    expect(draw()).toContain(false);
  });

  it('fits by access, spreadsheet and path', () => {
    const faults = injector();
    faults.use({ rules: [{ fault: 'hang', on: 'read', spreadsheetId: 'A', path: 'values' }] });
    expect(faults.pick(write)).toBeUndefined();
    expect(faults.pick({ ...read, spreadsheetId: 'B' })).toBeUndefined();
    expect(faults.pick({ ...read, path: '/v4/spreadsheets/A' })).toBeUndefined();
    expect(faults.pick(read)?.fault).toBe('hang');
  });

  it('finds a text in the cells of a write, quotes included', () => {
    const faults = injector();
    faults.use({ rules: [{ fault: 'refuse-text', text: '"poison"' }] });
    expect(faults.pick({ ...write, bodyText: '{}' })).toBeUndefined();
    expect(faults.pick(write)?.fault).toBe('refuse-text');
  });

  it('is forgotten when it is replaced', () => {
    const faults = injector();
    faults.use({ latencyMs: 5, latencyJitterMs: 0, rules: [{ fault: '500' }] });
    expect(faults.drawLatencyMs()).toBe(5);
    faults.use({});
    expect(faults.pick(read)).toBeUndefined();
    expect(faults.latency).toEqual({ latencyMs: 100, latencyJitterMs: 20 });
  });
});
