/**
 * How keys, hashes and bodies are stored: a third of a payment would be its key, three times as text. A key that is a
 * lower-case UUID, as every computed one is, is stored as its 16 bytes; any other as text. A body is stored without the
 * member that holds its key, with the place where that stands.
 */
import { KEY_FIELD } from '../../keys/key.js';
import type { Context } from './context.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the key is stored as bytes: `unhex(?, '-')` in SQL, where any other is `?`. */
export function isUuid(key: string): boolean {
  return UUID.test(key);
}

/**
 * SQL: the key of the payment `p`, for {@link keyOf}. Rows of bytes cost more to read than rows of text, and SQLite takes
 * longer than JavaScript to make capitals small.
 */
export const KEY = "iif(typeof(p.key) = 'blob', '#' || hex(p.key), '=' || p.key)";

/** @param cell what {@link KEY} gave */
export function keyOf(cell: string): string {
  if (cell.charCodeAt(0) !== HASH) return cell.slice(1);
  const hex = cell.toLowerCase();
  return `${hex.slice(1, 9)}-${hex.slice(9, 13)}-${hex.slice(13, 17)}-${hex.slice(17, 21)}-${hex.slice(21)}`;
}

const HASH = '#'.charCodeAt(0);

/** SQL: the hash of the payment's body, for {@link hashOf}. */
export const BODY_HASH = 'hex(p.body_hash)';

/** 64 lower-case hexadecimal digits. @param cell what {@link BODY_HASH} gave */
export function hashOf(cell: string): string {
  return cell.toLowerCase();
}

/** Where the member of the key stands in a body that is stored without it; null for a body that is stored as it is. */
export function placeOfKey(body: string, key: string): number | null {
  const place = body.indexOf(memberOf(key));
  return place === -1 ? null : place;
}

/** The member as it stands in canonical JSON, with the comma after it. */
function memberOf(key: string): string {
  return `"${KEY_FIELD}":${JSON.stringify(key)},`;
}

/** @param place what {@link placeOfKey} gave */
export function withoutKey(body: string, key: string, place: number | null): string {
  return place === null ? body : body.slice(0, place) + body.slice(place + memberOf(key).length);
}

/** The very body that was stored. @param stored null where it was removed */
export function wholeBody(stored: string | null, key: string, place: number | null): string | null {
  if (stored === null || place === null) return stored;
  return stored.slice(0, place) + memberOf(key) + stored.slice(place);
}

/**
 * Rows by keys, some thousand at a time.
 * @param text says KEY for the key that is looked for, and takes the keys as a JSON list first, then the other values
 */
export function byKeys<Cells>(
  { sql }: Context,
  text: string,
  keys: readonly string[],
  ...values: (string | number)[]
): Cells[] {
  const [uuids, others]: [string[], string[]] = [[], []];
  for (const key of keys) (isUuid(key) ? uuids : others).push(key);
  const stored: [string, string[]][] = [
    ["unhex(w.value, '-')", uuids],
    ['w.value', others],
  ];
  return stored.flatMap(([key, some]) =>
    some.length === 0 ? [] : (sql(text.replace('KEY', key)).all(JSON.stringify(some), ...values) as Cells[]),
  );
}
