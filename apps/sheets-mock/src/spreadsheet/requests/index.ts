/** The kinds of request that the mock carries out. */
import type { RequestHandler } from './handler';
import * as cells from './cells';
import * as dimensions from './dimensions';
import * as metadata from './metadata';
import * as sheets from './sheets';

const { addSheet, deleteSheet, duplicateSheet, updateSheetProperties, updateSpreadsheetProperties } = sheets;

export const REQUEST_HANDLERS: Readonly<Record<string, RequestHandler<never>>> = {
  addSheet,
  deleteSheet,
  duplicateSheet,
  updateSheetProperties,
  updateSpreadsheetProperties,
  ...cells,
  ...dimensions,
  ...metadata,
};
