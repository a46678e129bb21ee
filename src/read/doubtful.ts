/**
 * Signs that an encoding which was found out, not declared, is not the file's. Bytes alone cannot tell Windows-1252 from
 * its relatives, and a wrong name would be sent without a word: so a text that nobody writes is refused.
 */

export interface Doubt {
  /** Index of the first byte that is doubted. */
  readonly at: number;
  readonly reason: string;
}

/** UTF-8 among Windows-1252, as files have it that were pasted together or damaged: `Ã¼`, `â‚¬`, two Greek letters in a row. */
const UTF8_WITHIN =
  /[\xc2-\xc5][\x80-\xbf]|\xe2[\x80\x82\x84][\x80-\xbf]|\xf0\x9f[\x80-\xbf]{2}|(?:[\xc2-\xdf][\x80-\xbf]){2}|(?:[\xe3-\xed][\x80-\xbf]{2}){2}/;

/** Letters of Mac OS Roman and of DOS code pages where Windows-1252 has punctuation or a capital: `MŸller`, `K„se`, `Stra§e`. */
const OTHER_TABLE =
  /[A-Za-z][\x82-\x84\x86-\x89\x8b\x98\x9b\x9f\xa7][a-z]|[a-z]\x94[a-z]|[a-z][\x8a\x8c\x8e]|[a-z\d,.]\xca[A-Z\d (]/;

/** Words of accented letters alone: Cyrillic, Greek and others have tables of their own. */
const OTHER_ALPHABET = /[\xc0-\xd6\xd8-\xf6\xf8-\xff]{5}/;

const REMEDY = 'save the file as "CSV UTF-8", or say --encoding windows-1252 if it is right as it stands';

/** @param bytes one character a byte, as latin1 has it */
export function doubtWindows1252(bytes: string): Doubt | null {
  const within = UTF8_WITHIN.exec(bytes);
  if (within !== null) {
    const text = Buffer.from(within[0], 'latin1').toString();
    return {
      at: within.index,
      reason: `"${text}" stands here in UTF-8, and other bytes of the file are none: ${REMEDY}`,
    };
  }
  const other = OTHER_TABLE.exec(bytes) ?? OTHER_ALPHABET.exec(bytes);
  if (other === null) return null;
  const reason =
    'this is not UTF-8, and does not look like Windows-1252 either but like a file from a Mac, from DOS or in another alphabet';
  return { at: other.index, reason: `${reason}: ${REMEDY}` };
}

/** Windows-1252 that happens to be UTF-8: `ß“`, or `É` and a no-break space, which would be a lone letter of Nko or IPA. */
const CHANCE = /(?<![\x80-\xff])[\xc9-\xcb\xd6\xd8-\xdc\xde\xdf][\x85\x91-\x94\x96\x97\xa0\xbb](?![\x80-\xff])/g;

/** Whether nothing in the bytes is UTF-8 but what may be so by chance. */
export function isHardlyUtf8(bytes: Buffer): boolean {
  return /^[\0-\x7f]*$/.test(bytes.toString('latin1').replace(CHANCE, ''));
}

/** @param bytes the first of the file with characters beyond ASCII */
export function doubtUtf8(bytes: Buffer): Doubt | null {
  if (!isHardlyUtf8(bytes)) return null;
  const reason =
    'this can be read as Windows-1252 and as UTF-8: say which with --encoding windows-1252 or --encoding utf-8';
  return { at: bytes.findIndex((byte) => byte >= 0x80), reason };
}
