/** Whether this process may send at this moment. */
import { JournalError } from '../../errors.js';
import { KINDS } from '../../records/kinds.js';
import type { Delivery } from '../claims.js';
import type { Heart } from './heart.js';
import type { Lease } from './lease.js';

export type Right = Pick<Delivery, 'maySend' | 'untilMaySend'>;

export interface RightOptions {
  readonly lease: Lease;
  readonly heart: Heart | null;
  /** How often the lease is looked at while it is waited for, milliseconds. */
  readonly everyMs: number;
  /** How long it is waited for, milliseconds. */
  readonly timeoutMs: number;
  readonly place: string;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * A payment with a key may leave while the lease lasts. A gig only while the lease outlasts its request: nobody else may
 * send it or let a person settle it before that is over.
 */
export function startRight({ lease, heart, everyMs, timeoutMs, place, sleep }: RightOptions): Right {
  const maySend: Right['maySend'] = (type, ms) => lease.left() > (KINDS[type].keyed ? 0 : ms);
  const wait: NonNullable<Right['untilMaySend']> = async (type, ms, stop) => {
    for (let waited = 0; !maySend(type, ms) && !stop.aborted; waited += everyMs) {
      if (heart?.stopped) throw heart.stopped;
      if (waited > timeoutMs)
        throw new JournalError(
          `the journal ${place} has not renewed the lease of this process, so nothing more is sent.`,
        );
      await sleep(everyMs, stop);
    }
  };
  return { maySend, untilMaySend: (type, ms, stop) => (maySend(type, ms) ? null : wait(type, ms, stop)) };
}
