/** Shows how far a run is: on a terminal a line that is rewritten, elsewhere a line now and then. */
import type { Output } from '../util/output.js';
import { progressLine } from './progress-line.js';
import type { ProgressState } from './reporter.js';
import { widthOf } from './table.js';

export interface Progress {
  /** Called often. Only the state that is current when the next line is due gets written. */
  update(state: ProgressState): void;
  /** Writes something else where the line stands; the line comes back below it. */
  aside(write: () => void): void;
  /** Takes the line away for good, or until the next update. */
  end(): void;
}

export interface ProgressOptions {
  readonly stderr: Output;
  /** Whether a line of standard error can be written over. */
  readonly live: boolean;
  readonly progress: boolean;
  readonly monotonic: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Milliseconds between two lines: often enough to look alive, seldom enough not to flicker; a log needs far fewer. */
const ON_TERMINAL = 120;
const ELSEWHERE = 15_000;
/** The rate is measured over the latest span of this length, milliseconds. */
const WINDOW = 10_000;
/** The width where no terminal tells it. */
const WIDE = 200;
const ERASE = '\r\u001b[K';

/** Starts the display; without `progress`, one that shows nothing. */
export function startProgress(options: ProgressOptions): Progress {
  if (!options.progress) return { update: () => undefined, aside: (write) => write(), end: () => undefined };
  const { stderr, live, monotonic, sleep } = options;
  let state: ProgressState | null = null;
  let shown = '';
  let ticking: AbortController | null = null;
  const rate = startRate();

  const erase = (): void => {
    if (live && shown !== '') stderr.write(ERASE);
    shown = '';
  };
  const draw = (): void => {
    if (state === null) return;
    // A full line would make some terminals begin another, and Ctrl-C is shown as two characters behind it.
    const line = progressLine(state, rate.perSecond(state, monotonic()), Math.min(widthOf(stderr), WIDE) - 3);
    if (line === shown) return;
    stderr.write(live ? `${ERASE}${line}` : `${line}\n`);
    shown = line;
  };
  const tick = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await sleep(live ? ON_TERMINAL : ELSEWHERE, signal);
      if (signal.aborted) return;
      draw();
    }
  };
  return {
    update: (next) => {
      if (state?.doing !== next.doing) rate.begin(next, monotonic());
      state = next;
      if (ticking !== null) return;
      ticking = new AbortController();
      void tick(ticking.signal);
    },
    aside: (write) => {
      erase();
      write();
    },
    end: () => {
      ticking?.abort();
      ticking = null;
      state = null;
      erase();
    },
  };
}

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Records per second over the last moments, so that a wait or a slower service shows. */
function startRate() {
  let samples: Sample[] = [];
  return {
    begin: ({ done }: ProgressState, now: number): void => void (samples = [{ at: now, done }]),
    perSecond: ({ done }: ProgressState, now: number): number => {
      samples.push({ at: now, done });
      while (samples.length > 2 && (samples[1]?.at ?? now) <= now - WINDOW) samples.shift();
      const [first] = samples;
      return first === undefined || now <= first.at ? 0 : ((done - first.done) / (now - first.at)) * 1000;
    },
  };
}
