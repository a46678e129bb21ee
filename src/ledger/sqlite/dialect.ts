/** The store's SQL as SQLite reads it. */
import { CREATED } from '../store/codes.js';
import type { Value } from '../store/driver.js';
import { BODY_HASH, KEY, KEY_BYTES } from './compact.js';

const LIST = 'SELECT value FROM json_each(?$1)';

/** The claim that covers the payment and is not settled yet; the oldest one. Claims are ranges, and end one by one. */
const OPEN_CLAIM = `claim c ON coalesce(o.state, 0) <> ${CREATED} AND c.id = (SELECT min(open.id) FROM claim open
  WHERE p.id BETWEEN open.first AND open.last AND open.id > coalesce(o.stamp, 0))`;
const CLAIMED = `(SELECT p.id AS payment, c.process, c.run, c.at FROM claim c CROSS JOIN payment p ON p.id BETWEEN c.first AND c.last
  LEFT JOIN outcome o ON o.payment = p.id WHERE c.id > coalesce(o.stamp, 0) AND coalesce(o.state, 0) <> ${CREATED}) c`;

/** What the store writes, and what is written instead; see src/ledger/store/driver.ts. */
const WORDS: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  // Left to itself, SQLite chooses orders that take seventy times as long.
  [/(?<!LEFT |CROSS )\bJOIN\b/g, 'CROSS JOIN'],
  [/\bpayments_in\(([^,]+), ([^)]+)\) p\b/g, 'payment p ON p.id BETWEEN $1 AND $2'],
  [/\bgiven\(\$(\d+), ([^)]*)\) (\w+)/g, given],
  [/\$(\d+)/g, '?$1'],
  [/= ANY \(\?(\d+)\)/g, `IN (${LIST})`],
  [/= ANY_KEY \(\?(\d+)\)/g, `IN (SELECT ${KEY_BYTES.replaceAll('?', 'value')} FROM json_each(?$1))`],
  [/\bkey_of\((\w+)\)/g, (_all, table = '') => KEY.replaceAll('p.', `${table}.`)],
  [/\bhash_of\((\w+)\)/g, BODY_HASH.replace('p.', '$1.')],
  [/\bkey_place_of\((\w+)\)/g, '$1.key_place'],
  [/\bwhole_body = (\S+)/g, 'body = $1, key_place = NULL'],
  [/\bbytes_of\(/g, 'unhex('],
  [/\buser_of\((\w+)\)/g, '$1.user'],
  [/\bopen_claim c\b/g, OPEN_CLAIM],
  [/\bclaimed c\b/g, CLAIMED],
  [/\blast_claim\(\)/g, "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'claim'), 0)"],
  [/\bjson_list\(/g, 'json_group_array('],
  [/\bgreatest\(/g, 'max('],
  [/ FOR KEY SHARE\b/g, ''],
];

export function asSqlite(text: string): string {
  return WORDS.reduce((written, [word, instead]) => written.replace(word, instead as string), text);
}

function given(_all: string, place = '', columns = '', name = ''): string {
  const names = columns.split(', ').map((column) => column.split(' ')[0] ?? '');
  return `(SELECT ${names.map((each, i) => `value ->> ${i} AS ${each}`).join()} FROM json_each(?${place})) ${name}`;
}

/** A value as SQLite binds it: lists as JSON. */
export function bound(value: Value): string | number | bigint | null {
  return typeof value === 'object' && value !== null ? jsonOf(value) : value;
}

function jsonOf(list: Extract<Value, readonly unknown[]>): string {
  return `[${list.map((each) => (typeof each === 'object' && each !== null ? jsonOf(each) : cellText(each))).join()}]`;
}

/** Integers of 64 bits are written digit by digit. */
function cellText(cell: string | number | bigint | null): string {
  return typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
}
