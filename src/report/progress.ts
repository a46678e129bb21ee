/** Shows how far a run is: on a terminal a line that is rewritten, elsewhere a line now and then. */
import type { World } from '../world.js';
import { printable } from './printable.js';
import type { ProgressState } from './reporter.js';
import { stateLabel } from './state-words.js';
import { countText, textWidth, widthOf } from './table.js';

export interface Progress {
  /** Called often. Only the state that is current when the next line is due gets written. */
  update(state: ProgressState): void;
  /** Writes something else where the line stands; the line comes back below it. */
  aside(write: () => void): void;
  /** Takes the line away for good, or until the next update. */
  end(): void;
}

/** Milliseconds between two lines: often enough to look alive, seldom enough not to flicker; a log needs far fewer. */
const ON_TERMINAL = 120;
const ELSEWHERE = 15_000;
/** The width where no terminal tells it. */
const WIDE = 200;
const ERASE = '\r\u001b[K';

/** @param isShown otherwise nothing is shown */
export function startProgress(
  { stderr, env, monotonic, sleep }: Pick<World, 'stderr' | 'env' | 'monotonic' | 'sleep'>,
  isShown: boolean,
): Progress {
  if (!isShown) return { update: () => undefined, aside: (write) => write(), end: () => undefined };
  // Whether a line can be written over.
  const live = stderr.isTTY && env['TERM'] !== 'dumb';
  let state: ProgressState | null = null;
  let shown = '';
  let ticking: AbortController | null = null;
  // Of the stage that it is in: records that were done when it began, and when that was.
  let begun = { done: 0, at: 0 };

  const erase = (): void => {
    if (live && shown !== '') stderr.write(ERASE);
    shown = '';
  };
  const draw = (): void => {
    if (state === null) return;
    // A full line would make some terminals begin another, and Ctrl-C is shown as two characters behind it.
    const seconds = (monotonic() - begun.at) / 1000;
    const perSecond = seconds > 0 ? (state.done - begun.done) / seconds : 0;
    const line = progressLine(state, perSecond, Math.min(widthOf(stderr), WIDE) - 3);
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
      if (state?.doing !== next.doing) begun = { done: next.done, at: monotonic() };
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

const GAP = '  ';

/**
 * One line, cut to fit: what matters least stands last, and a wait is why somebody looks at all.
 * @param perSecond records per second
 * @param width columns that the line may take
 */
export function progressLine(state: ProgressState, perSecond: number, width: number): string {
  const speed = perSecond > 0 ? `${countText(Math.round(perSecond))}/s` : '';
  const parts = [headText(state), waitingText(state), speed, leftText(state, perSecond), countsText(state)];
  return cut(parts.filter((part) => part !== '').join(GAP), width);
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let end = text;
  while (end !== '' && textWidth(end) >= width) end = Array.from(end).slice(0, -1).join('');
  return `${end}…`;
}

function headText({ doing, done, total }: ProgressState): string {
  if (total === null) return `${doing} ${countText(done)}`;
  // Rounded down: 100 % means that everything is done.
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${doing} ${countText(done)}/${countText(total)}${GAP}${percent}%`;
}

function countsText({ counts = {} }: ProgressState): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${countText(count)} ${stateLabel(state)}`)
    .join(', ');
}

function leftText({ done, total, counts = {} }: ProgressState, perSecond: number): string {
  const isStopping = (counts['not_sent'] ?? 0) > 0;
  if (isStopping || total === null || done >= total || perSecond <= 0) return '';
  return `${durationText(Math.ceil((total - done) / perSecond))} left`;
}

function waitingText({ waiting }: ProgressState): string {
  if (waiting === null || waiting === undefined) return '';
  const held = Math.ceil(waiting.heldMs() / 1000);
  const what = held > 0 ? `waiting ${durationText(held)}` : 'trying again';
  return `${what}: ${printable(waiting.why)}`;
}

/** @param seconds a whole number */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${countText(Math.floor(minutes / 60))} h ${String(minutes % 60).padStart(2, '0')} min`;
}
