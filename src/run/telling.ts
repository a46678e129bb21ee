/** Tells each record's end once, page by page, as fast as it is read. */
import type { Looked } from '../preflight/look.js';
import { type CallRecords, type EntryOutcome, reportsOf } from '../report/live-records.js';
import type { Reporter } from '../report/reporter.js';
import { notSentWords } from './fate-states.js';

/** Records that are told between two looks at whether the reader keeps up. */
const PAGE = 100;

export class Telling {
  private readonly call: CallRecords;
  private readonly reporter: Reporter;
  /** Entries whose event has been told, or is about to be. */
  private readonly told: Uint8Array;

  constructor(call: CallRecords, reporter: Reporter) {
    this.call = call;
    this.reporter = reporter;
    this.told = new Uint8Array(call.prepared.entries.length);
  }

  /** Whether anybody is told of single records. */
  get isWanted(): boolean {
    return this.reporter.record !== null;
  }

  *untold(): Iterable<number> {
    for (let index = 0; index < this.told.length; index++) if (this.told[index] === 0) yield index;
  }

  /** Tells those that were not told yet. */
  async tell(records: Iterable<EntryOutcome>, looked: Looked): Promise<void> {
    let page: EntryOutcome[] = [];
    for (const known of records) {
      if (this.told[known.index] === 1) continue;
      this.told[known.index] = 1;
      this.keepReason(known, looked);
      if (!this.isWanted || page.push(known) < PAGE) continue;
      await this.tellPage(page);
      page = [];
    }
    await this.tellPage(page);
  }

  /** A rejects file says why, and has no ledger to ask. */
  private keepReason({ index, outcome }: EntryOutcome, looked: Looked): void {
    const { entries } = this.call.prepared;
    const status = entries.status(index);
    if (status !== 'rejected' && status !== 'skipped') return;
    const reason = notSentWords(index, outcome?.error ?? null, looked);
    if (status === 'rejected') entries.setError(index, reason ?? outcome?.error ?? 'rejected');
    else if (reason !== null) entries.setError(index, reason);
  }

  private async tellPage(page: readonly EntryOutcome[]): Promise<void> {
    const { record, ready } = this.reporter;
    if (record === null || page.length === 0) return;
    for (const report of await reportsOf(page, this.call)) record(report);
    await ready();
  }
}
