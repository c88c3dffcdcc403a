/** The id of the spreadsheet that a fresh mock starts with. */
export class SeedId {
  constructor(readonly spreadsheetId: string) {}
}
