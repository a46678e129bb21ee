/**
 * The right of this process to send, which ends by itself. The database keeps it; others take over when it has run out by
 * the database's clock. Here it ends earlier: it counts from before it was asked for, on the later of two clocks, less a
 * margin.
 */

export interface Clocks {
  /** Milliseconds; never set back. It stands still while some machines sleep. */
  readonly monotonic: () => number;
  /** Wall clock, milliseconds; it goes on while a machine sleeps, and may be set back. */
  readonly now: () => number;
}

export interface Asked {
  readonly monotonic: number;
  readonly wall: number;
}

export interface Lease {
  /** To be called before the database is asked. */
  asked(): Asked;
  renewed(at: Asked): void;
  /** It is gone for good. */
  end(): void;
  /** Milliseconds until this process may no longer be sending; 0 or less when it may not now. */
  left(): number;
}

/** @param ms how long it lasts by the database's clock */
export function startLease(ms: number, { monotonic, now }: Clocks): Lease {
  const margin = ms / 20;
  let from: Asked | null = null;
  let isOver = false;
  return {
    asked: () => ({ monotonic: monotonic(), wall: now() }),
    renewed: (at) => {
      if (!isOver) from = at;
    },
    end: () => {
      isOver = true;
      from = null;
    },
    left: () => (from === null ? 0 : ms - margin - Math.max(monotonic() - from.monotonic, now() - from.wall)),
  };
}
