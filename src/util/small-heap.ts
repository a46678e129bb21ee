/**
 * It exists only for memory. By default V8 lets garbage grow to several times what is alive before it looks for it, which
 * spares time in a short run. Where millions of records pass through, that is a hundred megabytes of nothing.
 */
import { setFlagsFromString } from 'node:v8';

/** From now on garbage is collected sooner. */
export function keepHeapSmall(): void {
  // Young objects die young here: their space need not grow.
  setFlagsFromString('--semi-space-growth-factor=1');
  // What is old is collected when it has grown by half.
  setFlagsFromString('--heap-growing-percent=50');
}
