/** How a file is read: its header line, rows that end early, and how numbers, dates and currencies are written. */
import { type Answer, setPaths } from './answers.js';
import { numberReadings } from './amounts.js';
import type { Inference } from './inference.js';
import { dateReadings } from './date-orders.js';
import type { LayoutAnalysis } from './analyze.js';
import { splitSign } from '../input/currency-signs.js';
import { numberWords } from '../money/number-words.js';
import { CURRENCIES } from '../records/currencies.js';
import { excerpt } from '../records/issue.js';
import { columnLines, pluralize, ellipsize, textWidth } from '../report/table.js';
import { printable } from '../report/printable.js';
import { type Choice, type SetupStep, type ChoiceEffect, STOP } from './wizard.js';

const SHOWN_LINES = 8;

export function headerPoint({ header, names, source }: LayoutAnalysis): SetupStep {
  const { lines, usualLine } = source;
  const line = header.value ?? lines.find((each) => each.line >= usualLine)?.line ?? 1;
  const place = line === 0 ? 'The file has no column names' : `The column names are on line ${line}`;
  if (header.isProven) return `${place}: ${nameList(names)}. To change this: --header-line N`;
  const first = lines.slice(0, SHOWN_LINES).map((each) => [String(each.line), ...each.cells]);
  const choices: Choice<ChoiceEffect>[] = lines.map(({ line: headerLine, cells }) => ({
    value: { headerLine },
    label: `line ${headerLine}: ${cells.filter((cell) => cell !== '').join(' | ')}`,
    hint: headerLine === header.value ? header.because : undefined,
  }));
  const at = header.value === 0 ? lines.length : lines.findIndex((each) => each.line === header.value);
  return {
    fact: header.because,
    ask: 'Which line has the column names?',
    shown: { title: 'The file begins like this:', lines: (room) => previewLines(first, room) },
    choices: [...choices, { value: { headerLine: 0 }, label: 'No line has column names: line 1 is already data' }],
    first: at < 0 ? undefined : at,
    options: line === 0 ? ['--header-line N', `--header-line 0 --map '#1=user_id'`] : [`--header-line ${line}`],
  };
}

const LONGEST_LIST = 12;

/** Names on one line; of very many, the first ones. */
export function nameList(names: readonly string[]): string {
  const filled = names.filter((name) => name !== '');
  const shown = filled.slice(0, LONGEST_LIST).map((name) => ellipsize(name, 40));
  const more = filled.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** Spreadsheets drop empty cells at the end of a row. A run refuses such rows. */
export function shortRowsPoint({ answers, profiles, names }: LayoutAnalysis): SetupStep {
  const { count, first } = profiles.short;
  if (answers.padShortRows || first === null) return '';
  const found = `${pluralize(count, 'row')} ${count === 1 ? 'has' : 'have'} fewer cells than the ${names.length} columns`;
  return {
    fact: `${found}. The first is on line ${first.line}: ${first.cells.join(' | ')}.`,
    ask: 'Are only empty cells missing at the end of these rows?',
    choices: [
      { value: { padShortRows: true }, label: 'Yes, read the missing cells as empty' },
      { ...STOP, label: 'No, stop: I will correct the file' },
    ],
  };
}

/** How numbers are written. */
export function markPoint({ decimal }: LayoutAnalysis): SetupStep {
  const read = (typed: string): string => splitSign(typed)?.number ?? typed;
  const wordsOf = (typed: string, way: 'point' | 'comma'): string =>
    `${numberWords(numberReadings(read(typed))[way] ?? '', true)} (decimal ${way})`;
  return notationPoint(decimal, 'How much is', wordsOf, (way) => ({ decimal: way }));
}

/** How dates are written. */
export function orderPoint({ dateOrder }: LayoutAnalysis): SetupStep {
  const wordsOf = (typed: string, way: string): string => {
    const day = dateReadings(typed)[way === 'mdy' ? 'mdy' : 'dmy'] ?? '';
    const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    const words = new Intl.DateTimeFormat('en-GB', format).format(new Date(`${day}T00:00:00Z`));
    return `${words} (${way === 'mdy' ? 'month' : 'day'} first)`;
  };
  return notationPoint(dateOrder, 'Which day is', wordsOf, (way) => ({ dateOrder: way }));
}

/** @param wordsOf a value as it is read in one way: `5 December 2026 (day first)` */
function notationPoint<W extends string>(
  { because, value, shown, ways = [], isProven }: Inference<W>,
  question: string,
  wordsOf: (typed: string, way: W) => string,
  answerOf: (way: W) => Answer,
): SetupStep {
  if (shown === undefined) return '';
  if (isProven) return value === null ? '' : `${excerpt(shown)} is ${wordsOf(shown, value)}.`;
  const choices = ways.map((way) => ({ value: answerOf(way), label: wordsOf(shown, way) }));
  const stop = { ...STOP, label: 'Stop: I will correct the file' };
  return {
    fact: because,
    ask: choices.length === 0 ? '' : `${question} ${excerpt(shown)}?`,
    // No answer reads a file that mixes two notations.
    choices: choices.length === 0 ? [] : [...choices, stop],
    first: value === null ? undefined : 0,
  };
}

export function currencyPoint({ currency, hasSigns, fields, answers, kind }: LayoutAnalysis): SetupStep {
  const { isProven, value, because } = currency;
  const column = fields.columns.find(({ path }) => path === 'currency')?.name;
  if (column !== undefined && !isProven && value !== null)
    return {
      fact: because,
      ask: 'Which currency do the amounts have?',
      choices: [
        { value: { set: ['currency', value] }, label: `${value}, in all rows` },
        { value: { map: [column, 'currency'] }, label: `The currency under "${column}" in each row` },
        STOP,
      ],
    };
  if (isProven && value !== null) return `Currency: ${value}, because ${because}.`;
  const isSaid = column !== undefined || setPaths(answers).includes('currency');
  const isField = kind.fields.some(({ name }) => name === 'currency');
  if (isSaid || !isField || answers.settled.has(NO_CURRENCY)) return '';
  const isCode = (typed: string): boolean => CURRENCIES.has(typed.toUpperCase());
  return {
    fact: because,
    ask: `Currency of all amounts, such as EUR${hasSigns ? '' : ' (Enter alone: no currency)'}:`,
    choices: [],
    text: {
      initial: value ?? '',
      check: (typed) =>
        (typed === '' && !hasSigns) || isCode(typed) ? null : 'A code of three letters, such as EUR, USD or CHF.',
      take: (typed) => (typed === '' ? { settled: NO_CURRENCY } : { set: ['currency', typed.toUpperCase()] }),
    },
    options: [`--set currency=${value ?? 'CODE'}`, "--map 'COLUMN=currency'"],
    isOptional: isProven,
  };
}

const NO_CURRENCY = 'currency';

const WIDEST = 24;
const GAP = 2;
const MOST_PARTS = 4;
/** Marks an empty cell, so that a column with only empty cells keeps its place. */
const EMPTY = '\u00b7';

/**
 * Rows of a file as a table. If they are wider than the terminal, the table is split into parts below one another.
 * @param rows the names of the columns first. @param room columns of the terminal
 */
export function previewLines(rows: readonly (readonly string[])[], room: number): string[] {
  const width = Math.max(...rows.map((row) => row.length));
  const cells = rows.map((row) =>
    Array.from({ length: width }, (_, i) => ellipsize(printable((row[i] ?? '').trim()), WIDEST) || EMPTY),
  );
  const parts: number[][] = [];
  let left = 0;
  for (let column = 0; column < width; column++) {
    const needed = Math.max(...cells.map((row) => textWidth(row[column] ?? ''))) + GAP;
    if (left < needed) {
      parts.push([]);
      left = room + GAP;
    }
    parts.at(-1)?.push(column);
    left -= needed;
  }
  const rest = parts.slice(MOST_PARTS).flat().length;
  return [
    ...parts.slice(0, MOST_PARTS).flatMap((part, i) => {
      const shown = cells.map((row) => part.map((column) => row[column] ?? ''));
      const lines = columnLines(
        shown,
        Array.from(part, () => undefined),
      );
      return i === 0 ? lines : ['', ...lines];
    }),
    ...(rest === 0 ? [] : [`… and ${rest} more columns`]),
  ];
}
