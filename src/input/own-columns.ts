/** The columns that the tool's own files add to a person's: no field of a record, but what an earlier run said of it. */
import type { Body } from '../records/field.js';
import { type Finding, error } from '../records/issue.js';
import { FileFault } from './raw.js';

/** Why a record was not taken. */
export const ERROR_COLUMN = 'gigwork_error';
/** The key of the record's payment. A rejected one is replaced by the corrected row. */
export const KEY_COLUMN = 'gigwork_key';
/** In results: how the record ended, the id that the service gave it, and when that was. */
export const STATUS_COLUMN = 'gigwork_status';
export const ID_COLUMN = 'gigwork_id';
export const AT_COLUMN = 'gigwork_at';

const OWN_COLUMNS: readonly string[] = [ERROR_COLUMN, KEY_COLUMN, STATUS_COLUMN, ID_COLUMN, AT_COLUMN];

export function isOwnColumn(name: string): boolean {
  return OWN_COLUMNS.includes(name);
}

/** Whether an object has a member that is no field, but the tool's own. */
export function hasOwnColumns(value: Body): boolean {
  return OWN_COLUMNS.some((name) => Object.hasOwn(value, name));
}

/** `Gigwork Status`, `GIGWORK-STATUS`: spreadsheets and people write names in other ways. */
const GAP = '[\\s_\\p{Pd}]*';
const STATUS_NAME = new RegExp(`^${GAP}${Array.from('gigworkstatus').join(GAP)}${GAP}$`, 'iu');

/**
 * Results are for a person's books. Imported by mistake, they would pay everybody again where the journal is another one.
 * @param names of the columns, or of an object's members
 * @throws FileFault which no flag skips, for a file of results
 */
export function refuseResults(names: readonly string[], line: number | null): void {
  const name = names.find((each) => STATUS_NAME.test(each));
  if (name === undefined) return;
  const found = `This is a file of results: "${name.trim()}" says what became of each row. Nothing in it is sent.`;
  const remedy =
    'To correct rejected rows, import the rejects file. To send what was not sent, import the original file';
  throw new FileFault('results-file', line, `${found} ${remedy}`, name);
}

/**
 * The cell with the key of the payment that a row replaces; null where the file lacks the column, or it is dropped.
 * @param cells of the header. @param ignore columns that are dropped by their names
 */
export function keyCell(cells: readonly string[], ignore: ReadonlySet<string>): number | null {
  const index = ignore.has(KEY_COLUMN) ? -1 : cells.findIndex((cell) => cell.trim() === KEY_COLUMN);
  return index < 0 ? null : index;
}

/** A cell of an own column; undefined where it is blank or not there. */
export function ownText(cells: readonly string[], index: number | null): string | undefined {
  const cell = index === null ? '' : (cells[index] ?? '');
  return cell.trim() === '' ? undefined : cell;
}

export interface OwnKey {
  /** As the file has it; undefined where it is blank or not there. */
  readonly replaces: string | undefined;
  /** What keeps the key from being used. */
  readonly findings: readonly Finding[];
}

/** The same for an object. @param found in the object's JSON */
export function ownKey(value: Body, found: readonly Finding[], ignore: ReadonlySet<string>): OwnKey {
  if (ignore.has(KEY_COLUMN)) return { replaces: undefined, findings: [] };
  const key = Object.hasOwn(value, KEY_COLUMN) ? value[KEY_COLUMN] : null;
  // Most likely the key is given twice: nobody can tell which payment is replaced.
  const inKey = found.filter(({ field }) => field === KEY_COLUMN);
  if (key !== null && typeof key !== 'string') inKey.push(keyNoText(key));
  return {
    replaces: typeof key === 'string' && key.trim() !== '' && inKey.length === 0 ? key : undefined,
    // Faults of the file are told of every member, also of those that are no fields.
    findings: inKey.filter(({ fault }) => fault !== true),
  };
}

function keyNoText(key: unknown): Finding {
  const message = `${KEY_COLUMN} must be a string: the key of the rejected payment, as the rejects file has it`;
  return error('wrong-type', KEY_COLUMN, message, key);
}
