/**
 * Preparing beside an earlier run, the model. At a target with a history, most inputs were run before. As long as the
 * input's records are those of the model, they are not stored a second time. When the two differ, or when the input
 * becomes a run of its own all the same, the shared records are stored after all, with the bodies of the model.
 */
import { JournalError } from '../errors.js';
import type { Outbox } from '../journal/delivery.js';
import type { Gate, Journal, PreparingRun, RunHead, StoredRun } from '../journal/journal.js';
import type { PlannedRecord, RecordPlan } from '../journal/record.js';
import { formatDecimal } from '../money/decimal.js';
import type { RecordType } from '../records/kind.js';
import { contentBytes, likenessBytes, setStoredHashes } from './journal-hashes.js';
import type { Entries } from './table.js';

/**
 * How many records are stored at once. Few enough to keep memory low and other processes moving; enough to need few
 * commits: keys and hashes fall anywhere into their indexes, so each commit writes most of the indexes' pages.
 */
const BLOCK = 2500;

export class Beside implements PreparingRun {
  private readonly journal: Journal;
  private readonly head: RunHead;
  private readonly entries: Entries;
  /** The earlier run; null when there is none, undefined before it was looked for. */
  private model: StoredRun | null | undefined = undefined;
  /** How many records, from the first, are those of the model and are not stored. */
  private shared = 0;
  private own: PreparingRun | null = null;
  /** Records that are about to be stored together. */
  private waiting: PlannedRecord[] = [];

  /** @param entries what is known of each record that was given to {@link store}, bodies aside */
  constructor(journal: Journal, head: RunHead, entries: Entries) {
    this.journal = journal;
    this.head = head;
    this.entries = entries;
  }

  get run(): string {
    return this.stored().run;
  }

  /**
   * Whether the next records are those of the model, at the same places. Then they are not stored, and their hashes are
   * taken from the model: making them takes as long as all other checks.
   * @param from entry of the first record
   */
  shares(from: number, records: readonly RecordPlan[]): boolean {
    const model = this.isShared && from === this.shared ? this.modelOf(from, records) : null;
    const hashes = model === null ? null : this.journal.hashesOf(model, from, records);
    if (hashes === null) return false;
    setStoredHashes(this.entries, from, hashes);
    this.shared += records.length;
    return true;
  }

  store(records: readonly PlannedRecord[]): void {
    for (const record of records) this.waiting.push(record);
    if (this.waiting.length >= BLOCK) this.flush();
  }

  bodyAt(index: number): string {
    const model = this.isShared ? (this.model ?? null) : null;
    if (model === null) return this.stored().bodyAt(index);
    const body = this.journal.bodies(model, index, 1)[0] ?? null;
    if (body === null) throw new JournalError(CHANGED);
    return body;
  }

  abandon(): void {
    this.waiting = [];
    this.own?.abandon();
    this.own = null;
  }

  pass(gate: Gate): Outbox | null {
    return this.stored().pass(gate);
  }

  /** The earlier run that may have the same records, because it has the first valid record at the same place. */
  private modelOf(from: number, records: readonly RecordPlan[]): StoredRun | null {
    if (this.model === undefined) {
      const at = records.findIndex(({ key }) => key !== null);
      const first = records[at];
      this.model = first === undefined ? null : this.journal.beginningWith(this.head, { ...first, index: from + at });
    }
    return this.model;
  }

  /** Whether all records so far are those of the run, at the same places. */
  isSameAs(run: StoredRun): boolean {
    return this.isShared && this.model?.number === run.number && this.shared === this.entries.length;
  }

  /** Everything so far is in the model. */
  private get isShared(): boolean {
    return this.own === null && this.waiting.length === 0;
  }

  /** The input's own run, with all records that were given so far. */
  private stored(): PreparingRun {
    const own = this.opened();
    this.flush();
    return own;
  }

  private flush(): void {
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length > 0) this.opened().store(waiting);
  }

  /** The input's own run, with all records that it shares with the model. */
  private opened(): PreparingRun {
    if (this.own !== null) return this.own;
    const own = this.journal.prepare(this.head);
    try {
      for (let from = 0; from < this.shared; from += BLOCK) this.takeOver(own, from);
    } catch (cause) {
      // A run that lacks records must never pass a gate.
      own.abandon();
      throw cause;
    }
    this.own = own;
    return own;
  }

  /** Copies keys and bodies as they were compared. Decisions at the gate are written over them, as over any others. */
  private takeOver(own: PreparingRun, from: number): void {
    const count = Math.min(BLOCK, this.shared - from);
    const model = this.model as StoredRun;
    const plan = this.journal.plan(model, from, count);
    const bodies = this.journal.bodies(model, from, count);
    if (plan.length < count || bodies.length < count) throw new JournalError(CHANGED);
    own.store(plan.map(({ key, bodyHash }, i) => this.planned(from + i, key, bodies[i] ?? null, bodyHash)));
  }

  private planned(index: number, key: string | null, body: string | null, bodyHash: string): PlannedRecord {
    const { entries } = this;
    const { file, record, line } = entries.placeOf(index);
    const { type, currency, costCenter } = entries.groupOf(index);
    const place = { index, file, record, line, type: type as RecordType, key, body, bodyHash };
    if (key === null) return { ...place, ...NOTHING, error: entries.error(index) };
    // Since the record was compared, another process has pruned it or paid it again under another key.
    if (body === null || bodyHash !== entries.bodyHash(index)) throw new JournalError(CHANGED);
    const amount = entries.amount(index);
    return {
      ...place,
      content: contentBytes(entries, index),
      likeness: likenessBytes(entries, index),
      amount: amount === null ? null : formatDecimal(amount),
      currency,
      costCenter,
      error: null,
    };
  }
}

const CHANGED = 'the journal was changed by another process meanwhile. Nothing was sent; run the command again.';
const NOTHING = { content: null, likeness: null, amount: null, currency: null, costCenter: null };
