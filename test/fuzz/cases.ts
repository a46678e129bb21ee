/** The inputs of a campaign: each from the campaign's seed and its own number alone. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Chance, chanceOf } from './chance.js';
import { ENCODINGS, encoded } from './encode.js';
import { flagsOf } from './flags.js';
import { mutated } from './mutate.js';
import { recordOf, TYPES } from './records.js';
import { csvFlags, csvText, type Dress, ndjsonText, PLAIN } from './write.js';

export interface Case {
  readonly number: number;
  readonly bytes: Buffer;
  /** Words after `gigwork`, without the file. */
  readonly command: readonly string[];
  readonly flags: readonly string[];
  /** Sizes of the pieces in which the bytes arrive, over and over. */
  readonly pieces: readonly number[];
  /** The name of the file; null for standard input. */
  readonly file: string | null;
}

const SAMPLES = [
  'gigs.csv',
  'gigs.json',
  'gigs.ndjson',
  'gigs-bad.ndjson',
  'payouts.csv',
  'payouts.json',
  'payouts.ndjson',
  'payouts-bad.csv',
  'results.csv',
  'results.json',
  'results.ndjson',
  'results-bad.csv',
  'finance/excel-german.csv',
  'finance/excel-swiss.csv',
  'finance/erp-export.txt',
].map((name) => ({ name, bytes: readFileSync(fileURLToPath(new URL(`../../samples/${name}`, import.meta.url))) }));

interface Found {
  readonly bytes: Buffer;
  readonly type: string;
  readonly flags: readonly string[];
}

function dressOf(type: string, chance: Chance): Dress {
  const isPayout = type === 'payout';
  return {
    signed: isPayout && chance.hits(0.5),
    negated: isPayout && chance.hits(0.5),
    dates: chance.pick(['ymd', 'dmy', 'mdy']),
    headless: chance.hits(0.4),
    other: chance.hits(0.4),
  };
}

function generated(chance: Chance): Found {
  const type = chance.pick(TYPES);
  const records = Array.from({ length: chance.below(10) }, () => recordOf(type, chance));
  const comma = chance.hits(0.3);
  const layout = {
    delimiter: chance.pick([',', ';', '\t', '|']),
    lineEnd: chance.pick(['\n', '\r\n', '\r']),
    comma,
    quoteAll: chance.hits(0.2),
    spread: chance.hits(0.5),
    dress: chance.hits(0.5) ? PLAIN : dressOf(type, chance),
  };
  const format = chance.pick(['csv', 'csv', 'json', 'ndjson']);
  const text =
    format === 'csv'
      ? csvText(records, layout)
      : format === 'json'
        ? JSON.stringify(records, null, chance.pick([0, 2]))
        : ndjsonText(records, layout.lineEnd);
  const bytes = encoded(text, chance.pick(ENCODINGS)) ?? Buffer.from(text);
  return { bytes, type, flags: format === 'csv' ? csvFlags(records, layout) : [] };
}

function sample(chance: Chance): Found {
  const { name, bytes } = chance.pick(SAMPLES);
  return { bytes, type: /^(gig|result|payout)/.exec(name)?.[1] ?? 'payout', flags: [] };
}

const EXTENSIONS = ['csv', 'tsv', 'txt', 'json', 'ndjson', 'jsonl'];

export function caseOf(seed: number, number: number): Case {
  const chance = chanceOf(seed * 1_000_003 + number);
  const base = chance.hits(0.6) ? generated(chance) : sample(chance);
  const other = chance.hits(0.5) ? generated(chance) : sample(chance);
  const type = chance.hits(0.9) ? base.type : chance.pick(TYPES);
  const isChanged = chance.hits(0.8);
  return {
    number,
    bytes: isChanged ? mutated(base.bytes, chance, other.bytes) : base.bytes,
    command: chance.hits(0.7) ? [type, 'create'] : ['batch', 'import'],
    flags: [...base.flags, ...flagsOf(chance)],
    pieces: chance.hits(0.5) ? [1 << 20] : [1 + chance.below(5), 1 + chance.below(200)],
    file: chance.hits(0.2) ? `input.${chance.pick(EXTENSIONS)}` : null,
  };
}
