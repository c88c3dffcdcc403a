/** What becomes of a value that a values method brings: stored as it is (RAW), or read as if a person had typed it. */
import type { CellValue, ExtendedValue, NumberFormat, ValueInputOption } from '@app/sheets-wire';
import { invalid } from '../wire/api-error';
import { dateSerial } from './number-format';

/** Longest text of a cell. Source: "Google Drive limits", characters of a cell. */
const CELL_CHARACTERS_MAX = 50_000;

export interface EnteredValue {
  readonly value?: ExtendedValue;
  /** Set where the way it was typed implies a format. */
  readonly numberFormat?: NumberFormat;
}

export function enterValue(value: CellValue, option: ValueInputOption): EnteredValue {
  if (typeof value === 'number') return { value: { numberValue: value } };
  if (typeof value === 'boolean') return { value: { boolValue: value } };
  checkTextLength(value);
  if (value === '') return {};
  return option === 'RAW' ? { value: { stringValue: value } } : typeIn(value);
}

export function checkTextLength(text: string): void {
  if (text.length > CELL_CHARACTERS_MAX) {
    throw invalid(`Your input contains more than the maximum of ${CELL_CHARACTERS_MAX} characters in a single cell`);
  }
}

function typeIn(text: string): EnteredValue {
  if (text.startsWith("'")) return { value: { stringValue: text.slice(1) } };
  if (text.startsWith('=') && text.length > 1) return { value: { formulaValue: text } };
  const trimmed = text.trim();
  if (/^true$/i.test(trimmed)) return { value: { boolValue: true } };
  if (/^false$/i.test(trimmed)) return { value: { boolValue: false } };
  return readNumber(trimmed) ?? readDate(trimmed) ?? readTime(trimmed) ?? { value: { stringValue: text } };
}

const NUMBER = /^([+-])?(\$)?(\d{1,3}(?:,\d{3})+|\d+)?(\.\d*)?(e[+-]?\d+)?(%)?$/i;

function readNumber(text: string): EnteredValue | undefined {
  const match = NUMBER.exec(text);
  const [, sign, dollar, whole, fraction, exponent, percent] = match ?? [];
  if (!match || (whole === undefined && (fraction === undefined || fraction === '.'))) return undefined;
  const size = Number(`${(whole ?? '0').replaceAll(',', '')}${fraction ?? ''}${exponent ?? ''}`);
  const numberValue = (sign === '-' ? -size : size) / (percent ? 100 : 1);
  const numberFormat = impliedFormat({ dollar, percent, exponent, grouped: whole?.includes(',') === true, fraction });
  return { value: { numberValue }, ...(numberFormat ? { numberFormat } : {}) };
}

interface WayOfTyping {
  readonly dollar?: string;
  readonly percent?: string;
  readonly exponent?: string;
  readonly grouped: boolean;
  readonly fraction?: string;
}

function impliedFormat({ dollar, percent, exponent, grouped, fraction }: WayOfTyping): NumberFormat | undefined {
  const hasFraction = fraction !== undefined && fraction !== '.';
  if (dollar) return { type: 'CURRENCY', pattern: hasFraction ? '"$"#,##0.00' : '"$"#,##0' };
  if (percent) return { type: 'PERCENT', pattern: hasFraction ? '0.00%' : '0%' };
  if (exponent) return { type: 'SCIENTIFIC', pattern: '0.00E+00' };
  if (grouped) return { type: 'NUMBER', pattern: hasFraction ? '#,##0.00' : '#,##0' };
  return undefined;
}

const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const MONTH_DAY = /^(\d{1,2})[-/](\d{1,2})$/;

function readDate(text: string): EnteredValue | undefined {
  const iso = ISO_DATE.exec(text);
  if (iso) return dated(iso[1], iso[2], iso[3], iso.slice(4), 'yyyy-mm-dd');
  const us = US_DATE.exec(text);
  if (us) return dated(us[3], us[1], us[2], us.slice(4), 'M/d/yyyy');
  const short = MONTH_DAY.exec(text);
  return short ? dated(String(new Date().getUTCFullYear()), short[1], short[2], [], 'M-d') : undefined;
}

function dated(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time: readonly (string | undefined)[],
  datePattern: string,
): EnteredValue | undefined {
  const serial = dateSerial(Number(year), Number(month), Number(day));
  if (serial === undefined) return undefined;
  if (time[0] === undefined) return { value: { numberValue: serial }, numberFormat: { type: 'DATE', pattern: datePattern } };
  const fraction = dayFraction(time);
  if (fraction === undefined) return undefined;
  return { value: { numberValue: serial + fraction }, numberFormat: { type: 'DATE_TIME', pattern: `${datePattern} h:mm:ss` } };
}

function readTime(text: string): EnteredValue | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?(am|pm))?$/i.exec(text);
  if (!match) return undefined;
  const half = match[4]?.toLowerCase();
  const hour = half ? (Number(match[1]) % 12) + (half === 'pm' ? 12 : 0) : Number(match[1]);
  const fraction = dayFraction([String(hour), match[2], match[3]]);
  const pattern = `h:mm${match[3] ? ':ss' : ''}${half ? ' am/pm' : ''}`;
  return fraction === undefined ? undefined : { value: { numberValue: fraction }, numberFormat: { type: 'TIME', pattern } };
}

function dayFraction([hour, minute, second = '0']: readonly (string | undefined)[]): number | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  return hours < 24 && minutes < 60 && seconds < 60 ? (hours * 3600 + minutes * 60 + seconds) / 86_400 : undefined;
}
