/** Text in the encodings that people's files have, written from their tables and not with the program's own code. */
const HIGH: Readonly<Record<string, number>> = {
  '€': 0x80,
  '‚': 0x82,
  '„': 0x84,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '–': 0x96,
  '—': 0x97,
};

/** @throws for a character that Windows-1252 does not have, or this table leaves out */
export function windows1252(text: string): Buffer {
  const bytes = Array.from(text, (char) => {
    const code = HIGH[char] ?? char.charCodeAt(0);
    if (code > 0xff || (code >= 0x80 && code < 0xa0 && HIGH[char] === undefined))
      throw new Error(`not in this table: ${char}`);
    return code;
  });
  return Buffer.from(bytes);
}

export function utf8(text: string): Buffer {
  return Buffer.from(text);
}

export function utf16(text: string, order: 'le' | 'be', mark = true): Buffer {
  const units = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
  return order === 'le' ? units : units.swap16();
}
