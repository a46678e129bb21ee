import type { CrashPoint, Outside } from '../../src/world.js';

/** A world moved as its environment says. `onReached` is called for each named point before it counts. */
export function movedWorld(real: Outside, onReached?: (point: CrashPoint) => void): Outside;
