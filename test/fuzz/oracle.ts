/**
 * What a record's body must be, read from the same bytes in another way: slowly, plainly, and without a line of the
 * program's readers. Only the program's word on encoding, delimiter and header line is taken; it is on standard error.
 */
import { isDeepStrictEqual } from 'node:util';
import { fieldAt } from '../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../src/records/record-schemas.js';
import type { RecordType } from '../../src/records/types.js';
import type { Case } from './cases.js';
import type { Ended } from '../support/here.js';
import { decoded } from './encode.js';
import type { Json } from './records.js';
import { eventsOf } from './verdict.js';

interface Found {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly headerLine: number;
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

/** What the program found out about the file, or null where it did not say. */
function foundOut(stderr: string): Found | null {
  const line =
    /^\S+: (csv|json|ndjson), ([\w-]+)(?: with a byte order mark)?(?:, (comma|semicolon|tab|pipe))?(?:, header on line (\d+)|(, no header line))?$/m.exec(
      stderr,
    );
  if (line === null) return null;
  const [, format = '', encoding = '', name = '', header = '1', none] = line;
  if (format === 'csv' && name === '') return null;
  return { format, encoding, delimiter: DELIMITERS[name] ?? '', headerLine: none === undefined ? Number(header) : 0 };
}

/** Values of a flag that may be repeated. */
function valuesOf(flags: readonly string[], name: string): string[] {
  return flags.flatMap((flag, i) => (flags[i - 1] === name ? [flag] : []));
}

function topOf(path: string): string {
  return path.split(/[.=]/, 1)[0]!;
}

/** Fields that the command line gives, over what the file says; they are not looked at. */
function setFields(flags: readonly string[]): string[] {
  return valuesOf(flags, '--set').map(topOf);
}

/** Rows of a CSV text, up to where it cannot be cut any more. */
function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length || row.length > 0) {
    let cell = '';
    if (text[at] === '"') {
      const end = /(?:[^"]|"")*/y;
      end.lastIndex = at + 1;
      const inner = end.exec(text)![0];
      at += inner.length + 2;
      if (at > text.length) return rows;
      cell = inner.replaceAll('""', '"');
    } else {
      const start = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++;
      cell = text.slice(start, at);
      if (cell.includes('"')) return rows;
    }
    row.push(cell);
    if (text[at] === delimiter) {
      at++;
      if (at === text.length) row.push('');
      else continue;
    } else if (at < text.length && text[at] !== '\n' && text[at] !== '\r') return rows;
    rows.push(row);
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows;
}

function isFilled(row: readonly string[]): boolean {
  return row.length === 1 ? row[0]!.trim() !== '' : row.some((cell) => cell !== '');
}

type Leaf = 'text' | 'number' | 'time' | 'date' | 'boolean' | 'multiplier' | 'yes-no' | 'topic' | 'json';

const LEAVES: readonly (readonly [RegExp, Leaf])[] = [
  [
    /^(amount|quantity|total_seats|seats_min|seats_max|invitation_multiplier|invitation_frequency)$|\.base_price$/,
    'number',
  ],
  [/_at$/, 'time'],
  [/_date$/, 'date'],
  [/extra_mile$/, 'boolean'],
  [/^multiplier$/, 'multiplier'],
  [/inhouse$/, 'yes-no'],
  [/_topic$/, 'topic'],
  [/^(filter_query|sort_query|notification_payload|tasks|partner_options|cost_center_data)$/, 'json'],
];

/** The number that a cell shows, in JSON's notation. */
function plainNumber(cell: string, decimal: string | undefined): string {
  const typed = cell.trim();
  if (decimal === undefined) return typed;
  const [mark, groups] = decimal === 'comma' ? [',', /[.'’ \u00a0\u202f]/g] : ['.', /[,'’ \u00a0\u202f]/g];
  const minus = /[-\u2212(]/.test(typed) ? '-' : '';
  return `${minus}${typed
    .replace(/[-\u2212()]/g, '')
    .replace(groups, '')
    .replace(mark, '.')}`;
}

const MONTHS = ['jan', 'feb', 'mar mär mrz', 'apr', 'may mai', 'jun', 'jul', 'aug', 'sep', 'oct okt', 'nov', 'dec dez'];

function dateOf(cell: string, order: string): string {
  const [typed = ''] = cell.trim().split(/[ T]/);
  if (/^\d{8}$/.test(typed)) return typed.replace(/^(....)(..)(..)$/, '$1-$2-$3');
  if (/^\d{4}[-./]/.test(typed)) return typed.replaceAll(/[./]/g, '-');
  const [first = '', second = '', year = ''] = typed.split(/[./-]/);
  const [day, month] = order === 'mdy' ? [second, first] : [first, second];
  const start = month.slice(0, 3).toLowerCase().normalize('NFC');
  const number = /^\d/.test(month) ? month : String(1 + MONTHS.findIndex((names) => names.split(' ').includes(start)));
  return [year.length === 2 ? `20${year}` : year, number.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

/** The amount that a cell shows, with the sign of its currency or without. */
function amountOf(cell: string, decimal: string | undefined, flags: readonly string[]): number {
  const digits = cell.replace(/\p{Sc}|\p{L}+\.?/gu, '');
  const minus = digits.includes('-') ? '-' : '';
  const number =
    decimal === undefined
      ? Number(minus + plainNumber(digits.replace('-', ''), decimal))
      : Number(plainNumber(digits, decimal));
  // Where no sign is read, the program has not read this cell, or it is a number in another notation.
  const value = flags.includes('--currency-signs') ? number : Number(plainNumber(cell, decimal));
  return flags.includes('--negate') ? turned(value) : value;
}

function turned(value: number): number {
  return value === 0 ? 0 : -value;
}

/** Spaces around these are dropped under `--trim`. */
const TRIMMED =
  /(?:^|\.)(?:user_id|gig_task_id|cost_center_key|reference_id|idempotency_key|currency|customer_id|partner_project_code|inhouse|invitation_mode|invitation_notification_topic)$/;

/** The text that counts; empty for a cell that is empty, or a dash of money. */
function countingText(path: string, cell: string, flags: readonly string[]): string {
  if (/^(?:amount|base_price)$/.test(path) && /^[-\u2013\u2014\u2212]$/.test(cell.trim())) return '';
  return flags.includes('--trim') && TRIMMED.test(path) ? cell.trim() : cell;
}

function leafOf(path: string, cell: string, flags: readonly string[]): unknown {
  const decimal = valuesOf(flags, '--decimal').at(-1);
  switch (LEAVES.find(([pattern]) => pattern.test(path))?.[1]) {
    case 'number':
      if (path === 'amount') return amountOf(cell, decimal, flags);
      return Number(plainNumber(cell, decimal));
    case 'time':
      return cell.includes(':') ? Date.parse(cell.trim()) / 1000 : Number(plainNumber(cell, decimal));
    case 'date':
      return dateOf(cell, valuesOf(flags, '--date-format').at(-1) ?? 'ymd');
    case 'boolean':
      return cell.trim().toLowerCase() === 'true';
    case 'multiplier':
      return plainNumber(cell, decimal);
    case 'topic':
      return /^\d+$/.test(cell) ? Number(cell) : cell;
    case 'json':
      return JSON.parse(cell);
    default:
      return cell;
  }
}

function put(record: Json, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0)
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  else {
    record[name] ??= /^\d+$/.test(rest[0]!) ? [] : {};
    put(record[name] as Json, rest.join('.'), value);
  }
}

/** What the program's own files add to a record. */
const OWN_COLUMNS = ['gigwork_error', 'gigwork_key', 'gigwork_status', 'gigwork_id', 'gigwork_at'];

/** Records as the bytes have them, by their number; each is read when it is asked for, since others may hold nonsense. */
function recordsOf(text: string, found: Found, flags: readonly string[], type: RecordType): (() => Json | null)[] {
  const names = new Map(valuesOf(flags, '--map').map((pair) => pair.split('=', 2) as [string, string]));
  const dropped = new Set([...OWN_COLUMNS, ...valuesOf(flags, '--ignore-column')]);
  const set = setFields(flags);
  const isOther = (name: string): boolean => {
    const field = fieldAt(RECORD_SCHEMAS[type].inputFields, name);
    const isField = field !== null && (found.format === 'csv' || field.name === name);
    return flags.includes('--ignore-other-columns') && !isField;
  };
  const named = (entries: readonly (readonly [string, unknown])[]): Json => {
    const record: Json = {};
    for (const [name, value] of entries) {
      const to = names.get(name);
      if (dropped.has(name) || (to === undefined && isOther(name))) continue;
      // In JSON a name with a point in it is a name; a name that was mapped is a path.
      if (to === undefined && found.format !== 'csv')
        Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
      else put(record, to ?? name, value);
    }
    return record;
  };
  const ofValue = (value: unknown): Json | null => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const record = named(Object.entries(value));
    const { amount } = record;
    if (type === 'payout' && flags.includes('--negate') && typeof amount === 'number')
      record['amount'] = turned(amount);
    return record;
  };
  if (found.format === 'json') {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).map((element) => () => ofValue(element));
  }
  if (found.format === 'ndjson') {
    const lines = text.split(/\r\n|\n|\r/).filter((line) => !/^[ \t]*$/.test(line));
    return lines.map((line) => () => ofValue(JSON.parse(line)));
  }
  const sep = /^(?:sep=.|"sep=.")(?:\r\n|\n|\r|$)/i.test(text) ? 2 : 1;
  const start = [...text.matchAll(/\r\n|\n|\r/g)][(found.headerLine === 0 ? sep : found.headerLine) - 2];
  const body = start === undefined ? text : text.slice(start.index + start[0].length);
  const all = rowsOf(body, found.delimiter).filter(isFilled);
  const first = all[0] ?? [];
  const numbered = first.map((_, i) => `#${i + 1}`);
  const isHeadless = found.headerLine === 0 && !first.some((cell) => OWN_COLUMNS.includes(cell.trim()));
  const [header = [], ...rows] = isHeadless ? [numbered, ...all] : all;
  const columns = header.map((cell) => cell.trim());
  const isMended = columns.includes('gigwork_error');
  const given = (cell: string): string => (isMended && /^'+[=+\-@＝＋－＠\t\r\n]/.test(cell) ? cell.slice(1) : cell);
  return rows.map(
    (row) => () =>
      named(
        columns.flatMap((name, i) => {
          const path = names.get(name) ?? name;
          const cell = countingText(path, given(row[i] ?? ''), flags);
          return cell === '' || name === '' || dropped.has(name) || set.includes(topOf(path)) || isOther(path)
            ? []
            : [[name, leafOf(path, cell, flags)] as const];
        }),
      ),
  );
}

const OBJECTS = new Set(['cost_center_data', 'partner_options']);

/** As it is sent: without nulls, without what is the program's own, with the one default. */
function asSent(record: Json, type: RecordType): Json {
  const kept = (members: Json): [string, unknown][] => Object.entries(members).filter(([, value]) => value !== null);
  const fields = kept(record).filter(
    ([name]) => name !== 'idempotency_key' && !(name === 'base_price' && type === 'result'),
  );
  const sent = fields.map(([name, value]): [string, unknown] => {
    if (OBJECTS.has(name)) return [name, Object.fromEntries(kept(value as Json))];
    if (name === 'tasks') return [name, (value as Json[]).map((task) => Object.fromEntries(kept(task)))];
    return [name, value];
  });
  const body = Object.fromEntries(sent);
  const data = body['cost_center_data'] as Json | undefined;
  if (typeof data?.['inhouse'] === 'string') data['inhouse'] = data['inhouse'].toLowerCase() === 'yes' ? 'Yes' : 'No';
  if (typeof body['multiplier'] === 'number') body['multiplier'] = String(body['multiplier']);
  if (type === 'gig') body['invitation_mode'] ??= 'manual';
  return JSON.parse(JSON.stringify(body)) as Json;
}

/** Bodies that differ from what the bytes say, and how many were looked at. */
export function compareBodies(
  { bytes, flags }: Pick<Case, 'bytes' | 'flags'>,
  ended: Ended,
): { bodies: number; strange: string[] } {
  const found = foundOut(ended.stderr);
  const events = eventsOf(ended).filter(({ event, request }) => event === 'record' && request !== null);
  if (found === null || events.length === 0) return { bodies: 0, strange: [] };
  const text = decoded(bytes, found.encoding);
  let records: (() => Json | null)[];
  try {
    records = recordsOf(text, found, flags, events[0]?.['type'] as RecordType);
  } catch (cause) {
    // Of a list that breaks off, the records before the break are told.
    if (cause instanceof SyntaxError && found.format === 'json') return { bodies: 0, strange: [] };
    throw cause;
  }
  const set = setFields(flags);
  const strange = events.flatMap(({ record, type, request, key }) => {
    const raw = records[record - 1]?.() ?? null;
    if (raw === null) return [`record ${record} is not in the file`];
    for (const name of set) delete raw[name];
    const expected = asSent(raw, type);
    const own = raw['idempotency_key'];
    if (typeof own === 'string' && key !== own) return [`record ${record} has the key ${key}`];
    const { idempotency_key: sentKey, ...body } = request;
    if (sentKey !== (type === 'gig' ? undefined : key)) return [`record ${record} is sent with the key ${sentKey}`];
    for (const name of set) delete body[name];
    if (set.includes('invitation_mode')) delete expected['invitation_mode'];
    // A multiplier keeps the digits that were typed, which JSON.parse loses.
    if (found.format !== 'csv' && typeof raw['multiplier'] === 'number')
      body['multiplier'] = String(Number(body['multiplier']));
    if (isDeepStrictEqual(body, expected)) return [];
    return [`record ${record} is ${JSON.stringify(body)}, the file says ${JSON.stringify(expected)}`];
  });
  return { bodies: events.length, strange };
}
