import type { SheetProperties } from '@app/sheets-wire';
import { rangeIn } from '../../spreadsheet/book-ranges';
import { newWorkbook, newSheet } from '../../spreadsheet/defaults';
import { copiedSheet, sheetFrom } from '../../spreadsheet/requests/sheets';
import { sheetPropertiesAnswer, spreadsheetAnswer, type SpreadsheetView } from '../../spreadsheet/spreadsheet-answer';
import type { SheetState, WorkbookState } from '../../spreadsheet/state';
import { Transaction } from '../../spreadsheet/transaction';
import { invalid } from '../../wire/api-error';
import { maskNames, type MaskNode } from '../../wire/field-mask';
import type { Answer, Call } from '../call';

export function getSpreadsheet(call: Call): Answer {
  const book = call.book();
  const texts = call.query['ranges'] as string[] | undefined;
  return spreadsheetAnswer(book, viewOf(book, texts, call.query['includeGridData'] === true, call.mask));
}

/** A spreadsheet as the get methods answer it. @param ranges only sheets that these touch; absent: all */
export function spreadsheetAnswerOf(
  book: WorkbookState,
  { ranges, includeGridData }: { readonly ranges?: readonly string[]; readonly includeGridData: boolean },
): Answer {
  return spreadsheetAnswer(book, viewOf(book, ranges, includeGridData, undefined));
}

export function viewOf(
  book: WorkbookState,
  ranges: readonly string[] | undefined,
  includeGridData: boolean,
  mask: MaskNode | undefined,
): SpreadsheetView {
  const view = maskedView(mask, includeGridData);
  return ranges && ranges.length > 0 ? { ...view, ranges: ranges.map((text) => rangeIn(book, text)) } : view;
}

/** With a mask, the mask alone decides about cells. `root` is the way to the spreadsheet within the answer. */
export function maskedView(mask: MaskNode | undefined, includeGridData: boolean, ...root: string[]): SpreadsheetView {
  if (!mask) return { includeGridData };
  const data = [...root, 'sheets', 'data'];
  const dimensions = maskNames(mask, ...data, 'rowMetadata') || maskNames(mask, ...data, 'columnMetadata');
  const view = { includeGridData: maskNames(mask, ...data), withoutDimensions: !dimensions };
  const cellFields = cellFieldsOf(mask, [...data, 'rowData', 'values']);
  return cellFields ? { ...view, cellFields } : view;
}

function cellFieldsOf(mask: MaskNode, path: readonly string[]): ReadonlySet<string> | undefined {
  let node = mask;
  for (const name of path) {
    if (node.children.size === 0 || node.children.has('*')) return undefined;
    const next = node.children.get(name);
    if (!next) return new Set();
    node = next;
  }
  return node.children.size === 0 || node.children.has('*') ? undefined : new Set(node.children.keys());
}

export function createSpreadsheet(call: Call): Answer {
  const { properties = {}, sheets = [] } = call.body as {
    properties?: Record<string, unknown>;
    sheets?: { properties?: Partial<SheetProperties> }[];
  };
  const book = call.create((spreadsheetId) => {
    const title =
      typeof properties['title'] === 'string' && properties['title'] !== '' ? properties['title'] : 'Untitled spreadsheet';
    const empty = newWorkbook(spreadsheetId, title, []);
    const base = { ...empty, properties: { ...empty.properties, ...properties, title } };
    if (sheets.length === 0) return { ...base, sheets: [newSheet(0, 'Sheet1')] };
    const transaction = new Transaction(base, { acceptClashingMetadataIds: false, random: Math.random });
    for (const sheet of sheets) transaction.sheets = [...transaction.sheets, sheetFrom(transaction, sheet.properties ?? {})];
    transaction.checkCellCount();
    return transaction.commit();
  });
  return spreadsheetAnswer(book, { includeGridData: false });
}

export function copySheet(call: Call): Answer {
  const source = call.book().sheets.find((sheet) => sheet.properties.sheetId === call.sheetId);
  if (!source) throw invalid(`No sheet with id: ${call.sheetId}`);
  const destination = call.body['destinationSpreadsheetId'] as string | undefined;
  return call.editOther(destination ?? '', (transaction) => {
    const copy = copyInto(transaction, source);
    transaction.sheets = [...transaction.sheets, copy];
    transaction.checkCellCount();
    return sheetPropertiesAnswer(copy, transaction.sheets.length - 1);
  });
}

function copyInto(transaction: Transaction, source: SheetState): SheetState {
  const isTaken = (title: string) =>
    transaction.sheets.some((sheet) => sheet.properties.title.toLowerCase() === title.toLowerCase());
  const wanted = `Copy of ${source.properties.title}`;
  let title = wanted;
  for (let number = 2; isTaken(title); number += 1) title = `${wanted} ${number}`;
  const { properties } = sheetFrom(transaction, { title });
  return copiedSheet(source, properties.sheetId, title);
}
