/**
 * What a spreadsheet would run, with the apostrophes before it that keep it from that. The wide forms of the signs count
 * too: where people type Chinese or Japanese, programs take them for the narrow ones.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** Whether a cell looks like a formula, under any number of apostrophes. */
export function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}
