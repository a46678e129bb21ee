/** A valid record on its way to its key: what is sent of it, what its key is made from, and what it counts as. */
import type { SplitCanonical } from '../keys/canonical.js';
import { SHORT_HASH } from '../journal/record.js';
import { type KeyBasis, computeKey, sha256Bytes } from '../keys/key.js';
import type { RecordKey } from '../keys/record-key.js';
import type { Decimal } from '../money/decimal.js';
import type { Body } from '../records/field.js';
import type { Kind } from '../records/kind.js';
import type { KeySource } from './table.js';

/** The field that carries a record's key. */
export const KEY_FIELD = 'idempotency_key';

export interface ContentParts {
  /** Canonical JSON of the body, around its key. */
  readonly text: SplitCanonical;
  readonly ownKey: RecordKey | null;
  readonly keySource: KeySource;
  /** What a computed key is made from: the content, or the flat object of key columns. */
  readonly keyValue: string;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  readonly body: () => Body;
  /** The values of the fields that similar records share, as canonical JSON with commas between; null if not given. */
  readonly likeness: () => string;
  /** Base price of a result's task in cents, null when unknown. */
  readonly price: Decimal | null;
}

export class Content {
  readonly kind: Kind;
  readonly parts: ContentParts;

  constructor(kind: Kind, parts: ContentParts) {
    this.kind = kind;
    this.parts = parts;
  }

  /** The record's key for an ordinal; a key of its own has none. */
  keyOf(batchId: string, ordinal: number): RecordKey {
    const { ownKey, keySource, keyValue } = this.parts;
    return ownKey ?? computeKey(batchId, this.kind.type, keySource as KeyBasis, keyValue, ordinal);
  }

  /** Canonical JSON of the body as it is sent. */
  sent(key: RecordKey): string {
    // The service documents no idempotency_key on gigs, so none is sent with one.
    return this.kind.keyed ? this.parts.text.with(key.text) : this.parts.text.without;
  }

  /** How the amount came about. */
  steps(): string {
    return this.kind.steps(this.parts.body(), this.parts.price);
  }

  /** What history is searched by: the hash of the content, then the hash of the likeness. */
  hashes(): Uint8Array {
    const content = shortHash(`${this.kind.type}\n${this.parts.text.without}`);
    return Buffer.from(content + shortHash(`["${this.kind.type}",${this.parts.likeness()}]`), 'latin1');
  }
}

/** One character for each byte. */
function shortHash(text: string): string {
  return sha256Bytes(text).slice(0, SHORT_HASH);
}
