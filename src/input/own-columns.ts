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
    'To correct refused rows, import the rejects file. To send what was not sent, import the original file';
  throw new FileFault('results-file', line, `${found} ${remedy}`, name);
}

/** A cell of an own column; undefined where it is blank or not there. */
export function ownText(cells: readonly string[], index: number | null): string | undefined {
  const cell = index === null ? '' : (cells[index] ?? '');
  return cell.trim() === '' ? undefined : cell;
}

/** The same for an object, which loses the key: it is no field. @param findings in the object; a key that is no text is added */
export function takeKey(value: Body, findings: Finding[]): string | undefined {
  const key = value[KEY_COLUMN];
  delete value[KEY_COLUMN];
  // Most likely the key is given twice: nobody can tell which payment is replaced.
  if (key === undefined || key === null || findings.some(({ field }) => field === KEY_COLUMN)) return undefined;
  if (typeof key === 'string') return ownText([key], 0);
  const message = `${KEY_COLUMN} must be a string: the key of the refused payment, as the rejects file has it`;
  findings.push(error('wrong-type', KEY_COLUMN, message, key));
  return undefined;
}
