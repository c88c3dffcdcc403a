/** The widest sheet that the service allows: column ZZZ. Source: "Google Drive limits", cells of a spreadsheet. */
export const COLUMNS_MAX = 18_278;

/** The letters of a column: 0 is `A`, 26 is `AA`. */
export function columnName(index0: number): string {
  let name = '';
  for (let rest = index0 + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** The position of a column, counted from 0: `A` is 0, `aa` is 26. */
export function columnIndex(name: string): number {
  let index = 0;
  for (const letter of name.toUpperCase()) index = index * 26 + (letter.charCodeAt(0) - 64);
  return index - 1;
}
