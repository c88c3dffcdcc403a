import { age, table, text, WrongUsage, type Command, type Invocation } from './command';
import type { ReceiptBody } from '../writes/receipt-body';

export const writesList: Command = {
  words: 'writes list',
  summary: 'receipts, the newest first',
  options: {
    state: { type: 'string' },
    limit: { type: 'string' },
    before: { type: 'string' },
    spreadsheet: { type: 'string' },
  },
  help: [
    '--state A,B        accepted, sending, unknown, applied, failed, cancelled (all)',
    '--limit N          at most so many (50)',
    '--before N         the page after the one that named this number',
    '--spreadsheet ID   another than the default one',
  ],
  run: async ({ gateway, options }) => {
    const query = new URLSearchParams();
    const names = { state: 'state', limit: 'limit', before: 'before', spreadsheet: 'spreadsheetId' };
    for (const [option, name] of Object.entries(names)) {
      const value = text(options, option);
      if (value !== undefined) query.set(name, value);
    }
    const json = await gateway.get<{ writes: readonly ReceiptBody[]; next?: number }>(`/operations/writes?${query.toString()}`);
    const rows = json.writes.map((write) => writeRow(write));
    const more = json.next === undefined ? [] : [`more: --before ${json.next}`];
    const lines =
      rows.length === 0 ? ['none'] : table([['write', 'state', 'sheet', 'operation', 'keys', 'accepted', 'reason'], ...rows]);
    return { json, lines: [...lines, ...more] };
  },
};

export const writesRetry: Command = {
  words: 'writes retry',
  operands: ['ID'],
  summary: 'accept a failed or cancelled write anew, at the end of the log',
  run: async (invocation) => {
    const json = await invocation.gateway.post<ReceiptBody>(`/operations/writes/${idOf(invocation)}/retry`);
    return { json, lines: [`accepted anew as ${json.id}`] };
  },
};

export const writesCancel: Command = {
  words: 'writes cancel',
  operands: ['ID'],
  summary: 'cancel a write that has not been sent',
  run: async (invocation) => {
    const json = await invocation.gateway.delete<ReceiptBody>(`/operations/writes/${idOf(invocation)}`);
    return { json, lines: [`${json.id} is ${json.state}`] };
  },
};

function idOf({ operands }: Invocation): string {
  if (operands.length !== 1) throw new WrongUsage(`expected the id of one write, found ${operands.length}`);
  return encodeURIComponent(operands[0]);
}

function writeRow({ id, state, sheet, operation, keys, acceptedAt, reason }: ReceiptBody): string[] {
  const shown = keys.length > 1 ? `${keys[0]} and ${keys.length - 1} more` : keys[0];
  return [id, state, sheet, operation, shown, age(acceptedAt), reason === undefined ? '' : `${reason.code}: ${reason.message}`];
}
