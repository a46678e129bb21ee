/** A call of a world: in some weather, sometimes dry before, stopped or killed. */
import { type Desk, type Done, runNamed, send } from './desk.js';
import type { Run } from './history.js';
import { sendKilled } from './killed.js';
import type { Weather } from './service.js';
import { inputsIn } from './words.js';

/** What the steps of a world leave to the next ones. */
export interface Past {
  /** Calls with files, the newest last. */
  readonly sent: Done[];
  last: Done | null;
  files: number;
}

/** A process takes as long as some twenty calls without one. */
const KILLS = 0.03;

const WEATHERS: readonly Weather[] = [
  {},
  {},
  {},
  { refused: 0.15, busy: 0.1 },
  { refused: 0.4 },
  { lost: 0.15, 'lost-done': 0.15, failed: 0.1, 'failed-done': 0.1 },
  { failed: 0.6, 'failed-done': 0.3 },
  { 'redirected-done': 0.15, redirected: 0.15, moved: 0.15 },
  { unauthorized: 0.3, refused: 0.1, lost: 0.1 },
  { garbled: 0.15, 'garbled-done': 0.15 },
  { missing: 0.3, conflict: 0.05 },
];

/** Runs it, sometimes dry before. */
export async function run(desk: Desk, past: Past, words: readonly string[]): Promise<Run | null> {
  const { chance } = desk;
  if (chance.hits(0.25)) await send(desk, [...words, '--dry-run']);
  if (desk.problems.length > 0) return null;
  if (chance.hits(KILLS)) {
    past.last = null;
    return sendKilled(desk, words, chance.pick(WEATHERS));
  }
  const stopAt = chance.hits(0.12) ? 1 + chance.below(30) : null;
  const done = await send(desk, words, { weather: chance.pick(WEATHERS), stopAt });
  past.last = done;
  if (inputsIn(words, desk.files).length > 0) past.sent.push(done);
  const name = done.called.summary?.run as string | null | undefined;
  const isThere = desk.history.runs.some((each) => each.name === name);
  return isThere ? runNamed(desk.history, name as string) : null;
}
