/** The columns of a file's records: those of a table, and in JSON the fields. */
import type { RawRecord } from '../input/raw-record.js';
import { columnPaths, type Field, fieldAt } from '../records/fields.js';
import type { RecordSchema } from '../records/schema.js';

export interface FileColumn {
  readonly path: string;
  readonly field: Field;
  /** Of a table: the index of its cell. */
  readonly index: number | null;
  /** As in the file; undefined, null or an empty text if the record has none. */
  readonly valueIn: (raw: RawRecord) => unknown;
}

/**
 * Null for a record that does not show them: it does not fit its file, or no file has it.
 * @param isSet a flag sets the field on every record, so the column does not count
 */
export function fileColumns(
  raw: RawRecord,
  { inputFields }: RecordSchema,
  isSet: (path: string) => boolean,
): FileColumn[] | null {
  const { columns, source } = raw;
  if (columns !== undefined)
    return columns
      .filter(({ path }) => !isSet(path))
      .map(({ index, path, field }) => ({ path, field, index, valueIn: ({ cells }) => cells?.[index] }));
  if (source === undefined) return null;
  return columnPaths(inputFields).flatMap((path) => {
    const field = isSet(path) ? null : fieldAt(inputFields, path);
    const steps = path.split('.');
    return field === null
      ? []
      : { path, field, index: null, valueIn: (each: RawRecord) => memberAt(each.source, steps) };
  });
}

/** Undefined if there is none. */
export function memberAt(value: unknown, steps: readonly string[]): unknown {
  let member = value;
  for (const step of steps) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, step)) return undefined;
    member = (member as Record<string, unknown>)[step];
  }
  return member;
}

export function isFilledValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
