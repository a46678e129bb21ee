/**
 * The lease: the right of this process to send, which expires by itself. The database stores it; other processes take
 * over when it has expired by the database's clock. This process stops earlier: it counts from before its request, on
 * the later of two clocks, minus a margin.
 */
import { JournalError } from '../../errors.js';
import { RECORD_INFO } from '../../records/types.js';
import type { SendPermit } from '../plan.js';

/** All durations in milliseconds. */
export interface LeaseTiming {
  /** How long a lease lasts after it was renewed, by the database's clock. */
  readonly leaseMs: number;
  /**
   * This process stops so much earlier. Its clock and the database's do not run at the same speed, and no real pair of
   * clocks drifts apart by a twentieth. Their difference itself does not matter: only durations are compared.
   */
  readonly marginMs: number;
  /** Interval of the heartbeat: several renewals may fail before the lease runs out. */
  readonly renewMs: number;
  /** How often a process that waits for its lease looks at it. */
  readonly pollMs: number;
}

export function leaseTiming(leaseMs: number): LeaseTiming {
  return { leaseMs, marginMs: leaseMs / 20, renewMs: leaseMs / 6, pollMs: leaseMs / 60 };
}

export interface Clocks {
  /** Milliseconds; never set back. On some machines it stops during sleep. */
  readonly monotonic: () => number;
  /** Wall clock, milliseconds; it continues during sleep, and may be set back. */
  readonly now: () => number;
}

export interface LeaseRequestTime {
  readonly monotonic: number;
  readonly wall: number;
}

export interface Lease {
  /** To be called before each request to the database. */
  requestTime(): LeaseRequestTime;
  renewed(at: LeaseRequestTime): void;
  /** It is lost for good. The first cause counts. */
  lose(cause: JournalError): void;
  /** Why it is lost for good; null while it may be renewed. */
  readonly lost: JournalError | null;
  /** Milliseconds until this process must not send any more; 0 or less if it must not send now. */
  remainingMs(): number;
}

/** A lease that the database has not granted yet. */
export function createLease({ leaseMs, marginMs }: LeaseTiming, { monotonic, now }: Clocks): Lease {
  let from: LeaseRequestTime | null = null;
  let lost: JournalError | null = null;
  return {
    requestTime: () => ({ monotonic: monotonic(), wall: now() }),
    renewed: (at) => {
      if (lost === null) from = at;
    },
    lose: (cause) => {
      lost ??= cause;
      from = null;
    },
    get lost() {
      return lost;
    },
    remainingMs: () =>
      from === null ? 0 : leaseMs - marginMs - Math.max(monotonic() - from.monotonic, now() - from.wall),
  };
}

export interface PermitOptions {
  readonly lease: Lease;
  readonly timing: LeaseTiming;
  /** How long to wait for the lease, milliseconds. */
  readonly timeoutMs: number;
  /** The journal, as people name it. */
  readonly place: string;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * A payment with a key may leave while the lease lasts. A gig only if the lease outlasts its request: until then,
 * nobody else may send it or let a person settle it.
 */
export function createSendPermit(options: PermitOptions): SendPermit {
  const { lease, timeoutMs } = options;
  const { pollMs } = options.timing;
  const maySend: SendPermit['maySend'] = (type, ms) => lease.remainingMs() > (RECORD_INFO[type].keyed ? 0 : ms);
  const wait: NonNullable<SendPermit['waitForPermit']> = async (type, ms, stop) => {
    for (let waited = 0; !maySend(type, ms) && !stop.aborted; waited += pollMs) {
      if (lease.lost !== null) throw lease.lost;
      if (waited > timeoutMs)
        throw new JournalError(
          `the journal ${options.place} has not renewed the lease of this process, so nothing more is sent.`,
          { isPassing: true },
        );
      await options.sleep(pollMs, stop);
    }
  };
  return { maySend, waitForPermit: (type, ms, stop) => (maySend(type, ms) ? null : wait(type, ms, stop)) };
}
