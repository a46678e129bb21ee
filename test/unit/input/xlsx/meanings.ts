/** Cells of workbooks, and what they mean in CSV. */
import fc from 'fast-check';
import { type CellSpec, textXml } from '../../../support/workbook.js';

export interface Meaning {
  readonly cell: CellSpec;
  readonly text: string;
}

const NOTHING: Meaning = { cell: null, text: '' };

/** Two characters or more, so that no text is blank. */
const words = fc
  .string({
    unit: fc.constantFrom('a', 'Z', '0', 'ä', '€', '"', ',', ';', "'", '&', '<', '_', 'x', ' ', '😀', '='),
    minLength: 1,
    maxLength: 8,
  })
  .map((text) => `t${text}.`);

const texts: fc.Arbitrary<Meaning> = fc.oneof(
  words.map((text) => ({ cell: text, text })),
  words.map((text) => ({ cell: { t: 'inlineStr', xml: `<is>${textXml(text)}</is>` }, text })),
  words.map((text) => ({ cell: { t: 'str', f: 'A1', v: text }, text })),
  fc.tuple(words, words).map(([one, two]) => ({
    cell: { t: 'inlineStr', xml: `<is><r>${textXml(one)}</r><r><rPr/>${textXml(two)}</r></is>` },
    text: one + two,
  })),
);

const ids: fc.Arbitrary<Meaning> = fc.oneof(
  texts,
  fc.integer({ min: 1, max: 99_999_999_999 }).map((number) => ({ cell: number, text: String(number) })),
  fc.integer({ min: 1, max: 999 }).map((number) => ({ cell: { v: number, format: '#,##0' }, text: String(number) })),
);

/** As many decimals as the format shows, or fewer. */
const amounts: fc.Arbitrary<Meaning> = fc
  .tuple(
    fc.integer({ min: -99_999_999, max: 99_999_999 }),
    fc.integer({ min: 0, max: 2 }),
    fc.constantFrom('0.00', '#,##0.00', '#,##0.00\\ "€"', '0.00;[Red]-0.00', '_-* #,##0.00_-;-* #,##0.00_-'),
  )
  .map(([units, scale, format]) => {
    const number = units / 10 ** scale;
    return { cell: { v: number, format }, text: String(number) };
  });

const dates: fc.Arbitrary<Meaning> = fc.oneof(
  fc.constant(NOTHING),
  fc
    .tuple(
      fc.integer({ min: 61, max: 200_000 }),
      fc.constantFrom<string | number>(14, 15, 'dd.mm.yyyy', '[$-407]d. mmmm yyyy', 'yyyy\\-mm\\-dd;@'),
    )
    .map(([serial, format]) => ({
      cell: { v: serial, format },
      text: new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10),
    })),
);

/** A row of user, amount, title, date, description. */
export const meanings: fc.Arbitrary<Meaning[]> = fc.tuple(
  ids,
  fc.oneof(amounts, fc.constant(NOTHING)),
  texts,
  dates,
  fc.oneof(texts, fc.constant(NOTHING)),
);

export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
}
