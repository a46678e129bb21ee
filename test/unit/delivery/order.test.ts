import { describe, expect, it } from 'vitest';
import { type Order, startOrder } from '../../../src/delivery/order.js';
import type { ToSend } from '../../../src/ledger/payment.js';
import { seededRandom } from '../../support/builders.js';

const records = (count: number): ToSend[] =>
  Array.from({ length: count }, (_, index) => ({ index, type: 'payout', payment: index }));

function take(order: Order, count: number): number[] {
  const taken: number[] = [];
  for (; order.next !== null && taken.length < count; order.pass()) taken.push(order.next.index);
  return taken;
}

const upTo = (count: number): number[] => records(count).map(({ index }) => index);

describe('the order in which records are sent', () => {
  it('is that of the input', () => {
    const order = startOrder(records(5), Math.random);
    expect([take(order, 9), order.next]).toEqual([upTo(5), null]);
  });

  it('comes back to what was given back, in its order', () => {
    const order = startOrder(records(5), Math.random);
    take(order, 3);
    order.back(records(3).slice(1));
    expect(take(order, 9)).toEqual([1, 2, 3, 4]);
    order.back(records(2));
    expect(take(order, 9)).toEqual([0, 1]);
  });

  it('leaves the place where another process is for the end', () => {
    const order = startOrder(records(640), seededRandom(1));
    take(order, 100);
    order.evade();
    const taken = take(order, 999);
    expect(taken.toSorted((a, b) => a - b)).toEqual(upTo(640).slice(100));
    // A 64th of what was left.
    expect(taken.slice(-9)).toEqual(upTo(109).slice(100));
    expect(taken[0]).not.toBe(100);
  });

  it('comes to every record once, however often it evades and is given some back', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = seededRandom(seed);
      const order = startOrder(records(300), random);
      const done: number[] = [];
      while (order.next !== null) {
        const taken = take(order, 1 + Math.floor(random() * 20));
        const kept = Math.floor(random() * (taken.length + 1));
        done.push(...taken.slice(0, kept));
        order.back(taken.slice(kept).map((index) => records(300)[index]!));
        if (random() < 0.3) order.evade();
      }
      expect(done.toSorted((a, b) => a - b)).toEqual(upTo(300));
    }
  });

  it('evades no longer when it has met others everywhere', () => {
    const order = startOrder(records(3), seededRandom(1));
    for (let i = 0; i < 3; i++) order.evade();
    const next = order.next;
    order.evade();
    expect(order.next).toBe(next);
    expect(take(order, 9)).toHaveLength(3);
  });
});
