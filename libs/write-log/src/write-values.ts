/** What a cell can hold in a write. Written as it is (RAW): a leading `=` is text. */
export type CellScalar = string | number | boolean;
