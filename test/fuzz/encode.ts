/** Text ↔ bytes in the encodings that people's files have, written on its own: nothing here is the program's. */

export const ENCODINGS = ['utf-8', 'utf-8 with a byte order mark', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Written = (typeof ENCODINGS)[number];

/** 0x80 to 0x9F of Windows-1252; U+FFFD where it has nothing. */
const UPPER = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** Bytes of the text; those of UTF-16 begin with its mark. Null when the encoding cannot carry it. */
export function encoded(text: string, encoding: Written): Buffer | null {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-8 with a byte order mark':
      return Buffer.from(`\ufeff${text}`);
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'windows-1252': {
      const codes = Array.from(text, (char) =>
        UPPER.includes(char) ? 0x80 + UPPER.indexOf(char) : char.charCodeAt(0),
      );
      const fits = Array.from(text).every(
        (char) => char !== '\ufffd' && (/[\0-\x7f\xa0-\xff]/.test(char) || UPPER.includes(char)),
      );
      return fits ? Buffer.from(codes) : null;
    }
  }
}

/** The text of bytes in an encoding as the program names it, without a mark. */
export function decoded(bytes: Buffer, encoding: string): string {
  const readers: Readonly<Record<string, () => string>> = {
    'utf-8': () => bytes.toString(),
    'utf-16le': () => bytes.toString('utf16le'),
    'utf-16be': () =>
      Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le'),
    'windows-1252': () => bytes.toString('latin1').replace(/[\x80-\x9f]/g, (char) => UPPER[char.charCodeAt(0) - 0x80]!),
  };
  const text = readers[encoding]?.();
  if (text === undefined) throw new Error(`no encoding is called ${encoding}`);
  return text.replace(/^\ufeff/, '');
}
