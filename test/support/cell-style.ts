import type { CellNotation } from '../../src/input/cells.js';

/** Where nothing is said of how cells are written. */
export const PLAIN_STYLE: CellNotation = {
  decimal: null,
  dateOrder: null,
  timeZone: null,
  currencySigns: false,
  negate: false,
  trim: false,
};
