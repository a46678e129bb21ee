// @ts-check
// The program in another world, told by environment variables:
// - TEST_KILL_AT=point#n: SIGKILL when a named point (CrashPoint in src/world.ts) is reached for the n-th time;
//   `event#n` is the n-th of everything that happens: callbacks, SQL statements, named points
// - TEST_CLOCK_AHEAD=ms: the wall clock is so much ahead
// - TEST_SKIP_WAITS=1: nothing is waited for; both clocks move on instead
// - TEST_TELL_WAITS=1: every wait is told on standard error, as `wait MS`
// - TEST_COUNT_TO=file: how often each point was reached, and the events, as JSON at the end
import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { main } from '../../dist/main.js';
import { processWorld } from '../../dist/world.js';

const { TEST_KILL_AT, TEST_CLOCK_AHEAD, TEST_SKIP_WAITS, TEST_TELL_WAITS, TEST_COUNT_TO } = process.env;
const [fatalPoint = '', fatalNumber = '0'] = (TEST_KILL_AT ?? '').split('#');
/** @type {Record<string, number>} */
const counts = {};

/** @param {string} point */
function count(point) {
  counts[point] = (counts[point] ?? 0) + 1;
  if (point === fatalPoint && counts[point] === Number(fatalNumber)) process.kill(process.pid, 'SIGKILL');
}

const countEvent = () => count('event');

/** @param {object} prototype @param {readonly string[]} names of methods that are events from now on */
function countCalls(prototype, names) {
  const methods = /** @type {Record<string, Function>} */ (prototype);
  for (const name of names) {
    const method = /** @type {Function} */ (methods[name]);
    methods[name] = function (/** @type {unknown[]} */ ...values) {
      countEvent();
      return method.apply(this, values);
    };
  }
}

if (fatalPoint === 'event' || TEST_COUNT_TO !== undefined) {
  createHook({ before: countEvent }).enable();
  const db = new DatabaseSync(':memory:');
  countCalls(Object.getPrototypeOf(db.prepare('SELECT 1')), ['run', 'get', 'all']);
  countCalls(DatabaseSync.prototype, ['exec', 'prepare', 'close']);
  db.close();
}

const real = processWorld();
let ahead = 0;
const monotonic = () => real.monotonic() + ahead;

/** @type {import('../../src/world.js').World} */
const world = {
  ...real,
  now: () => real.now() + ahead + Number(TEST_CLOCK_AHEAD ?? 0),
  monotonic,
  sleep: async (ms, signal) => {
    if (TEST_TELL_WAITS !== undefined) process.stderr.write(`wait ${Math.round(ms)}\n`);
    if (TEST_SKIP_WAITS === undefined) return real.sleep(ms, signal);
    const until = monotonic() + ms;
    await turn();
    // Several waits at a time end one after another, not one on top of the other.
    if (signal?.aborted !== true) ahead = Math.max(ahead, until - real.monotonic());
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
process.exit(exitCode);
