/** Cells of workbooks, and what they mean in CSV. */
import fc from 'fast-check';
import { type CellSpec, textXml } from '../../../support/workbook.js';

export interface Meaning {
  readonly cell: CellSpec;
  readonly text: string;
}

const nothing = fc.constant<Meaning>({ cell: null, text: '' });

/** Two characters or more, so that no text is blank. */
const words = fc
  .string({ unit: fc.constantFrom(...'a Z 0 ä € " , ; \' & < _ x = 😀'.split(' '), ' '), minLength: 1, maxLength: 8 })
  .map((text) => `t${text}.`);

const texts = fc.tuple(words, fc.constantFrom('shared', 'str', 'inline', 'runs')).map(([text, way]): Meaning => {
  if (way === 'shared') return { cell: text, text };
  if (way === 'str') return { cell: { t: 'str', f: 'A1', v: text }, text };
  const xml = way === 'inline' ? textXml(text) : `<r>${textXml(text)}</r><r><rPr/>${textXml('2')}</r>`;
  return { cell: { t: 'inlineStr', xml: `<is>${xml}</is>` }, text: way === 'inline' ? text : `${text}2` };
});

const ids = fc.oneof(
  texts,
  fc.integer({ min: 1, max: 99_999_999_999 }).map((number): Meaning => ({ cell: number, text: String(number) })),
);

const FORMATS = ['0.00', '#,##0.00', '#,##0.00\\ "€"', '0.00;[Red]-0.00', '_-* #,##0.00_-;-* #,##0.00_-'] as const;

/** As many decimals as the format shows, or fewer. */
const amounts = fc
  .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.nat(2), fc.constantFrom(...FORMATS))
  .map(([units, scale, format]): Meaning => {
    const number = units / 10 ** scale;
    return { cell: { v: number, format }, text: String(number) };
  });

const dates = fc
  .tuple(fc.integer({ min: 61, max: 200_000 }), fc.constantFrom<string | number>(14, 15, 'dd.mm.yyyy', 'yyyy;@'))
  .map(([serial, format]): Meaning => {
    const day = new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000);
    return { cell: { v: serial, format }, text: day.toISOString().slice(0, 10) };
  });

/** A row of user, amount, title, date, description. */
export const meanings: fc.Arbitrary<Meaning[]> = fc.tuple(
  ...([ids, fc.oneof(amounts, nothing), texts, fc.oneof(dates, nothing), fc.oneof(texts, nothing)] as const),
);

export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
}
