/** The columns that gigwork adds in its files: not fields of a record, but results of an earlier run. */
import type { Body } from '../records/types.js';
import { foldText } from '../records/fold.js';
import { type Finding, error } from '../records/issue.js';
import { FileFault } from './raw-record.js';

/** Why a record was refused. */
export const ERROR_COLUMN = 'gigwork_error';
/** The key of the record's payment. The corrected row replaces a rejected payment. */
export const KEY_COLUMN = 'gigwork_key';
/** In results: the record's final state, the id that the service gave it, and the time of that state. */
export const STATUS_COLUMN = 'gigwork_status';
export const ID_COLUMN = 'gigwork_id';
export const AT_COLUMN = 'gigwork_at';

/** Two columns of a task list that no other list of prices has. */
export const GIG_KEY_COLUMN = 'gig_key';
export const TASK_COLUMN = 'task';

const OWN_COLUMNS: readonly string[] = [ERROR_COLUMN, KEY_COLUMN, STATUS_COLUMN, ID_COLUMN, AT_COLUMN];

export function isResultColumn(name: string): boolean {
  return OWN_COLUMNS.includes(name);
}

const REMEDY =
  'To correct refused rows, import a corrected copy of the rejects file. To send what was not sent, import the original file';

/** `Gigwork Status`, `GIGWORK-STATUS:`: spreadsheets and people write names in other ways. */
function isStatusName(name: string): boolean {
  return foldText(name).replace(/[^\p{L}\p{N}]/gu, '') === 'gigworkstatus';
}

/**
 * Results are for a person's books. Imported by mistake with another journal, they would pay everybody again.
 * @param names of the columns, or of an object's members
 * @throws FileFault for a file of results; no flag skips it
 */
export function refuseResults(names: readonly string[], line: number | null): void {
  refuseReport(names, line);
  const name = names.find(isStatusName);
  if (name === undefined) return;
  const found = `This is a file of results: "${name.trim()}" says what became of each row. Nothing in it is sent.`;
  throw new FileFault('results-file', line, `${found} ${REMEDY}`, name);
}

/** How every report begins. */
const REPORT_COLUMNS = 'file,record,line,type,key,status';

/** @throws FileFault for a report of gigwork: its rows are payments that were made or refused already */
export function refuseReport(names: readonly string[], line: number | null): void {
  const first = names.slice(0, REPORT_COLUMNS.split(',').length).map((name) => name.trim().toLowerCase());
  if (first.join() !== REPORT_COLUMNS) return;
  const found = 'This is a report of gigwork: it says what became of each record. Nothing in it is sent.';
  throw new FileFault('results-file', line, `${found} ${REMEDY}`, REPORT_COLUMNS);
}

/** A cell in one of gigwork's columns; undefined if it is blank or missing. */
export function ownText(cells: readonly string[], index: number | null): string | undefined {
  const cell = index === null ? '' : (cells[index] ?? '');
  return cell.trim() === '' ? undefined : cell;
}

/** Removes the key from an object and returns it. @param findings in the object; adds one for a key that is not text */
export function extractKey(value: Body, findings: Finding[]): string | undefined {
  const key = value[KEY_COLUMN];
  delete value[KEY_COLUMN];
  // Most likely the object has the key twice: nobody can tell which payment is replaced.
  if (key === undefined || key === null || findings.some(({ field }) => field === KEY_COLUMN)) return undefined;
  if (typeof key === 'string') return ownText([key], 0);
  const message = `${KEY_COLUMN} must be a string: the key of the refused payment, as the rejects file has it`;
  findings.push(error('wrong-type', KEY_COLUMN, message, key));
  return undefined;
}
