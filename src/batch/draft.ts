/** A record as the ledger stores it. */
import type { Draft } from '../ledger/payment.js';
import { formatDecimal } from '../money/decimal.js';
import type { RecordType } from '../records/kind.js';
import type { Entries } from './table.js';

/** @param body canonical JSON, as it is sent */
export function draftOf(entries: Entries, index: number, body: string): Draft {
  const { type, currency, costCenter } = entries.groupOf(index);
  const amount = entries.amount(index);
  return {
    index,
    type: type as RecordType,
    key: entries.keyText(index),
    body,
    bodyHash: entries.bodyHash(index),
    content: entries.content(index),
    similarity: entries.similarity(index),
    reference: entries.reference(index),
    date: entries.date(index),
    measure: entries.measure(index),
    amount: amount === null ? null : formatDecimal(amount),
    currency,
    costCenter,
  };
}
