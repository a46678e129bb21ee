/** Decodes bytes in any encoding of people's files. Nothing is replaced: a byte that does not fit is an error. */
import { isAscii, isUtf8 } from 'node:buffer';
import { LONE_SURROGATE } from '../records/misleading-text.js';
import { type CodepageDecoder, isMultiByte, openCodepage, textOfWindows1252 } from './codepage.js';
import { type Encoding, doubtUtf8, doubtWindows1252, GuessSamples, isHardlyUtf8 } from './encoding.js';
import { OLE, ZIP } from './formats.js';
import { countLineBreaks, FileFault } from './raw-record.js';

/** Some portals offer such a file as `.xls`. */
const MARKUP = 'a web page or XML; open it in Excel: Save As, "CSV UTF-8"';

/** The first bytes of files that are not plain text. */
const NO_TEXT: readonly (readonly [start: string, what: string])[] = [
  [
    ZIP,
    'a workbook or another zip archive; if it is a workbook, name it .xlsx or say --format xlsx, or save its sheet as "CSV UTF-8"',
  ],
  [OLE, 'an old Excel workbook (.xls); in Excel: Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8"'],
  ['%PDF', 'a PDF; export the data as CSV instead'],
  ['\x1f\x8b', 'a gzip archive; unpack it first'],
  ...['<!DO', '<!do', '<htm', '<HTM', '<tab', '<TAB', '<?xm'].map((tag) => [tag, MARKUP] as const),
];

/** Enough bytes to recognise a byte order mark and a file's signature. */
const LONGEST_START = 4;
/** Bytes per piece: so few that all data made from them stays in the processor's caches, and dies young. */
const TEXT_PIECE_BYTES = 8 * 1024;
/** UTF-8 may begin in this many bytes of the previous piece. */
const TAIL = 8;

export class ByteDecoder {
  /** Whether the file started with a byte order mark. */
  hadMark = false;
  private readonly bytes: AsyncIterable<Buffer>;
  private readonly isDeclared: boolean;
  /** Null as long as there is only ASCII: it may still turn out to be Windows-1252. */
  private found: Encoding | null;
  /** Null as long as nothing is guessed. */
  private guess: GuessSamples | null = null;
  /** Line breaks so far, and whether the last piece ends in a carriage return, perhaps the first half of a CRLF. */
  private lines = 0;
  private hasReturned = false;
  /** The last bytes so far, one character each. */
  private tail = '';

  private readonly onGuess: () => void;
  private codepage: CodepageDecoder | null = null;

  /**
   * @param declared the encoding from the person, or null to detect it
   * @param onGuess called before the first text that has letters of a guessed encoding
   */
  constructor(bytes: AsyncIterable<Buffer>, declared: Encoding | null, onGuess: () => void = () => {}) {
    this.bytes = bytes;
    this.onGuess = onGuess;
    this.found = declared;
    this.isDeclared = declared !== null;
  }

  /** To be shown to the person; final after the last chunk. */
  get encoding(): Encoding {
    return this.found ?? 'utf-8';
  }

  /** Decoded cells that show a person whether a guess is right; none without a guess. */
  samples(): string[] {
    return this.guess?.cells().map((cell) => textOfWindows1252(cell, () => '\ufffd')) ?? [];
  }

  /** The text without a byte order mark, in short pieces that are never cut within a character. @throws FileFault */
  async *texts(): AsyncIterable<string> {
    let carried: Buffer = Buffer.alloc(0);
    let isStarted = false;
    for await (const chunk of this.bytes) {
      let bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      carried = bytes;
      if (!isStarted && bytes.length < LONGEST_START) continue;
      if (!isStarted) bytes = this.start(bytes);
      isStarted = true;
      const end = completeEnd(bytes, this.found);
      carried = bytes.subarray(end);
      yield* this.pieces(bytes.subarray(0, end));
    }
    yield* this.pieces(isStarted ? carried : this.start(carried));
  }

  private *pieces(bytes: Buffer): Iterable<string> {
    this.judge(bytes);
    for (let at = 0; at < bytes.length;) {
      // Only whole lines can be decoded alone.
      const piece = isMultiByte(this.encoding) ? bytes.subarray(at) : bytes.subarray(at, at + TEXT_PIECE_BYTES);
      const isLast = at + piece.length === bytes.length;
      const end = isLast ? piece.length : completeEnd(piece, this.found);
      yield this.decode(piece.subarray(0, end));
      at += end;
    }
  }

  /** Judges a file by its first bytes, and removes the byte order mark. */
  private start(bytes: Buffer): Buffer {
    const signature = bytes.toString('latin1', 0, LONGEST_START);
    const [, noText] = NO_TEXT.find(([start]) => signature.startsWith(start)) ?? [];
    if (noText !== undefined) throw new FileFault('bad-encoding', 1, `this is not CSV or JSON but ${noText}`);
    const [marked, mark = ''] = BYTE_ORDER_MARKS.find(([, start]) => signature.startsWith(start)) ?? [];
    if (this.isDeclared && marked !== undefined && this.found !== marked) {
      const message = `the file begins with the mark of ${marked}, but --encoding says ${this.found}`;
      throw new FileFault('bad-encoding', 1, message);
    }
    this.hadMark = marked !== undefined;
    this.found ??= marked ?? UNMARKED.find(([, pattern]) => pattern.test(signature))?.[0] ?? null;
    return bytes.subarray(mark.length);
  }

  /** Finds out whether bytes are UTF-8, as long as nothing else is known. */
  private judge(bytes: Buffer): void {
    if ((this.found !== null && this.found !== 'utf-8') || isAscii(bytes)) return;
    if (isUtf8(bytes)) {
      const text = bytes.toString('latin1');
      const doubt = this.found === null ? doubtUtf8(text) : null;
      if (doubt !== null) this.fail(text.slice(0, doubt.at), doubt.reason);
      this.found = 'utf-8';
      return;
    }
    const valid = bytes.toString('latin1', 0, firstInvalid(bytes));
    // So far, all apparent UTF-8 characters beyond ASCII are probably chance, so the file is not in UTF-8.
    if (this.found === null && isHardlyUtf8(valid)) {
      this.found = 'windows-1252';
      this.guess = new GuessSamples();
      this.onGuess();
      return;
    }
    const isSettled = this.isDeclared || this.hadMark;
    const remedy = isSettled
      ? 'save the file as "CSV UTF-8", or say --encoding windows-1252 if that is what it is'
      : 'other characters of the file are UTF-8, so two encodings are mixed: save all of it as "CSV UTF-8"; --encoding windows-1252 would send those others wrong';
    this.fail(valid, `the byte ${hexByte(bytes[valid.length] ?? 0)} does not belong in UTF-8; ${remedy}`);
  }

  private decode(bytes: Buffer): string {
    const text = this.textOf(bytes);
    const zero = text.indexOf('\0');
    if (zero >= 0)
      this.fail(text.slice(0, zero), 'the file contains a zero byte: it is not text, or has another encoding');
    this.lines += this.lineBreaks(text);
    this.hasReturned = text.endsWith('\r');
    return text;
  }

  private textOf(bytes: Buffer): string {
    if (this.found === 'utf-16le' || this.found === 'utf-16be') return this.fromUtf16(bytes);
    if (this.found === 'windows-1252') return this.fromWindows1252(bytes);
    if (this.found !== null && this.found !== 'utf-8') return this.fromCodepage(bytes, this.found);
    return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
  }

  private fromCodepage(bytes: Buffer, encoding: Encoding): string {
    const codepage = (this.codepage ??= openCodepage(encoding));
    const text = codepage(bytes);
    if (text !== null) return text;
    // The text is not known, but its line ends are.
    const lines = openCodepage(encoding);
    let before = '';
    for (const line of bytes.toString('latin1').split(/(?<=\n|\r(?!\n))/)) {
      if (lines(Buffer.from(line, 'latin1')) === null) break;
      before += line;
    }
    return this.fail(
      before,
      `this line has bytes without a meaning in ${encoding}: name the right one with --encoding, or save the file as "CSV UTF-8"`,
    );
  }

  private fromUtf16(bytes: Buffer): string {
    const isEven = bytes.length % 2 === 0;
    const even = isEven ? bytes : bytes.subarray(0, bytes.length - 1);
    const text = (this.found === 'utf-16be' ? Buffer.from(even).swap16() : even).toString('utf16le');
    const lone = LONE_SURROGATE.exec(text);
    if (isEven && lone === null) return text;
    const message = `half a character stands here: the file is damaged, or not in ${this.encoding}`;
    return this.fail(text.slice(0, lone?.index), message);
  }

  private fromWindows1252(bytes: Buffer): string {
    const text = bytes.toString('latin1');
    const isPlain = isAscii(bytes);
    const doubt = this.isDeclared || isPlain ? null : doubtWindows1252(this.tail + text);
    if (doubt !== null) this.fail(text.slice(0, Math.max(0, doubt.at - this.tail.length)), doubt.reason);
    this.tail = (this.tail + text).slice(-TAIL);
    if (isPlain) return text;
    this.guess?.see(text);
    return textOfWindows1252(text, (byte, at) => {
      const way = this.isDeclared ? '' : ', and the file is not UTF-8: save it as CSV UTF-8, or name --encoding';
      const message = `the byte ${hexByte(byte.charCodeAt(0))} has no meaning in Windows-1252${way}`;
      return this.fail(text.slice(0, at), message);
    });
  }

  /** @param before the part of the piece before the fault, as text or as a character for each byte */
  private fail(before: string, message: string): never {
    throw new FileFault('bad-encoding', this.lines + this.lineBreaks(before) + 1, message);
  }

  /** Line breaks in the text of the next piece. */
  private lineBreaks(text: string): number {
    return countLineBreaks(text) - (this.hasReturned && text.startsWith('\n') ? 1 : 0);
  }
}

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, string])[] = [
  ['utf-8', '\xef\xbb\xbf'],
  ['utf-16le', '\xff\xfe'],
  ['utf-16be', '\xfe\xff'],
];

/** Without a mark, the zero bytes of the first two letters show UTF-16; everything else counts as UTF-8 at first. */
const UNMARKED: readonly (readonly [Encoding, RegExp])[] = [
  ['utf-16le', /^[^\0]\0[^\0]\0/],
  ['utf-16be', /^\0[^\0]\0[^\0]/],
];

/** `0xFC` */
function hexByte(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0').toUpperCase()}`;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const UNICODE: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be'];

/** The number of bytes that form whole characters; the rest waits for the next chunk. */
function completeEnd(bytes: Buffer, encoding: Encoding | null): number {
  const { length } = bytes;
  if (encoding !== null && isMultiByte(encoding))
    return Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN)) + 1;
  if (encoding !== null && !UNICODE.includes(encoding)) return length;
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const even = length - (length % 2);
    const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
    return high >= 0xd8 && high <= 0xdb ? even - 2 : even;
  }
  // A character has up to four bytes; the first one contains their number.
  for (let at = length - 1; at >= 0 && at >= length - 3; at--) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    let size = byte >= 0x80 ? 2 : 1;
    if (byte >= 0xe0) size++;
    if (byte >= 0xf0) size++;
    return at + size > length ? at : length;
  }
  return length;
}

/** Index of the first byte that makes the text invalid, found by halving. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const whole = completeEnd(bytes.subarray(0, middle), 'utf-8');
    if (isUtf8(bytes.subarray(0, whole))) valid = middle;
    else invalid = middle;
  }
  return completeEnd(bytes.subarray(0, valid), 'utf-8');
}
