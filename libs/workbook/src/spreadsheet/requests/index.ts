/** The kinds of request that the mock carries out. */
import type { RequestHandler } from './handler';
import * as cells from './cells';
import * as dimensions from './dimensions';
import * as merges from './merges';
import * as metadata from './metadata';
import * as namedRanges from './named-ranges';
import * as protection from './protection';
import * as ranges from './ranges';
import { addSheet, deleteSheet, duplicateSheet, updateSheetProperties, updateSpreadsheetProperties } from './sheets';
import * as text from './text';

export const REQUEST_HANDLERS: Readonly<Record<string, RequestHandler<never>>> = {
  addSheet,
  deleteSheet,
  duplicateSheet,
  updateSheetProperties,
  updateSpreadsheetProperties,
  ...cells,
  ...dimensions,
  ...merges,
  ...metadata,
  ...namedRanges,
  ...protection,
  ...ranges,
  ...text,
};
