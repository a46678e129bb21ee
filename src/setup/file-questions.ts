/** How a file is read: its header line, rows that end early, what the rows are, and how their cells are written. */
import { fieldBySynonym } from '../input/column-synonyms.js';
import { isLikeData } from '../input/header-place.js';
import { splitSign, type DecimalMark } from '../input/numbers.js';
import type { DateOrder } from '../input/dates.js';
import { numberWords } from '../money/number-words.js';
import { excerpt } from '../records/issue.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import { printable } from '../report/printable.js';
import { columnLines, ellipsize, pluralize, textWidth } from '../report/table.js';
import type { LayoutAnalysis } from './analyze.js';
import type { SetupAnswer } from './answers.js';
import { fieldOf, isDate } from './field-inference.js';
import { type Inference, inferredValue, sampleText } from './inference.js';
import { dateReadings, isRemarkableDate, numberReadings } from './notation-inference.js';
import { type ChoiceEffect, type PromptChoice, type SetupStep, STOP } from './setup-question.js';

const SHOWN_LINES = 8;

export function* headerLineSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { header, names, source } = analysis;
  const { lines, usualLine } = source;
  const guess = inferredValue(header);
  const line = guess ?? lines.find((each) => each.line >= usualLine)?.line ?? 1;
  const place = line === 0 ? 'The file has no column names' : `The column names are on line ${line}`;
  const doubt = chosenHeaderDoubt(analysis);
  if (doubt === null && (header.kind === 'certain' || header.kind === 'default')) {
    yield `${place}: ${nameList(names)}. To change this: --header-line N`;
    return;
  }
  const why = 'why' in header ? header.why : undefined;
  const rows = lines.slice(0, SHOWN_LINES).map((each) => [String(each.line), ...each.cells]);
  const choices: PromptChoice<ChoiceEffect>[] = lines.map(({ line: headerLine, cells }) => ({
    value: doubt !== null && headerLine === line ? { settled: doubt.settled } : { headerLine },
    label: `line ${headerLine}: ${cells.filter((cell) => cell !== '').join(' | ')}`,
    hint: headerLine === guess ? why : undefined,
  }));
  const none = { value: { headerLine: 0 }, label: 'No line has column names: line 1 is already data' };
  const first = guess === 0 ? lines.length : lines.findIndex((each) => each.line === guess);
  yield {
    fact: doubt?.fact ?? why,
    ask: 'Which line has the column names?',
    shown: { title: 'The file begins like this:', lines: (room) => previewLines(rows, room) },
    choices: [...choices, none],
    first: first < 0 || doubt !== null ? undefined : first,
    flags: line === 0 ? ['--header-line N', `--header-line 0 --map '#1=user_id'`] : [`--header-line ${line}`],
  };
}

/** Fewer names of fields may be words of a row by chance. */
const FEWEST_NAMED = 2;

/** A line that a person has named for the column names, and that looks like a payment. */
interface HeaderDoubt {
  readonly line: number;
  readonly fact: string;
  /** What the person says to use it all the same. */
  readonly settled: string;
}

/** Null for a line that looks like column names, or that nobody has chosen. */
export function chosenHeaderDoubt({ answers, names, source, schema }: LayoutAnalysis): HeaderDoubt | null {
  const line = answers.headerLine ?? 0;
  const cells = source.lines.find((each) => each.line === line)?.cells ?? [];
  const data = cells.find(isLikeData);
  const settled = JSON.stringify(['header line', line]);
  if (data === undefined || answers.settled.has(settled)) return null;
  const isName = (name: string): boolean =>
    answers.map.has(name) || fieldBySynonym(name, schema.type) !== null || fieldOf(schema, name) !== null;
  const isNamed = names.filter((name) => !isLikeData(name) && isName(name)).length >= FEWEST_NAMED;
  if (isNamed && !names.some((name) => isLikeData(name) && answers.map.has(name))) return null;
  const fact = `Line ${line} looks like a row of data, and not like column names: it has ${JSON.stringify(excerpt(data))}`;
  return { line, fact: `${fact}. A payment on the line of the column names is not sent.`, settled };
}

const MOST_LISTED_NAMES = 12;

/** Names on one line; of very many, the first ones. */
export function nameList(names: readonly string[]): string {
  const filled = names.filter((name) => name !== '');
  const shown = filled.slice(0, MOST_LISTED_NAMES).map((name) => ellipsize(name, 40));
  const more = filled.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** Spreadsheets drop empty cells at the end of a row, or add some. A run refuses such rows. */
export function* shortRowSteps({ answers, profiles, names }: LayoutAnalysis): Iterable<SetupStep> {
  const { short, long } = profiles;
  if (answers.padShortRows) return;
  const stop = { ...STOP, label: 'No, stop: I will correct the file' };
  if (short.first !== null) {
    const found = `${pluralize(short.count, 'row')} ${short.count === 1 ? 'has' : 'have'} fewer cells than the ${names.length} columns`;
    yield {
      fact: `${found}. The first is on line ${short.first.line}: ${short.first.cells.join(' | ')}.`,
      ask: 'Are only empty cells missing at the end of these rows?',
      choices: [{ value: { padShortRows: true }, label: 'Yes, read the missing cells as empty' }, stop],
    };
  } else if (long.first !== null) {
    const found = `${pluralize(long.count, 'row')} ${long.count === 1 ? 'has' : 'have'} more cells than the ${names.length} columns`;
    yield {
      fact: `${found}, and these cells are empty. The first is on line ${long.first.line}.`,
      ask: 'Ignore the empty cells at the end?',
      choices: [{ value: { padShortRows: true }, label: 'Yes, ignore them' }, stop],
      first: 0,
    };
  }
}

const TYPE_TEXT: Readonly<Record<RecordType, string>> = {
  payout: 'payouts: an amount for each person',
  result: 'gig results: how many tasks each person has done',
  gig: 'gigs: work that is offered',
};

export function* recordTypeSteps({ type }: LayoutAnalysis): Iterable<SetupStep> {
  if (type.kind === 'certain' || type.kind === 'default') return;
  const likely = inferredValue(type);
  yield {
    fact: type.why,
    ask: 'What are the rows?',
    choices: RECORD_TYPES.map((each) => ({ value: { type: each }, label: TYPE_TEXT[each] })),
    first: likely === null ? undefined : RECORD_TYPES.indexOf(likely),
    // There is a question about the column that makes a type likely.
    isOptional: likely !== null,
  };
}

export function decimalMarkSteps({ decimal }: LayoutAnalysis): Iterable<SetupStep> {
  const textOf = (typed: string, mark: DecimalMark): string =>
    `${numberWords(numberReadings(splitSign(typed)?.number ?? typed)[mark] ?? '', true)} (decimal ${mark})`;
  return notationSteps(decimal, 'How much is', textOf, (mark) => ({ decimal: mark }));
}

const FIRST_PART: Readonly<Record<DateOrder, string>> = { ymd: 'year', dmy: 'day', mdy: 'month' };

export function* dateOrderSteps({ dateOrder, answers, fields, profiles }: LayoutAnalysis): Iterable<SetupStep> {
  const textOf = (typed: string, order: DateOrder): string =>
    `${longDateText(dateReadings(typed)[order] ?? '')} (${FIRST_PART[order]} first)`;
  const dates = fields.columns.filter(({ field }) => isDate(field));
  const values = dates.flatMap(({ name }) => profiles.columns.get(name)?.dates ?? []);
  const remarkable = values.find(({ typed, isUsual }) => !isUsual && isRemarkableDate(typed));
  if (answers.dateOrder !== null || dateOrder.kind !== 'certain' || remarkable === undefined) {
    yield* notationSteps(dateOrder, 'Which day is', textOf, (order) => ({ dateOrder: order }));
    return;
  }
  const isTimed = remarkable.typed.includes(':');
  const found = isTimed ? 'has a time of day. gigwork sends only the day' : 'is a date without marks in it';
  yield {
    fact: `${sampleText(remarkable)} ${found}.`,
    ask: `Is it ${longDateText(remarkable.readings[dateOrder.value] ?? '')}?`,
    choices: [
      { value: { dateOrder: dateOrder.value }, label: `Yes${isTimed ? ', send the day without the time' : ''}` },
      { value: { drop: dates.map(({ name }) => name) }, label: 'No, do not send these dates' },
      STOP,
    ],
    first: 0,
    // There is no other way to read it.
    isOptional: true,
  };
}

/** `5 December 2026` @param day YYYY-MM-DD */
function longDateText(day: string): string {
  const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(new Date(`${day}T00:00:00Z`));
}

/** @param textOf a value as it is read in one notation: `5 December 2026 (day first)` */
function* notationSteps<Notation>(
  inference: Inference<Notation>,
  question: string,
  textOf: (typed: string, notation: Notation) => string,
  answerOf: (notation: Notation) => SetupAnswer,
): Iterable<SetupStep> {
  // No answer reads a file that mixes two notations.
  if (inference.kind === 'contradiction') yield { fact: inference.why, ask: '', choices: [] };
  if (!('sample' in inference) || inference.sample === undefined) return;
  const { typed } = inference.sample;
  if (inference.kind === 'certain') {
    yield `${excerpt(typed)} is ${textOf(typed, inference.value)}.`;
    return;
  }
  const candidates = inference.kind === 'likely' ? [inference.value] : inference.candidates;
  yield {
    fact: inference.why,
    ask: `${question} ${excerpt(typed)}?`,
    choices: [
      ...candidates.map((notation) => ({ value: answerOf(notation), label: textOf(typed, notation) })),
      { ...STOP, label: 'Stop: I will correct the file' },
    ],
    first: inference.kind === 'likely' ? 0 : undefined,
  };
}

const WIDEST_CELL = 24;
const CELL_GAP = 2;
const MOST_TABLES = 4;
/** Marks an empty cell, so that a column with only empty cells keeps its place. */
const EMPTY_CELL = '\u00b7';

/**
 * Rows of a file as a table. If they are wider than the terminal, the table is split into several below one another.
 * @param rows the names of the columns first. @param room columns of the terminal
 */
export function previewLines(rows: readonly (readonly string[])[], room: number): string[] {
  const width = Math.max(...rows.map((row) => row.length));
  const cells = rows.map((row) =>
    Array.from({ length: width }, (_, i) => ellipsize(printable((row[i] ?? '').trim()), WIDEST_CELL) || EMPTY_CELL),
  );
  const tables: number[][] = [];
  let left = 0;
  for (let column = 0; column < width; column++) {
    const needed = Math.max(...cells.map((row) => textWidth(row[column] ?? ''))) + CELL_GAP;
    if (left < needed) {
      tables.push([]);
      left = room + CELL_GAP;
    }
    tables.at(-1)?.push(column);
    left -= needed;
  }
  const lines = tables.slice(0, MOST_TABLES).map((columns) =>
    columnLines(
      cells.map((row) => columns.map((column) => row[column] ?? '')),
      columns.map(() => undefined),
    ),
  );
  const rest = tables.slice(MOST_TABLES).flat().length;
  return [
    ...lines.flatMap((each, i) => (i === 0 ? each : ['', ...each])),
    ...(rest === 0 ? [] : [`… and ${rest} more columns`]),
  ];
}
