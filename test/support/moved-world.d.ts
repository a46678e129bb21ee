import type { Failpoint, RawWorld } from '../../src/world.js';

/** A world moved as its environment says. `onReached` is called for each named point before it counts. */
export function movedWorld(real: RawWorld, onReached?: (point: Failpoint) => void): RawWorld;
