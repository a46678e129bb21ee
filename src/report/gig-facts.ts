/** An overview of gigs in words: the same at the question, after a dry run and on a page. */
import { compare, formatDecimal, groupThousands } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import { offsetAt } from '../input/time-zone.js';
import { localTime } from '../util/local-time.js';
import type { GigOverview, SharedText } from './gig-overview.js';
import { printable } from './printable.js';
import { ellipsize, formatCount, pluralize, textWidth, wrapText } from './table.js';
import { sumText } from './totals-table.js';

/** `204 payouts, 19,707.09 EUR`; of gigs their seats. @param gigs the overview of all gigs to send */
export function toSendText(sum: TotalRow, gigs: GigOverview | null): string {
  return sum.type === 'gig' && gigs !== null ? gigsText(gigs) : sumText(sum);
}

/** `30 gigs with 120 seats (seats × prices: 54,000 cents)` */
function gigsText({ gigs, seats, cost }: GigOverview): string {
  const isOne = formatDecimal(seats) === '1';
  return `${pluralize(gigs, 'gig')} with ${groupThousands(seats)} ${isOne ? 'seat' : 'seats'} (seats × prices: ${groupThousands(cost)} cents)`;
}

export interface GigFact {
  /** Empty where it continues the fact before. */
  readonly label: string;
  readonly text: string;
}

const LABEL_ROOM = 'Seats × prices  '.length;
/** For a filter and its count, on a terminal that is too narrow. */
const LEAST_FILTER_ROOM = 32;

/** The facts, for a terminal. @param width its columns */
export function gigLines(overview: GigOverview, width: number): string[] {
  return gigFacts(overview, width).flatMap(({ label, text }) => {
    const room = ' '.repeat(LABEL_ROOM - textWidth(label));
    return wrapText(label + room + text, width);
  });
}

/** Printable. @param width columns of a terminal; infinite on a page */
export function gigFacts(overview: GigOverview, width = Infinity): GigFact[] {
  const { gigs, firstStart, lastStart, timeZone, modes, cost } = overview;
  const facts: GigFact[] = [];
  facts.push({ label: gigs === 1 ? 'Title' : 'Titles', text: titlesText(overview) });
  const isSameStart = firstStart === lastStart;
  if (firstStart !== null)
    facts.push({ label: isSameStart ? 'Start' : 'First start', text: startText(firstStart, timeZone) });
  if (lastStart !== null && !isSameStart) facts.push({ label: 'Last start', text: startText(lastStart, timeZone) });
  const filters = filterTexts(overview, Math.max(LEAST_FILTER_ROOM, width - LABEL_ROOM));
  facts.push(...filters.map((text, i) => ({ label: i === 0 ? 'Filter' : '', text })));
  facts.push({ label: 'Invitation', text: modes.map((mode) => modeText(mode, gigs)).join(', ') });
  facts.push({ label: 'Seats', text: seatsText(overview) });
  facts.push({ label: 'Prices', text: pricesText(overview) });
  const estimate = `${groupThousands(cost)} cents. An estimate: it counts every seat as taken.`;
  facts.push({ label: 'Seats × prices', text: estimate });
  return facts.filter(({ text }) => text !== '');
}

/** Characters of a title; and of one where no gigs have others. */
const LONGEST_TITLE = 32;
const LONGEST_LONE_TITLE = 300;

/** `Audit Berlin, Audit Hamburg, and 28 more gigs` */
function titlesText({ gigs, titles }: GigOverview): string {
  const shown = titles.map((title) =>
    ellipsize(printable(title), titles.length === gigs ? LONGEST_LONE_TITLE : LONGEST_TITLE),
  );
  const more = gigs - shown.length;
  return [...shown, ...(more > 0 ? [`and ${pluralize(more, 'more gig')}`] : [])].join(', ');
}

/** The times that have a year of four digits. */
const EARLIEST = Date.UTC(1000, 0, 1) / 1000;
const LATEST = Date.UTC(9999, 0, 1) / 1000;

/** `2026-12-05 08:00 +01:00 Europe/Berlin (2026-12-05 07:00 UTC)`. @param start UNIX timestamp, seconds. @param timeZone null for this machine's */
function startText(start: number, timeZone: string | null): string {
  if (start < EARLIEST || start > LATEST) return `${start}, which is not a date of our time`;
  const utc = new Date(start * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const offset = timeZone === null ? null : offsetAt(start, timeZone);
  const zone = timeZone === null ? '' : ` ${timeZone}`;
  return `${localTime(start * 1000, offset)}${zone} (${utc} UTC)`;
}

/** The lines of all filters together at a terminal: more would push the starts off the screen. */
const FILTER_LINES = 6;
/** Characters, on a page. */
const LONGEST_FILTER = 2000;
const COUNT_GAP = '  ';
const CUT_NOTE = '… stands for more: a dry run with --report x.html shows it';

/** Each with its count, unless all gigs share one. @param room columns of a line */
function filterTexts({ filters, gigs, otherFilters, gigsOfOthers }: GigOverview, room: number): string[] {
  const texts = filters.map(({ text }) => (text === '{}' ? '{} (no condition)' : printable(text)));
  const isShared = filters[0]?.gigs === gigs;
  const counts = filters.map((filter) => (isShared ? '' : pluralize(filter.gigs, 'gig') + COUNT_GAP));
  const margin = Math.max(...counts.map((count) => count.length));
  const textRoom = room - margin;
  const linesOfEach = Math.max(1, Math.floor(FILTER_LINES / filters.length));
  const shown = excerpts(texts, Math.min(textRoom * linesOfEach, LONGEST_FILTER));
  const lines = shown.flatMap((text, i) =>
    brokenText(text, textRoom).map((part, at) => (at === 0 ? (counts[i] ?? '') : '').padStart(margin) + part),
  );
  if (otherFilters > 0)
    lines.push(`and ${pluralize(otherFilters, 'other filter')} for ${pluralize(gigsOfOthers, 'gig')}`);
  if (room !== Infinity && shown.some((text, i) => text !== texts[i])) lines.push(CUT_NOTE);
  return lines;
}

/** JSON text has few spaces, so it is broken anywhere. */
function brokenText(text: string, room: number): string[] {
  const characters = Array.from(text);
  const lines: string[] = [];
  for (let from = 0; from < characters.length; from += room) lines.push(characters.slice(from, from + room).join(''));
  return lines;
}

/** Characters before the first difference that stay visible. */
const BEFORE_DIFFERENCE = 12;

/** The parts of long texts in which they differ; of a single one both ends. */
function excerpts(texts: readonly string[], room: number): string[] {
  if (texts.length === 1) return texts.map((text) => ellipsize(text, room));
  const all = texts.map((text) => Array.from(text));
  const [first = [], ...others] = all;
  const end = first.findIndex((character, i) => others.some((other) => other[i] !== character));
  return all.map((text) => {
    if (text.length <= room) return text.join('');
    const start = Math.max(0, Math.min(end - BEFORE_DIFFERENCE, text.length - room));
    const shown = text.slice(start, start + room);
    if (start > 0) shown[0] = '…';
    if (start + room < text.length) shown[room - 1] = '…';
    return shown.join('');
  });
}

function modeText({ text, gigs }: SharedText, all: number): string {
  return gigs === all ? text : `${text} ${formatCount(gigs)}`;
}

/** `62: total_seats (9 gigs), seats_max (5 gigs), else 1 (16 gigs)` */
function seatsText({ gigs, seats, seatsFrom }: GigOverview): string {
  const all = groupThousands(seats);
  if (seatsFrom.neither === gigs) return `${all}: 1 for each gig, since none has total_seats or seats_max`;
  const fields = [
    { name: 'total_seats', count: seatsFrom.total_seats },
    { name: 'seats_max', count: seatsFrom.seats_max },
    { name: 'else 1', count: seatsFrom.neither },
  ].filter(({ count }) => count > 0);
  const texts = fields.map(({ name, count }) => (count === gigs ? name : `${name} (${pluralize(count, 'gig')})`));
  return `${all}: ${texts.join(', ')}`;
}

/** `450 to 1,750 cents per seat` */
function pricesText({ lowestPrice, highestPrice }: GigOverview): string {
  const isSame = compare(lowestPrice, highestPrice) === 0;
  return `${isSame ? '' : `${groupThousands(lowestPrice)} to `}${groupThousands(highestPrice)} cents per seat`;
}
