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

/** A zip archive with one empty file, which is what a workbook is on the outside. */
export function zip(name: string): Buffer {
  const path = Buffer.from(name);
  const local = Buffer.concat([
    Buffer.from('504b03041400000000000000000000000000000000000000000000000000', 'hex'),
    path,
  ]);
  local.writeUInt16LE(path.length, 26);
  const entry = Buffer.concat([Buffer.alloc(46), path]);
  entry.write('PK\x01\x02\x14\x00\x14', 'latin1');
  entry.writeUInt16LE(path.length, 28);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
