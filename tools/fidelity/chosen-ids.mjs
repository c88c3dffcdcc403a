/**
 * Ids that the service chose when the recording was made. The server under test chooses others: they are learnt from its answers,
 * by place, and put into later requests and into the answers that are expected.
 */
const FAMILY = {
  spreadsheetId: 'spreadsheet',
  destinationSpreadsheetId: 'spreadsheet',
  sheetId: 'sheet',
  sourceSheetId: 'sheet',
  namedRangeId: 'named range',
  protectedRangeId: 'protected range',
};

export class ChosenIds {
  #ours = new Map();

  constructor(recordedSpreadsheetId, spreadsheetId) {
    this.#pair('spreadsheet', recordedSpreadsheetId, spreadsheetId);
    // The first sheet has the same id everywhere.
    this.#pair('sheet', 0, 0);
  }

  #pair(family, recorded, ours) {
    this.#ours.set(`${family} ${recorded}`, ours);
  }

  #of(family, recorded) {
    const key = `${family} ${recorded}`;
    return this.#ours.has(key) ? this.#ours.get(key) : recorded;
  }

  /** The same JSON with the server's ids. */
  translate(value, field) {
    if (Array.isArray(value)) return value.map((item) => this.translate(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.translate(item, name)]));
    }
    return field in FAMILY ? this.#of(FAMILY[field], value) : value;
  }

  translatePath(path) {
    const [, head, id, rest] = /^(\/v4\/spreadsheets\/)([^/:?]+)(.*)$/s.exec(path) ?? [];
    if (head === undefined) return path;
    const tail = rest.replace(/^\/sheets\/(\d+)/, (_, sheetId) => `/sheets/${this.#of('sheet', Number(sheetId))}`);
    return `${head}${this.#of('spreadsheet', id)}${tail}`;
  }

  /** Of a call that went through: what it deleted is free again, what it made has two ids. */
  learn({ path, body, response }, answer) {
    for (const request of body?.requests ?? []) {
      const [[kind, fields]] = Object.entries(request);
      if (!kind.startsWith('delete')) continue;
      for (const [field, value] of Object.entries(fields)) this.#ours.delete(`${FAMILY[field]} ${value}`);
    }
    if (response.replies) this.#walk(response.replies, answer?.replies);
    else if (/:copyTo(?:\?|$)/.test(path)) this.#walk(response, answer);
  }

  #walk(recorded, ours) {
    if (typeof recorded !== 'object' || recorded === null || typeof ours !== 'object' || ours === null) return;
    for (const [name, value] of Object.entries(recorded)) {
      const family = FAMILY[name];
      if (family === undefined) this.#walk(value, ours[name]);
      else if (ours[name] !== undefined && !this.#ours.has(`${family} ${value}`)) this.#pair(family, value, ours[name]);
    }
  }
}
