/** The type of a file's records: named by a person, or shown by the file's columns. */
import { UsageError } from '../errors.js';
import type { Shape } from '../records/fields.js';
import { RECORD_SCHEMAS, typesShownBy } from '../records/record-schemas.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import type { FileInfo, ReadOptions } from './read-options.js';

/**
 * Decides the shape of a file's records.
 * @param names of the file's fields, and of those that flags set on every record
 * @param advice what to do if the names do not show the type; null for nothing special
 * @throws UsageError if no name, or more than one, shows the type
 */
export function chooseShape(
  names: readonly string[],
  { type, shape }: ReadOptions,
  info: FileInfo,
  advice: () => string | null = () => null,
): Shape {
  if (shape !== null) return shape;
  info.type = type ?? typeByColumns(names, info.path, advice);
  return RECORD_SCHEMAS[info.type];
}

const SHOWN_NAMES = 8;

function typeByColumns(names: readonly string[], path: string, adviceFor: () => string | null): RecordType {
  const types = typesShownBy(names);
  const [type] = types;
  if (type !== undefined && types.length === 1) return type;
  const marks = RECORD_TYPES.map((each) => `"${RECORD_SCHEMAS[each].mark}" makes a ${each}`).join(', ');
  const found =
    type === undefined
      ? 'no column tells'
      : `the columns ${types.map((each) => RECORD_SCHEMAS[each].mark).join(' and ')} do not agree on`;
  const shown = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name));
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  const advice = adviceFor();
  const remedy =
    advice === null
      ? 'Name the type with --type, rename a column with --map, or give the line of the column names with --header-line'
      : `${advice}. Or name the type of the records with --type`;
  throw new UsageError(
    `${path}: ${found} what the records are (${marks}); found ${shown.join(', ') || 'no column names'}${more}. ${remedy}`,
  );
}
