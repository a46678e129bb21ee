/** Files of rows, and how a command line reads them. CONTRACT: "Input flags". */
import { createHash } from 'node:crypto';
import { csv, ndjson, type Row as Fields } from '../support/builders.js';
import type { Json } from './keys.js';
import { foldedReference, inOtherOrder } from './likeness.js';
import type { RecordType, Row } from './rows.js';

/** How the dates in a CSV file are written. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';

export interface Sheet {
  readonly name: string;
  /** As they stand there, each date as the year, month and day that was meant. */
  readonly rows: readonly Row[];
  readonly dates: DateOrder;
  readonly text: string;
}

/** What a command line says of how its files are read. */
export interface Reading {
  /** `--set`: field → value, over what the file says. */
  readonly sets: Readonly<Record<string, Json>>;
  /** `--map`: column → field. */
  readonly maps: Readonly<Record<string, string>>;
  readonly dates: DateOrder;
}

/** Where a record stood in a file. */
export interface Source {
  /** Of the file. */
  readonly digest: string;
  readonly line: number;
  /** Fields that are not from the file. */
  readonly set: readonly string[];
  /** Its reference (of a result: its task) is that of all rows of the file, of three or more. */
  readonly sharesReference: boolean;
}

const DATES = ['billing_date', 'delivery_date'] as const;

export function sheetOf(name: string, rows: readonly Row[], order: DateOrder = 'ymd'): Sheet {
  const isCsv = name.endsWith('.csv');
  const dates = isCsv ? order : 'ymd';
  const all = rows.map(({ fields, ownKey, replaces }): Fields => {
    const own = ownKey === null ? {} : { idempotency_key: ownKey };
    const written = withDates(fields, (date) => writtenDate(date, dates));
    return { ...written, ...own, ...(replaces === null ? {} : { gigwork_key: replaces }) };
  });
  // Gigs have fields that are awkward in cells, so they come as NDJSON.
  return { name, rows, dates, text: isCsv ? csv(all) : ndjson(all) };
}

export function typeOf({ rows }: Sheet): RecordType {
  return (rows[0] as Row).type;
}

/** The rows as this command line reads them. */
export function readRows({ rows, dates, name }: Sheet, reading: Reading): Row[] {
  return rows.map((row): Row => {
    const mapped = Object.fromEntries(
      Object.entries(row.fields).map(([column, value]): [string, Json] => [reading.maps[column] ?? column, value]),
    );
    const isOtherOrder = name.endsWith('.csv') && dates !== 'ymd' && dates !== reading.dates;
    const hasDate = DATES.some((date) => mapped[date] !== undefined && reading.sets[date] === undefined);
    const read = isOtherOrder ? withDates(mapped, inOtherOrder) : mapped;
    // Without a word about their order, such dates are none.
    const isReadable = !(isOtherOrder && reading.dates === 'ymd' && hasDate);
    const fields = { ...read, ...reading.sets };
    const hasTitle = fields['title'] !== undefined && (row.isValid || reading.sets['title'] !== undefined);
    return { ...row, fields, isValid: hasTitle && isReadable };
  });
}

export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** @param rows of the file, as they were read */
export function sourceOf({ name, text }: Sheet, rows: readonly Row[], at: number, { sets }: Reading): Source {
  const references = new Set(
    rows.map(({ fields }) => foldedReference(fields['reference_id'] ?? fields['gig_task_id'])),
  );
  return {
    digest: digestOfText(text),
    line: at + (name.endsWith('.csv') ? 2 : 1),
    set: Object.keys(sets),
    sharesReference: rows.length >= 3 && references.size === 1,
  };
}

function withDates(fields: Row['fields'], change: (date: string) => string): Row['fields'] {
  const all = Object.entries(fields).map(([name, value]): [string, Json] => {
    const isDate = DATES.some((date) => date === name) && typeof value === 'string';
    return [name, isDate ? change(value) : value];
  });
  return Object.fromEntries(all);
}

function writtenDate(date: string, order: DateOrder): string {
  const [year, month, day] = date.split('-') as [string, string, string];
  return { ymd: date, dmy: `${day}.${month}.${year}`, mdy: `${month}/${day}/${year}` }[order];
}
