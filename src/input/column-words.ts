/** Rewords findings in the file's terms: the name of the column, and its field in brackets. */
import { excerpt, type Finding } from '../records/issue.js';
import type { ColumnBinding } from './raw-record.js';

/**
 * Messages begin with their field, so the column's name is inserted there.
 * @param columns of the record's file; undefined if it has none
 * @param isSet the command line sets the field, whatever the column contains
 */
export function inTermsOfFile(
  finding: Finding,
  columns: readonly ColumnBinding[] | undefined,
  isSet: (field: string) => boolean,
): Finding {
  const { field, message } = finding;
  if (columns === undefined || field === null || !message.startsWith(field) || isSet(field)) return finding;
  const column = columns.find(({ path }) => field === path || field.startsWith(`${path}.`));
  const missing = `${field} is missing`;
  const isMissing = message.startsWith(missing);
  const rest = message.slice(isMissing ? missing.length : field.length);
  if (column === undefined) {
    if (!isMissing) return finding;
    return {
      ...finding,
      listed: field,
      message: `No column gives ${field}${rest}: add the column, or --map COLUMN=${field}`,
    };
  }
  const quoted = `"${excerpt(column.name)}"`;
  const name = column.name === field ? quoted : `${quoted} (${field})`;
  return { ...finding, name, message: `${isMissing ? `The cell under ${name} is empty` : name}${rest}` };
}
