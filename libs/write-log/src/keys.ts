/**
 * The register of the Redis keys of one spreadsheet. All begin with one hash tag, so that a script touches one slot of a
 * cluster; the tag is made from a digest of the spreadsheet's id, so that no text from outside reaches a key's name.
 * The scripts build the same names (`lua/includes/keys.lua`).
 *
 * | key                    | type   | meaning |
 * |------------------------|--------|---------|
 * | marks                  | hash   | `tail`, `sendingThrough`, `appliedThrough`: numbers of the log; `batchNumber`: the last one used; `unknownAtMs`: last unknown outcome; `rowShifts`: appends that went further down than told; `nearlyFull`: it was told; `epoch`, `spreadsheetId` |
 * | log                    | hash   | number -> the accepted write as JSON |
 * | receipt:<number>       | hash   | what became of a write, and when |
 * | idem:<digest>          | string | `<number>:<write id>:<digest of the body>` of the first use of an Idempotency-Key |
 * | set-aside              | zset   | numbers of writes that failed or were cancelled, while their receipts are kept |
 * | batch                  | string | the frozen batch: sent or about to be, and not yet decided |
 * | lease                  | string | the writer lease: who may write this spreadsheet upstream |
 * | pace                   | string | present while the drain has to wait before its next call |
 * | waiting                | string | why the writes wait for a person, as JSON: the last word of the upstream, for some minutes |
 * | tabs                   | hash   | sheet id -> title and place of each tab seen |
 * | grids                  | hash   | sheet id -> rows and columns of its grid, separated by a blank |
 * | tabs-complete          | string | present while `tabs` is known to name every tab |
 * | sheet:<id>             | hash   | `version`, `counter`, `removals`, and of the snapshot: `snapshotId`, `baseId` (of the last one that a reader of rows could tell from that before), `through`, `fetchedAtMs`, `epoch`, `usedRows`, `insertsRows` |
 * | book                   | hash   | `version`, `fetchedAtMs`, `head`: the spreadsheet beside its sheets and cells, as JSON |
 * | book-sheets            | hash   | sheet id -> the sheet beside its cells, as JSON |
 * | sheet:<id>:log         | zset   | the numbers of the log that concern this sheet |
 * | sheet:<id>:new-keys    | hash   | row key -> number of the append that made it and is not yet in the snapshot |
 * | sheet:<id>:snapshot    | string | the snapshot as JSON |
 */
import { createHash } from 'node:crypto';

export class SpreadsheetKeys {
  /** Sixteen hexadecimal digits that stand for the spreadsheet: in key names and in write ids. */
  readonly tag: string;
  /** What all its keys begin with. */
  readonly base: string;

  private constructor(prefix: string, tag: string) {
    this.tag = tag;
    this.base = `{${prefix}${tag}}:`;
  }

  static of(prefix: string, spreadsheetId: string): SpreadsheetKeys {
    return new SpreadsheetKeys(prefix, createHash('sha256').update(spreadsheetId).digest('hex').slice(0, 16));
  }

  static fromTag(prefix: string, tag: string): SpreadsheetKeys {
    if (!/^[0-9a-f]{16}$/.test(tag)) throw new RangeError(`not the tag of a spreadsheet: ${JSON.stringify(tag)}`);
    return new SpreadsheetKeys(prefix, tag);
  }

  get marks(): string {
    return `${this.base}marks`;
  }
  get log(): string {
    return `${this.base}log`;
  }
  get batch(): string {
    return `${this.base}batch`;
  }
  get lease(): string {
    return `${this.base}lease`;
  }
  get pace(): string {
    return `${this.base}pace`;
  }
  get waiting(): string {
    return `${this.base}waiting`;
  }
  get setAside(): string {
    return `${this.base}set-aside`;
  }
  get tabs(): string {
    return `${this.base}tabs`;
  }
  get tabsComplete(): string {
    return `${this.base}tabs-complete`;
  }
  get book(): string {
    return `${this.base}book`;
  }
  get bookSheets(): string {
    return `${this.base}book-sheets`;
  }
  /** @param digest of the Idempotency-Key and its scope */
  idempotency(digest: string): string {
    return `${this.base}idem:${digest}`;
  }
  sheetLog(sheetId: number): string {
    return `${this.base}sheet:${sheetId}:log`;
  }
  receipt(number: number): string {
    return `${this.base}receipt:${number}`;
  }
}

/** Which spreadsheets may have pending writes: `tag` scored by the time of a recent accept. Read by the sweeper. */
export function backlogKey(prefix: string): string {
  return `{${prefix}backlog}`;
}

/** Writes that failed lately, over all spreadsheets: `<tag>:<number>` scored by the time of the verdict. Read by operators. */
export function failuresKey(prefix: string): string {
  return `{${prefix}failures}`;
}
