import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@app/platform';
import { createDeveloperMetadata } from '@app/workbook';
import { seedWorkbook } from '../seed/seed-workbook';
import { Clock } from '../time/clock';
import { SpreadsheetDisk } from './disk';
import { SpreadsheetStore } from './store';

describe('spreadsheets on disk', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sheets-mock-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const report = (message: string) => {
    throw new Error(message);
  };
  const options = { acceptClashingMetadataIds: false };

  function opened(): { store: SpreadsheetStore; disk: SpreadsheetDisk } {
    const store = new SpreadsheetStore(new Clock());
    const disk = new SpreadsheetDisk(folder, store, report);
    const books = disk.load();
    if (books.length > 0) store.replaceAll(books);
    disk.watch();
    return { store, disk };
  }

  it('come back as they were, holes, formats and developer metadata included', async () => {
    const { store, disk } = opened();
    store.put(seedWorkbook('a/b c'));
    store.edit('a/b c', options, (transaction) => {
      const sheet = transaction.sheet(0);
      sheet.setCell(500, 3, { userEnteredValue: { numberValue: 0 }, note: 'n' });
      sheet.resize({ rowCount: 2_000 });
      createDeveloperMetadata(transaction, {
        developerMetadata: {
          metadataId: 9,
          metadataKey: 'k',
          metadataValue: 'v',
          location: { spreadsheet: true },
          visibility: 'DOCUMENT',
        },
      });
    });
    await disk.flush();
    const again = opened().store.get('a/b c');
    expect(again.metadata).toEqual(store.get('a/b c').metadata);
    expect(again.sheets[0]?.properties.gridProperties.rowCount).toBe(2_000);
    expect(again.sheets[0]?.rows[500]?.[3]).toEqual({ userEnteredValue: { numberValue: 0 }, note: 'n' });
    expect(again.sheets[0]?.rows[500]?.[0]).toBeUndefined();
    expect(again.sheets[0]?.rows[1]).toEqual(store.get('a/b c').sheets[0]?.rows[1]);
  });

  it('are written by themselves soon after a change, whole files only', async () => {
    const { store } = opened();
    store.put(seedWorkbook('auto'));
    await waitFor('the file', () => readdirSync(folder).includes('auto.json'));
    expect(opened().store.get('auto').sheets).toHaveLength(2);
  });

  it('are gone when they were thrown away', async () => {
    const { store, disk } = opened();
    store.put(seedWorkbook('one'));
    await disk.flush();
    store.replaceAll([seedWorkbook('two')]);
    await disk.flush();
    expect(readdirSync(folder)).toEqual(['two.json']);
  });
});
