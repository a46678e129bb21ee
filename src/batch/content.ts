/** A valid record before it gets its key: its body, the input of its key, and its amount. */
import { type Around, aroundMember, canonicalJson, type SplitCanonical } from '../keys/canonical.js';
import { type Fingerprint, hash64 } from '../keys/fingerprint.js';
import { type KeyBasis, computeKey, KEY_FIELD } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { Decimal } from '../money/decimal.js';
import { daysSince1970 } from '../records/calendar.js';
import type { Body } from '../records/field.js';
import { foldId, foldText } from '../records/fold.js';
import type { RecordPlace } from '../records/issue.js';
import type { Kind } from '../records/kind.js';
import type { KeySource } from './entries.js';

export interface ContentParts {
  /** Canonical JSON of the body, around its key. */
  readonly text: SplitCanonical;
  readonly ownKey: RecordKey | null;
  readonly keySource: KeySource;
  /** The input of a computed key: the content, or the flat object of key columns. */
  readonly keyValue: string;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  readonly body: () => Body;
  /** Whether a field comes from the record's file: values that a flag sets on every record distinguish none. */
  readonly isOfFile: (name: string) => boolean;
  /** Base price of a result's task in cents, null when unknown. */
  readonly price: Decimal | null;
}

/** One record's amount, step by step. */
export interface AmountExplained {
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

export class Content {
  readonly kind: Kind;
  readonly parts: ContentParts;

  constructor(kind: Kind, parts: ContentParts) {
    this.kind = kind;
    this.parts = parts;
  }

  /** The record's key for an ordinal, which has no effect on a key from the file. */
  keyOf(batchId: string, ordinal: number): RecordKey {
    const { ownKey, keySource, keyValue } = this.parts;
    return ownKey ?? computeKey(batchId, this.kind.type, keySource as KeyBasis, keyValue, ordinal);
  }

  /** The same record as a row that corrects a rejected payment. CONTRACT: "Rejected, corrected". */
  correcting(rejected: Pick<KnownPayment, 'key' | 'content'>, batchId: string): Content {
    const { parts, kind } = this;
    if (parts.ownKey !== null) return this;
    const { key, content } = rejected;
    const hasItsKey = parts.keySource === 'content' && this.keyOf(batchId, 1).text === key;
    const isThatPayment = hasItsKey || this.fingerprint().content === content;
    if (isThatPayment) return new Content(kind, { ...parts, ownKey: RecordKey.of(key), keySource: 'rejected' });
    const keyValue = `{"body":${parts.text.without},"key":${JSON.stringify(key)}}`;
    return new Content(kind, { ...parts, keySource: 'replaces', keyValue });
  }

  /** Canonical JSON of the body as it is sent. */
  sent(key: RecordKey): string {
    return sentText(this.kind, this.parts.text, key.text);
  }

  /** The calculation of the amount. @param file path of the record's file */
  explained(file: string, { record, line }: RecordPlace): AmountExplained {
    const { kind, parts } = this;
    const { currency, amount, price } = parts;
    return { file, record, line, type: kind.type, currency, steps: kind.steps(parts.body(), price), amount };
  }

  /** The hashes by which history is searched. */
  fingerprint(): Fingerprint {
    const { kind, parts } = this;
    const body = parts.body();
    const ofFile = (name: string | null): string | null =>
      name !== null && parts.isOfFile(name) ? ((body[name] ?? null) as string | null) : null;
    const [reference, date] = [ofFile(kind.reference), ofFile(kind.date)];
    return {
      content: hash64(`${kind.type}\n${parts.text.without}`),
      similarity: hash64(similarText(kind, body)),
      reference: reference === null ? null : hash64(foldId(reference)),
      date: date === null ? null : daysSince1970(date),
      measure: kind.measure === null ? null : hash64(canonicalJson(body[kind.measure])),
    };
  }
}

/** Canonical JSON of a body as it is sent. The service documents no idempotency_key on gigs, so they get none. */
export function sentText({ keyed }: Kind, body: Around, key: string): string {
  return aroundMember(body, KEY_FIELD, keyed ? key : null);
}

/** Canonical JSON of an array: the type, then the fields of similar records: folded texts, unchanged numbers. */
function similarText({ type, similarity, fields }: Kind, body: Body): string {
  const shared = similarity.map((name) => {
    const value = body[name] ?? null;
    if (typeof value !== 'string') return canonicalJson(value);
    const isId = fields.some((field) => field.name === name && field.kind === 'id');
    return canonicalJson(isId ? foldId(value) : foldText(value));
  });
  return `["${type}",${shared.join(',')}]`;
}
