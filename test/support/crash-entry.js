// @ts-check
// The program in another world, which environment variables describe:
// - TEST_KILL_AT=point#n: SIGKILL when a named point (CrashPoint in src/world.ts) is reached for the n-th time;
//   `event#n` is the n-th of everything that happens: callbacks, SQL statements, named points
// - TEST_FAIL_AT=point#n: a fault of the program itself, when a named point is reached for the n-th time
// - TEST_CLOCK_AHEAD=ms: the wall clock is so much ahead
// - TEST_SKIP_WAITS=1: nothing is waited for; both clocks move on instead
// - TEST_TELL=1: says on standard error `listening`, when signals are heard from now on, and `wait MS` for every wait
// - TEST_COUNT_TO=file: how often each point was reached, and the events, as JSON at the end
import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { main, processWorld } from '../../bundle/main.js';

const { TEST_KILL_AT, TEST_FAIL_AT, TEST_CLOCK_AHEAD, TEST_SKIP_WAITS, TEST_TELL, TEST_COUNT_TO } = process.env;
const [fatalPoint = '', fatalNumber = '0'] = (TEST_KILL_AT ?? '').split('#');
/** @type {Record<string, number>} */
const counts = {};

/** @param {string} point */
function count(point) {
  counts[point] = (counts[point] ?? 0) + 1;
  if (point === fatalPoint && counts[point] === Number(fatalNumber)) process.kill(process.pid, 'SIGKILL');
  if (TEST_FAIL_AT === `${point}#${counts[point]}`) throw new TypeError('a fault that the test has made');
}

const countEvent = () => count('event');

if (fatalPoint === 'event' || TEST_COUNT_TO !== undefined) {
  createHook({ before: countEvent }).enable();
  // The driver's classes cannot be changed, so the program gets others in their place.
  const counted = new URL('counted-sqlite.js', import.meta.url).href;
  const resolve = `(name, context, next) =>
    name === '@photostructure/sqlite' && context.parentURL !== '${counted}'
      ? { url: '${counted}', shortCircuit: true }
      : next(name, context)`;
  register(`data:text/javascript,${encodeURIComponent(`export const resolve = ${resolve};`)}`);
  const { onStatement } = await import('./counted-sqlite.js');
  onStatement(countEvent);
}

const real = processWorld();
let ahead = 0;
/** @param {string} line */
const tell = (line) => TEST_TELL !== undefined && process.stderr.write(`${line}\n`);
const monotonic = () => real.monotonic() + ahead;

/** @type {import('../../src/world.js').World} */
const world = {
  ...real,
  now: () => real.now() + ahead + Number(TEST_CLOCK_AHEAD ?? 0),
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
  reached: (point) => {
    count(point);
    countEvent();
  },
};

const exitCode = await main(process.argv.slice(2), world);
if (TEST_COUNT_TO !== undefined) writeFileSync(TEST_COUNT_TO, JSON.stringify(counts));
/** @param {NodeJS.WriteStream} stream */
const flushed = (stream) => new Promise((resolve) => stream.write('', resolve));
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
world.exitNow(exitCode);
