/**
 * The store's SQL as SQLite reads it, and its compact form of keys, hashes and bodies: a key is a third of a payment,
 * and three times as large as text. A key that is a lower-case UUID, like every computed one, is stored as its 16
 * bytes; any other as text. A body is stored without the member that holds its key, with the place of that member.
 */
import { KEY_FIELD } from '../../keys/key.js';
import { CREATED } from '../store/common-schema.js';
import type { StorageFormat, SqlScalar, SqlValue } from '../store/driver.js';

/** SQL: the stored form of the key in the question mark. */
const KEY_BYTES = `iif(? GLOB '${[8, 4, 4, 4, 12].map((digits) => '[0-9a-f]'.repeat(digits)).join('-')}', unhex(?, '-'), ?)`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * SQL: the key of the payment `p`, for {@link keyOf}. Rows of bytes cost more to read than rows of text, and SQLite
 * converts to lower case more slowly than JavaScript.
 */
const KEY = "iif(typeof(p.key) = 'blob', '#' || hex(p.key), '=' || p.key)";

/** @param cell the result of {@link KEY} */
function keyOf(cell: string): string {
  if (cell.charCodeAt(0) !== HASH) return cell.slice(1);
  const hex = cell.toLowerCase();
  return `${hex.slice(1, 9)}-${hex.slice(9, 13)}-${hex.slice(13, 17)}-${hex.slice(17, 21)}-${hex.slice(21)}`;
}

const HASH = '#'.charCodeAt(0);

/** The member in canonical JSON, with the comma after it. */
function memberOf(key: string): string {
  return `"${KEY_FIELD}":${JSON.stringify(key)},`;
}

/** Restores the exact body. @param stored null if it was removed, @param place position of the key's member */
function bodyOf(stored: string | null, key: string, place: number | null): string | null {
  if (stored === null || place === null) return stored;
  return stored.slice(0, place) + memberOf(key) + stored.slice(place);
}

export const FORM: StorageFormat = { keyOf, hashOf: (cell) => cell.toLowerCase(), bodyOf };

/** Stores rows of `payment` in compact form. @param columns names, ending in `key`, `body_hash` and `body` */
export function startStoring(columns: readonly string[]) {
  const places = columns.slice(0, -3).map(() => '?');
  const insert = `INSERT INTO payment (${columns.join()}, key_place) VALUES (${places.join()}, KEY, unhex(?), ?, ?)`;
  // One statement for keys stored as bytes, one for others.
  const uuid = insert.replace('KEY', "unhex(?, '-')");
  const other = insert.replace('KEY', '?');
  const keyAt = columns.length - 3;
  return (row: readonly SqlScalar[]) => {
    const key = row[keyAt] as string;
    const body = row[keyAt + 2] as string | null;
    const member = memberOf(key);
    const found = body?.indexOf(member) ?? -1;
    const place = found === -1 ? null : found;
    const values = row.slice();
    if (body !== null && place !== null) values[keyAt + 2] = body.slice(0, place) + body.slice(place + member.length);
    values.push(place);
    return { insert: UUID.test(key) ? uuid : other, values };
  };
}

const LIST = 'SELECT value FROM json_each(?$1)';

/** The oldest claim that covers the payment $1 and is not settled yet. Claims are ranges, and end one by one. */
const OPEN_CLAIM = `claim c ON coalesce(o.state, 0) <> ${CREATED} AND c.id = (SELECT min(open.id) FROM claim open
  WHERE $1 BETWEEN open.first AND open.last AND open.id > coalesce(o.stamp, 0))`;
const CLAIMED = `(SELECT p.id AS payment, c.process, c.run, c.at FROM claim c CROSS JOIN payment p ON p.id BETWEEN c.first AND c.last
  LEFT JOIN outcome o ON o.payment = p.id WHERE c.id > coalesce(o.stamp, 0) AND coalesce(o.state, 0) <> ${CREATED}) c`;

/** Replaces the store's SQL by SQLite's; see src/journal/store/driver.ts. */
const REWRITES: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  // Without a forced order, SQLite chooses join orders that take seventy times as long.
  [/(?<!LEFT |CROSS )\bJOIN\b/g, 'CROSS JOIN'],
  [/\bpayments_in\(([^,]+), ([^)]+)\) p\b/g, 'payment p ON p.id BETWEEN $1 AND $2'],
  [/\bpayments_of\(([^)]+)\) s\b/g, 'by_payee s ON s.payee = $1'],
  [/\bgiven\(\$(\d+), ([^)]*)\) (\w+)/g, given],
  [/\$(\d+)/g, '?$1'],
  [/= ANY \(\?(\d+)\)/g, `IN (${LIST})`],
  [/= ANY_KEY \(\?(\d+)\)/g, `IN (SELECT ${KEY_BYTES.replaceAll('?', 'value')} FROM json_each(?$1))`],
  [/\bkey_of\((\w+)\)/g, (_all, table = '') => KEY.replaceAll('p.', `${table}.`)],
  [/\bhash_of\((\w+)\)/g, 'hex($1.body_hash)'],
  [/\bkey_place_of\((\w+)\)/g, '$1.key_place'],
  [/\bwhole_body = (\S+)/g, 'body = $1, key_place = NULL'],
  [/\bbytes_of\(/g, 'unhex('],
  [/\buser_of\((\w+)\)/g, '$1.user'],
  [/\bopen_claim\((.*?)\) c\b/g, OPEN_CLAIM],
  [/\bclaimed c\b/g, CLAIMED],
  [/\blast_claim\(\)/g, "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'claim'), 0)"],
  [/\bjson_list\(/g, 'json_group_array('],
  [/\bgreatest\(/g, 'max('],
  [/\bstrpos\(/g, 'instr('],
  [/ FOR KEY SHARE\b/g, ''],
];

export function asSqlite(text: string): string {
  return REWRITES.reduce((written, [word, instead]) => written.replace(word, instead as string), text);
}

/** With a limit, SQLite reads a list's cells once, and not for each joined row. */
function given(_all: string, place = '', columns = '', name = ''): string {
  const names = columns.split(', ').map((column) => column.split(' ')[0] ?? '');
  return `(SELECT ${names.map((each, i) => `value ->> ${i} AS ${each}`).join()} FROM json_each(?${place}) LIMIT -1) ${name}`;
}

/** SQLite takes lists as JSON. */
export function bound(value: SqlValue): string | number | bigint | null {
  return typeof value === 'object' && value !== null ? jsonOf(value) : value;
}

function jsonOf(list: readonly (SqlScalar | readonly SqlScalar[])[]): string {
  return `[${list.map((each) => (typeof each === 'object' && each !== null ? jsonOf(each) : jsonCell(each))).join()}]`;
}

/** Integers of 64 bits are written digit by digit. */
function jsonCell(cell: string | number | bigint | null): string {
  return typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
}
