import type { CrashPoint, World } from '../../src/world.js';

/** A world moved as its environment says. `onReached` is called for each named point before it counts. */
export function movedWorld(real: World, onReached?: (point: CrashPoint) => void): World;
