import type { Claim, ClaimedRecord, Outbox } from '../../../src/journal/delivery.js';
import { type Bench, record, records, settled } from './kit.js';

// One key is one payment, in whichever runs it stands. Runs with different records have different digests, so they
// are not one run that goes on; each test lets them meet at the record `x`.

/** Records of the one run. */
export const MINE = () => records('x', 'a');
/** Records of the other. */
export const THEIRS = () => records('b', 'x');

/** The row numbers of records that a claim leaves to another process. */
export function waitingIn({ unclaimed }: Claim): number[] {
  return unclaimed.filter(({ why }) => why === 'elsewhere').map(({ id }) => id);
}

export function settle(
  outbox: Outbox,
  claimed: ClaimedRecord,
  state: Parameters<typeof settled>[1],
  twins = false,
): void {
  outbox.exchange([settled(claimed, state, twins)], null);
}

/** A run that is delivered, and a later one that meets it at `x`, each by a process of its own. */
export function meeting(bench: Bench, type: 'gig' | 'payout' = 'payout') {
  const [first, second] = [bench.process(), bench.process()];
  const earlier = first.pass([record(0, { key: 'x', type }), record(1, { key: 'a' })], { digest: 'mine' });
  const later = second.pass([record(0, { key: 'b' }), record(1, { key: 'x', type })], { digest: 'theirs' });
  return { first, second, earlier, later };
}
