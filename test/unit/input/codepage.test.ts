/** Encodings that are declared by name. CONTRACT: `--encoding`. */
import { describe, expect, it } from 'vitest';
import { encodeText, ENCODING_NAMES } from '../../../src/input/encoding.js';
import { read } from './reading.js';

/** Bytes that other programs made, by encoding: the answers of Python's codecs. */
const KNOWN: readonly (readonly [encoding: string, text: string, hex: string])[] = [
  ['windows-1250', 'Łukasz Żółć €', 'a3756b61737a20aff3b3e62080'],
  ['windows-1251', 'Иванов №5', 'c8e2e0edeee220b935'],
  ['windows-1253', 'Γιώργος', 'c3e9fef1e3eff2'],
  ['windows-1254', 'Şahin ğı', 'de6168696e20f0fd'],
  ['iso-8859-2', 'Dvořák', '44766ff8e16b'],
  ['iso-8859-15', 'Œuvre 5 €', 'bc75767265203520a4'],
  ['macintosh', 'Müller Größe', '4d9f6c6c65722047729aa765'],
  ['ibm866', 'Иванов', '88a2a0adaea2'],
  ['koi8-r', 'Иванов', 'e9d7c1cecfd7'],
  ['shift_jis', '山田ソ表ｱ~\\', '8e529363835c955cb17e5c'],
  ['euc-jp', '山田太郎', 'bbb3c5c4c2c0cfba'],
  ['iso-2022-jp', '山田a', '1b24423b3345441b284261'],
  ['gbk', '张伟', 'd5c5ceb0'],
  ['gb18030', '张😀', 'd5c59439fc36'],
  ['big5', '陳大文', 'b3afa46aa4e5'],
  ['euc-kr', '김철수', 'b1e8c3b6bcf6'],
];

describe('an encoding by name', () => {
  it.each(KNOWN)('%s is read', async (encoding, text, hex) => {
    const cell = Buffer.from(hex, 'hex');
    const bytes = Buffer.concat([
      Buffer.from('title,amount\r\n'),
      cell,
      Buffer.from(',1\r\nx,2\n'),
      cell,
      Buffer.from(',3'),
    ]);
    const { inputs, fault, detected } = await read(bytes, { format: 'csv', encoding });
    expect(fault).toBeNull();
    expect(inputs).toEqual([
      { title: text, amount: 1 },
      { title: 'x', amount: 2 },
      { title: text, amount: 3 },
    ]);
    expect(detected).toBe(`csv, ${encoding}, comma`);
  });

  it.each(ENCODING_NAMES.filter((name) => !name.startsWith('utf-')))(
    '%s is written as it is read',
    async (encoding) => {
      const texts = KNOWN.map(([, text]) => text.replaceAll('\\', ''));
      const csv = ['title', ...texts].join('\n');
      const written = encodeText(csv, encoding);
      const { inputs, fault } = await read(written, { format: 'csv', encoding, delimiter: ';' });
      expect(fault).toBeNull();
      const titles = inputs.map((input) => (input as { title: string }).title);
      // Each character is the same, or a question mark.
      for (const [i, title] of titles.entries()) {
        const typed = Array.from(texts[i] ?? '');
        for (const [k, character] of Array.from(title).entries()) expect([typed[k], '?']).toContain(character);
      }
      const own = KNOWN.findIndex(([name]) => name === encoding);
      if (own >= 0) expect(titles[own]).toBe(texts[own]);
    },
  );
});

describe('bytes without a meaning', () => {
  it.each<[string, number[]]>([
    ['windows-1250', [0x81]],
    ['windows-1253', [0xd2]],
    ['iso-8859-15', [0x80]],
    ['shift_jis', [0x81, 0x20]],
    ['gbk', [0x81]],
    ['euc-kr', [0xff, 0xff]],
  ])('in %s are a fault of their line', async (encoding, bad) => {
    const bytes = Buffer.from([...Buffer.from('title,amount\r\na,1\r\nb'), ...bad, ...Buffer.from(',2\r\nc,3\r\n')]);
    const { fault } = await read(bytes, { format: 'csv', encoding });
    expect(fault).toMatchObject({ code: 'bad-encoding', line: 3 });
    expect(fault?.message).toContain(encoding);
  });
});
