/** The columns that the tool's own files add to a person's: no field of a record, but what an earlier run said of it. */
import type { Body } from '../records/field.js';
import { type Finding, error } from '../records/issue.js';
import type { Naming } from './columns.js';
import type { RawRecord } from './raw.js';

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

/** Which cells of a row hold what an earlier run said of it; null for a column that the file lacks, or that is dropped. */
export interface OwnCells {
  readonly key: number | null;
  readonly status: number | null;
}

/** @param cells of the header */
export function ownCells(cells: readonly string[], { ignore }: Naming): OwnCells {
  const indexOf = (name: string): number | null => {
    const index = ignore.has(name) ? -1 : cells.findIndex((cell) => cell.trim() === name);
    return index < 0 ? null : index;
  };
  return { key: indexOf(KEY_COLUMN), status: indexOf(STATUS_COLUMN) };
}

/** A cell of an own column; undefined where it is blank or not there. */
export function ownText(cells: readonly string[], index: number | null): string | undefined {
  const cell = index === null ? '' : (cells[index] ?? '');
  return cell.trim() === '' ? undefined : cell;
}

export interface OwnMembers extends Pick<RawRecord, 'replaces' | 'toldStatus'> {
  /** What keeps the key from being used. */
  readonly findings: readonly Finding[];
}

/** The same for an object. @param found in the object's JSON */
export function ownMembers(value: Body, found: readonly Finding[], { ignore }: Naming): OwnMembers {
  const said = (name: string): unknown => (ignore.has(name) || !Object.hasOwn(value, name) ? null : value[name]);
  const key = said(KEY_COLUMN);
  const status = said(STATUS_COLUMN);
  // Most likely the key is given twice: nobody can tell which payment is replaced.
  const inKey = ignore.has(KEY_COLUMN) ? [] : found.filter(({ field }) => field === KEY_COLUMN);
  if (key !== null && typeof key !== 'string') inKey.push(keyNoText(key));
  const isUsable = typeof key === 'string' && key.trim() !== '' && inKey.length === 0;
  return {
    replaces: isUsable ? key : undefined,
    toldStatus: typeof status === 'string' && status.trim() !== '' ? status : undefined,
    // Faults of the file are told of every member, also of those that are no fields.
    findings: inKey.filter(({ fault }) => fault !== true),
  };
}

function keyNoText(key: unknown): Finding {
  const message = `${KEY_COLUMN} must be a string: the key of the rejected payment, as the rejects file has it`;
  return error('wrong-type', KEY_COLUMN, message, key);
}
