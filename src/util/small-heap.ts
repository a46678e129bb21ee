/** How V8 keeps what passes through, where thousands or millions of records do. It exists only for time and memory. */
import { setFlagsFromString } from 'node:v8';

/**
 * To be called before the first record. From those that wait to be stored V8 would learn that such objects live long, and
 * put all later ones where garbage is rarely looked for, and where they hold on to others: an import took twice the time
 * to collect garbage, and twice the heap while records were stored.
 */
export function keepRecordsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

let isSmall = false;

/**
 * From now on garbage is collected sooner. By default V8 lets it grow to several times what is alive before it looks for
 * it, which spares time in a short run. Where millions of records pass through, that is a hundred megabytes of nothing.
 */
export function keepHeapSmall(): void {
  // V8 looks through all its flags each time.
  if (isSmall) return;
  isSmall = true;
  // Young objects die young here: their space need not grow.
  setFlagsFromString('--semi-space-growth-factor=1');
  // What is old is collected when it has grown by half.
  setFlagsFromString('--heap-growing-percent=50');
}
