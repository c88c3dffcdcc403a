/** Numbers as a cell shows them: without a format, by a digit pattern, or by a pattern of dates and times. */
import type { NumberFormat } from '@app/sheets-wire';

/** Significant digits that a cell without a format shows of a fraction. */
const GENERAL_DIGITS = 10;
/** From here on a cell without a format shows an exponent. */
const GENERAL_EXPONENT_FROM = 1e15;
const MS_PER_DAY = 86_400_000;
/** Day 0 of a date serial. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** Patterns of the named types where a format has none, in the locale en_US. */
const DEFAULT_PATTERNS: Readonly<Record<string, string>> = {
  NUMBER: '#,##0.00',
  PERCENT: '0.00%',
  CURRENCY: '"$"#,##0.00',
  SCIENTIFIC: '0.00E+00',
  DATE: 'm/d/yyyy',
  TIME: 'h:mm:ss am/pm',
  DATE_TIME: 'm/d/yyyy h:mm:ss',
};

export function formatNumber(value: number, format: NumberFormat | undefined): string {
  const pattern = format?.pattern || DEFAULT_PATTERNS[format?.type ?? ''];
  if (!pattern || pattern === 'General') return formatGeneral(value);
  if (pattern === '@') return formatGeneral(value);
  return isDateFormat(format) ? formatDate(value, pattern) : formatByDigits(value, pattern);
}

export function isDateFormat(format: NumberFormat | undefined): boolean {
  if (format?.type !== undefined) return format.type === 'DATE' || format.type === 'TIME' || format.type === 'DATE_TIME';
  return format?.pattern !== undefined && /[ymdhs]/i.test(format.pattern.replace(/"[^"]*"/g, ''));
}

function formatGeneral(value: number): string {
  const size = Math.abs(value);
  if (size >= GENERAL_EXPONENT_FROM || (size > 0 && size < 1e-9)) {
    return value.toExponential(5).replace(/\.?0+e/, 'e').replace(/e([+-])(\d)$/, 'e$10$2').toUpperCase(); // prettier-ignore
  }
  if (Number.isInteger(value)) return String(value === 0 ? 0 : value);
  return plainDecimal(Number(value.toPrecision(GENERAL_DIGITS)));
}

function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/0+$/, '') : text;
}

function formatByDigits(value: number, pattern: string): string {
  const sections = pattern.split(';');
  const negativeSection = value < 0 ? sections[1] : undefined;
  const section = negativeSection ?? (value === 0 && sections[2] !== undefined ? sections[2] : sections[0]);
  const match = /[#0?][#0?,.]*(?:E\+0+)?/.exec(section.replace(/"[^"]*"/g, (text) => '\u0001'.repeat(text.length)));
  const literal = (text: string) => text.replace(/"([^"]*)"/g, '$1').replace(/\\(.)/g, '$1').replace(/_.|\*./g, ' '); // prettier-ignore
  if (!match) return literal(section);
  const digits = match[0];
  const isPercent = section.includes('%');
  const shown = digitText(Math.abs(value) * (isPercent ? 100 : 1), digits);
  const sign = value < 0 && negativeSection === undefined && Number(shown.replace(/[,E].*/g, '')) !== 0 ? '-' : '';
  return sign + literal(section.slice(0, match.index)) + shown + literal(section.slice(match.index + digits.length));
}

function digitText(size: number, digits: string): string {
  const exponent = /E\+(0+)$/.exec(digits)?.[1];
  const [whole = '', fraction = ''] = digits.replace(/E\+0+$/, '').split('.');
  const minFraction = fraction.replaceAll('#', '').length;
  if (exponent !== undefined) {
    const [mantissa = '', power = '0'] = size.toExponential(fraction.length).split('e');
    return `${mantissa}E${Number(power) < 0 ? '-' : '+'}${String(Math.abs(Number(power))).padStart(exponent.length, '0')}`;
  }
  const [integer = '0', decimals = ''] = roundedText(size, fraction.length).split('.');
  const minInteger = whole.replaceAll(/[#,?]/g, '').length;
  const padded = (integer === '0' && minInteger === 0 ? '' : integer).padStart(minInteger, '0');
  const grouped = whole.includes(',') ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded;
  let kept = decimals;
  while (kept.length > minFraction && kept.endsWith('0')) kept = kept.slice(0, -1);
  return digits.includes('.') && kept !== '' ? `${grouped}.${kept}` : grouped;
}

/** Rounds half away from zero on the decimal digits, so that 1.005 to two places is 1.01. */
function roundedText(size: number, places: number): string {
  const shifted = Number(`${size}e${places}`);
  return Number.isFinite(shifted) ? Number(`${Math.round(shifted)}e-${places}`).toFixed(places) : size.toFixed(places);
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']; // prettier-ignore
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function formatDate(serial: number, pattern: string): string {
  const date = new Date(EPOCH_MS + Math.round(serial * MS_PER_DAY));
  const halfDay = /am\/pm|a\/p/i.test(pattern);
  let sawHour = false;
  return pattern.replace(/"[^"]*"|\\.|am\/pm|a\/p|y+|m+|d+|h+|s+(?:\.0+)?|\[h+\]/gi, (token, at: number) => {
    const lower = token.toLowerCase();
    if (token.startsWith('"')) return token.slice(1, -1);
    if (token.startsWith('\\')) return token.slice(1);
    if (lower.startsWith('[h')) return String(Math.floor(serial * 24));
    if (lower === 'am/pm' || lower === 'a/p') return date.getUTCHours() < 12 ? 'AM' : 'PM';
    if (lower.startsWith('y'))
      return lower.length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear() % 100).padStart(2, '0');
    if (lower.startsWith('d')) return dayText(date, lower.length);
    if (lower.startsWith('h')) {
      sawHour = true;
      return String(halfDay ? date.getUTCHours() % 12 || 12 : date.getUTCHours()).padStart(lower.length, '0');
    }
    if (lower.startsWith('s')) return String(date.getUTCSeconds()).padStart(lower.split('.')[0].length, '0');
    const isMinutes = sawHour || /^[^a-z]*s/i.test(pattern.slice(at + token.length));
    return isMinutes ? String(date.getUTCMinutes()).padStart(lower.length, '0') : monthText(date, lower.length);
  });
}

function dayText(date: Date, length: number): string {
  const name = DAYS[date.getUTCDay()];
  if (length > 3) return name;
  return length === 3 ? name.slice(0, 3) : String(date.getUTCDate()).padStart(length, '0');
}

function monthText(date: Date, length: number): string {
  const name = MONTHS[date.getUTCMonth()];
  if (length > 3) return name;
  return length === 3 ? name.slice(0, 3) : String(date.getUTCMonth() + 1).padStart(length, '0');
}

/** The serial of a calendar day; undefined where there is no such day. */
export function dateSerial(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? Math.round((ms - EPOCH_MS) / MS_PER_DAY) : undefined;
}
