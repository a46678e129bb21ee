/** The records of a run as sums and plans need them. */
import { typeOf } from './codes.js';
import type { ListedRecord, RecordState } from './payment.js';

/** The first so many of all records, in the order of the input. */
export function inOrder<Item extends RecordState>(
  invalid: readonly Item[],
  valid: readonly Item[],
  count: number,
): Item[] {
  const all = invalid.length === 0 ? [...valid] : [...invalid, ...valid].sort((one, other) => one.index - other.index);
  return all.slice(0, count);
}

const NO_PAYMENT = {
  payment: null,
  standsFor: null,
  isCreated: false,
  state: 'not_sent',
  settledBy: null,
  amount: null,
  currency: null,
  costCenter: null,
} as const;

/** An invalid record. @param type its code */
export function invalidListed(index: number, type: number): ListedRecord {
  return { index, type: typeOf(type), ...NO_PAYMENT };
}
