/** Words that mark a total row, in the languages and spreadsheets that files come from. */

/** Without accents. Excel writes `Gesamtergebnis` below its groups and `Grand Total` below all rows. */
const WORD = [
  'summen?',
  'summa',
  'sums?',
  'saldo',
  'saldovortrag',
  'balance',
  'ergebnis',
  'gesamt',
  'insgesamt',
  'endbetrag',
  'totals?',
  'totale',
  'totali',
  'totales',
  'totais',
  'totaal',
  'totalt',
  'totaux',
  'somme',
  'somma',
  'sammanlagt',
  'suma',
  'sumy',
  'soma',
  'yhteensa',
  'kokku',
  'kopa',
  'razem',
  'ogołem',
  'łacznie',
  'celkem',
  'soucet',
  'sucet',
  'spolu',
  'osszesen',
  'vegosszeg',
  'ukupno',
  'skupaj',
  'toplam',
  'итого',
  'всего',
  'итог',
  'разом',
  'усього',
  'общо',
  'συνολο',
  'σ',
  '∑',
  '合計',
  '合计',
  '小計',
  '小计',
  '総計',
  '總計',
  '总计',
  '합계',
  '총계',
].join('|');

/** Words that may surround one: `Zwischensumme`, `Subtotal`, `Sous-total`, `Total général`, `Total amount`. */
const AROUND = [
  'sub',
  'sous',
  'grand',
  'zwischen',
  'teil',
  'end',
  'eind',
  'tussen',
  'schluss',
  'haupt',
  'del',
  'slut',
  'konto',
  'tages',
  'wochen',
  'monats',
  'quartals',
  'jahres',
  'rechnungs',
  'general',
  'generale',
  'generaal',
  'geral',
  'amount',
  'betrag',
  'bedrag',
  'montant',
  'importe',
  'importo',
].join('|');

const SUM_WORD = new RegExp(`^(?:${AROUND})*(?:${WORD})(?:${WORD}|${AROUND})*$`, 'u');
const LONGEST_SUM_LABEL = 40;
const DIGIT = /\p{N}/u;
const NO_LETTERS = /[^\p{L}∑]+/gu;

/** Cached answers: each row is checked, but a file has few different titles. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 1000;

/** Whether a text is only such a word: `Total:`, `GRAND_TOTAL`, `*** Summe ***`; not `Summe November`. */
export function isSumWord(text: string): boolean {
  if (text === '' || text.length > LONGEST_SUM_LABEL || endsInDigit(text) || DIGIT.test(text)) return false;
  let isWord = known.get(text);
  if (isWord === undefined) {
    const letters = text.normalize('NFKD').replace(NO_LETTERS, '').normalize('NFC').toLowerCase();
    isWord = SUM_WORD.test(letters);
    if (known.size < MOST_KNOWN) known.set(text, isWord);
  }
  return isWord;
}

/** Only for speed: most ids end in a digit, and no pattern is needed to see it. */
function endsInDigit(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= ZERO_DIGIT && last <= NINE_DIGIT;
}

const ZERO_DIGIT = 0x30;
const NINE_DIGIT = 0x39;
