/** The simulated faults of the sandbox: pure decisions; chance and clock are parameters. */

export interface SandboxFaults {
  /** Delay before a request is processed and answered, milliseconds. */
  latency: number;
  /** Share of requests answered 503 with nothing created, 0 to 1. */
  failRate: number;
  /** Share of requests that create a record but are cut off without an answer, 0 to 1. */
  dropRate: number;
  /** Requests per second; further requests are answered 429. Null: no limit. */
  rateLimit: number | null;
}

export const NO_FAULTS: SandboxFaults = { latency: 0, failRate: 0, dropRate: 0, rateLimit: null };

/** What goes wrong with one request: nothing, a 503 before anything is created, or a cut connection after creation. */
export type InjectedFault = 'none' | 'fail' | 'drop';

/** Always draws twice, so that a seeded `random` gives the same run whatever the rates are. */
export function pickFault(faults: SandboxFaults, random: () => number): InjectedFault {
  const fails = random() < faults.failRate;
  const drops = random() < faults.dropRate;
  if (fails) return 'fail';
  return drops ? 'drop' : 'none';
}

const WINDOW_MS = 1000;

/**
 * Counts requests in windows of one second. A window begins with the first request after the previous window has ended.
 *
 * @param limit requests that a window admits; null admits all
 * @param now clock, milliseconds
 * @returns a function to call once for each request: true when it is admitted
 */
export function createThrottle(limit: number | null, now: () => number): () => boolean {
  if (limit === null) return () => true;
  let start = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const time = now();
    // A clock that was set back starts a new window too: otherwise a full window would last until the clock caught up.
    if (time - start >= WINDOW_MS || time < start) {
      start = time;
      count = 0;
    }
    count += 1;
    return count <= limit;
  };
}
