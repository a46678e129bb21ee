import { describe, expect, it } from 'vitest';
import { doubtRules } from '../../../src/preflight/doubt.js';
import type { RecordType } from '../../../src/records/kind.js';
import { HOUR, START } from './kit.js';

const DAY_LONG = 24 * HOUR;
const SLACK = 5 * 60_000;

interface Case {
  readonly says: string;
  readonly type?: RecordType;
  /** Milliseconds since the first attempt. */
  readonly age: number;
  readonly lifetime?: number;
  readonly isProtected: boolean;
}

const CASES: readonly Case[] = [
  {
    says: 'a keyed record is protected while its first attempt is younger than the lifetime',
    age: DAY_LONG - 1,
    isProtected: true,
  },
  { says: 'a result too', type: 'result', age: 0, isProtected: true },
  { says: 'not when it is as old', age: DAY_LONG, isProtected: false },
  { says: 'gigs are not protected at all', type: 'gig', age: 0, isProtected: false },
  { says: '--key-lifetime 0: the service is not trusted to remember a key', age: 0, lifetime: 0, isProtected: false },
  { says: 'a lifetime of an hour', age: HOUR, lifetime: HOUR, isProtected: false },
  { says: 'a clock that is off by a little does no harm', age: 1 - SLACK, isProtected: true },
  { says: 'a clock that was set back says nothing about age', age: -SLACK, isProtected: false },
  { says: 'nor does it make a lifetime of nothing longer', age: 1 - SLACK, lifetime: 0, isProtected: false },
];

describe('a payment in doubt', () => {
  it.each(CASES)('$says', ({ type = 'payout', age, lifetime = DAY_LONG, isProtected }) => {
    const payment = { type, doubtSince: START };
    const by = doubtRules(lifetime, false, () => START + age);
    expect([by.isProtected(payment), by.mayResend(payment)]).toEqual([isProtected, isProtected]);
    // Resending is a person's risk; it protects nothing.
    const risking = doubtRules(lifetime, true, () => START + age);
    expect([risking.isProtected(payment), risking.mayResend(payment)]).toEqual([isProtected, true]);
  });

  it('grows older while a run goes on', () => {
    let now = START;
    const { isProtected } = doubtRules(HOUR, false, () => now);
    expect(isProtected({ type: 'payout', doubtSince: START })).toBe(true);
    now += HOUR;
    expect(isProtected({ type: 'payout', doubtSince: START })).toBe(false);
  });
});
