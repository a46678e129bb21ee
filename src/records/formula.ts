/**
 * The start of a cell that a spreadsheet would run as a formula, also behind apostrophes, which prevent that.
 * Full-width signs count too: where people type Chinese or Japanese, programs treat them as the ASCII ones.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** Whether a cell looks like a formula, under any number of apostrophes. */
export function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}
