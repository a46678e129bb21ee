import type { CellStyle } from '../../src/input/cells.js';

/** Where nothing is said of how cells are written. */
export const PLAIN_STYLE: CellStyle = { decimal: null, dateOrder: 'ymd', currencySigns: false, negate: false };
