/** Spreadsheet ids hold nothing else. Source: "Spreadsheet ID" in the Sheets API's concepts; longer than any that Google makes. */
export const SPREADSHEET_ID = /^[A-Za-z0-9_-]{1,128}$/;

export const SPREADSHEET_ID_EXPECTED = 'spreadsheetId: expected 1 to 128 letters, digits, - and _';
