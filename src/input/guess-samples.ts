/** Cells that show a person whether a guessed encoding is right: each shows a different character. */

export interface GuessSamples {
  /** Looks at more of the file. @param bytes one character a byte, as latin1 has it */
  see(bytes: string): void;
  /** Up to three cells, with one character a byte too. */
  cells(): string[];
}

const MOST = 3;
const BEYOND_ASCII = /[\x80-\xff]/g;
/** Windows-1250 and 1254 have these in the same places: they do not show which encoding it is, so they come last. */
const ALIKE =
  /[\x80\x82\x84-\x87\x89-\x8b\x91-\x97\x99-\x9b\xa0\xa4\xa6-\xa9\xab-\xae\xb0\xb1\xb4-\xb8\xbb\xc1\xc2\xc4\xc7\xc9\xcb\xcd\xce\xd3\xd4\xd6\xd7\xda\xdc\xdf\xe1\xe2\xe4\xe7\xe9\xeb\xed\xee\xf3\xf4\xf6\xf7\xfa\xfc]/;

export function startSamples(): GuessSamples {
  const seen = new Set<string>();
  const telling = new Set<string>();
  const alike = new Set<string>();
  return {
    see: (bytes) => {
      if (telling.size === MOST) return;
      for (const { 0: byte, index } of bytes.matchAll(BEYOND_ASCII)) {
        if (seen.has(byte)) continue;
        seen.add(byte);
        const cells = ALIKE.test(byte) ? alike : telling;
        if (cells.size < MOST) cells.add(cellAt(bytes, index));
      }
    },
    cells: () => [...new Set([...telling, ...alike])].slice(0, MOST),
  };
}

/** How many characters before and after a byte may belong to its cell: as many as a name may have. */
const REACH = 30;

/** The cell in which a byte stands. */
function cellAt(bytes: string, at: number): string {
  const before = bytes.slice(Math.max(0, at - REACH), at);
  const after = bytes.slice(at, at + REACH);
  return `${/[^,;\t|"\r\n]*$/.exec(before)?.[0] ?? ''}${/^[^,;\t|"\r\n]*/.exec(after)?.[0] ?? ''}`.trim();
}
