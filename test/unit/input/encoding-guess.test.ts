import { describe, expect, it } from 'vitest';
import { ByteDecoder } from '../../../src/input/decode.js';
import { FileFault } from '../../../src/input/raw-record.js';
import { windows1252 } from '../../support/bytes.js';
import { pieces } from './reading.js';

const SIZES = [1, 2, 3, 7, 1 << 16];

/** The text, or the line and message of the fault, whatever the pieces in which the bytes come. */
async function decoded(bytes: Uint8Array): Promise<string | FileFault> {
  const all = await Promise.all(SIZES.map((size) => decodedIn(bytes, size)));
  const [first] = all;
  for (const other of all) {
    if (first instanceof FileFault) expect(other).toMatchObject({ line: first.line, message: first.message });
    else expect(other).toBe(first);
  }
  return first ?? '';
}

async function decodedIn(bytes: Uint8Array, size: number): Promise<string | FileFault> {
  let text = '';
  try {
    for await (const piece of new ByteDecoder(pieces(bytes, size), null).texts()) text += piece;
    return text;
  } catch (cause) {
    if (cause instanceof FileFault) return cause;
    throw cause;
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('Windows-1252 as people write it', () => {
  it.each([
    'Müller, Jürgen; Straße 5 – „Spaß“ ab 12 €',
    'GROSSE ÜBERGRÖSSE: ÄÖÜ, "Ä", Ä; Ö/Ü',
    'l’été à Besançon : « déjà vu » – œuvre nº 5',
    '«\u00a0café\u00a0» ; RÉSUMÉ\u00a0: Évian',
    'Øre, Æble, Ångström, MALMÖ, 5 °C, ±3 µm',
    'Smørrebrød på Ærø; Åse',
    'Þór, Ísafjörður',
    'Perché no? È così; CITTÀ, PIÙ',
    '………… –––––– ••••• \u00a0\u00a0\u00a0\u00a0\u00a0\u00a0',
    '3×5 = 15 ÷ 1, ½ kg, 10 m², 5³, x²y',
    'Kosten: 1’234.50 £ ¥ ¢ ¤ €',
    '1ª edição;2ªs;nª;……;––;«»;ÉÉÉÉ;½;™®;••••••;5 °;±½ kg',
  ])('%j is read as it was written', async (text) => {
    // The first line settles that it is no UTF-8.
    expect(await decoded(windows1252Plus(`Übung\n${text}\nend`))).toBe(`Übung\n${text}\nend`);
  });

  /** With the letters that the small table of the tests leaves out. */
  function windows1252Plus(text: string): Buffer {
    const more: Readonly<Record<string, number>> = { œ: 0x9c, '‰': 0x89, '†': 0x86, '™': 0x99, '•': 0x95 };
    return Buffer.concat(
      Array.from(text, (char) => (more[char] === undefined ? windows1252(char) : Buffer.from([more[char]]))),
    );
  }
});

describe('Windows-1252 that begins like UTF-8', () => {
  it('is known by the first byte that is none', async () => {
    const bytes = Buffer.from('title\nSpa\xdf\x93; \xc9\xa0:; M\xfcller\n', 'latin1');
    expect(await decodedIn(bytes, 1 << 16)).toBe('title\nSpaß“; É\u00a0:; Müller\n');
  });

  it('is refused where the stream was cut before that', async () => {
    const bytes = Buffer.from('title\nSpa\xdf\x93; M\xfcller\n', 'latin1');
    expect(await decodedIn(bytes, 4)).toMatchObject({ code: 'bad-encoding', line: 2 });
  });
});

describe('UTF-8 within Windows-1252 is refused with its line', () => {
  it.each<[string, Buffer, RegExp]>([
    ['an umlaut in UTF-8', Buffer.from('Zürich'), /"ü".*UTF-8/],
    ['a euro sign in UTF-8', Buffer.from('5 €'), /"€"/],
    ['Chinese in UTF-8', Buffer.from('日本語'), /UTF-8/],
    ['an emoji in UTF-8', Buffer.from('👍'), /"👍"/],
  ])('%s', async (_name, bytes, message) => {
    const fault = await decoded(Buffer.concat([latin1('M\xfcller\nplain\n'), bytes, Buffer.from('\nend')]));
    expect(fault).toMatchObject({ code: 'bad-encoding', line: 3, message: expect.stringMatching(message) });
    expect((fault as FileFault).message).toContain('--encoding windows-1252');
  });
});

describe('UTF-8', () => {
  it.each(['Spaß', 'שלום Berlin', 'Привет', 'Zu\u0308rich', 'ΑΒΓ GmbH', 'Łódź', 'a\u0301', 'éß', 'Éß“', 'naïve ‘q’'])(
    '%j is read as it was written',
    async (text) => {
      expect(await decoded(Buffer.from(`title\n${text}\nend`))).toBe(`title\n${text}\nend`);
    },
  );

  it.each<[string, Buffer]>([
    ['ß before a closing quote', latin1('Spa\xdf\x93 x')],
    ['É before a no-break space', latin1('CAF\xc9\xa0: x')],
    ['ß before an ellipsis', latin1('Spa\xdf\x85 x')],
  ])('that could as well be Windows-1252 is refused: %s', async (_name, bytes) => {
    const fault = await decoded(Buffer.concat([Buffer.from('title\n'), bytes, Buffer.from('\n')]));
    expect(fault).toMatchObject({
      code: 'bad-encoding',
      line: 2,
      message: expect.stringContaining('--encoding utf-8'),
    });
  });
});
