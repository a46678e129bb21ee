/** How the cells are read: for each point what the file shows of it, what a person is asked, and what the profile keeps. */
import type { Profile } from '../../config/profiles.js';
import { setPaths, withColumn, withDropped, withValue } from '../../input/setup/answers.js';
import type { Conclusion } from '../../input/setup/conclusion.js';
import { dateReadings } from '../../input/setup/date-orders.js';
import { numberReadings } from '../../input/setup/number-marks.js';
import type { Survey } from '../../input/setup/survey.js';
import type { Readings } from '../../input/setup/two-ways.js';
import type { ColumnDoubt, Ways } from '../../input/setup/ways.js';
import { splitSign } from '../../input/currency-signs.js';
import { numberWords } from '../../money/number-words.js';
import { CURRENCIES } from '../../records/currencies.js';
import { excerpt } from '../../records/issue.js';
import type { Kind } from '../../records/kind.js';
import { shellWord } from '../../util/shell-word.js';
import type { Asked, Choice, Question, Step } from './dialogue.js';

/** A file of which it is known what its records are. */
export interface KnownFile {
  readonly survey: Survey;
  readonly kind: Kind;
  readonly platform: NodeJS.Platform;
}

interface Way {
  readonly id: string;
  readonly what: string;
  readonly concluded: (ways: Ways) => Conclusion<unknown>;
  /** Null where a person has nothing to say. */
  readonly ask: (known: KnownFile) => Asked | null;
  /** What the profile says of it. @param base what the config file says for all files */
  readonly kept: (ways: Ways, base: Profile) => Nullable<Profile>;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** All ways, in the order in which they are asked about. */
export const WAYS: readonly Way[] = [
  {
    ...{ id: 'decimal', what: 'how numbers are written', ask: askMark },
    concluded: ({ decimal }) => decimal,
    kept: ({ decimal }, base) => ({ decimal: decimal.value ?? over(base.decimal, 'point') }),
  },
  {
    ...{ id: 'date_format', what: 'how dates are written', ask: askOrder },
    concluded: ({ dateOrder }) => dateOrder,
    kept: ({ dateOrder }, base) => ({ date_format: dateOrder.value ?? over(base.date_format, 'ymd') }),
  },
  {
    ...{ id: 'currency', what: 'the currency', ask: askCurrency },
    concluded: ({ currency }) => currency,
    kept: ({ hasSigns }) => (hasSigns ? { currency_signs: true } : {}),
  },
  {
    ...{ id: 'negate', what: 'whether amounts change their sign', ask: askNegation },
    concluded: ({ negate }) => negate,
    kept: ({ negate }, base) => ({ negate: negate.value === true ? true : over(base.negate, false) }),
  },
];

/** The tool's own way, where the config file says another one for all files. */
export function over<T>(base: T | undefined, own: T): T | null {
  return base === undefined || base === own ? null : own;
}

export function mapFlag(column: string, path: string, platform: NodeJS.Platform): string {
  return `--map ${shellWord(`${column}=${path}`, platform)}`;
}

export function dropFlag(column: string, platform: NodeJS.Platform): string {
  return `--ignore-column ${shellWord(column, platform)}`;
}

/** A column about which something must be said before it is dropped or read. */
export function doubtQuestion({ column, because, path }: ColumnDoubt, { survey, platform }: KnownFile): Question {
  const { answers } = survey;
  const drop: Choice<Step> = { value: withDropped(answers, column), label: 'it is not sent' };
  const stop: Choice<Step> = { value: 'stop', label: 'stop, nothing is written' };
  const take: Choice<Step>[] =
    path === null ? [] : [{ value: withColumn(answers, column, path), label: `it gives ${path}` }];
  return {
    id: 'doubt',
    open: {
      text: because,
      say: [...(path === null ? [] : [mapFlag(column, path, platform)]), dropFlag(column, platform)],
    },
    asked: {
      question: `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
      choices: [...take, drop, stop],
      // Money that comes in would be paid out: Enter alone does not drop the column.
      first: path === null ? 1 : 0,
    },
  };
}

/** Asks how a value is read, even where that is proven. Null where nothing has to be said. */
function askReading<W extends string>(
  { because, value, shown, say }: Conclusion<string>,
  what: string,
  question: (shown: string) => string,
  readings: Readings<W>,
  choiceOf: (way: W, reading: string) => Choice<Step>,
): Asked | null {
  if (shown === undefined) return null;
  // No answer reads a file that is written in two ways.
  if (say.length === 0) return { because: `${because}.`, question: '', choices: [] };
  const ways = (Object.keys(readings) as W[]).filter((way) => readings[way] !== null);
  return {
    because: `${what}: ${because}.`,
    question: question(excerpt(shown)),
    choices: ways.map((way) => choiceOf(way, readings[way] ?? '')),
    first: Math.max(
      0,
      ways.findIndex((way) => way === value),
    ),
  };
}

function askMark({ survey: { ways, answers } }: KnownFile): Asked | null {
  const typed = ways.decimal.shown ?? '';
  const readings = numberReadings(splitSign(typed)?.number ?? typed);
  return askReading(
    ways.decimal,
    'Numbers',
    (shown) => `How much is ${shown}?`,
    readings,
    (way, number) => ({
      ...{ value: { ...answers, decimal: way }, label: `${numberWords(number, true)} (decimal ${way})` },
    }),
  );
}

function askOrder({ survey: { ways, answers } }: KnownFile): Asked | null {
  const readings = dateReadings(ways.dateOrder.shown ?? '');
  return askReading(
    ways.dateOrder,
    'Dates',
    (shown) => `Which day is ${shown}?`,
    readings,
    (way, date) => ({
      value: { ...answers, dateOrder: way },
      label: `${dateWords(date)} (${way === 'dmy' ? 'day' : 'month'} first)`,
    }),
  );
}

/** `5 December 2026` */
function dateWords(date: string): string {
  const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(new Date(`${date}T00:00:00Z`));
}

function askCurrency({ survey: { ways, fields, answers }, kind }: KnownFile): Asked | null {
  const { currency, hasSigns } = ways;
  const given = [...fields.columns.map(({ path }) => path), ...setPaths(answers)];
  const isKnown = given.includes('currency') || !kind.fields.some(({ name }) => name === 'currency');
  if (isKnown || (hasSigns && currency.isProven)) return null;
  return {
    ...(currency.because === '' ? {} : { because: `Currency: ${currency.because}.` }),
    question: `Which currency are the amounts in, such as EUR${hasSigns ? '' : ', or Enter for none'}?`,
    choices: [],
    text: {
      initial: currency.value ?? '',
      check: (typed) =>
        (typed === '' && !hasSigns) || CURRENCIES.has(typed.toUpperCase())
          ? null
          : 'A code of three letters, such as EUR, USD or CHF.',
      take: (typed) => (typed === '' ? answers : withValue(answers, 'currency', typed.toUpperCase())),
    },
  };
}

function askNegation({ survey: { ways, answers } }: KnownFile): Asked | null {
  if (ways.negate.isProven) return null;
  return {
    because: `Signs: ${ways.negate.because}.`,
    question: 'Do amounts change their sign?',
    choices: [
      { value: { ...answers, negate: true }, label: 'yes: what is negative here is paid' },
      { value: { ...answers, negate: false }, label: 'no: they stay as they stand' },
    ],
  };
}
