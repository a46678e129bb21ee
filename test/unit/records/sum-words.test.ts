import { describe, expect, it } from 'vitest';
import { saysSum } from '../../../src/records/sum-words.js';

describe('a text says that its row is a sum', () => {
  it.each([
    ...[
      'Summe',
      'Total',
      'Gesamt',
      'Sum',
      'Saldo',
      'Totaal',
      'Gesamtsumme',
      'Subtotal',
      'Zwischensumme',
      'Grand total',
    ],
    ...['Totale', 'Suma', 'Somme', 'Soma', 'Somma', 'Totali', 'Total général', 'Sous-total', 'Eindtotaal', 'Subtotaal'],
    ...['Zwischentotal', 'Gesamttotal', 'Rechnungssumme', 'Endsaldo', 'Gesamtergebnis', 'Berlin Ergebnis', 'Endbetrag'],
    ...['TOTAL', 'total:', ' Summe ', 'Summe November', 'GRAND_TOTAL', 'TOTAL2026', 'Total (12)', '*** Sum ***'],
    ...[
      'Summa',
      'Totalsumma',
      'Totalt',
      'Yhteensä',
      'Yhteensa\u0308',
      'Razem',
      'Celkem',
      'Összesen',
      'Toplam',
      'Итого',
    ],
    ...['ΣΥΝΟΛΟ', 'Σ', 'σ 12', '∑', '合計', '合計金額', '总计'],
  ])('%j', (text) => expect(saysSum(text)).toBe(true));

  it.each([
    ...[
      '',
      ' ',
      '300',
      'Bonus',
      'Summer bonus',
      'Totally different',
      'Sumatra',
      'Assumption',
      'Consumer',
      'Gesamtschule',
    ],
    ...['Somerset', 'Balanced', 'Razembe', 'Μισθός', 'μισθοσ', 'Συντάξη', 'Saldern', 'Resume'],
  ])('%j does not', (text) => expect(saysSum(text)).toBe(false));
});
