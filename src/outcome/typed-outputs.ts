/** The two files that are made of the input's records as they were typed: which records each has, and what it tells of them. */
import type { Entries } from '../batch/table.js';
import { idIn } from '../delivery/http/answer.js';
import { AT_COLUMN, ERROR_COLUMN, ID_COLUMN, KEY_COLUMN, STATUS_COLUMN } from '../input/own-columns.js';
import { oneLine, type Told } from '../report/typed-records.js';
import type { KnownRecord } from './record-reports.js';
import { knownRecords, type OutputContext, reasonOf } from './report-rows.js';

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
  readonly has: (context: OutputContext, index: number) => boolean;
  /** The records that it has of the entries from `first` up to `end`, in order. */
  readonly records: (context: OutputContext, first: number, end: number) => AsyncIterable<ToldRecord>;
}

/** What has to be corrected: the invalid and the definitely rejected records. */
export const REJECTS: TypedOutput = {
  flag: '--rejects',
  title: 'Rejects',
  columns: [KEY_COLUMN, ERROR_COLUMN],
  // What was corrected since is nobody's work any more.
  has: ({ prepared: { entries }, corrected }, index) =>
    ['invalid', 'rejected'].includes(entries.status(index)) && !corrected.has(index),
  async *records(context, first, end) {
    const { entries } = context.prepared;
    for (let index = first; index < end; index++) {
      if (!REJECTS.has(context, index)) continue;
      const status = entries.status(index);
      // An invalid record has no payment yet. It may still replace an earlier one, which its own column says.
      const key = status === 'rejected' ? entries.keyText(index) : null;
      yield {
        record: recordOf(entries, index),
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
  async *records(context, first, end) {
    const { entries } = context.prepared;
    for await (const page of knownRecords(context, first, end))
      for (const known of page) yield { record: recordOf(entries, known.index), told: resultOf(known, context) };
  },
};

function resultOf(known: KnownRecord, { prepared: { entries }, options }: OutputContext): Told {
  const { index, outcome } = known;
  const error = oneLine(reasonOf(known, entries) ?? '');
  const at = outcome !== null && 'at' in outcome ? new Date(outcome.at).toISOString() : '';
  return {
    [STATUS_COLUMN]: entries.status(index),
    [ID_COLUMN]: idIn(outcome?.response ?? null, options.response.id) ?? '',
    // An invalid record has none of its own, and may replace an earlier payment.
    [KEY_COLUMN]: entries.key(index),
    [AT_COLUMN]: at,
    [ERROR_COLUMN]: error,
  };
}

function recordOf(entries: Entries, index: number): number {
  return entries.placeOf(index).record;
}
