/** One line of progress, made to fit: what matters least is left out first. */
import { printable } from './printable.js';
import type { ProgressState } from './reporter.js';
import { stateLabel } from './state-words.js';
import { countText, textWidth } from './table.js';

const GAP = '  ';
const SHORTEST_BAR = 10;
const LONGEST_BAR = 40;

/**
 * @param perSecond records per second
 * @param width columns that the line may take
 */
export function progressLine(state: ProgressState, perSecond: number, width: number): string {
  const waiting = waitingText(state);
  const head = headText(state);
  if (textWidth(`${head}${GAP}${waiting}`) > width) return cut(`${figures(state)}${GAP}${waiting}`.trimEnd(), width);
  const counts = countsText(state);
  const speed = perSecond > 0 ? `${countText(Math.round(perSecond))}/s` : '';
  const left = leftText(state, perSecond);
  // The most important first: a wait is why somebody looks at all. The bar only repeats the figures.
  let parts = [head, waiting, left, speed, counts].filter((part) => part !== '');
  while (parts.length > 1 && textWidth(parts.join(GAP)) > width) parts = parts.slice(0, -1);
  const inOrder = [speed, left, counts, waiting].filter((part) => part !== '' && parts.includes(part));
  const bar = barText(state, width - textWidth([head, ...inOrder].join(GAP)) - GAP.length);
  return [head, bar, ...inOrder].filter((part) => part !== '').join(GAP);
}

function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let end = text;
  while (end !== '' && textWidth(end) >= width) end = Array.from(end).slice(0, -1).join('');
  return `${end}…`;
}

function headText(state: ProgressState): string {
  const { doing, done, total } = state;
  return `${doing} ${figures(state)}${total === null ? '' : `${GAP}${percent(done, total)}%`}`;
}

function figures({ done, total }: ProgressState): string {
  return total === null ? countText(done) : `${countText(done)}/${countText(total)}`;
}

/** Rounded down: 100 % means that everything is done. */
function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((done / total) * 100);
}

function barText({ done, total }: ProgressState, room: number): string {
  const width = Math.min(LONGEST_BAR, room - 2);
  if (total === null || total === 0 || width < SHORTEST_BAR) return '';
  const full = Math.floor((Math.min(done, total) / total) * width);
  return `[${'█'.repeat(full)}${'░'.repeat(width - full)}]`;
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
