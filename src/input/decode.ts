/** Bytes in any encoding that people's files have → bytes in UTF-8, checked. Nothing is replaced: a byte that does not fit is an error. */
import { isAscii, isUtf8 } from 'node:buffer';
import { LONE_SURROGATE } from '../records/misleading-text.js';
import { type Encoding, WINDOWS_1252 } from './encoding.js';
import { doubtUtf8, doubtWindows1252, type GuessSamples, isHardlyUtf8, startSamples } from './encoding-guess.js';
import { FileFault } from './raw.js';

/** Some portals offer such a file as `.xls`. */
const MARKUP = 'a web page or XML; open it in Excel: Save As, "CSV UTF-8"';

/** How files begin that are no plain text. */
const NO_TEXT: readonly { readonly start: string; readonly what: string }[] = [
  {
    start: 'PK\x03\x04',
    what: 'a workbook or another zip archive; if it is a workbook, name it .xlsx or say --format xlsx, or save its sheet as "CSV UTF-8"',
  },
  {
    start: '\xd0\xcf\x11\xe0',
    what: 'an old Excel workbook (.xls); in Excel: Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8"',
  },
  { start: '%PDF', what: 'a PDF; export the data as CSV instead' },
  { start: '\x1f\x8b', what: 'a gzip archive; unpack it first' },
  { start: '{\\rt', what: 'a formatted text (RTF); save it as plain text' },
  ...['<!DO', '<!do', '<htm', '<HTM', '<tab', '<TAB', '<?xm'].map((tag) => ({ start: tag, what: MARKUP })),
];

export interface Decoded {
  /** UTF-8 without a byte order mark, never cut within a character. */
  chunks(): AsyncIterable<Buffer>;
  /** The encoding, to be shown to the person; final after the last chunk. */
  encoding(): Encoding;
  /** Decoded cells that show a person whether a guess is right; none where nothing was guessed. */
  samples(): string[];
  hadMark(): boolean;
}

interface State {
  encoding: Encoding | null;
  declared: boolean;
  /** Null as long as nothing is guessed. */
  samples: GuessSamples | null;
  mark: boolean;
  /** Only ASCII so far: the encoding may still turn out to be Windows-1252. */
  plain: boolean;
  /** Line breaks in what was handed on. */
  lines: number;
  /** What was handed on ends in a carriage return, perhaps the first half of a CRLF. */
  returned: boolean;
  /** The last bytes that were handed on, one character each: a sign of doubt may begin in them. */
  tail: string;
}

/** @param declared the encoding given by the person, or null to find it out */
export function decode(chunks: AsyncIterable<Buffer>, declared: Encoding | null): Decoded {
  const state: State = {
    encoding: declared,
    declared: declared !== null,
    samples: null,
    mark: false,
    plain: true,
    lines: 0,
    returned: false,
    tail: '',
  };
  return {
    chunks: () => decodeChunks(chunks, state),
    encoding: () => state.encoding ?? 'utf-8',
    samples: () => state.samples?.cells().map(shownSample) ?? [],
    hadMark: () => state.mark,
  };
}

async function* decodeChunks(chunks: AsyncIterable<Buffer>, state: State): AsyncIterable<Buffer> {
  let carried: Buffer = Buffer.alloc(0);
  let started = false;
  for await (const chunk of chunks) {
    let bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    if (!started) {
      if (bytes.length < LONGEST_START) {
        carried = bytes;
        continue;
      }
      bytes = start(bytes, state);
      started = true;
    }
    const end = completeEnd(bytes, state.encoding);
    carried = bytes.subarray(end);
    if (end > 0) yield toUtf8(bytes.subarray(0, end), state);
  }
  if (!started) carried = start(carried, state);
  if (carried.length > 0) yield toUtf8(carried, state);
}

/** Enough bytes to recognise a byte order mark and a file's signature. */
const LONGEST_START = 4;

/** Judges a file by its first bytes, and removes the byte order mark. */
function start(bytes: Buffer, state: State): Buffer {
  const signature = bytes.subarray(0, LONGEST_START).toString('latin1');
  const noText = NO_TEXT.find(({ start: expected }) => signature.startsWith(expected));
  if (noText !== undefined) throw new FileFault('bad-encoding', 1, `this is no CSV or JSON but ${noText.what}`);
  const [marked, length] = markOf(bytes);
  if (marked === null) {
    state.encoding ??= guessUnmarked(bytes);
    return bytes;
  }
  if (state.declared && state.encoding !== marked) {
    const message = `the file begins with the mark of ${marked}, but --encoding says ${state.encoding}`;
    throw new FileFault('bad-encoding', 1, message);
  }
  state.encoding = marked;
  state.mark = true;
  return bytes.subarray(length);
}

function markOf(bytes: Buffer): [Encoding | null, number] {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['utf-8', 3];
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be', 2];
  return [null, 0];
}

/** UTF-16 without a mark is known by the zero bytes of its first two letters; all else counts as UTF-8 at first. */
function guessUnmarked(bytes: Buffer): Encoding | null {
  if (bytes.length < 4) return null;
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[2] !== 0 && bytes[3] === 0) return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0) return 'utf-16be';
  return null;
}

/** How many of the bytes make whole characters; the rest waits for the next chunk. */
function completeEnd(bytes: Buffer, encoding: Encoding | null): number {
  if (encoding === 'windows-1252') return bytes.length;
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const even = bytes.length - (bytes.length % 2);
    const high = even === 0 ? 0 : (bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0);
    return high >= 0xd8 && high <= 0xdb ? even - 2 : even;
  }
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0)
      return byte >= 0xf0 || (byte >= 0xe0 && back < 3) || back < 2 ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function toUtf8(bytes: Buffer, state: State): Buffer {
  const converted = convert(bytes, state);
  const zero = converted.indexOf(0);
  if (zero >= 0) {
    fail(converted.subarray(0, zero), state, 'the file holds a zero byte: it is no text, or in another encoding');
  }
  state.lines += lineBreaks(converted, state);
  state.returned = converted.at(-1) === 0x0d;
  return converted;
}

/** How many bytes of the previous chunk a sign of doubt may begin in. */
const TAIL = 16;

/** Refuses a guess at Windows-1252 as soon as the text speaks against it; a declared encoding is never doubted. */
function refuseDoubtful(bytes: Buffer, state: State): void {
  if (state.declared) return;
  const plain = isAscii(bytes);
  const text = (plain ? bytes.subarray(-TAIL) : bytes).toString('latin1');
  // Most chunks of most files are ASCII: only their start is looked at, together with the end of the previous chunk.
  const found = doubtWindows1252(state.tail + (plain ? bytes.toString('latin1', 0, TAIL) : text));
  if (found !== null) fail(bytes.subarray(0, Math.max(0, found.at - state.tail.length)), state, found.reason);
  keepTail(text, state);
}

/** Keeps ASCII too, as long as the file may turn out to be Windows-1252: the last letter may begin a sign of doubt. */
function keepTail(text: string, state: State): void {
  state.tail = (state.tail + text).slice(-TAIL);
}

function convert(bytes: Buffer, state: State): Buffer {
  switch (state.encoding) {
    case 'utf-16le':
    case 'utf-16be':
      return fromUtf16(bytes, state);
    case 'windows-1252':
      return fromWindows1252(bytes, state);
    default:
      return fromUtf8(bytes, state);
  }
}

function fromUtf8(bytes: Buffer, state: State): Buffer {
  if (isUtf8(bytes)) {
    if (state.plain && !isAscii(bytes)) {
      const found = state.declared || state.mark ? null : doubtUtf8(bytes);
      if (found !== null) fail(bytes.subarray(0, found.at), state, found.reason);
      state.plain = false;
    }
    if (!state.plain) state.encoding = 'utf-8';
    else keepTail(bytes.subarray(-TAIL).toString('latin1'), state);
    return bytes;
  }
  const at = firstInvalid(bytes);
  // So far, no character beyond ASCII was UTF-8 (except by chance), so the file is not in UTF-8.
  if (state.plain && state.encoding === null && isHardlyUtf8(bytes.subarray(0, at))) {
    state.encoding = 'windows-1252';
    state.samples = startSamples();
    return fromWindows1252(bytes, state);
  }
  const found = `0x${(bytes[at] ?? 0).toString(16).padStart(2, '0').toUpperCase()}`;
  return fail(bytes.subarray(0, at), state, `the byte ${found} does not belong in UTF-8; ${remedyOf(state)}`);
}

/** What to do about a byte that is no UTF-8 in a file where other bytes beyond ASCII are. */
function remedyOf({ declared, mark }: State): string {
  if (declared || mark) return 'save the file as "CSV UTF-8", or say --encoding windows-1252 if that is what it is';
  return 'other characters of the file are UTF-8, so two encodings are mixed: save all of it as "CSV UTF-8"; --encoding windows-1252 would send those others wrong';
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

function fromUtf16(bytes: Buffer, state: State): Buffer {
  const even = bytes.length % 2 === 0 ? bytes : bytes.subarray(0, bytes.length - 1);
  const units = state.encoding === 'utf-16be' ? Buffer.from(even).swap16() : even;
  const text = units.toString('utf16le');
  const lone = LONE_SURROGATE.exec(text);
  if (lone !== null || even !== bytes) {
    const before = Buffer.from(text.slice(0, lone?.index));
    return fail(before, state, `half a character stands here: the file is damaged, or not in ${state.encoding}`);
  }
  return Buffer.from(text);
}

function fromWindows1252(bytes: Buffer, state: State): Buffer {
  refuseDoubtful(bytes, state);
  const text = bytes.toString('latin1');
  state.samples?.see(text);
  const converted = text.replace(/[\x80-\x9f]/g, (char, at: number) => {
    const mapped = WINDOWS_1252[char.charCodeAt(0) - 0x80];
    if (mapped !== null && mapped !== undefined) return mapped;
    const found = `0x${char.charCodeAt(0).toString(16).toUpperCase()}`;
    return fail(bytes.subarray(0, at), state, `the byte ${found} has no meaning in Windows-1252`);
  });
  return Buffer.from(converted);
}

/** The cell as Windows-1252 reads it. */
function shownSample(cell: string): string {
  return cell.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? '\ufffd');
}

function fail(before: Buffer, state: State, message: string): never {
  throw new FileFault('bad-encoding', state.lines + lineBreaks(before, state) + 1, message);
}

const LF = 0x0a;
const CR = 0x0d;

/** Line breaks in the bytes that follow what was handed on: CRLF, LF and CR count as one each. */
function lineBreaks(bytes: Buffer, { returned }: State): number {
  let count = returned && bytes[0] === LF ? -1 : 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) if (bytes[at + 1] !== LF) count++;
  return count;
}
