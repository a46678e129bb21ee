// @ts-check
// The program in another world, which environment variables describe: those of moved-world.js, and
// - TEST_KILL_AT=point#n: SIGKILL when a named point (Failpoint in src/world.ts) is reached for the n-th time;
//   `event#n` is the n-th of everything that happens: callbacks, SQL statements, named points
// - TEST_COUNT_TO=file: how often each point was reached, and the events, as JSON at the end
import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { main, processWorld } from '../../bundle/main.js';
import { movedWorld } from './moved-world.js';

const { TEST_KILL_AT, TEST_COUNT_TO } = process.env;
const [fatalPoint = '', fatalNumber = '0'] = (TEST_KILL_AT ?? '').split('#');
/** @type {Record<string, number>} */
const counts = {};

/** @param {string} point */
function count(point) {
  counts[point] = (counts[point] ?? 0) + 1;
  if (point === fatalPoint && counts[point] === Number(fatalNumber)) process.kill(process.pid, 'SIGKILL');
}

const countEvent = () => count('event');

if (fatalPoint === 'event' || TEST_COUNT_TO !== undefined) {
  createHook({ before: countEvent }).enable();
  // The driver's classes cannot be changed, so the program gets others in their place.
  const counted = new URL('counted-sqlite.js', import.meta.url).href;
  const resolve = `(name, context, next) =>
    name === './sqlite/dist/sqlite.js'
      ? { url: '${counted}', shortCircuit: true }
      : next(name, context)`;
  register(`data:text/javascript,${encodeURIComponent(`export const resolve = ${resolve};`)}`);
  const { onStatement } = await import('./counted-sqlite.js');
  onStatement(countEvent);
}

const world = movedWorld(processWorld(), (point) => {
  count(point);
  countEvent();
});
const exitCode = await main(process.argv.slice(2), world);
if (TEST_COUNT_TO !== undefined) writeFileSync(TEST_COUNT_TO, JSON.stringify(counts));
world.exitNow(exitCode);
