/** The two files that are made of the input's records as they were typed: which records each has, and what it tells of them. */
import { AT_COLUMN, ERROR_COLUMN, ID_COLUMN, KEY_COLUMN, STATUS_COLUMN } from '../input/own-columns.js';
import { callReports, type CallRecords } from './live-records.js';
import { oneLine, type Told } from './typed-records.js';

/** A record that a file has. */
export interface ToldRecord {
  /** From 1 in its input. */
  readonly record: number;
  readonly told: Told;
}

export interface TypedOutput {
  readonly flag: string;
  /** What people call it: `Rejects written: …`. */
  readonly title: string;
  /** Behind those of the input. */
  readonly columns: readonly string[];
  /** Whether it has a record. */
  readonly has: (call: CallRecords, index: number) => boolean;
  /** The records that it has of the entries from `first` up to `end`, in order. */
  readonly records: (call: CallRecords, first: number, end: number) => AsyncIterable<ToldRecord>;
}

/** What has to be corrected: the invalid and the definitely rejected records. It needs no ledger, which may have failed. */
export const REJECTS: TypedOutput = {
  flag: '--rejects',
  title: 'Rejects',
  columns: [KEY_COLUMN, ERROR_COLUMN],
  // What was corrected since is nobody's work any more.
  has: ({ prepared: { entries }, corrected }, index) =>
    ['invalid', 'rejected'].includes(entries.status(index)) && !corrected.has(index),
  async *records(call, first, end) {
    const { entries } = call.prepared;
    for (let index = first; index < end; index++) {
      if (!REJECTS.has(call, index)) continue;
      const status = entries.status(index);
      // An invalid record has no payment yet. It may still replace an earlier one, which its own column says.
      const key = status === 'rejected' ? entries.keyText(index) : null;
      yield {
        record: entries.placeOf(index).record,
        told: { [KEY_COLUMN]: key, [ERROR_COLUMN]: oneLine(entries.error(index) ?? status) },
      };
    }
  },
};

/** What a person books and files: every record, with what became of it. */
export const RESULTS: TypedOutput = {
  flag: '--results',
  title: 'Results',
  columns: [STATUS_COLUMN, ID_COLUMN, KEY_COLUMN, AT_COLUMN, ERROR_COLUMN],
  has: () => true,
  async *records(call, first, end) {
    for await (const { record, status, id, key, at, error } of callReports(call, first, end))
      yield {
        record,
        told: {
          [STATUS_COLUMN]: status,
          [ID_COLUMN]: id ?? '',
          // An invalid record has none of its own, and may replace an earlier payment.
          [KEY_COLUMN]: key,
          [AT_COLUMN]: at === null ? '' : new Date(at).toISOString(),
          [ERROR_COLUMN]: oneLine(error ?? ''),
        },
      };
  },
};
