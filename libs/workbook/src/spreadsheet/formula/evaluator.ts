/** Works out formulas: arithmetic, comparisons, references within the spreadsheet, and the functions of functions.ts. */
import { parseReference, type ExtendedValue } from '@app/sheets-wire';
import { knownOf, type SheetState } from '../state';
import { FormulaError, FUNCTIONS, one, toNumber, toText, type Argument, type Scalar } from './functions';
import { tokenize, type Token } from './tokens';

const PRECEDENCE: Readonly<Record<string, number>> = {
  '=': 1, '<>': 1, '<': 1, '>': 1, '<=': 1, '>=': 1, '&': 2, '+': 3, '-': 3, '*': 4, '/': 4, '^': 5,
}; // prettier-ignore

export class FormulaEvaluator {
  private readonly known = new Map<string, ExtendedValue>();
  private readonly running = new Set<string>();

  constructor(private readonly sheets: readonly SheetState[]) {}

  cell(sheet: SheetState, row: number, column: number): ExtendedValue | undefined {
    const cell = sheet.rows[row]?.[column];
    const given = knownOf(cell);
    if (given) return given.effective;
    const entered = cell?.userEnteredValue;
    if (entered?.formulaValue === undefined) return entered;
    const key = `${sheet.properties.sheetId} ${row} ${column}`;
    const known = this.known.get(key);
    if (known) return known;
    const value = this.evaluate(entered.formulaValue, sheet, key);
    this.known.set(key, value);
    return value;
  }

  private evaluate(formula: string, sheet: SheetState, key: string): ExtendedValue {
    if (this.running.has(key)) return { errorValue: { type: 'REF', message: 'Circular dependency detected. To resolve with iterative calculation, see File > Settings.' } }; // prettier-ignore
    this.running.add(key);
    try {
      const tokens = tokenize(formula.slice(1));
      if (!tokens || tokens.length === 0) throw new FormulaError('ERROR', 'Formula parse error.');
      const parser = new Parser(tokens, (reference) => this.reference(reference, sheet));
      return toExtended(one(parser.whole()()));
    } catch (error) {
      if (error instanceof FormulaError) return { errorValue: { type: error.type, message: error.message } };
      throw error;
    } finally {
      this.running.delete(key);
    }
  }

  private reference(text: string, home: SheetState): Argument {
    const bang = text.lastIndexOf('!');
    const title = bang < 0 ? undefined : text.slice(0, bang).replace(/^'|'$/g, '').replaceAll("''", "'");
    const sheet =
      title === undefined ? home : this.sheets.find((other) => other.properties.title.toLowerCase() === title.toLowerCase());
    const area = parseReference(text.slice(bang + 1));
    if (!sheet || !area) throw new FormulaError('REF', 'Reference does not exist.');
    const { rowCount, columnCount } = sheet.properties.gridProperties;
    const { startRow = 0, endRow = rowCount, startColumn = 0, endColumn = columnCount } = area;
    if (!text.includes(':')) return this.scalar(sheet, startRow, startColumn);
    const values: Scalar[] = [];
    for (let row = startRow; row < Math.min(endRow, sheet.rows.length); row += 1) {
      for (let column = startColumn; column < endColumn; column += 1) values.push(this.scalar(sheet, row, column));
    }
    return values;
  }

  private scalar(sheet: SheetState, row: number, column: number): Scalar {
    const value = this.cell(sheet, row, column);
    if (value?.errorValue) throw new FormulaError(value.errorValue.type, value.errorValue.message ?? '');
    return value?.numberValue ?? value?.stringValue ?? value?.boolValue;
  }
}

function toExtended(value: Scalar): ExtendedValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return { numberValue: value ?? 0 };
}

type Thunk = () => Argument;

class Parser {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly read: (reference: string) => Argument,
  ) {}

  whole(): Thunk {
    const thunk = this.expression(0);
    if (this.at < this.tokens.length) throw new FormulaError('ERROR', 'Formula parse error.');
    return thunk;
  }

  private expression(above: number): Thunk {
    let left = this.operand();
    for (;;) {
      const token = this.tokens[this.at];
      const precedence = token?.kind === 'operator' ? PRECEDENCE[token.text] : undefined;
      if (token?.kind !== 'operator' || precedence === undefined || precedence <= above) return left;
      this.at += 1;
      const right = this.expression(precedence);
      const first = left;
      left = () => operate(token.text, one(first()), one(right()));
    }
  }

  private operand(): Thunk {
    const token = this.tokens[this.at++];
    const value = this.primary(token);
    if (!this.accept('%')) return value;
    return () => toNumber(one(value())) / 100;
  }

  private primary(token: Token | undefined): Thunk {
    switch (token?.kind) {
      case 'number':
      case 'text':
        return () => token.value;
      case 'reference':
        return () => this.read(token.text);
      case 'name':
        return this.named(token.text);
      case 'operator':
        if (token.text === '-' || token.text === '+') {
          const operand = this.operand();
          return () => toNumber(one(operand())) * (token.text === '-' ? -1 : 1);
        }
        if (token.text === '(') {
          const inner = this.expression(0);
          this.expect(')');
          return inner;
        }
    }
    throw new FormulaError('ERROR', 'Formula parse error.');
  }

  private named(name: string): Thunk {
    if (!this.accept('(')) {
      if (/^(true|false)$/i.test(name)) return () => /^true$/i.test(name);
      return () => {
        throw new FormulaError('NAME', `Unknown range name: '${name.toUpperCase()}'.`);
      };
    }
    const args: Thunk[] = [];
    if (!this.accept(')')) {
      do args.push(this.expression(0));
      while (this.accept(',') || this.accept(';'));
      this.expect(')');
    }
    const upper = name.toUpperCase();
    return () => {
      const apply = Object.hasOwn(FUNCTIONS, upper) ? FUNCTIONS[upper] : undefined;
      if (!apply) throw new FormulaError('NAME', `Unknown function: '${upper}'.`);
      return apply(args);
    };
  }

  private accept(operator: string): boolean {
    const token = this.tokens[this.at];
    const found = token?.kind === 'operator' && token.text === operator;
    if (found) this.at += 1;
    return found;
  }

  private expect(operator: string): void {
    if (!this.accept(operator)) throw new FormulaError('ERROR', 'Formula parse error.');
  }
}

function operate(operator: string, left: Scalar, right: Scalar): Scalar {
  switch (operator) {
    case '+':
      return toNumber(left) + toNumber(right);
    case '-':
      return toNumber(left) - toNumber(right);
    case '*':
      return toNumber(left) * toNumber(right);
    case '/':
      if (toNumber(right) === 0) throw new FormulaError('DIVIDE_BY_ZERO', 'Function DIVIDE parameter 2 cannot be zero.');
      return toNumber(left) / toNumber(right);
    case '^':
      return toNumber(left) ** toNumber(right);
    case '&':
      return toText(left) + toText(right);
    case '=':
      return isSame(left, right);
    case '<>':
      return !isSame(left, right);
    default: {
      const [a, b] =
        typeof left === 'string' || typeof right === 'string' ? [toText(left), toText(right)] : [toNumber(left), toNumber(right)];
      if (operator === '<') return a < b;
      if (operator === '>') return a > b;
      return operator === '<=' ? a <= b : a >= b;
    }
  }
}

function isSame(left: Scalar, right: Scalar): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left.toLowerCase() === right.toLowerCase();
  return (left ?? '') === (right ?? '');
}
