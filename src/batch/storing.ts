/** Valid records are stored with their exact bodies while the rest is read. */
import type { Ledger } from '../ledger/ledger.js';
import { type Draft, idOf, type PaymentId, type TargetName } from '../ledger/payment.js';
import type { Keyed, Preparation } from '../ledger/plan.js';
import { formatDecimal } from '../money/decimal.js';
import type { RecordType } from '../records/kind.js';
import type { Content } from './content.js';
import type { Entries } from './entries.js';

/** The ledger, as far as the preparation of a run needs it. */
export interface Store {
  readonly preparation: Preparation;
  /** The payments that records are already, in the order asked for; 0 for none. */
  readonly stored: (records: readonly Keyed[]) => Promise<readonly PaymentId[]>;
  /** Whether the target has no history: then nothing is asked for. */
  readonly isEmpty: boolean;
}

/** Null where nothing is stored: in a dry run. */
export async function storeOn(
  ledger: Ledger | null,
  target: TargetName | null,
  preparation: Preparation | null,
): Promise<Store | null> {
  if (ledger === null || target === null || preparation === null) return null;
  return {
    preparation,
    stored: (records) => ledger.stored(target, records),
    isEmpty: (await ledger.version(target)) === 0,
  };
}

/** A valid record that is read, and not yet stored. */
export interface Waiting {
  readonly index: number;
  readonly content: Content;
  readonly key: string;
  readonly body: string;
  readonly bodyHash: string;
}

/**
 * Stores the waiting records. One whose payment the ledger has already, with the same body, is not stored once more: it
 * points at that payment.
 */
export async function storeWaiting(waiting: readonly Waiting[], store: Store, entries: Entries): Promise<void> {
  const stored = store.isEmpty ? [] : await store.stored(waiting);
  const drafts: Draft[] = [];
  for (const [i, { index, content, body }] of waiting.entries()) {
    const payment = stored[i] ?? 0;
    entries.setPayment(index, payment === 0 ? idOf(store.preparation.number, index) : payment);
    if (payment === 0) {
      entries.setFingerprint(index, content.fingerprint());
      drafts.push(draftOf(entries, index, body));
    }
  }
  if (drafts.length > 0) await store.preparation.store(drafts);
}

/** A record as the ledger stores it. @param body canonical JSON, as it is sent */
export function draftOf(entries: Entries, index: number, body: string): Draft {
  const { type, currency, costCenter } = entries.groupOf(index);
  const { content, similarity, reference, date, measure } = entries.fingerprint(index);
  const amount = entries.amount(index);
  return {
    ...{ index, type: type as RecordType, key: entries.keyText(index), body, bodyHash: entries.bodyHash(index) },
    ...{ content, similarity, reference, date, measure },
    ...{ amount: amount === null ? null : formatDecimal(amount), currency, costCenter },
  };
}
