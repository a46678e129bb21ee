/**
 * The order in which records are sent: that of the input, as long as nobody else sends the same run. Where another process
 * is at the same records, each would wait for the other: then this one goes on somewhere else, and comes back at the end.
 */
import type { ToSend } from '../ledger/payment.js';

export interface Order {
  /** The record that comes next; null when all have come. */
  readonly next: ToSend | null;
  /** Goes past the next record. */
  pass(): void;
  /** Goes on at another of the records that are left. */
  leap(): void;
}

/** @param random uniform in [0, 1) */
export function startOrder(records: Iterable<ToSend>, random: () => number): Order {
  let source = records[Symbol.iterator]();
  const pull = (): ToSend | null => {
    const { done, value } = source.next() as IteratorResult<ToSend, undefined>;
    return done === true ? null : value;
  };
  let next = pull();
  return {
    get next() {
      return next;
    },
    pass: () => {
      next = pull();
    },
    leap: () => {
      if (next === null) return;
      const left = [next, ...{ [Symbol.iterator]: () => source }];
      const at = Math.floor(random() * left.length);
      source = [...left.slice(at), ...left.slice(0, at)][Symbol.iterator]();
      next = pull();
    },
  };
}
