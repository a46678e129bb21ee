/** A valid record before it gets its key: its body, the input of its key, and its amount. */
import { type SplitJson, joinAroundMember, canonicalJson, type SplitBody } from '../keys/canonical.js';
import { type Fingerprint, hash64, TextHash } from '../keys/fingerprint.js';
import { type KeyBasis, computeKey, KEY_FIELD } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { StoredPayment } from '../journal/payment.js';
import type { Decimal } from '../money/decimal.js';
import { daysSince1970 } from '../records/calendar.js';
import type { RecordSchema } from '../records/schema.js';
import type { Body, RecordInfo } from '../records/types.js';
import { foldId, foldReference, foldText } from '../records/fold.js';
import type { RecordPlace } from '../records/issue.js';
import type { KeySource } from './record-table.js';

/** The values of a record. For most, they are read from its cells only when they are needed. */
export interface RecordValues {
  body(): Body;
  /** A value of the body; null if it has none. */
  valueOf(name: string): unknown;
  /** Whether a field comes from the record's file: values that a flag sets on every record distinguish none. */
  isOfFile(name: string): boolean;
}

export interface ValidRecordParts {
  /** Canonical JSON of the body, around its key. */
  readonly text: SplitBody;
  readonly ownKey: RecordKey | null;
  readonly keySource: KeySource;
  /** The input of a computed key: the content, or the flat object of key columns. */
  readonly keyValue: string;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  readonly values: RecordValues;
  /** Base price of a result's task in cents, null when unknown. */
  readonly price: Decimal | null;
}

/** One record's amount, step by step. */
export interface AmountExplanation {
  readonly file: string;
  readonly record: number;
  readonly line: number | null;
  readonly type: string;
  readonly currency: string | null;
  /** `3 × 250 × 1.5` */
  readonly steps: string;
  /** Null when the price is not known. */
  readonly amount: Decimal | null;
}

export class ValidRecord {
  readonly kind: RecordSchema;
  readonly parts: ValidRecordParts;

  constructor(kind: RecordSchema, parts: ValidRecordParts) {
    this.kind = kind;
    this.parts = parts;
  }

  /** The record's key for an ordinal, which has no effect on a key from the file. */
  keyOf(batchId: string, ordinal: number): RecordKey {
    const { ownKey, keySource, keyValue } = this.parts;
    return ownKey ?? computeKey(batchId, this.kind.type, keySource as KeyBasis, keyValue, ordinal);
  }

  /** The same record as a row that corrects a rejected payment. CONTRACT: "Rejected, corrected". */
  asCorrectionOf(rejected: Pick<StoredPayment, 'key' | 'content'>, batchId: string): ValidRecord {
    const { parts, kind } = this;
    if (parts.ownKey !== null) return this;
    const { key, content } = rejected;
    const hasItsKey = parts.keySource === 'content' && this.keyOf(batchId, 1).text === key;
    const isThatPayment = hasItsKey || this.fingerprint().content === content;
    if (isThatPayment) return new ValidRecord(kind, { ...parts, ownKey: RecordKey.of(key), keySource: 'rejected' });
    const keyValue = `{"body":${parts.text.without},"key":${JSON.stringify(key)}}`;
    return new ValidRecord(kind, { ...parts, keySource: 'replaces', keyValue });
  }

  /** Canonical JSON of the body as it is sent. */
  bodyWithKey(key: RecordKey): string {
    return sentText(this.kind, this.parts.text, key.text);
  }

  /** The calculation of the amount. @param file path of the record's file */
  explained(file: string, { record, line }: RecordPlace): AmountExplanation {
    const { kind, parts } = this;
    const { currency, amount, price } = parts;
    return { file, record, line, type: kind.type, currency, steps: kind.steps(parts.values.body(), price), amount };
  }

  /**
   * @param withContent compute the hash of the content, too: only the history needs it. Else it is 0
   * @param into the object that is filled: for millions of records, one does, and leaves no garbage
   */
  fingerprint(withContent = true, into: MutableFingerprint = emptyFingerprint()): Fingerprint {
    const { kind, parts } = this;
    const { values } = parts;
    const reference = ofFile(kind.reference, values);
    const date = ofFile(kind.date, values);
    into.content = withContent ? hash64(`${kind.type}\n${parts.text.without}`) : 0n;
    into.payee = payeeOf(kind, values);
    into.title = titleHash(values.valueOf(kind.purpose) as string);
    into.reference = reference === null ? null : hash.start().addText(foldReference(reference)).narrow();
    into.date = date === null ? null : daysSince1970(date);
    into.measure =
      kind.measure === null
        ? null
        : hash
            .start()
            .addText(String(values.valueOf(kind.measure)))
            .narrow();
    into.isOfFile = areOfFile(kind.compared, values);
    return into;
  }

  /** See {@link idForm}; 0 for a gig, which is paid to nobody yet. */
  idForm(): number {
    const { kind, parts } = this;
    return kind.type === 'gig' ? 0 : idForm(parts.values.valueOf('user_id') as string);
  }
}

type MutableFingerprint = { -readonly [Name in keyof Fingerprint]: Fingerprint[Name] };

export function emptyFingerprint(): MutableFingerprint {
  return { content: 0n, payee: 0, title: 0, reference: null, date: null, measure: null, isOfFile: true };
}

function areOfFile(names: readonly string[], values: RecordValues): boolean {
  for (const name of names) if (!values.isOfFile(name)) return false;
  return true;
}

function ofFile(name: string | null, values: RecordValues): string | null {
  return name !== null && values.isOfFile(name) ? (values.valueOf(name) as string | null) : null;
}

const hash = new TextHash();

/** The hash of a title, as fingerprints have it. */
export function titleHash(title: string): number {
  return hash.start().addFolded(title, foldText).narrow();
}

/** The hash of the payee. Texts are folded, other values are canonical JSON. */
export function payeeOf({ type, payee }: RecordInfo, values: Pick<RecordValues, 'valueOf'>): number {
  hash.start().addText(type);
  for (const name of payee) {
    const value = values.valueOf(name);
    hash.addText('\0');
    // One field is an ID, and several are a title with what is not a text.
    if (typeof value === 'string') hash.addFolded(value, payee.length === 1 ? foldId : foldText);
    else hash.addText(canonicalJson(value));
  }
  return hash.wide();
}

/** Most IDs: lower case, without spaces and zeros at the start. */
const FOLDED_ID = /^[!-/1-@[-~][!-@[-~]*$/;

/** How an ID is written: 0 if it is as it folds, else a hash. It tells apart IDs that fold to one payee: `0045`, `45`. */
export function idForm(id: string): number {
  return FOLDED_ID.test(id) || foldId(id) === id ? 0 : hash.start().addText(id).narrow();
}

/** The payee with exactly this ID. @param payee the hash of the folded ID */
export function exactPayee(payee: number, form: number): number {
  return payee + (form >>> 0);
}

/** Canonical JSON of a body as it is sent. The service documents no idempotency_key on gigs, so they get none. */
export function sentText({ keyed }: RecordInfo, body: SplitJson, key: string): string {
  return joinAroundMember(body, KEY_FIELD, keyed ? key : null);
}
