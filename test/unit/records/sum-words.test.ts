import { describe, expect, it } from 'vitest';
import { isSumWord } from '../../../src/records/sum-words.js';

const WORDS =
  'Summe Total Gesamt Sum Saldo Totaal Gesamtsumme Subtotal Zwischensumme Totale Suma Somme Soma Somma Totali ' +
  'Sous-total Eindtotaal Subtotaal Zwischentotal Gesamttotal Rechnungssumme Endsaldo Gesamtergebnis Endbetrag TOTAL ' +
  'total: GRAND_TOTAL Summa Totalsumma Totalt Yhteensä Yhteensa\u0308 Razem Celkem Összesen Toplam Итого ΣΥΝΟΛΟ Σ ∑ ' +
  '合計 总计 합계 Ｔｏｔａｌ Delsumma Gesamtbetrag';

const NONE =
  '300 Bonus Totally Sumatra Assumption Consumer Gesamtschule Somerset Balanced Razembe Μισθός μισθοσ Συντάξη ' +
  'Saldern Resume Ablösesumme Testergebnis TOTAL2026 合計金額 Sub Betrag';

describe('a text that is nothing but a word for a sum', () => {
  const texts = [
    ...WORDS.split(' '),
    'Grand total',
    'Total général',
    ' Summe ',
    '*** Sum ***',
    'Summe :',
    'Total amount',
  ];
  it.each(texts)('%j', (text) => expect(isSumWord(text)).toBe(true));

  it.each([...NONE.split(' '), '', ' ', 'Summer bonus', 'Summe November', 'Total (12)', `Total${' '.repeat(40)}`])(
    '%j is none',
    (text) => expect(isSumWord(text)).toBe(false),
  );
});
