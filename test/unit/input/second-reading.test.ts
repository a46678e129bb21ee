import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { openInputFile, rereadFile, type OriginalFile } from '../../../src/input/open-file.js';
import { type Encoding, encodeText, jsonEscape } from '../../../src/input/encoding.js';
import { FileFault } from '../../../src/input/raw-record.js';
import type { RereadInfo } from '../../../src/input/read-options.js';
import { type Change, folder, pieces, read, readOptions } from './reading.js';

const RULES = { format: null, encoding: null, delimiter: null, headerLine: null, style: PLAIN_STYLE };

async function firstReading(path: string, change: Change): Promise<RereadInfo> {
  const file = openInputFile(path, readOptions({ keepBytes: true, ...change }));
  try {
    for await (const chunk of file.chunks()) void chunk;
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
  }
  return file.rereadInfo() as RereadInfo;
}

/** All that was typed: rows of cells, or texts of values. */
async function typedIn(file: OriginalFile): Promise<unknown[]> {
  const found: unknown[] = [];
  if (file.format === 'csv') for await (const rows of file.rows) found.push(...rows.map(({ cells }) => cells));
  else if (file.format !== null) for await (const values of file.values) found.push(...values.map(({ text }) => text));
  return found;
}

async function again(content: string | Uint8Array, name = 'a.csv') {
  const dir = folder();
  writeFileSync(join(dir, name), content);
  const file = await rereadFile(name, dir, await firstReading(name, { cwd: dir }), RULES);
  const typed = await typedIn(file);
  return { file, typed, isSame: file.isSame() };
}

describe('a second reading', () => {
  it('gives the rows as typed, blank ones left out', async () => {
    const { file, typed, isSame } = await again('sep=;\r\namount;title\r\n\r\n 1,50;"a\n""b"""\r\n;\r\n2;\r\n');
    expect(typed).toEqual([
      ['amount', 'title'],
      [' 1,50', 'a\n"b"'],
      ['2', ''],
    ]);
    expect(file).toMatchObject({
      format: 'csv',
      hadMark: false,
      lineEnd: '\r\n',
      dialect: { preamble: 'sep=;\r\n', delimiter: ';' },
    });
    expect(isSame).toBe(true);
  });

  it.each<[string, string, string]>([
    ['LF', 'a,b\n1,2\r\n', '\n'],
    ['CRLF behind a line break in a quoted name', '"a\nb",c\r\n1,2\r\n', '\r\n'],
    ['that of the line above', 'sep=,\na', '\n'],
    ['none at all', 'a,b', '\r\n'],
  ])('knows the line end: %s', async (_name, content, lineEnd) => {
    expect((await again(content)).file).toMatchObject({ lineEnd });
  });

  it('gives JSON values as typed', async () => {
    expect((await again('[{"amount": 1.50},\n 7]', 'a.json')).typed).toEqual(['{"amount": 1.50}', '7']);
    expect((await again('{"a":1}\n\n{"a":1e2}', 'a.ndjson')).typed).toEqual(['{"a":1}', '{"a":1e2}']);
  });

  it.each<[string, string | Uint8Array, unknown[]]>([
    ['an unclosed quote', 'amount\n1\n2\n"3\n', [['amount'], ['1'], ['2']]],
    ['a byte that does not fit', Buffer.concat([Buffer.from('amount\n1\né\n'), Buffer.from([0xff])]), []],
    ['what is no text', Buffer.from('PK\x03\x04'), []],
  ])('ends where the first did: %s', async (_name, content, expected) => {
    const { typed, isSame } = await again(content);
    expect(typed).toEqual(expected);
    expect(isSame).toBe(true);
  });

  it.each(['1\n3\n', '1\n2\n3\n', '1\n', ''])('notices that the file has changed to %j', async (rows) => {
    const dir = folder();
    const path = join(dir, 'a.csv');
    writeFileSync(path, 'amount\n1\n2\n');
    const first = await firstReading('a.csv', { cwd: dir });
    writeFileSync(path, `amount\n${rows}`);
    const file = await rereadFile('a.csv', dir, first, RULES);
    await typedIn(file);
    expect(file.isSame()).toBe(false);
  });

  it('of standard input has the bytes that were kept', async () => {
    const first = await firstReading('-', { stdin: pieces(Buffer.from('amount\n1\n2\n'), 4) });
    const file = await rereadFile('-', '/', first, RULES);
    expect(await typedIn(file)).toEqual([['amount'], ['1'], ['2']]);
    expect(file.isSame()).toBe(true);
  });

  it('keeps no bytes where nobody asked for them, nor those of a file', async () => {
    const stdin = pieces(Buffer.from('amount\n1\n'), 4);
    expect((await firstReading('-', { stdin, keepBytes: false })).kept).toBeNull();
    const dir = folder();
    writeFileSync(join(dir, 'a.csv'), 'amount\n1\n');
    expect((await firstReading('a.csv', { cwd: dir })).kept).toBeNull();
  });
});

describe('text in an encoding', () => {
  const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];

  it.each(encodings)('%s is read as it was written', async (encoding) => {
    const latin = fc.constantFrom(...'aZ09 .-€„“–éüß×ÿ‚Ÿ'.split(''));
    const unit = encoding === 'windows-1252' ? latin : fc.oneof(latin, fc.constantFrom('→', '😀', '漢'));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, minLength: 1 }), async (title) => {
        const { inputs } = await read(encodeText(`amount,title\n1,${title}\n`, encoding), { encoding, delimiter: ',' });
        expect(inputs).toEqual([{ amount: 1, title }]);
      }),
    );
  });

  it('shows what an encoding does not have as a question mark, or in JSON as an escape', () => {
    const text = '5 € → \u0081😀';
    expect(encodeText(text, 'windows-1252').toString('latin1')).toBe('5 \x80 ? ??');
    expect(encodeText(text, 'windows-1250').toString('latin1')).toBe('5 \x80 ? ??');
    expect(encodeText(text, 'koi8-r').toString('latin1')).toBe('5 ? ? ??');
    const escaped = '5 \x80 \\u2192 \\u0081\\ud83d\\ude00';
    expect(encodeText(text, 'windows-1252', jsonEscape).toString('latin1')).toBe(escaped);
  });
});
