/** Tells each record's end once, page by page, as fast as it is read. */
import type { Status } from '../batch/table.js';
import type { Outcome } from '../ledger/payment.js';
import type { Reporter } from '../report/reporter.js';
import { type KnownRecord, recordReports, type RecordSources } from './record-reports.js';

/** Records that are told between two looks at whether the reader keeps up. */
const PAGE = 100;

export class RecordEvents {
  private readonly sources: RecordSources;
  private readonly reporter: Reporter;
  /** Why an entry is not created, if it is not. */
  private readonly errorOf: (index: number, status: Status, outcome: Outcome | null) => string | null;
  /** Entries whose event has been told, or is about to be. */
  private readonly told: Uint8Array;

  constructor(sources: RecordSources, reporter: Reporter, errorOf: RecordEvents['errorOf']) {
    this.sources = sources;
    this.reporter = reporter;
    this.errorOf = errorOf;
    this.told = new Uint8Array(sources.prepared.entries.length);
  }

  /** Whether anybody is told of single records. */
  get areWanted(): boolean {
    return this.reporter.record !== null;
  }

  isTold(index: number): boolean {
    return this.told[index] === 1;
  }

  /** Tells those that were not told yet. */
  async tell(records: Iterable<KnownRecord>): Promise<void> {
    let page: KnownRecord[] = [];
    for (const known of records) {
      if (this.told[known.index] === 1) continue;
      this.told[known.index] = 1;
      this.keepReason(known);
      if (!this.areWanted || page.push(known) < PAGE) continue;
      await this.tellPage(page);
      page = [];
    }
    await this.tellPage(page);
  }

  /** A rejects file and a report say why. */
  private keepReason(known: KnownRecord): void {
    const { entries } = this.sources.prepared;
    if (entries.status(known.index) === 'rejected') entries.setError(known.index, this.reasonOf(known) ?? 'rejected');
  }

  private reasonOf({ index, outcome }: KnownRecord): string | null {
    return this.errorOf(index, this.sources.prepared.entries.status(index), outcome);
  }

  private async tellPage(page: readonly KnownRecord[]): Promise<void> {
    const { record, ready } = this.reporter;
    if (record === null || page.length === 0) return;
    for (const report of await recordReports(page, this.sources, (known) => this.reasonOf(known))) record(report);
    await ready();
  }
}
