import { formatNumber } from './number-format';
import { enterValue } from './user-entered';

describe('a value typed by a user', () => {
  it.each<[string, unknown, string]>([
    ['12', { numberValue: 12 }, '12'],
    ['007', { numberValue: 7 }, '7'],
    ['-3.50', { numberValue: -3.5 }, '-3.5'],
    ['2,000,000.01', { numberValue: 2_000_000.01 }, '2,000,000.01'],
    ['$100.15', { numberValue: 100.15 }, '$100.15'],
    ['50%', { numberValue: 0.5 }, '50%'],
    ['2020-01-01', { numberValue: 43_831 }, '2020-01-01'],
    ['3/14/2021', { numberValue: 44_269 }, '3/14/2021'],
    ['12:30', { numberValue: 0.520_833_333_333_333_4 }, '12:30'],
    ['0.0009765625', { numberValue: 0.000_976_562_5 }, '0.0009765625'],
  ])('%s is read as a number and shown as it was typed', (text, value, shown) => {
    const entered = enterValue(text, 'USER_ENTERED');
    expect(entered.value).toEqual(value);
    expect(formatNumber(entered.value?.numberValue ?? NaN, entered.numberFormat)).toBe(shown);
  });

  it.each<[string, unknown]>([
    ['TRUE', { boolValue: true }],
    ["'12", { stringValue: '12' }],
    ['=A1+1', { formulaValue: '=A1+1' }],
    ['ORD-0001', { stringValue: 'ORD-0001' }],
    ['2020-13-01', { stringValue: '2020-13-01' }],
    ['1,00', { stringValue: '1,00' }],
    ['', undefined],
  ])('%s is %j', (text, value) => expect(enterValue(text, 'USER_ENTERED').value).toEqual(value));

  it('stays text when it is entered raw', () => {
    expect(enterValue('=1+1', 'RAW').value).toEqual({ stringValue: '=1+1' });
    expect(enterValue(12, 'RAW').value).toEqual({ numberValue: 12 });
  });

  it('is refused above 50,000 characters, and not at 50,000', () => {
    expect(enterValue('x'.repeat(50_000), 'RAW').value).toBeDefined();
    expect(() => enterValue('x'.repeat(50_001), 'RAW')).toThrow('more than the maximum of 50000 characters');
  });
});
