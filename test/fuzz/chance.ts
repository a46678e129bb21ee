/** Chance, from a seed alone. */
import { seededRandom } from '../support/builders.js';

export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** True in `share` of the cases, from 0 to 1. */
  hits(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function chanceOf(seed: number): Chance {
  const random = seededRandom(seed);
  return {
    below: (end) => Math.floor(random() * end),
    hits: (share) => random() < share,
    pick: (choices) => choices[Math.floor(random() * choices.length)]!,
  };
}
