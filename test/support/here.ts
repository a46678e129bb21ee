/** The whole program inside this process, at a clock that stands still: some hundred runs a second. */
import type { RawWorld } from '../../src/world.js';
import { type InsideResult, startInside } from './inside.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Near the dates of the records. */
const NOW = Date.UTC(2026, 10, 15);

const STILL: Partial<RawWorld> = {
  now: () => NOW,
  monotonic: () => 0,
  random: () => 0.5,
  // A wait ends only when it is aborted.
  sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
};

/**
 * Runs the program to its end.
 * @param folder the working directory, which also holds settings and state
 * @param pieces sizes of the pieces in which the bytes of standard input come, used over and over
 */
export function runHere(
  words: readonly string[],
  folder: string,
  input: Buffer = Buffer.alloc(0),
  pieces?: readonly number[],
): Promise<InsideResult> {
  const env = { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  return startInside(words, { input, cwd: folder, env, world: STILL, ...(pieces && { pieces }) }).result;
}
