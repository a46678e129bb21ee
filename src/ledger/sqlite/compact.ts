/**
 * How keys, hashes and bodies are stored: a third of a payment would be its key, three times as text. A key that is a
 * lower-case UUID, as every computed one is, is stored as its 16 bytes; any other as text. A body is stored without the
 * member that holds its key, with the place where that stands.
 */
import { KEY_FIELD } from '../../keys/key.js';
import type { Form } from '../store/driver.js';

/** SQL: the stored form of the key that stands for the question mark. */
export const KEY_BYTES = `iif(? GLOB '${[8, 4, 4, 4, 12].map((digits) => '[0-9a-f]'.repeat(digits)).join('-')}', unhex(?, '-'), ?)`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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

/** The member as it stands in canonical JSON, with the comma after it. */
function memberOf(key: string): string {
  return `"${KEY_FIELD}":${JSON.stringify(key)},`;
}

/** The very body that was stored. @param stored null where it was removed, @param place where the key's member was */
export function bodyOf(stored: string | null, key: string, place: number | null): string | null {
  if (stored === null || place === null) return stored;
  return stored.slice(0, place) + memberOf(key) + stored.slice(place);
}

export const FORM: Form = { keyOf, hashOf, bodyOf };

type Cell = string | number | bigint | null;

export interface StoredForm {
  /** SQL. */
  readonly insert: string;
  readonly values: readonly Cell[];
}

/** How a row of `payment` is stored. @param columns names, of which the last three are `key`, `body_hash` and `body` */
export function startStoring(columns: readonly string[]): (row: readonly Cell[]) => StoredForm {
  const places = columns.slice(0, -3).map(() => '?');
  const insert = `INSERT INTO payment (${columns.join()}, key_place) VALUES (${places.join()}, KEY, unhex(?), ?, ?)`;
  // For keys that are stored as bytes, and for others.
  const [uuid, other] = [insert.replace('KEY', "unhex(?, '-')"), insert.replace('KEY', '?')];
  const keyAt = columns.length - 3;
  return (row) => {
    const [key, body] = [row[keyAt] as string, row[keyAt + 2] as string | null];
    const member = memberOf(key);
    const found = body?.indexOf(member) ?? -1;
    const place = found === -1 ? null : found;
    const values = row.slice();
    if (body !== null && place !== null) values[keyAt + 2] = body.slice(0, place) + body.slice(place + member.length);
    values.push(place);
    return { insert: UUID.test(key) ? uuid : other, values };
  };
}
