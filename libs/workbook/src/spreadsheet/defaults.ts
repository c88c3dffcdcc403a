/** What a new spreadsheet looks like. */
import type { SheetState, WorkbookState } from './state';

/** The grid of a new sheet. */
export const DEFAULT_ROW_COUNT = 1000;
export const DEFAULT_COLUMN_COUNT = 26;

const WHITE = { red: 1, green: 1, blue: 1 };

export const DEFAULT_CELL_FORMAT = {
  backgroundColor: WHITE,
  padding: { top: 2, right: 3, bottom: 2, left: 3 },
  verticalAlignment: 'BOTTOM',
  wrapStrategy: 'OVERFLOW_CELL',
  textFormat: {
    foregroundColor: {},
    fontFamily: 'arial,sans,sans-serif',
    fontSize: 10,
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    foregroundColorStyle: { rgbColor: {} },
  },
  backgroundColorStyle: { rgbColor: WHITE },
} as const;

const themeColour = (colorType: string, red: number, green: number, blue: number) => ({
  colorType,
  color: { rgbColor: { red, green, blue } },
});

const THEME = {
  primaryFontFamily: 'Arial',
  themeColors: [
    { colorType: 'TEXT', color: { rgbColor: {} } },
    { colorType: 'BACKGROUND', color: { rgbColor: WHITE } },
    themeColour('ACCENT1', 0.25882354, 0.52156866, 0.95686275),
    themeColour('ACCENT2', 0.91764706, 0.2627451, 0.20784314),
    themeColour('ACCENT3', 0.9843137, 0.7372549, 0.015686275),
    themeColour('ACCENT4', 0.20392157, 0.65882355, 0.3254902),
    themeColour('ACCENT5', 1, 0.42745098, 0.003921569),
    themeColour('ACCENT6', 0.27450982, 0.7411765, 0.7764706),
    themeColour('LINK', 0.06666667, 0.33333334, 0.8),
  ],
};

export const DEFAULT_PROPERTIES: WorkbookState['properties'] = {
  title: 'Untitled spreadsheet',
  locale: 'en_US',
  autoRecalc: 'ON_CHANGE',
  timeZone: 'Etc/GMT',
  defaultFormat: DEFAULT_CELL_FORMAT,
  spreadsheetTheme: THEME,
};

export function newSheet(
  sheetId: number,
  title: string,
  { rowCount = DEFAULT_ROW_COUNT, columnCount = DEFAULT_COLUMN_COUNT } = {},
): SheetState {
  return {
    properties: { sheetId, title, sheetType: 'GRID', gridProperties: { rowCount, columnCount } },
    rows: [],
    rowStates: [],
    columnStates: [],
    merges: [],
    protectedRanges: [],
    rowGroups: [],
    columnGroups: [],
  };
}

export function newWorkbook(spreadsheetId: string, title: string, sheets: readonly SheetState[]): WorkbookState {
  return { spreadsheetId, properties: { ...DEFAULT_PROPERTIES, title }, sheets, namedRanges: [], metadata: [] };
}
