/** What happens to files on their way: damage, and malice. */
import type { Chance } from './chance.js';

/** Bytes that no encoding has, marks of encodings, and bytes that one encoding reads as a control. */
const BYTES = ['\xed\xa0\x80', '\xc0\xaf', '\xf4\x90\x80\x80', '\xff', '\xfe\xff', '\xff\xfe', '\xef\xbb\xbf', '\x81'];

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'half characters and zeros': ['\0', '\\ud800', '\\udc00\\ud800', '\\u0000'],
  prototypes: ['__proto__', '"__proto__":{"amount":7},', 'constructor', 'constructor.prototype.amount', 'toString'],
  'names that objects and lists have': ['hasOwnProperty', 'length'],
  'numbers that a double rounds': ['9'.repeat(400), `0.${'0'.repeat(400)}1`, '1e999', '-1e-999', '9007199254740993'],
  'more of them': ['1e15', '0.1000000000000000055', '-0', '-0.0', '+1', 'NaN', 'Infinity', '0x10'],
  'numbers of other notations': ['1.234', '1.234,56', '1 234', '1\u00a0234,5', "1'234", '١٢٣', '１２３'],
  'depth and length': ['['.repeat(70), '{"a":'.repeat(70), `{"${'k'.repeat(3000)}":1}`, 'k'.repeat(5000)],
  'directions and spaces': ['\u202ertl\u202c', '\u2066iso\u2069', '\u200f', '\u00a0', '\u2028', '\u2029', '\u0085'],
  'without width': ['\u200b', '\ufeff'],
  terminals: ['\u001b[31m', '\u001b]52;c;aGk=\u0007', '\u009b31m', '\u007f', '\b\b\b'],
  'line ends': ['\r', '\n', '\r\n', '\n\n\n', '\r\r'],
  quotes: ['""', '"', '"""', '","', "'"],
  delimiters: [';', ',', '\t', '|', ',,,,,', 'sep=;\n', 'sep=,\r\n'],
  formulas: ["=cmd|'/C calc'!A0", '=1+1', '@x', "''=x"],
  'pieces of JSON': ['{', '}', '[]', '[{}]', '{}', 'null', 'true', '\\', '\\"', '/* c */', '// c\n', '# c\n'],
  'names of columns': ['gigwork_error', 'gigwork_key', 'gigwork_status', 'base_price', 'amount', 'gig_task_id'],
  'more names': ['start_at', 'tasks.0.title', 'tasks.999.title', 'tasks.1000.title', 'tasks.-1.title'],
  'names of nothing': ['cost_center_data.__proto__', 'cost_center_data.legal_entity.x'],
  dates: ['2026-11-01T08:00:00+01:00', '31.02.2026', '01.11.26'],
  'other files': ['PK\u0003\u0004', '<!DOCTYPE html>'],
};

const TOKENS: readonly (string | Buffer)[] = [
  ...Object.values(TEXTS).flat(),
  ...[...BYTES, '\x9b31m', '\x00\xd8'].map((bytes) => Buffer.from(bytes, 'latin1')),
];

/** One change; `other` is a file to splice with. */
type Mutation = (bytes: Buffer, chance: Chance, other: Buffer) => Buffer;

const around = (bytes: Buffer, at: number, end: number, middle: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(end)]);

/** Places where something stands that a format is made of. */
function structural(bytes: Buffer, chance: Chance): number {
  const start = chance.below(bytes.length + 1);
  for (let at = start; at < bytes.length && at < start + 200; at++) {
    if ('",;\t|\n\r{}[]:'.includes(String.fromCharCode(bytes[at]!))) return at + chance.below(2);
  }
  return start;
}

/** A token as the file would hold it: in UTF-16 mostly with its zero bytes. */
function tokenFor(bytes: Buffer, chance: Chance): Buffer {
  const token = chance.pick(TOKENS);
  if (typeof token !== 'string') return token;
  if (chance.hits(0.1)) return Buffer.from(token);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(token, 'utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(token, 'utf16le').swap16();
  return Buffer.from(token);
}

const MUTATIONS: readonly Mutation[] = [
  // One bit.
  (bytes, chance) => {
    const changed = Buffer.from(bytes);
    const at = chance.below(bytes.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << chance.below(8));
    return changed;
  },
  // One byte, any.
  (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    return around(bytes, at, at, Buffer.from([chance.below(256)]));
  },
  // A piece is lost.
  (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    return around(bytes, at, Math.min(bytes.length, at + 1 + chance.below(20)), Buffer.alloc(0));
  },
  // A piece stands there twice.
  (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    const piece = bytes.subarray(at, at + 1 + chance.below(100));
    return around(bytes, at, at, piece);
  },
  // Cut off.
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)),
  // Two files pasted together.
  (bytes, chance, other) =>
    Buffer.concat([bytes.subarray(0, chance.below(bytes.length + 1)), other.subarray(chance.below(other.length + 1))]),
  // A sign repeated.
  (bytes, chance) => {
    const at = structural(bytes, chance);
    return around(
      bytes,
      at,
      at,
      Buffer.from(chance.pick(['"', ',', ';', '\n', '\r', '\t', '|', "'", ' ', '[', '{']).repeat(1 + chance.below(80))),
    );
  },
  (bytes, chance) => {
    const at = structural(bytes, chance);
    return around(bytes, at, at, tokenFor(bytes, chance));
  },
  (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    return around(bytes, at, at + chance.below(8), tokenFor(bytes, chance));
  },
  // A line end of another kind everywhere.
  (bytes, chance) =>
    Buffer.from(
      bytes.toString('latin1').replace(/\r\n|\n|\r/g, chance.pick(['\r', '\n', '\r\n', '\n\r', '\u0085'])),
      'latin1',
    ),
  // A number or word replaced as a whole.
  (bytes, chance) => {
    const text = bytes.toString('latin1');
    const words = [...text.matchAll(/[\w.]+/g)];
    if (words.length === 0) return bytes;
    const word = chance.pick(words);
    return around(bytes, word.index, word.index + word[0].length, tokenFor(bytes, chance));
  },
];

/** The bytes after one to six changes. */
export function mutated(bytes: Buffer, chance: Chance, other: Buffer): Buffer {
  let changed = bytes;
  for (let left = 1 + chance.below(chance.hits(0.7) ? 2 : 6); left > 0; left--) {
    changed = chance.pick(MUTATIONS)(changed, chance, other);
  }
  return changed;
}
