import { ConfigurationError, readConfiguration } from './configuration';

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(readConfiguration({})).toEqual({
      host: '127.0.0.1',
      port: 4100,
      quota: { model: 'case-study', limit: 300, refillPerSecond: 5, foreignShare: 0 },
      latencyMs: 100,
      latencyJitterMs: 20,
      spreadsheetId: 'mock-spreadsheet',
      acceptClashingMetadataIds: false,
    });
  });

  it('tells all problems at once, each with its name, what was found and what is accepted', () => {
    const read = () =>
      readConfiguration({ MOCK_PORT: '70000', MOCK_QUOTA: 'lots', MOCK_LATENCY_MS: 'slow', MOCK_SPREADSHEET_ID: 'a b' });
    expect(read).toThrow(ConfigurationError);
    for (const part of [
      '4 problem(s)',
      'MOCK_PORT: got "70000", accepted is a whole number from 0 to 65535',
      'MOCK_QUOTA: got "lots", accepted is one of case-study, google, off',
      'MOCK_LATENCY_MS: got "slow", accepted is a whole number from 0 to 60000',
      'MOCK_SPREADSHEET_ID: got "a b", accepted is 1 to 100 of letters, digits, - and _',
    ]) {
      expect(read).toThrow(part);
    }
  });
});
