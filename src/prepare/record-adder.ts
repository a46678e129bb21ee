/** Adds checked records to the table: gives them keys, refuses those that share one, and stores drafts of the others. */
import type { RawRecord } from '../input/raw-record.js';
import { sha256 } from '../keys/key.js';
import type { RecordKey } from '../keys/record-key.js';
import { errorText, type Finding, positionText } from '../records/issue.js';
import type { RecordSchema } from '../records/schema.js';
import { tryReadMoney } from './amount-warnings.js';
import { BodyCache, subjectPart } from './bodies.js';
import { type PendingDraft, storeDrafts } from './drafts.js';
import type { InputIssues } from './input-issues.js';
import type { KeyAssigner, KeyAssignment } from './key-index.js';
import { createKeyAssigner, duplicateKey, KeyIndex, replacedTwice } from './key-index.js';
import type { RecordPosition } from './paged-arrays.js';
import type { PrepareContext } from './prepare-context.js';
import { RecordTable } from './record-table.js';
import { resultReference, ResultReferences } from './result-references.js';
import { RepeatedPayees, SharedReference } from './similar-rows.js';
import { emptyFingerprint, exactPayee, type ValidRecord } from './valid-record.js';
import type { ValidatedRow } from './validator.js';

/** Records per storing step: few, because long-lived objects cost more to collect. */
const STORE_BATCH = 1000;

export class RecordAdder {
  readonly entries = new RecordTable();
  readonly index = new KeyIndex(this.entries);
  readonly bodies = new BodyCache();
  /** Keys of the rejected payments that records replace, by entry, invalid ones included. */
  readonly replaces = new Map<number, string>();
  /** Entries that are the same as an earlier one of their file. */
  readonly identical = new Set<number>();
  readonly payees = new RepeatedPayees();
  readonly references = new ResultReferences();
  /** Of the file that is being read. */
  reference = new SharedReference();
  private readonly issues: InputIssues;
  private readonly context: PrepareContext;
  /** Null until the first record: then the batch is known. */
  private assignKey: KeyAssigner | null = null;
  /** By the key of a rejected payment: the first entry that replaces it. */
  private readonly replacing = new Map<string, number>();
  private pending: PendingDraft[] = [];
  /** That of the record that is being added. */
  private readonly fingerprint = emptyFingerprint();

  constructor(issues: InputIssues, context: PrepareContext) {
    this.issues = issues;
    this.context = context;
  }

  /**
   * Adds the next records of a file.
   * @param file its index
   * @param checked the same records, checked
   * @param batchId for which keys are computed: the same for all records of a run
   */
  async add(
    file: number,
    chunk: readonly RawRecord[],
    checked: readonly ValidatedRow[],
    schema: RecordSchema,
    batchId: string,
  ): Promise<void> {
    this.assignKey ??= createKeyAssigner(batchId, this.entries, this.index);
    const keys = checked.map(({ content }) => (content === null ? null : content.keyOf(batchId, 1)));
    for (const [i, raw] of chunk.entries()) {
      const place: RecordPosition = { file, record: raw.record, line: raw.line, row: raw.sheetRow };
      this.addRecord(place, raw, schema, checked[i] as ValidatedRow, keys[i] ?? null);
      this.context.world.failpoint('prepare:row');
    }
    if (this.pending.length >= STORE_BATCH) await this.flushDrafts();
  }

  /** @param firstKey null for an invalid record */
  private addRecord(
    place: RecordPosition,
    raw: RawRecord,
    schema: RecordSchema,
    found: ValidatedRow,
    firstKey: RecordKey | null,
  ): void {
    const index = this.entries.length;
    const { content, findings } = found;
    const keyed =
      content === null || firstKey === null ? null : (this.assignKey as KeyAssigner)(content, firstKey, place);
    const { identical = null } = keyed ?? {};
    if (identical !== null) this.identical.add(index);
    const checked =
      identical === null ? found : this.issues.judge({ ...found, findings: [...findings, identical] }, raw);
    this.issues.reportRecord(raw, schema, checked.findings, place);
    if (keyed === null || checked.content === null) this.addInvalid(place, raw, schema, checked);
    else this.addValid(place, checked.content, keyed);
    if (raw.replaces !== undefined) this.addReplaced(raw.replaces, index);
  }

  private addReplaced(key: string, index: number): void {
    this.replaces.set(index, key);
    const first = this.replacing.get(key);
    if (first === undefined) this.replacing.set(key, index);
    else this.refuseBoth(first, index, (where) => replacedTwice(key, where));
  }

  private addInvalid(place: RecordPosition, raw: RawRecord, schema: RecordSchema, checked: ValidatedRow): void {
    const { keepBodies, skipInvalid } = this.context;
    const money = { type: schema.type, ...tryReadMoney(raw, schema, checked) };
    const index = this.entries.addInvalid(place, money, errorText(checked.findings));
    if (checked.ownKey) this.holdKey(checked.ownKey, index);
    const input = keepBodies(schema.type, null) || skipInvalid ? raw.read().input : null;
    if (input !== null) this.bodies.add(index, subjectPart(input, schema.type));
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
    const { lookup, keepBodies, store, explain, skipInvalid } = this.context;
    // Only a target needs the hashes for the digest, and its history those of contents.
    const body = lookup === null ? '' : content.bodyWithKey(key);
    const bodyHash = lookup === null ? null : sha256(body);
    const { type } = content.kind;
    // One object, written out: this is done for millions of records.
    const index = this.entries.addValid(place, { type, currency, costCenter, amount, key, keySource, bodyHash });
    explain?.(content.explained(this.issues.pathOf(place), place));
    if (duplicateOf === null) this.index.add(key, index);
    else this.refuseBoth(duplicateOf, index, (where) => duplicateKey(key.text, where, keySource === 'own'));
    // To store the records of a run that will be refused would be useless.
    const isRefused = this.issues.faulty || (!skipInvalid && this.entries.countOf('invalid') > 0);
    const isCompared = lookup !== null && lookup.journal !== null;
    const fingerprint = content.fingerprint(isCompared, this.fingerprint);
    const form = isCompared ? content.idForm() : 0;
    this.entries.setFingerprint(index, fingerprint);
    if (isCompared) this.entries.setIdForm(index, form);
    this.reference.add(fingerprint.reference);
    this.payees.add(fingerprint.payee);
    if (type === 'payout' && lookup !== null) this.addReference(index, content);
    if (store !== null && !isRefused) this.pending.push({ index, key: key.text, body, bodyHash: bodyHash ?? '' });
    // Of a correction, a dry run shows the payee.
    else if (keySource === 'replaces' || keepBodies(type, exactPayee(fingerprint.payee, form)))
      this.bodies.add(index, content.parts.text);
  }

  private addReference(index: number, { parts: { values } }: ValidRecord): void {
    const reference = resultReference((name) => values.valueOf(name));
    if (reference !== null) this.references.add(index, reference);
  }

  /** All records with one key are invalid: nobody can tell which of them is meant. */
  private refuseBoth(first: number, second: number, findingFor: (where: string) => Finding): void {
    const { entries } = this;
    for (const index of [first, second].filter((each) => entries.isValid(each))) {
      const other = entries.placeOf(index === first ? second : first);
      const finding = findingFor(`${positionText(other)} of ${this.issues.pathOf(other)}`);
      this.issues.reportAt(finding, entries.placeOf(index));
      entries.invalidate(index, finding.message);
    }
  }

  /** Stores the pending drafts. Also to be called at the end. */
  async flushDrafts(): Promise<void> {
    const { pending, entries } = this;
    const { store, world } = this.context;
    this.pending = [];
    if (pending.length === 0 || store === null) return;
    await storeDrafts(pending, store, entries);
    world.failpoint('prepare:stored');
  }
}
