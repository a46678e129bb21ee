/**
 * Checks an encoding that was detected, not declared. Bytes alone cannot distinguish Windows-1252 from its relatives,
 * and wrong names would be sent unnoticed. So a person sees a few cells, and a mixture with UTF-8 is refused. All texts
 * here are bytes, one character each, as latin1 has them.
 */

/** A sign that the detected encoding is wrong. */
export interface EncodingDoubt {
  /** Index of the doubtful byte. */
  readonly at: number;
  readonly reason: string;
}

/** UTF-8 within Windows-1252, as in files pasted together or damaged: `Ã¼`, `â‚¬`, two Greek letters in a row. */
const UTF8_WITHIN =
  /[\xc2-\xc5][\x80-\xbf]|\xe2[\x80\x82\x84][\x80-\xbf]|\xf0\x9f[\x80-\xbf]{2}|(?:[\xc2-\xdf][\x80-\xbf]){2}|(?:[\xe3-\xed][\x80-\xbf]{2}){2}/;

/** @param bytes of a file that is not in UTF-8 as a whole */
export function doubtWindows1252(bytes: string): EncodingDoubt | null {
  const within = UTF8_WITHIN.exec(bytes);
  if (within === null) return null;
  const text = Buffer.from(within[0], 'latin1').toString();
  const reason = `"${text}" is UTF-8, and other bytes of the file are not, so two encodings are mixed: save all of it as "CSV UTF-8"; --encoding windows-1252 would send it as two letters or more`;
  return { at: within.index, reason };
}

/** Windows-1252 that is UTF-8 by chance: `ß“`, `É` and a no-break space. As UTF-8: a lone letter of Nko or IPA. */
const CHANCE = /(?<![\x80-\xff])[\xc9-\xcb\xd6\xd8-\xdc\xde\xdf][\x85\x91-\x94\x96\x97\xa0\xbb](?![\x80-\xff])/g;

/** Whether all UTF-8 beyond ASCII in the bytes may be there by chance. */
export function isHardlyUtf8(bytes: string): boolean {
  return !/[\x80-\xff]/.test(bytes.replace(CHANCE, ''));
}

/** @param bytes the first chunk of the file that has characters beyond ASCII */
export function doubtUtf8(bytes: string): EncodingDoubt | null {
  if (!isHardlyUtf8(bytes)) return null;
  const reason =
    'this can be read as Windows-1252 and as UTF-8: say which with --encoding windows-1252 or --encoding utf-8';
  return { at: bytes.search(/[\x80-\xff]/), reason };
}

const MOST = 3;
const BEYOND_ASCII = /[\x80-\xff]/g;
/** Windows-1250 and 1254 have these in the same places: they do not show which encoding it is, so they come last. */
const ALIKE =
  /[\x80\x82\x84-\x87\x89-\x8b\x91-\x97\x99-\x9b\xa0\xa4\xa6-\xa9\xab-\xae\xb0\xb1\xb4-\xb8\xbb\xc1\xc2\xc4\xc7\xc9\xcb\xcd\xce\xd3\xd4\xd6\xd7\xda\xdc\xdf\xe1\xe2\xe4\xe7\xe9\xeb\xed\xee\xf3\xf4\xf6\xf7\xfa\xfc]/;

/** Cells that show a person whether a guess is right: each shows a different character. */
export class GuessSamples {
  private readonly seen = new Set<string>();
  private readonly telling = new Set<string>();
  private readonly alike = new Set<string>();

  see(bytes: string): void {
    if (this.telling.size === MOST) return;
    for (const { 0: byte, index } of bytes.matchAll(BEYOND_ASCII)) {
      if (this.seen.has(byte)) continue;
      this.seen.add(byte);
      const cells = ALIKE.test(byte) ? this.alike : this.telling;
      if (cells.size < MOST) cells.add(cellAt(bytes, index));
    }
  }

  /** Up to three cells. */
  cells(): string[] {
    return [...new Set([...this.telling, ...this.alike])].slice(0, MOST);
  }
}

/** How many characters before and after a byte may belong to its cell: as many as a name may have. */
const REACH = 30;

/** The cell around a byte. */
function cellAt(bytes: string, at: number): string {
  const before = bytes.slice(Math.max(0, at - REACH), at);
  const after = bytes.slice(at, at + REACH);
  return `${/[^,;\t|"\r\n]*$/.exec(before)?.[0] ?? ''}${/^[^,;\t|"\r\n]*/.exec(after)?.[0] ?? ''}`.trim();
}
