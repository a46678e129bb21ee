/** Words that say that a row is a sum of others, in the languages and spreadsheets that files come from. */

/** `Zwischensumme`, `Subtotal`, `Endsaldo`, and `Gesamtergebnis`, which Excel writes below its groups. */
const ENDINGS = 'summen?|summa|saldo|total|totals|totale|totali|totaal|totalt|ergebnis';

/** Without accents. */
const WHOLE = [
  ...['sum', 'sums', 'balance', 'gesamt', 'insgesamt', 'gesamtbetrag', 'endbetrag', 'saldovortrag', 'totaux'],
  ...['somme', 'somma', 'suma', 'sumy', 'soma', 'totales', 'totais', 'sammanlagt', 'yhteensa', 'kokku', 'kopa'],
  ...['razem', 'ogołem', 'łacznie', 'celkem', 'soucet', 'sucet', 'spolu', 'osszesen', 'vegosszeg', 'ukupno', 'skupaj'],
  ...['toplam', 'итого', 'всего', 'итог', 'разом', 'усього', 'общо', 'συνολο', 'σ'],
].join('|');

const SUM_WORD = new RegExp(`^(?:\\p{L}*(?:${ENDINGS})|${WHOLE})$`, 'u');
/** Where words are not parted by spaces, and the sign for a sum, which is no letter. */
const ANYWHERE = /合計|合计|小計|小计|総計|總計|总计|합계|총계|∑/u;
const WORDS = /\p{L}+/gu;
const ACCENTS = /\p{M}/gu;

/** Whether one of a text's words says so: `Total:`, `Summe November`, `GRAND_TOTAL`; not `Totally different`. */
export function saysSum(text: string): boolean {
  const folded = text.normalize('NFD').replace(ACCENTS, '').normalize('NFC').toLowerCase();
  return ANYWHERE.test(folded) || (folded.match(WORDS)?.some((word) => SUM_WORD.test(word)) ?? false);
}
