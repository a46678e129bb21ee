import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/input/raw-record.js';
import { isBlankRow, isFrame } from '../../../src/input/csv-cells.js';
import { readRows } from '../../../src/input/rows.js';
import { csv } from '../../support/builders.js';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { read } from './reading.js';

const LINE_ENDS = ['\r\n', '\n', '\r'] as const;

/** Texts of everything that CSV gives a meaning, and some that it does not. */
const texts = fc
  .array(fc.constantFrom('a', 'ü', '😀', ' ', '"', '""', ',', ';', '\t', '|', '\n', '\r', '\r\n', "'", '='), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const filled = texts.filter((text) => text !== '' && !isFrame([text]));
const rows = fc.array(fc.record({ title: filled, description: texts, user_id: texts }), {
  minLength: 1,
  maxLength: 12,
});
const layout = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom(...LINE_ENDS),
  quoteAll: fc.boolean(),
  bom: fc.boolean(),
  finalLineEnd: fc.boolean(),
  size: fc.constantFrom(1, 2, 3, 11, 1 << 16),
});

/** An empty cell is an absent field. */
const filledIn = (record: Record<string, string>): unknown =>
  Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== ''));

/** The line of an offset, as an editor numbers it. */
const lineAt = (text: string, offset: number): number => text.slice(0, offset).split(/\r\n|\n|\r/).length;

describe('CSV that was written by the rules', () => {
  it('reads back as it was, cell for cell, each record with the line on which it starts', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        layout,
        fc.array(fc.constantFrom(...LINE_ENDS)),
        async (records, { size, ...options }, blanks) => {
          const columns = ['title', 'description', 'user_id'];
          const head = csv([], { ...options, columns, finalLineEnd: true });
          let text = head;
          const lines = records.map((record, i) => {
            // Blank lines between the rows, with any line end: they count, and have no record.
            text += blanks[i] ?? '';
            const start = lineAt(text, text.length);
            const row = csv([record], { ...options, bom: false, columns, finalLineEnd: true });
            text += row.slice(row.indexOf(options.lineEnd) + options.lineEnd.length);
            return start;
          });
          // A row that ends in CR before a blank line of LF would be one CRLF.
          fc.pre(!options.lineEnd.endsWith('\r') || !blanks.some((blank) => blank.startsWith('\n')));
          const found = await read(text, { format: 'csv', encoding: 'utf-8', delimiter: options.delimiter }, size);
          expect(found.fault).toBeNull();
          expect(found.found).toEqual([]);
          expect(found.inputs).toEqual(records.map(filledIn));
          expect(found.records.map(({ line }) => line)).toEqual(lines);
          expect(found.records.map(({ record }) => record)).toEqual(records.map((_, i) => i + 1));
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe('lines that are no rows', () => {
  const RECORDS = [
    { user_id: 'u1', amount: 5 },
    { user_id: 'u2', amount: 6 },
  ];

  it.each<[string, string, number[]]>([
    ['dashes, as SAP prints them', '-------\n|user_id|amount|\n|-------|------|\n|u1|5|\n|u2|6|\n-----\n', [4, 5]],
    ['a frame, as databases print it', '+---+---+\n|user_id|amount|\n+---+---+\n|u1|5|\n|u2|6|\n+---+---+', [4, 5]],
    ['a Markdown table', '| user_id | amount |\n|:---|---:|\n|u1|5|\n|u2|6|\n', [3, 4]],
    ['dashes in cells', 'user_id,amount\n---,---\nu1,5\n-,-\n-,\nu2,6\n====,====\n', [3, 6]],
    ['Ctrl-Z on a line', 'user_id,amount\r\nu1,5\r\nu2,6\r\n\x1a', [2, 3]],
    ['Ctrl-Z behind the last cell', 'user_id,amount\r\nu1,5\r\n"u2","6"\x1a', [2, 3]],
    ['Ctrl-Z up to the end of a block', 'user_id,amount\nu1,5\nu2,6\n\x1a\x1a\x1a\r\n', [2, 3]],
  ])('%s', async (_name, text, lines) => {
    for (const size of [undefined, 1, 3]) {
      const { inputs, records, fault } = await read(text, { format: 'csv' }, size);
      expect(fault).toBeNull();
      expect(inputs).toEqual(RECORDS);
      expect(records.map(({ line }) => line)).toEqual(lines);
    }
  });

  it('but any that hold more', async () => {
    const text = 'user_id,amount,title\n-5,-,-\n---,-,x\n=,,\n\x1a,1,t\nu1,5,t';
    const { inputs } = await read(text, { format: 'csv', style: { ...PLAIN_STYLE, decimal: 'point' } });
    expect(inputs).toHaveLength(5);
  });
});

describe('any text', () => {
  const marks = fc.constantFrom('a', 'ü', ' ', '"', '"', '""', ';', ';', '\n', '\r', '\r\n');

  it('is cut as csv-parse cuts it, or refused where that refuses it, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(marks, { maxLength: 16 }), fc.integer({ min: 1, max: 4 }), async (parts, size) => {
        const text = parts.join('');
        expect(await cut(text, size)).toEqual(oracle(text));
      }),
      { numRuns: 800 },
    );
  });
});

/** The rows of a text that comes in pieces; null where it is refused. */
async function cut(text: string, size: number): Promise<(readonly string[])[] | null> {
  const pieces = (async function* () {
    for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
  })();
  const found: (readonly string[])[] = [];
  try {
    for await (const batch of readRows(pieces, { delimiter: ';', preamble: '', headerLine: 1 }))
      found.push(...batch.map(({ cells }) => cells));
  } catch (cause) {
    if (cause instanceof FileFault) return null;
    throw cause;
  }
  return found;
}

function oracle(text: string): (readonly string[])[] | null {
  const rules = { delimiter: ';', record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true };
  try {
    return parse(text, rules).filter((cells) => !isBlankRow(cells));
  } catch {
    return null;
  }
}
