/**
 * The order in which records are sent: that of the input, as long as nobody else sends the same run. Two that follow it
 * together would go on asking for the same records. So whoever meets another process takes what is left block by block, in
 * an order of chance, and leaves a block for the end when it meets another there.
 */
import type { ToSend } from '../ledger/payment.js';

export interface Order {
  /** The record that comes next; null when all have come. */
  readonly next: ToSend | null;
  /** Goes past the next record. */
  pass(): void;
  /** These come next after all, in the order in which they came. */
  back(records: readonly ToSend[]): void;
  /** Another process is at work here: goes on elsewhere, as long as there is anywhere else to go. */
  evade(): void;
}

/** Into so many blocks the rest is divided; and the most records of one: it is sent within a second or so. */
const [BLOCKS, LARGEST_BLOCK] = [64, 512];

/** @param random uniform in [0, 1) */
export function startOrder(records: Iterable<ToSend>, random: () => number): Order {
  const source = records[Symbol.iterator]();
  /** What comes before all else, last first. */
  let soon: ToSend[] = [];
  /** Where another process was met, in place of the source: the last one comes next. */
  let blocks: ToSend[][] | null = null;
  let atTheEnd: ToSend[] = [];
  const pull = (): ToSend | null => {
    if (soon.length === 0 && blocks !== null) {
      const block = blocks.pop();
      soon = (block ?? atTheEnd).toReversed();
      if (block === undefined) atTheEnd = [];
    }
    if (soon.length > 0) return soon.pop() as ToSend;
    const { done, value } = source.next() as IteratorResult<ToSend, undefined>;
    return done === true ? null : value;
  };
  let next = pull();
  const back = (those: readonly ToSend[]): void => {
    soon.push(...(next === null ? [] : [next]), ...those.toReversed());
    next = pull();
  };
  return {
    get next() {
      return next;
    },
    pass: () => {
      next = pull();
    },
    back,
    evade: () => {
      if (next === null || blocks?.length === 0) return;
      const here = [next, ...soon.toReversed()];
      if (blocks === null) {
        const left = [...here, ...{ [Symbol.iterator]: () => source }];
        const size = Math.min(LARGEST_BLOCK, Math.ceil(left.length / BLOCKS));
        atTheEnd = left.slice(0, size);
        blocks = shuffled(inBlocks(left.slice(size), size), random);
      } else atTheEnd.push(...here);
      soon = [];
      next = pull();
    },
  };
}

function inBlocks(records: readonly ToSend[], size: number): ToSend[][] {
  return Array.from({ length: Math.ceil(records.length / size) }, (_, i) => records.slice(i * size, (i + 1) * size));
}

function shuffled<T>(list: T[], random: () => number): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [list[i], list[other]] = [list[other] as T, list[i] as T];
  }
  return list;
}
