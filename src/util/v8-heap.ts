/** Settings of V8's memory for thousands or millions of records. Only for time and memory. */
import { setFlagsFromString } from 'node:v8';

/**
 * To be called before the first record. Records that wait to be stored would teach V8 that such objects live long. It
 * would then put all later ones where garbage is rarely collected, and where they keep others alive. An import took
 * twice the time to collect garbage, and twice the heap while records were stored.
 */
export function tuneYoungGeneration(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

let isSmall = false;

/**
 * From now on garbage is collected sooner. By default V8 lets garbage grow to several times the live data before it
 * collects, which saves time in a short run. With millions of records, that wastes a hundred megabytes.
 */
export function capHeapGrowth(): void {
  // V8 parses all its flags each time.
  if (isSmall) return;
  isSmall = true;
  // Young objects die young here: their space need not grow.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Old objects are collected when they have grown by half.
  setFlagsFromString('--heap-growing-percent=50');
}
