/** PREPARE: every record is read, checked, priced and keyed, and stored with its exact body. Nothing is sent. */
import { sha256 } from '../keys/key.js';
import type { DraftRun } from '../journal/plan.js';
import type { RecordKey } from '../keys/record-key.js';
import {
  type FileInfo,
  type RereadInfo,
  type OpenedFile,
  faultIssue,
  FileFault,
  type RawRecord,
} from '../input/raw-record.js';
import { inTermsOfFile } from '../input/column-words.js';
import { errorText, type Finding, type Issue, judged, positionText } from '../records/issue.js';
import type { RecordSchema } from '../records/kind.js';
import { capHeapGrowth, tuneYoungGeneration } from '../util/v8-heap.js';
import type { World } from '../world.js';
import { BodyCache, subjectPart } from './bodies.js';
import { CorrectionResolver, type PaymentLookup } from './corrections.js';
import { AmountWarnings, NO_CURRENCY, tryReadMoney } from './amount-warnings.js';
import { keepSubjects, type DraftStore, storedInvalid, storeDrafts, type PendingDraft } from './draft-store.js';
import type { RecordTable } from './record-table.js';
import type { RecordPosition } from './record-positions.js';
import { type AmountExplanation, type ValidRecord, emptyFingerprint } from './valid-record.js';
import { DateAdvice } from './date-advice.js';
import { SharedReference } from './shared-reference.js';
import { type ValidatedRow, RecordValidator, type ValidationRules } from './validator.js';
import {
  duplicateKey,
  type KeyAssignment,
  KeyIndex,
  type KeyAssigner,
  replacedTwice,
  createKeyAssigner,
} from './key-index.js';
import { findSimilarRows, RepeatedPayees, similarRowIssues } from './similar-rows.js';

export interface PrepareOptions {
  readonly files: readonly OpenedFile[];
  /** The kind of record in the file that is being read; known once its first record is there. */
  readonly kindOf: () => RecordSchema;
  /** The batch that was named; null: that of the payments which the input corrects, or the default one. */
  readonly batchId: string | null;
  /** Where to look up corrected payments; null if there is no target. */
  readonly history: PaymentLookup | null;
  readonly rules: ValidationRules;
  /** Warnings are errors. */
  readonly strict: boolean;
  readonly skipInvalid: boolean;
  /** The records are added here. */
  readonly entries: RecordTable;
  /** Where records are stored; null in a dry run. */
  readonly store: DraftStore | null;
  /** Keep unstored bodies for all output about single records. */
  readonly keepBodies: boolean;
  /** Keep the hashes for the digest: if there is a target. */
  readonly keepBodyHashes: boolean;
  /** Compute the hashes of contents: the history is searched for them. */
  readonly hasHistory: boolean;
  readonly onIssue: (issue: Issue) => void;
  /** Awaited after every few batches of records; may throw to end the preparation. */
  readonly onRead: (records: number) => Promise<void>;
  /** Receives the calculation of each amount; null if nobody needs it. */
  readonly explain: ((line: AmountExplanation) => void) | null;
  readonly world: World;
}

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
  /** Where the records are stored before the gate; null in a dry run, and for a run that is resumed. */
  readonly drafts: DraftRun | null;
}

/** Records per storing step: few, because long-lived objects cost more to collect. */
const STORE_BATCH = 1000;

/** From this many records on, memory matters more than time. */
const MANY = 100_000;

/** If no batch was named, a correction is looked for among this many records. */
const LOOKED_AT = 2000;

/** Batches that are read before signals are handled, and readers waited for: it costs as much as checking ten records. */
const BATCHES_AT_ONCE = 8;

/** Under `--strict`. */
const SIMILAR = 'This row looks like another row';

/** Warnings that are reported before waiting for the reader. */
const DOUBTS_AT_ONCE = 100;

/** @throws UsageError for a file that cannot be read or whose type is unclear */
export async function prepare(options: PrepareOptions): Promise<PreparedRecords> {
  tuneYoungGeneration();
  const preparing = new BatchPreparer(options);
  for (const [i, file] of options.files.entries()) await preparing.read(i, file);
  preparing.doubtSimilarRows();
  await preparing.flushDrafts();
  if (options.store !== null && options.skipInvalid)
    await keepSubjects(preparing, storedInvalid(options.entries), options.store.journal);
  return preparing;
}

class BatchPreparer implements PreparedRecords {
  readonly drafts: DraftRun | null;
  readonly entries: RecordTable;
  readonly index: KeyIndex;
  readonly files: readonly FileInfo[];
  readonly bodies = new BodyCache();
  readonly replaces = new Map<number, string>();
  readonly pruned = new Set<number>();
  /** By the key of a rejected payment: the first entry that replaces it. */
  private readonly replacing = new Map<string, number>();
  faulty = false;
  private readonly options: PrepareOptions;
  private readonly intake: RecordValidator;
  private keying: KeyAssigner | null = null;
  private readonly corrections: CorrectionResolver;
  private waiting: PendingDraft[] = [];
  /** Entries that are the same as an earlier one of their file. */
  private readonly identical = new Set<number>();
  private readonly payees = new RepeatedPayees();
  private readonly dates = new DateAdvice();
  /** That of the record that is being added. */
  private readonly print = emptyFingerprint();
  /** Of the file that is being read. */
  private reference = new SharedReference();

  constructor(options: PrepareOptions) {
    this.options = options;
    this.entries = options.entries;
    this.drafts = options.store?.preparation ?? null;
    this.index = new KeyIndex(this.entries);
    this.files = options.files.map(({ facts }) => facts);
    this.intake = new RecordValidator(options.rules);
    this.corrections = new CorrectionResolver(options.history, options.batchId, options.world.platform);
  }

  get batchId(): string {
    return this.corrections.batchId;
  }

  get readings(): readonly (RereadInfo | null)[] {
    return this.options.files.map((file) => file.firstReading());
  }

  async read(number: number, file: OpenedFile): Promise<void> {
    const doubts = new AmountWarnings(this.options.rules);
    const first = this.entries.length;
    this.reference = new SharedReference();
    let held: RawRecord[] = [];
    let fault: FileFault | null = null;
    let batches = 0;
    try {
      for await (const batch of file.records()) {
        await this.corrections.lookUp(batch, this.options.kindOf().type);
        held.push(...batch);
        // No key can be computed before the batch is known.
        if (!this.corrections.hasBatch && held.length < LOOKED_AT) continue;
        await this.validateChunk(number, held, doubts);
        held = [];
        if (this.entries.length > MANY) capHeapGrowth();
        if (batches++ % BATCHES_AT_ONCE === 0) await this.options.onRead(this.entries.length);
      }
    } catch (cause) {
      if (!(cause instanceof FileFault)) throw cause;
      fault = cause;
    }
    if (held.length > 0) await this.validateChunk(number, held, doubts);
    if (fault !== null) this.report(faultIssue(fault, file.facts.path));
    file.facts.reference = this.reference.shared;
    this.dates.release(file.facts.dates, (finding, place) => this.reportAt(finding, place));
    if (doubts.hasCurrency) await this.doubtCurrencies(first);
    this.doubtDropped(file.facts);
  }

  /** @param first entry of the file that was read */
  private async doubtCurrencies(first: number): Promise<void> {
    let ahead = 0;
    for (let index = first; index < this.entries.length; index++) {
      if (!this.entries.isValid(index) || this.entries.groupOf(index).currency !== null) continue;
      // There may be a million of them, so this waits for slow readers.
      if (++ahead % DOUBTS_AT_ONCE === 0) await this.options.onRead(this.entries.length);
      this.reportAt(NO_CURRENCY, this.entries.placeOf(index));
      if (this.options.strict) this.entries.invalidate(index, NO_CURRENCY.message);
    }
  }

  /** To be called once all files are read. */
  doubtSimilarRows(): void {
    const { strict } = this.options;
    const rows = findSimilarRows(this, this.payees, this.identical);
    for (const { file, record, line, ...finding } of similarRowIssues(this, rows))
      this.report({ ...judged(finding, strict), file, record, line });
    for (const index of strict ? rows : []) this.entries.invalidate(index, SIMILAR);
  }

  /** A column that may have been dropped by mistake concerns no single record: under `--strict` it refuses the run. */
  private doubtDropped({ path, dropped }: FileInfo): void {
    const { strict } = this.options;
    const place = { file: path, record: null, line: null };
    for (const finding of dropped.values())
      if (finding !== null) this.report({ ...judged(finding, strict), ...(strict && { fault: true }), ...place });
  }

  /** Each step is done for all records, so its data stays in the processor's cache: a twelfth of a dry run's time. */
  private async validateChunk(file: number, batch: readonly RawRecord[], doubts: AmountWarnings): Promise<void> {
    const kind = this.options.kindOf();
    this.corrections.decideBatch();
    this.keying ??= createKeyAssigner(this.batchId, this.entries, this.index);
    const { batchId, corrections } = this;
    const checked: ValidatedRow[] = [];
    const keys: (RecordKey | null)[] = [];
    for (const raw of batch) {
      const found = doubts.check(raw, kind, this.intake.check(raw, kind));
      checked.push(this.judge(corrections.isAny ? corrections.asCorrectionOf(raw, found) : found, raw));
    }
    for (const { content } of checked) keys.push(content === null ? null : content.keyOf(batchId, 1));
    for (const [i, raw] of batch.entries()) this.take(file, raw, kind, checked[i] as ValidatedRow, keys[i] ?? null);
    if (this.waiting.length >= STORE_BATCH) await this.flushDrafts();
  }

  /** Rewords findings in the file's terms. Under `--strict`, warnings are errors. No content after an error. */
  private judge(checked: ValidatedRow, { columns }: RawRecord): ValidatedRow {
    const { content } = checked;
    if (checked.findings.length === 0) return checked;
    const { strict, rules } = this.options;
    const isSet = (field: string): boolean => rules.setFields?.has(field.split('.', 1)[0] ?? '') === true;
    const findings = checked.findings.map((finding) => inTermsOfFile(judged(finding, strict), columns, isSet));
    if (content === null || findings.every(({ severity }) => severity === 'warning')) return { ...checked, findings };
    return { findings, content: null, ownKey: content.parts.ownKey };
  }

  /** @param firstKey null for an invalid record */
  private take(
    file: number,
    raw: RawRecord,
    kind: RecordSchema,
    found: ValidatedRow,
    firstKey: RecordKey | null,
  ): void {
    const place: RecordPosition = { file, record: raw.record, line: raw.line, row: raw.sheetRow };
    const index = this.entries.length;
    const { content, findings } = found;
    const keyed = content === null || firstKey === null ? null : (this.keying as KeyAssigner)(content, firstKey, place);
    const { identical = null } = keyed ?? {};
    if (identical !== null) this.identical.add(index);
    const checked = identical === null ? found : this.judge({ ...found, findings: [...findings, identical] }, raw);
    for (const finding of checked.findings) if (!this.dates.holds(finding, place)) this.reportAt(finding, place);
    if (keyed === null || checked.content === null) this.addInvalid(place, raw, kind, checked);
    else this.addValid(place, checked.content, keyed);
    this.keepReplaced(raw, index);
    this.options.world.failpoint('prepare:row');
  }

  private keepReplaced({ replaces }: RawRecord, index: number): void {
    if (replaces === undefined) return;
    this.replaces.set(index, replaces);
    const first = this.replacing.get(replaces);
    if (first === undefined) this.replacing.set(replaces, index);
    else this.refuseBoth(first, index, (where) => replacedTwice(replaces, where));
  }

  private addInvalid(place: RecordPosition, raw: RawRecord, kind: RecordSchema, checked: ValidatedRow): void {
    const money = { type: kind.type, ...tryReadMoney(raw, kind, checked) };
    const index = this.entries.addInvalid(place, money, errorText(checked.findings));
    if (checked.ownKey) this.holdKey(checked.ownKey, index);
    const { keepBodies, store, skipInvalid } = this.options;
    const input = keepBodies || (store !== null && skipInvalid) ? raw.read().input : null;
    if (input !== null) this.bodies.add(index, subjectPart(input, kind.type));
  }

  /** All records with one key are invalid, whatever else is wrong with one of them. */
  private holdKey(key: RecordKey, index: number): void {
    const found = this.index.find(key);
    if (found !== null) return this.refuseBoth(found, index, (where) => duplicateKey(key.text, where, true));
    this.entries.setKey(index, key);
    this.index.add(key, index);
  }

  private addValid(place: RecordPosition, content: ValidRecord, { key, duplicateOf }: KeyAssignment): void {
    const { currency, costCenter, amount, keySource } = content.parts;
    const { keepBodies, keepBodyHashes, store, explain, skipInvalid } = this.options;
    const body = keepBodyHashes ? content.bodyWithKey(key) : '';
    const bodyHash = keepBodyHashes ? sha256(body) : null;
    const { type } = content.kind;
    // One object, written out: this is done for millions of records.
    const index = this.entries.addValid(place, { type, currency, costCenter, amount, key, keySource, bodyHash });
    explain?.(content.explained(this.pathOf(place), place));
    if (duplicateOf === null) this.index.add(key, index);
    else this.refuseBoth(duplicateOf, index, (where) => duplicateKey(key.text, where, keySource === 'own'));
    // To store the records of a run that will be refused would be useless.
    const isRefused = this.faulty || (!skipInvalid && this.entries.countOf('invalid') > 0);
    const fingerprint = content.fingerprint(this.options.hasHistory, this.print);
    this.entries.setFingerprint(index, fingerprint);
    this.reference.add(fingerprint.reference);
    this.payees.add(fingerprint.payee);
    if (store !== null && !isRefused)
      return void this.waiting.push({ index, key: key.text, body, bodyHash: bodyHash ?? '' });
    if (keepBodies) this.bodies.add(index, content.parts.text);
  }

  /** All records with one key are invalid: nobody can tell which of them is meant. */
  private refuseBoth(first: number, second: number, findingFor: (where: string) => Finding): void {
    const both = [first, second];
    for (const index of both.filter((each) => this.entries.isValid(each))) {
      const place = this.entries.placeOf(index === first ? second : first);
      const finding = findingFor(`${positionText(place)} of ${this.pathOf(place)}`);
      this.reportAt(finding, this.entries.placeOf(index));
      this.entries.invalidate(index, finding.message);
    }
  }

  private pathOf({ file }: RecordPosition): string {
    return this.files[file]?.path ?? '';
  }

  /** Stores waiting records. Also to be called at the end. */
  async flushDrafts(): Promise<void> {
    const { waiting, entries } = this;
    const { store, world } = this.options;
    this.waiting = [];
    if (waiting.length === 0 || store === null) return;
    await storeDrafts(waiting, store, entries);
    world.failpoint('prepare:stored');
  }

  private reportAt(finding: Finding, place: RecordPosition): void {
    const { record, line, row } = place;
    const shown = { record, line, ...(row === undefined ? {} : { row }) };
    this.report({ ...judged(finding, this.options.strict), file: this.pathOf(place), ...shown });
  }

  private report(issue: Issue): void {
    if (issue.fault === true) this.faulty = true;
    this.options.onIssue(issue);
  }
}
