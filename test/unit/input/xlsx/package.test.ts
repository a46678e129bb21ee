import { describe, expect, it } from 'vitest';
import { partsOf, sheet, type SheetSpec, workbook } from '../../../support/workbook.js';
import { zip, type ZipEntry } from '../../../support/zip.js';
import { read } from '../reading.js';

const ROWS = [
  ['user_id', 'amount', 'title'],
  ['u1', 5, 'T'],
];
const SPEC = { sheets: [{ name: 'S', rows: ROWS }] };
const SHEET = 'xl/worksheets/sheet1.xml';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The fault that ended the reading of a workbook. */
async function faultOf(bytes: Uint8Array): Promise<string> {
  const { fault } = await read(bytes, { format: 'xlsx' });
  return fault === null ? 'none' : `${fault.code} ${fault.message}`;
}

/** A workbook with entries of its archive changed. */
const packed = (entries: (entries: ZipEntry[]) => ZipEntry[]): Buffer => workbook({ ...SPEC, entries });
const changed = (change: (parts: Map<string, string>) => void): Buffer => workbook({ ...SPEC, change });
const inSheet = (rows: string, spec: Partial<SheetSpec> = {}): Buffer => sheet(rows, spec);
const withMore = (...more: ZipEntry[]): Buffer => packed((entries) => [...entries, ...more]);
const without = (part: string): Buffer => packed((entries) => entries.filter(({ name }) => !name.includes(part)));
const odd = (name: string, changes: Partial<ZipEntry>): Buffer =>
  packed((entries) => entries.map((entry) => (entry.name === name ? { ...entry, ...changes } : entry)));

it('is read whatever its archive keeps as it is, and whatever the letter case of its names', async () => {
  const bytes = packed((entries) =>
    entries.map((entry) => ({ ...entry, name: entry.name.toUpperCase(), stored: true })),
  );
  expect((await read(bytes)).inputs).toHaveLength(1);
});

it('is read with the vocabulary of the strict variant, and with targets from the top', async () => {
  const strict = changed((parts) => {
    for (const [name, text] of parts)
      parts.set(
        name,
        text
          .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main')
          .replaceAll(
            'http://schemas.openxmlformats.org/officeDocument/2006',
            'http://purl.oclc.org/ooxml/officeDocument',
          )
          .replaceAll('Target="worksheets', 'Target="/xl/worksheets'),
      );
  });
  expect((await read(strict)).inputs).toHaveLength(1);
});

describe('what is no workbook is refused with what to do', () => {
  const ole = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(2000)]);
  const files = (...entries: [string, string][]): Buffer => zip(entries.map(([name, content]) => ({ name, content })));
  const main = (target: string): [string, string] => {
    const rels = partsOf(SPEC).get('_rels/.rels') ?? '';
    return ['_rels/.rels', rels.replace('xl/workbook.xml', target)];
  };

  it.each([
    ['an old one', ole, 'old Excel workbook (.xls)'],
    ['one with a password', Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]), 'by a password'],
    ['text', Buffer.from('user_id,amount\nu1,5\n'), 'not a workbook (.xlsx): if it contains text'],
    ['any archive', files(['a.csv', 'user_id,amount\nu1,5\n']), 'a zip archive and no workbook'],
    ['a text document', files(main('word/document.xml'), ['word/document.xml', '']), 'no workbook'],
    ['a binary workbook', files(main('xl/workbook.bin'), ['xl/workbook.bin', '']), 'no workbook'],
  ])('%s', async (_, bytes, words) => {
    expect(await faultOf(bytes)).toMatch(/^bad-encoding /);
    expect(await faultOf(bytes)).toContain(words);
  });
});

describe('an archive that cannot be trusted is refused', () => {
  const numbered = (count: number, change: Partial<ZipEntry> = {}): ZipEntry[] =>
    Array.from({ length: count }, (_, i) => ({ name: `p${i}`, content: '', ...change }));

  it.each([
    ['its size is another', odd(SHEET, { declaredSize: 10 }), 'checksum'],
    ['its size is smaller', odd(SHEET, { declaredSize: 100_000 }), 'checksum'],
    ['its checksum is another', odd(SHEET, { declaredSum: 1 }), 'checksum'],
    ['it is encrypted', odd(SHEET, { encrypted: true }), 'password'],
    ['a part is there twice', withMore({ name: SHEET.toUpperCase(), content: 'x' }), 'twice'],
    ['a part is not there', without(SHEET), 'is missing'],
    ['it is cut off', workbook(SPEC).subarray(0, -30), 'damaged'],
    ['a part is too large', withMore({ name: 'x', content: '', declaredSize: 0xffff_fff0 }), '256 MB'],
    ['all parts together are', withMore(...numbered(3, { declaredSize: 90 * 1024 * 1024 })), '256 MB'],
    ['it has no end of parts', withMore(...numbered(10_001)), 'parts'],
  ])('%s', async (_, bytes, words) => {
    expect(await faultOf(bytes)).toContain(words);
  });
});

describe('a sheet that contradicts itself is refused', () => {
  it.each([
    ['a document type', changed((parts) => parts.set(SHEET, `<!DOCTYPE x>${parts.get(SHEET)}`)), 'document type'],
    ['bytes that are no UTF-8', odd(SHEET, { content: Buffer.from('<\xff>', 'latin1') }), SHEET],
    ['rows out of order', inSheet('<row r="2"/><row r="1"/>'), 'row 1 stands after row 2'],
    ['a row twice', inSheet('<row r="2"/><row r="2"/>'), 'row 2 stands after row 2'],
    ['more rows than there are', inSheet('<row r="1048577"/>'), '1048576 rows'],
    ['a cell twice', inSheet('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'), 'A1'],
    ['cells out of order', inSheet('<row r="1"><c r="B1"/><c r="A1"/></row>'), 'A1'],
    ['a cell of another row', inSheet('<row r="1"><c r="A2"/></row>'), 'A2'],
    ['a text that is not there', inSheet('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'), 'A1 names a text'],
    ['a format that is not there', inSheet('<row r="1"><c r="A1" s="7"><v>7</v></c></row>'), 'A1 names a format'],
    ['a number that is none', inSheet('<row r="1"><c r="A1"><v>abc</v></c></row>'), 'A1 should hold a number'],
    ['a number without end', inSheet('<row r="1"><c r="A1"><v>1e999</v></c></row>'), 'A1 should hold a number'],
    ['a kind that is none', inSheet('<row r="1"><c r="A1" t="x"><v>1</v></c></row>'), 'unknown kind x'],
    ['two tables', inSheet('</sheetData><sheetData>'), 'two tables'],
    ['merged cells that are none', inSheet('', { merges: ['B2:A1'] }), 'B2:A1'],
    ['merged cells too soon', inSheet('', { before: '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>' }), 'A1:B1'],
    [
      'another part in its place',
      changed((parts) => parts.set(SHEET, parts.get('xl/styles.xml') ?? '')),
      'belongs there',
    ],
    ['no sheet at all', changed((parts) => parts.set('xl/workbook.xml', `<workbook xmlns="${MAIN}"/>`)), 'no sheet'],
  ])('%s', async (_, bytes, words) => {
    expect(await faultOf(bytes)).toMatch(/^bad-encoding the workbook is damaged: /);
    expect(await faultOf(bytes)).toContain(words);
  });

  it('a text longer than a cell has room for', async () => {
    const { found } = await read(sheet([...ROWS, ['u2', 5, 'x'.repeat(32_768)]]));
    expect(found).toEqual(['3 wrong-type title']);
  });
});
