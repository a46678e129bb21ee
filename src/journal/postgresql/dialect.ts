/** The store's SQL as PostgreSQL reads it, and how values are bound. */
import { CREATED, columnsIn } from '../store/common-schema.js';
import type { StorageFormat, SqlScalar, SqlValue } from '../store/driver.js';
import { SCHEMA } from './schema.js';

/** PostgreSQL stores keys and bodies unchanged. */
export const FORM: StorageFormat = { keyOf: (cell) => cell, hashOf: (cell) => cell, bodyOf: (stored) => stored };

/** SQL: number of the last claim. */
const LAST_CLAIM = '(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM claim_number)';

/** Replaces the store's SQL by PostgreSQL's; see src/journal/store/driver.ts. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  // Forces the order: PostgreSQL expects few, long ranges, and might scan all payments for each range.
  [
    /\bpayments_in\(([^,]+), ([^)]+)\) p\b/g,
    'LATERAL (SELECT * FROM payment WHERE payment.id BETWEEN $1 AND $2 OFFSET 0) p ON true',
  ],
  // Without statistics, it might walk all payments, and search this list for each.
  [/\bpayments_of\(([^)]+)\) s\b/g, 'LATERAL (SELECT * FROM by_payee WHERE by_payee.payee = $1 OFFSET 0) s ON true'],
  [/= ANY_KEY \(/g, '= ANY ('],
  [/\bkey_of\((\w+)\)/g, '$1.key'],
  [/\bhash_of\((\w+)\)/g, "encode($1.body_hash, 'hex')"],
  [/\bkey_place_of\((\w+)\)/g, 'NULL::int'],
  [/\bwhole_body = /g, 'body = '],
  [/\bbytes_of\(([^)]*)\)/g, "decode($1, 'hex')"],
  [/\buser_of\((\w+)\)/g, 'coalesce($1.copied_user, $1.user_name)'],
  [/\bopen_claim\((.*?)\) c\b/g, `claim c ON c.payment = $1 AND coalesce(o.state, 0) <> ${CREATED}`],
  [/\bclaimed c\b/g, 'claim c'],
  [/\blast_claim\(\)/g, LAST_CLAIM],
  [/\bjson_list\((\w+)\)/g, 'CAST(json_agg($1) AS text)'],
];

const GIVEN = /\bgiven\(\$(\d+), ([^)]*)\) (\w+)/;

export interface NamedStatement {
  readonly text: string;
  /** With a name, the server plans a statement once for a connection. */
  readonly name: string;
  /** Place of the value that holds rows, and their number of columns; null for none. */
  readonly given: { readonly place: number; readonly columns: number } | null;
}

const statements = new Map<string, NamedStatement>();

/** Cached: there are only a few different texts. */
export function statementOf(text: string): NamedStatement {
  let statement = statements.get(text);
  if (statement === undefined) statements.set(text, (statement = asPostgresql(text, `s${statements.size}`)));
  return statement;
}

function asPostgresql(text: string, name: string): NamedStatement {
  const written = REWRITES.reduce((so, [word, instead]) => so.replace(word, instead), text);
  const [all, place = '', list = '', alias = ''] = GIVEN.exec(written) ?? [];
  if (all === undefined) return { text: written, name, given: null };
  const columns = list.split(', ').map((column) => column.split(' ') as [name: string, type: string]);
  const lists = columns.map(([, type], i) => `$${Number(place) + i}::${type}[]`);
  const table = `unnest(${lists.join()}) ${alias}(${columns.map(([each]) => each).join()})`;
  return { text: written.replace(all, table), name, given: { place: Number(place) - 1, columns: columns.length } };
}

type BoundValue = string | number | null | readonly (string | number | null)[];

/** The values of a statement for the driver: rows become one list for each column. */
export function bound(values: readonly SqlValue[], { given }: NamedStatement): BoundValue[] {
  return values.flatMap((value, i): BoundValue[] => {
    if (i === given?.place) return columnLists(value as readonly (readonly SqlScalar[])[], given.columns);
    return [Array.isArray(value) ? (value as SqlScalar[]).map(cellOf) : cellOf(value as SqlScalar)];
  });
}

function columnLists(rows: readonly (readonly SqlScalar[])[], count: number): (string | number | null)[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => cellOf(row[column] ?? null)));
}

function cellOf(cell: SqlScalar): string | number | null {
  return typeof cell === 'bigint' ? String(cell) : cell;
}

const COLUMN_TYPES = columnsIn(SCHEMA);

/** SQL that adds the rows of its only value to a table. */
export function insertion(table: string, columns: readonly string[]): string {
  const given = columns.map((name) => `"${name}" ${COLUMN_TYPES.get(table)?.get(name) ?? 'text'}`);
  const cells = columns.map((name) => (name === 'body_hash' ? `decode(u.body_hash, 'hex')` : `u."${name}"`));
  return `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join()}) OVERRIDING SYSTEM VALUE
    SELECT ${cells.join()} FROM given($1, ${given.join(', ')}) u`;
}
