import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/errors.js';
import { type CellSpec, sheet, workbook } from '../../../support/workbook.js';
import { csvOf, type Meaning, meanings } from './meanings.js';
import { read } from '../reading.js';

const ROWS: CellSpec[][] = [
  ['user_id', 'amount', 'title', 'billing_date'],
  ['u1', { v: 12.5, format: '#,##0.00' }, 'a & b', { v: 46327, format: 14 }],
  [{ v: 7, format: '0' }, { v: 5, f: 'A1' }, { t: 'inlineStr', xml: '<is><r><t>x</t></r></is>' }, null],
];
const SPEC = {
  sheets: [{ name: 'S', rows: ROWS, before: '<cols><col min="9" max="9" hidden="1"/></cols>', merges: ['H1:I1'] }],
};

/** Reads what may be no workbook: it is read, or refused with a word, and nothing else happens. */
async function survives(bytes: Uint8Array): Promise<void> {
  try {
    const { records } = await read(bytes, { format: 'xlsx' });
    for (const { findings } of records) expect(findings.every(({ message }) => message !== '')).toBe(true);
  } catch (cause) {
    expect(cause).toBeInstanceOf(UsageError);
  }
}

describe('a workbook with something changed', () => {
  const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const piece = fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '<mergeCell ref="A1:C3"/>',
    ...'" < > / & 0 -1 99999 e <row> </c> <v> hidden="1" t="s" s="9" &#x0; _x0000_ A1 x:'.split(' '),
  );

  it('in the text of a part is read or refused', async () => {
    const change = fc.tuple(at, at, fc.nat(12), piece);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = workbook({
          ...SPEC,
          change: (parts) => {
            for (const [which, place, length, text] of changes) {
              const [name, content] = [...parts][Math.floor(which * parts.size)] as [string, string];
              const start = Math.floor(place * content.length);
              parts.set(name, content.slice(0, start) + text + content.slice(start + length));
            }
          },
        });
        await survives(bytes);
      }),
      { numRuns: 80 },
    );
  });

  it('in its bytes is read or refused', async () => {
    const whole = workbook(SPEC);
    const change = fc.tuple(at, fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), at, async (changes, end) => {
        const bytes = Buffer.from(whole);
        for (const [place, value] of changes) bytes[Math.floor(place * bytes.length)] = value;
        await survives(end < 0.2 ? bytes.subarray(0, Math.floor(end * 5 * bytes.length)) : bytes);
      }),
      { numRuns: 60 },
    );
  });
});

it('a workbook and the CSV that means the same give the same records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(meanings, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (rows: Meaning[][], isBare) => {
        const head = ['user_id', 'amount', 'title', 'billing_date', 'description'];
        const book = await read(sheet([head, ...rows.map((row) => row.map(({ cell }) => cell))], { isBare }));
        const csv = await read(csvOf([head, ...rows.map((row) => row.map(({ text }) => text))]), { format: 'csv' });
        expect(book.found.filter((found) => !found.includes('null'))).toEqual([]);
        expect(book.inputs.filter((input) => Object.keys(input as object).length > 0)).toEqual(
          csv.inputs.filter((input) => Object.keys(input as object).length > 0),
        );
      },
    ),
    { numRuns: 60 },
  );
});
