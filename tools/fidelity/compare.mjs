/** Where two answers differ, apart from what differs between two accounts of the real service. */

/** Defaults of an account, until the recording itself sets them: on none of them does another answer depend. */
const ACCOUNT_DEFAULTS = ['locale', 'timeZone', 'defaultFormat', 'spreadsheetTheme'];

/** @param {Set<string>} settled the properties of the spreadsheet that the recording has set by now: they are compared. */
export function comparable(answer, settled) {
  const copy = answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
  for (const book of [copy, copy?.updatedSpreadsheet]) {
    if (typeof book !== 'object' || book === null) continue;
    // It names the host.
    if ('spreadsheetUrl' in book) book.spreadsheetUrl = 'a URL';
    for (const name of ACCOUNT_DEFAULTS) if (book.properties && !settled.has(name)) delete book.properties[name];
    for (const sheet of Array.isArray(book.sheets) ? book.sheets : []) {
      for (const { editors } of sheet.protectedRanges ?? []) if (editors?.users) editors.users = editors.users.length;
    }
  }
  return copy;
}

/** @returns {{at: string, expected: unknown, found: unknown}[]} */
export function differences(expected, found, at = '') {
  const isTree = (value) => typeof value === 'object' && value !== null;
  if (!isTree(expected) || !isTree(found) || Array.isArray(expected) !== Array.isArray(found)) {
    return Object.is(expected, found) ? [] : [{ at: at || '(root)', expected, found }];
  }
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  return names.flatMap((name) => differences(expected[name], found[name], at === '' ? name : `${at}.${name}`));
}
