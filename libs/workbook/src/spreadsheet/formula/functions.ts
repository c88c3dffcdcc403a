/** The few functions that formulas of orders and lists use. An unknown one is the error #NAME?, as on the service. */

export type Scalar = number | string | boolean | undefined;

/** A value that is an error; it ends the formula wherever it is used. */
export class FormulaError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

export type Argument = Scalar | readonly Scalar[];
export type FormulaFunction = (args: readonly (() => Argument)[]) => Scalar;

const eager =
  (apply: (values: readonly Scalar[]) => Scalar): FormulaFunction =>
  (args) =>
    apply(args.flatMap((argument) => argument()));

const ofNumbers = (apply: (numbers: readonly number[]) => Scalar) =>
  eager((values) => apply(values.filter((value): value is number => typeof value === 'number')));

export const FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  SUM: ofNumbers((numbers) => numbers.reduce((sum, value) => sum + value, 0)),
  COUNT: ofNumbers((numbers) => numbers.length),
  COUNTA: eager((values) => values.filter((value) => value !== undefined).length),
  MIN: ofNumbers((numbers) => (numbers.length === 0 ? 0 : Math.min(...numbers))),
  MAX: ofNumbers((numbers) => (numbers.length === 0 ? 0 : Math.max(...numbers))),
  PRODUCT: ofNumbers((numbers) => numbers.reduce((product, value) => product * value, 1)),
  AVERAGE: ofNumbers((numbers) => {
    if (numbers.length === 0)
      throw new FormulaError('DIVIDE_BY_ZERO', 'Evaluation of function AVERAGE caused a divide by zero error.');
    return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  }),
  ABS: eager(([value]) => Math.abs(toNumber(value))),
  ROUND: eager(([value, places]) =>
    Number(`${Math.round(Number(`${toNumber(value)}e${toNumber(places)}`))}e${-toNumber(places)}`),
  ),
  CONCATENATE: eager((values) => values.map(toText).join('')),
  LEN: eager(([value]) => toText(value).length),
  UPPER: eager(([value]) => toText(value).toUpperCase()),
  LOWER: eager(([value]) => toText(value).toLowerCase()),
  TRIM: eager(([value]) => toText(value).trim().replace(/ +/g, ' ')),
  AND: eager((values) => values.every(toBoolean)),
  OR: eager((values) => values.some(toBoolean)),
  NOT: eager(([value]) => !toBoolean(value)),
  ROW: eager(([value]) => value),
  HYPERLINK: eager(([url, label]) => label ?? url),
  IF: (args) => one((toBoolean(one(args[0]?.())) ? args[1] : args[2])?.() ?? false),
  IFERROR: (args) => {
    try {
      return one(args[0]?.());
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      return args[1] ? one(args[1]()) : undefined;
    }
  },
};

export function one(value: Argument): Scalar {
  return Array.isArray(value) ? (value as readonly Scalar[])[0] : (value as Scalar);
}

export function toNumber(value: Scalar): number {
  if (value === undefined) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new FormulaError('VALUE', `Function parameter expects number values. But '${String(value)}' is a text and cannot be coerced to a number.`); // prettier-ignore
}

export function toText(value: Scalar): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value === undefined ? '' : String(value);
}

export function toBoolean(value: Scalar): boolean {
  if (typeof value === 'string') return /^true$/i.test(value);
  return Boolean(value);
}
