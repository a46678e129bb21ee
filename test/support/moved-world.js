// @ts-check
// Another world for the program, which environment variables describe:
// - TEST_FAIL_AT=point#n: a fault of the program itself, when a named point is reached for the n-th time
// - TEST_CLOCK_AHEAD=ms: the wall clock is so much ahead
// - TEST_SKIP_WAITS=1: nothing is waited for; both clocks move on instead
// - TEST_CLOCK_JUMPS=ms: the wall clock jumps ahead by so much at SIGUSR2, and back again at the next one
// - TEST_LEASE_MS=ms: how long the right to send lasts that a shared journal gives
// - TEST_TELL=1: says on standard error `listening`, when signals are heard from now on, and `wait MS` for every wait
import { setImmediate as turn } from 'node:timers/promises';

/**
 * @param {import('../../src/world.js').RawWorld} real
 * @param {(point: import('../../src/world.js').Failpoint) => void} onReached
 * @returns {import('../../src/world.js').RawWorld}
 */
export function movedWorld(real, onReached = () => {}) {
  const { TEST_FAIL_AT, TEST_CLOCK_AHEAD, TEST_CLOCK_JUMPS, TEST_LEASE_MS, TEST_SKIP_WAITS, TEST_TELL } = real.env;
  /** @type {Record<string, number>} */
  const counts = {};
  let ahead = 0;
  let jumped = 0;
  if (TEST_CLOCK_JUMPS !== undefined)
    process.on('SIGUSR2', () => (jumped = jumped === 0 ? Number(TEST_CLOCK_JUMPS) : 0));
  /** @param {string} line */
  const tell = (line) => TEST_TELL !== undefined && real.stderr.write(`${line}\n`);
  const monotonic = () => real.monotonic() + ahead;
  return {
    ...real,
    // A wall clock gives whole milliseconds.
    now: () => real.now() + Math.round(ahead) + Number(TEST_CLOCK_AHEAD ?? 0) + jumped,
    leaseMs: Number(TEST_LEASE_MS ?? real.leaseMs),
    monotonic,
    sleep: async (ms, signal) => {
      tell(`wait ${Math.round(ms)}`);
      if (TEST_SKIP_WAITS === undefined) return real.sleep(ms, signal);
      const until = monotonic() + ms;
      await turn();
      // Waits at the same time overlap: the clock moves on to the latest end, and not by their sum.
      if (signal?.aborted !== true) ahead = Math.max(ahead, until - real.monotonic());
    },
    onStopSignal: (handler) => {
      real.onStopSignal(handler);
      tell('listening');
    },
    failpoint: (point) => {
      onReached(point);
      counts[point] = (counts[point] ?? 0) + 1;
      if (TEST_FAIL_AT === `${point}#${counts[point]}`) throw new TypeError('a fault that the test has made');
    },
  };
}
