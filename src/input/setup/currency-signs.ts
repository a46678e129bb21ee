/** A currency's sign or code beside an amount. */

const SIGN = String.raw`\p{Sc}|[A-Z]{3}|[A-Z]{1,3}\$|kr\.?|zł|Kč|Ft|Fr\.?`;
const BEFORE = new RegExp(String.raw`^(-?)\s*(${SIGN})\s*(-?)(?=[\d.,])`, 'u');
const AFTER = new RegExp(String.raw`(?<=\d)\s*(${SIGN})$`, 'u');

/** The amount without its sign; a minus stays. */
export function splitCurrency(cell: string): { readonly sign: string | null; readonly number: string } {
  const typed = cell.trim();
  const before = BEFORE.exec(typed);
  if (before !== null) {
    const [all, minus = '', sign = '', other = ''] = before;
    return { sign, number: `${minus}${other}${typed.slice(all.length)}` };
  }
  const after = AFTER.exec(typed);
  if (after !== null) return { sign: after[1] ?? null, number: typed.slice(0, after.index) };
  return { sign: null, number: cell };
}
