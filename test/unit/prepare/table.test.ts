import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fingerprint } from '../../../src/keys/fingerprint.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import { type Decimal, formatDecimal, parsePlainNumber } from '../../../src/money/decimal.js';
import { startTotals } from '../../../src/money/totals.js';
import { RecordTable, type Status } from '../../../src/prepare/record-table.js';
import { KeyIndex } from '../../../src/prepare/key-index.js';
import { Integers, Numbers, PAGE_SIZE, type RecordPosition } from '../../../src/prepare/paged-arrays.js';

function add(entries: RecordTable, place: RecordPosition, key: string, amount: Decimal | null): number {
  return entries.addValid(place, {
    type: 'payout',
    currency: 'EUR',
    costCenter: null,
    amount,
    key: RecordKey.of(key),
    keySource: 'own',
    bodyHash: null,
  });
}

const NOTHING: Fingerprint = {
  content: 0n,
  payee: 0,
  title: 0,
  reference: null,
  date: null,
  measure: null,
  isOfFile: true,
};
const PLACE: RecordPosition = { file: 0, record: 1, line: null };

describe('entries', () => {
  it('keep what they are compared by, also where a page of them ends', () => {
    const hash = fc.integer().filter((each) => each !== 0);
    const fingerprint: fc.Arbitrary<Fingerprint> = fc.record({
      content: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      payee: fc.integer({ min: 1, max: 2 ** 47 - 1 }),
      title: hash,
      reference: fc.option(hash),
      date: fc.option(fc.integer({ min: -719_162, max: 2_932_896 })),
      measure: fc.option(hash),
      isOfFile: fc.boolean(),
    });
    const places = fc.shuffledSubarray([0, 5, PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 2]);
    const given = places.chain((all) => fc.tuple(...all.map((place) => fc.tuple(fc.constant(place), fingerprint))));
    fc.assert(
      fc.property(given, (set) => {
        const entries = new RecordTable();
        for (const [index, each] of set) entries.setFingerprint(index, each);
        for (const [index, each] of set) {
          expect(entries.fingerprint(index)).toEqual(each);
          expect(entries.payee(index)).toBe(each.payee);
        }
        expect(entries.fingerprint(4)).toEqual(NOTHING);
        expect(entries.payee(4)).toBe(0);
      }),
    );
  });

  it('keep the numbers of their payments', () => {
    const entries = new RecordTable();
    for (let i = 0; i <= PAGE_SIZE; i++) add(entries, PLACE, `k${i}`, null);
    entries.setPayment(1, 2 ** 53);
    entries.setPayment(PAGE_SIZE, 3 * 2 ** 31 + 7);
    expect([0, 1, PAGE_SIZE - 1, PAGE_SIZE].map((index) => entries.payment(index))).toEqual([
      0,
      2 ** 53,
      0,
      3 * 2 ** 31 + 7,
    ]);
  });

  it('are counted in the state that each is in, and their money with it', () => {
    const entries = new RecordTable();
    const states = ['pending', 'planned', 'created', 'already_created', 'skipped', 'rejected', 'unknown', 'not_sent'];
    for (const [i, state] of states.entries()) {
      const index = add(entries, PLACE, `k${i}`, parsePlainNumber(`${i + 1}`, '.'));
      entries.setStatus(index, state as Status);
      expect(entries.status(index)).toBe(state);
      expect(entries.isValid(index)).toBe(true);
    }
    const invalid = entries.addInvalid(
      PLACE,
      { type: 'payout', currency: 'EUR', costCenter: null, amount: parsePlainNumber('99', '.') },
      'wrong',
    );
    const totals = startTotals();
    const counts = entries.total(totals, (status) => (status === 'invalid' ? null : status));
    expect(counts).toEqual(Object.fromEntries([...states, 'invalid'].map((state) => [state, 1])));
    // Its money is shown with it alone.
    expect(entries.amount(invalid)).toEqual({ units: 99n, scale: 0 });
    expect(entries.groupOf(invalid)).toMatchObject({ currency: 'EUR' });
    expect(totals.rows().map(({ status, amount }) => [status, formatDecimal(amount)])).toEqual(
      expect.arrayContaining(states.map((state, i) => [state, `${i + 1}`])),
    );
  });

  it('keep every amount exactly, small, large and below zero', () => {
    const units = fc.oneof(
      ...[fc.integer(), fc.maxSafeInteger(), fc.constantFrom(2 ** 32 - 1, 2 ** 32, -1, -(2 ** 32), 2 ** 53 - 1)].map(
        (each) => each.map(BigInt),
      ),
      fc.bigInt(),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ units, scale: fc.nat(300) }), { minLength: 1 }), (amounts) => {
        const entries = new RecordTable();
        const totals = startTotals();
        for (const amount of amounts) {
          totals.add(entries.groupOf(add(entries, PLACE, 'k', amount)), 'pending', amount);
        }
        amounts.forEach((amount, index) =>
          expect(formatDecimal(entries.amount(index) as Decimal)).toBe(formatDecimal(amount)),
        );
        const counted = startTotals();
        expect(entries.total(counted, (status) => status).pending).toBe(amounts.length);
        const row = counted.rows()[0];
        const same = totals.rows()[0];
        expect(formatDecimal(row?.amount as Decimal)).toBe(formatDecimal(same?.amount as Decimal));
      }),
    );
  });

  it('know where each record stands, across files and gaps', () => {
    const place = fc.record({
      file: fc.nat(2),
      record: fc.integer({ min: 1, max: 5 }),
      beyond: fc.option(fc.oneof(fc.nat(9), fc.nat(2 ** 31))),
    });
    fc.assert(
      fc.property(fc.array(place), fc.nat(50), (places, run) => {
        const entries = new RecordTable();
        const all = places.flatMap(({ file, record, beyond }) =>
          Array.from({ length: run % 7 }, (_, i) => ({
            file,
            record: record + i,
            line: beyond === null ? null : record + i + beyond,
            ...(beyond === null || beyond % 3 === 0 ? {} : { row: record + i + (beyond % 3) - 1 }),
          })),
        );
        for (const each of all) add(entries, each, 'k', null);
        all.forEach((each, index) => {
          expect(entries.placeOf(index)).toEqual(each);
          expect(entries.fileOf(index)).toBe(each.file);
        });
      }),
    );
  });
});

describe('the numbers of a page', () => {
  it.each([
    [
      'whole ones',
      new Numbers(),
      fc.oneof(
        fc.nat(9),
        fc.nat(2 ** 31 - 1).map((n) => n * 2),
      ),
    ],
    ['of either sign', new Integers(), fc.oneof(fc.integer({ min: -9, max: 9 }), fc.maxSafeInteger())],
  ])('%s are the last that were set', (_, numbers, arbitrary) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), arbitrary)), (steps) => {
        for (const [place, value] of steps) {
          numbers.set(place, value);
          expect(numbers.at(place)).toBe(value);
        }
      }),
    );
  });
});

describe('the index of keys', () => {
  it('finds each key, however many there are and whatever they look like', () => {
    const entries = new RecordTable();
    const index = new KeyIndex(entries);
    const keyAt = (n: number): string => {
      // Many share their first word, and many their mark.
      const words = [(n % 97) * 4096, n, n * 7919, n].map((word) => (word >>> 0).toString(16).padStart(8, '0'));
      const [a, b = '', c = '', d] = words;
      return n % 50 === 0 ? `own-${n}` : `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
    };
    const found: number[] = [];
    for (let n = 0; n < 40_000; n++) {
      const key = RecordKey.of(keyAt(n));
      if (n % 3 === 0) found.push(index.find(key) ?? -1);
      index.add(key, add(entries, PLACE, keyAt(n), null));
    }
    expect(new Set(found)).toEqual(new Set([-1]));
    const wrong = Array.from({ length: 40_000 }, (_, n) => n).filter((n) => index.find(RecordKey.of(keyAt(n))) !== n);
    expect(wrong).toEqual([]);
    expect(index.find(RecordKey.of(keyAt(40_001)))).toBeNull();
    expect(index.find(RecordKey.of('own-x'))).toBeNull();
  });

  it('finds a key that was looked for before another was added in between', () => {
    const entries = new RecordTable();
    const index = new KeyIndex(entries);
    const [one, other] = ['1', '2'].map((n) => RecordKey.of(`${n.repeat(8)}-0000-8000-8000-000000000000`));
    expect(index.find(one!)).toBeNull();
    index.add(other!, add(entries, PLACE, other!.text, null));
    index.add(one!, add(entries, PLACE, one!.text, null));
    expect([index.find(other!), index.find(one!)]).toEqual([0, 1]);
  });

  // Keys of a file's own may have little in them that differs: places that they share are looked at one by one.
  it.each<[what: string, words: (n: number) => number[]]>([
    ['counted up', (n) => [0, 0, 0, n]],
    ['counted up in the upper digits', (n) => [n << 16, 0, 0, 0]],
    ['of version 7, made within a minute', (n) => [0x01938f2a, 0x70000000, Math.imul(n, 0x5bd1e995), scattered(n)]],
    ['hashes', (n) => [scattered(n), 0, scattered(n + 1), scattered(n + 2)]],
  ])('finds keys that are %s without a walk through all others', (_what, words) => {
    const entries = new CountingEntries();
    const index = new KeyIndex(entries);
    const count = 10_000;
    for (let n = 0; n < count; n++) {
      const [first = 0, second = 0, third = 0, fourth = 0] = words(n);
      const key = new RecordKey(first | 0, second | 0, third | 0, fourth | 0);
      if (index.find(key) === null) index.add(key, add(entries, PLACE, key.text, null));
    }
    expect(entries.length).toBe(count);
    expect(entries.compared).toBeLessThan(count * 2);
  });
});

/** Counts how many entries were looked at that might have been the one. */
class CountingEntries extends RecordTable {
  compared = 0;

  override hasUuid(index: number, key: RecordKey): boolean {
    this.compared++;
    return super.hasUuid(index, key);
  }
}

function scattered(n: number): number {
  return createHash('sha256').update(String(n)).digest().readInt32BE();
}
