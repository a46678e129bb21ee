/** What preparing gives: all records of an input, or of a run that is resumed. */
import type { FileInfo, RereadInfo } from '../input/read-options.js';
import type { DraftRun } from '../journal/plan.js';
import type { BodyCache } from './bodies.js';
import type { KeyIndex } from './key-index.js';
import type { RecordTable } from './record-table.js';
import type { ResultReferences } from './result-references.js';

export interface PreparedRecords {
  readonly entries: RecordTable;
  readonly batchId: string;
  readonly index: KeyIndex;
  readonly files: readonly FileInfo[];
  /** By file: the data for a second reading; null if there is nothing to read again. */
  readonly readings: readonly (RereadInfo | null)[];
  /** A file itself has a fault: no flag skips it. */
  readonly faulty: boolean;
  /** Texts that are not in the journal, if they are kept. */
  readonly bodies: BodyCache;
  /** Keys of the rejected payments that records replace, by entry, invalid ones included. */
  readonly replaces: ReadonlyMap<number, string>;
  /** Records of a stored run whose bodies `batch prune` has removed, by entry: they are not sent without their file. */
  readonly pruned: ReadonlySet<number>;
  /** Of payouts that are not paid yet: results that they may be for. */
  readonly references: ResultReferences;
  /** Where the records are stored before the gate; null in a dry run, and for a run that is resumed. */
  readonly drafts: DraftRun | null;
}
