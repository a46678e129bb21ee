/** How far a run is: a line that is written over on a terminal, a line now and then elsewhere. */
import type { TerminalStream } from '../world.js';
import type { ProgressState } from './reporter.js';
import { printable } from './printable.js';

export interface Progress {
  update(state: ProgressState): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

export interface ProgressOptions {
  readonly stderr: TerminalStream;
  readonly progress: boolean;
  readonly monotonic: () => number;
}

/** Between two updates, milliseconds: often enough to look alive, seldom enough not to flicker. */
const ON_TERMINAL = 120;
const ELSEWHERE = 15_000;

export function startProgress({ stderr, progress, monotonic }: ProgressOptions): Progress {
  if (!progress) return { update: () => undefined, clear: () => undefined };
  const onTerminal = stderr.isTTY === true;
  const began = monotonic();
  let last = began;
  let shown = false;
  return {
    update: (state) => {
      const now = monotonic();
      if (now - last < (onTerminal ? ON_TERMINAL : ELSEWHERE)) return;
      last = now;
      const line = progressLine(state, (now - began) / 1000, onTerminal ? (stderr.columns ?? 80) : 200);
      stderr.write(onTerminal ? `\r\u001b[K${line}` : `${line}\n`);
      shown = onTerminal;
    },
    clear: () => {
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}

/** @param seconds since the run began */
export function progressLine({ doing, done, total, waiting }: ProgressState, seconds: number, width: number): string {
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  const parts = [total === null ? `${doing} ${done}` : `${doing} ${done} of ${total}`, `${rate}/s`];
  if (total !== null && rate > 0 && done < total) parts.push(`${Math.ceil((total - done) / rate)} s left`);
  if (waiting !== null && waiting !== undefined) parts.push(`waiting: ${printable(waiting)}`);
  return parts.join(', ').slice(0, Math.max(10, width - 1));
}
