import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteDecoder } from '../../../src/input/decode.js';
import { type Encoding, ENCODING_NAMES, encodingNamed } from '../../../src/input/encoding.js';
import { FileFault } from '../../../src/input/raw-record.js';
import { pieces } from './reading.js';

interface Decoding {
  readonly text: string;
  readonly encoding: Encoding;
  readonly mark: boolean;
  readonly fault: FileFault | null;
}

async function decoded(bytes: Uint8Array, declared: Encoding | null = null, size = 1 << 16): Promise<Decoding> {
  const found = new ByteDecoder(pieces(bytes, size), declared);
  let text = '';
  let fault: FileFault | null = null;
  try {
    for await (const piece of found.texts()) text += piece;
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    fault = cause;
  }
  return { text, encoding: found.encoding, mark: found.hadMark, fault };
}

const SIZES = [1, 2, 3, 5, 1 << 16];
const utf8 = (text: string): Buffer => Buffer.from(text);
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const withMark = (mark: number[], bytes: Buffer): Buffer => Buffer.concat([Buffer.from(mark), bytes]);

/** 0x80 to 0x9F of Windows-1252 by code point, from the table of the Unicode consortium; 0 where nothing is defined. */
const HIGH_HALF = [
  8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0, 0, 8216, 8217, 8220, 8221, 8226,
  8211, 8212, 732, 8482, 353, 8250, 339, 0, 382, 376,
];
const TEXT = 'title\nÜberstunden „Nacht“ – 5 € 😀 日本\r\nend';

describe('encodings that are found out', () => {
  it.each<[string, Buffer, string, Encoding, boolean]>([
    ['UTF-8', utf8(TEXT), TEXT, 'utf-8', false],
    ['UTF-8 with a mark', withMark([0xef, 0xbb, 0xbf], utf8(TEXT)), TEXT, 'utf-8', true],
    ['UTF-16 LE with a mark', withMark([0xff, 0xfe], utf16le(TEXT)), TEXT, 'utf-16le', true],
    ['UTF-16 BE with a mark', withMark([0xfe, 0xff], utf16be(TEXT)), TEXT, 'utf-16be', true],
    ['UTF-16 LE without a mark', utf16le(TEXT), TEXT, 'utf-16le', false],
    ['UTF-16 BE without a mark', utf16be(TEXT), TEXT, 'utf-16be', false],
    [
      'Windows-1252',
      Buffer.from('title\n\x80 \x84 \x93 \x96 \xfc', 'latin1'),
      'title\n€ „ “ – ü',
      'windows-1252',
      false,
    ],
    ['Windows-1252 at the very end', Buffer.from('title\nM\xfc', 'latin1'), 'title\nMü', 'windows-1252', false],
    ['ASCII', utf8('title\n'), 'title\n', 'utf-8', false],
    ['nothing', Buffer.alloc(0), '', 'utf-8', false],
    ['a mark alone', Buffer.from([0xef, 0xbb, 0xbf]), '', 'utf-8', true],
  ])('%s, in pieces of any size', async (_name, bytes, text, encoding, mark) => {
    for (const size of SIZES) {
      expect(await decoded(bytes, null, size)).toEqual({ text, encoding, mark, fault: null });
    }
  });

  it('Windows-1252 is found out after any amount of ASCII', async () => {
    const plain = 'a,b\n'.repeat(1_000);
    for (const size of [7, 4_000, 1 << 16]) {
      const { text, encoding } = await decoded(Buffer.from(`${plain}M\xfcller\n${plain}\x80`, 'latin1'), null, size);
      expect(text).toBe(`${plain}Müller\n${plain}€`);
      expect(encoding).toBe('windows-1252');
    }
  });
});

describe('encodings that are declared', () => {
  it('UTF-8 as Windows-1252 is what was asked for', async () => {
    expect((await decoded(utf8('ü'), 'windows-1252')).text).toBe('Ã¼');
  });

  it('another mark than the declared encoding’s is a fault', async () => {
    const { fault } = await decoded(withMark([0xff, 0xfe], utf16le('a')), 'utf-8');
    expect(fault).toMatchObject({ code: 'bad-encoding', line: 1 });
  });

  it('are named as on the web', () => {
    const names = ['UTF8', 'utf16le', 'latin1', 'CP1252', 'cp1250', 'mac', 'x-sjis', 'ISO_8859-15'];
    expect(names.map((name) => encodingNamed('--encoding', name))).toEqual([
      'utf-8',
      'utf-16le',
      'windows-1252',
      'windows-1252',
      'windows-1250',
      'macintosh',
      'shift_jis',
      'iso-8859-15',
    ]);
    for (const name of ENCODING_NAMES) expect(encodingNamed('--encoding', name)).toBe(name);
  });

  it('an unknown name is refused with the one that is probably meant', () => {
    expect(() => encodingNamed('--encoding', 'utf-9')).toThrow(
      /unknown encoding "utf-9"\. Did you mean "utf-8".*windows-1250/,
    );
    expect(() => encodingNamed('--encoding', 'ebcdic')).toThrow(/--encoding: unknown encoding "ebcdic"/);
  });
});

describe('Windows-1252', () => {
  it('decodes every byte as its table says', async () => {
    for (let byte = 1; byte < 256; byte++) {
      const { text, fault } = await decoded(Buffer.from([0x61, byte, 0x62]), 'windows-1252');
      const code = byte >= 0x80 && byte <= 0x9f ? (HIGH_HALF[byte - 0x80] ?? 0) : byte;
      if (code === 0) expect(fault?.code).toBe('bad-encoding');
      else expect(text).toBe(`a${String.fromCharCode(code)}b`);
    }
  });

  it('names the byte that it does not have, and its line', async () => {
    const { fault } = await decoded(Buffer.from('a\nb\r\nc\x81', 'latin1'));
    expect(fault).toMatchObject({ code: 'bad-encoding', line: 3 });
    expect(fault?.message).toContain('0x81');
  });
});

describe('bytes that the encoding does not allow', () => {
  it.each<[string, Buffer, Encoding | null, number]>([
    ['an invalid byte in declared UTF-8', Buffer.from('a\nb\xff', 'latin1'), 'utf-8', 2],
    ['after a character beyond ASCII', Buffer.concat([utf8('ü\n\n'), Buffer.from([0xe4, 0x0a])]), null, 3],
    ['after a mark', withMark([0xef, 0xbb, 0xbf], Buffer.from('a\nM\xfcller', 'latin1')), null, 2],
    ['cut within a character', Buffer.concat([utf8('ü\n'), utf8('€').subarray(0, 2)]), null, 2],
    ['an overlong form', Buffer.concat([utf8('ü\n'), Buffer.from([0xc0, 0xaf])]), null, 2],
    ['a surrogate in UTF-8', Buffer.concat([utf8('ü\n'), Buffer.from([0xed, 0xa0, 0x80, 0x0a])]), null, 2],
    ['a zero byte', utf8('a\nb\n\0'), null, 3],
    [
      'half a surrogate pair',
      withMark([0xff, 0xfe], Buffer.concat([utf16le('a\n'), Buffer.from([0x3d, 0xd8]), utf16le('b')])),
      null,
      2,
    ],
    [
      'the second half alone',
      withMark([0xfe, 0xff], Buffer.concat([utf16be('a\n'), Buffer.from([0xde, 0x00])])),
      null,
      2,
    ],
    [
      'half a pair at the end',
      withMark([0xff, 0xfe], Buffer.concat([utf16le('a\nb'), Buffer.from([0x3d, 0xd8])])),
      null,
      2,
    ],
    ['a zero in UTF-16', withMark([0xff, 0xfe], utf16le('a\r\nb\0')), null, 2],
  ])('%s, with the line', async (_name, bytes, declared, line) => {
    for (const size of SIZES) {
      const { fault } = await decoded(bytes, declared, size);
      expect(fault).toMatchObject({ code: 'bad-encoding', line });
    }
  });

  it('the line counts CRLF, LF and CR as one each, wherever the stream is cut', async () => {
    const breaks = fc.array(fc.constantFrom('\r\n', '\n', '\r', 'a', 'ü'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(breaks, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const text = `ü${parts.join('')}x`;
        const { fault } = await decoded(Buffer.concat([utf8(text), Buffer.from([0xff, 0x61])]), null, size);
        expect(fault?.line).toBe(text.split(/\r\n|\n|\r/).length);
      }),
    );
  });

  it.each<[string, number[], RegExp]>([
    ['an Excel workbook', [0x50, 0x4b, 0x03, 0x04, 1, 2], /\.xlsx.*CSV/],
    ['an old Excel workbook', [0xd0, 0xcf, 0x11, 0xe0, 1], /\.xls.*CSV/],
    ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d], /PDF/],
    ['a gzip archive', [0x1f, 0x8b, 0x08, 0x00], /gzip/],
  ])('%s is called what it is', async (_name, bytes, message) => {
    for (const size of SIZES) {
      const { fault } = await decoded(Buffer.from(bytes), null, size);
      expect(fault?.code).toBe('bad-encoding');
      expect(fault?.message).toMatch(message);
    }
  });
});

describe('any text', () => {
  const texts = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
  it.each<[string, Encoding, number[], (text: string) => Buffer]>([
    ['UTF-8', 'utf-8', [0xef, 0xbb, 0xbf], utf8],
    ['UTF-16 LE', 'utf-16le', [0xff, 0xfe], utf16le],
    ['UTF-16 BE', 'utf-16be', [0xfe, 0xff], utf16be],
  ])('comes out of %s as it went in, wherever the stream is cut', async (_name, encoding, mark, encode) => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 12 }), fc.boolean(), async (text, size, marked) => {
        // A text that itself begins with a mark needs one before it.
        const bytes = marked || text.startsWith('\ufeff') ? withMark(mark, encode(text)) : encode(text);
        const { text: found, fault } = await decoded(bytes, encoding, size);
        expect(fault).toBeNull();
        expect(found).toBe(text);
      }),
    );
  });
});
