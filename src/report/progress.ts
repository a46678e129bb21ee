/** Shows the progress of a run: on a terminal a line that is rewritten, elsewhere a line now and then. */
import type { World } from '../world.js';
import { printable } from './printable.js';
import type { ProgressState } from './reporter.js';
import { formatCount, textWidth, widthOf } from './table.js';

export interface Progress {
  /** Called often. Writes only the latest state when the next line is due. */
  update(state: ProgressState): void;
  /** Writes something else in place of the line; the line comes back below it. */
  aside(write: () => void): void;
  /** Removes the line for good, or until the next update. */
  end(): void;
}

/** Milliseconds between two lines: often enough to look alive, seldom enough not to flicker; a log needs far fewer. */
const ON_TERMINAL_MS = 120;
const IN_LOG_MS = 15_000;
/** The width if no terminal reports one. */
const WIDE = 200;
const ERASE = '\r\u001b[K';

/** @param isShown otherwise nothing is shown */
export function startProgress({ stderr, env, sleep }: World, isShown: boolean): Progress {
  if (!isShown) return { update: () => undefined, aside: (write) => write(), end: () => undefined };
  // Whether a line can be written over.
  const live = stderr.isTTY && env['TERM'] !== 'dumb';
  let state: ProgressState | null = null;
  let shown = '';
  let ticking: AbortController | null = null;

  const erase = (): void => {
    if (live && shown !== '') stderr.write(ERASE);
    shown = '';
  };
  const draw = (): void => {
    if (state === null) return;
    // A full line would make some terminals begin another, and Ctrl-C appears as two characters after it.
    const line = progressLine(state, Math.min(widthOf(stderr), WIDE) - 3);
    if (line === shown) return;
    stderr.write(live ? `${ERASE}${line}` : `${line}\n`);
    shown = line;
  };
  const tick = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await sleep(live ? ON_TERMINAL_MS : IN_LOG_MS, signal);
      if (signal.aborted) return;
      draw();
    }
  };
  return {
    update: (next) => {
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

const PART_GAP = '  ';

/** One line, cut to fit: the least important part comes last. @param width columns that the line may take */
export function progressLine(state: ProgressState, width: number): string {
  const parts = [doneText(state), waitingText(state), countsText(state)];
  return cut(parts.filter((part) => part !== '').join(PART_GAP), width);
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let end = text;
  while (end !== '' && textWidth(end) >= width) end = Array.from(end).slice(0, -1).join('');
  return `${end}…`;
}

function doneText({ doing, done, total }: ProgressState): string {
  if (total === null) return `${doing} ${formatCount(done)}`;
  // Rounded down: 100 % means that everything is done.
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${doing} ${formatCount(done)}/${formatCount(total)}${PART_GAP}${percent}%`;
}

function countsText({ counts = {} }: ProgressState): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${formatCount(count)} ${state}`)
    .join(', ');
}

function waitingText({ waiting }: ProgressState): string {
  if (waiting === null || waiting === undefined) return '';
  const held = Math.ceil(waiting.heldMs() / 1000);
  const what = held > 0 ? `waiting ${formatCount(held)} s` : 'trying again';
  return `${what}: ${printable(waiting.why)}`;
}
