/** How cells are read: for each point the evidence in the file, the question, and the setting in the profile. */
import type { Profile } from '../../config/profiles.js';
import { setPaths, withColumn, withDropped, withSettled, withValue } from '../../input/setup/answers.js';
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
import { type Asked, type Choice, type Question, type Step, STOP } from './dialogue.js';

/** A file whose record type is known. */
export interface KnownFile {
  readonly survey: Survey;
  readonly kind: Kind;
  readonly platform: NodeJS.Platform;
}

interface Way {
  readonly what: string;
  readonly concluded: (ways: Ways) => Conclusion<unknown>;
  /** Null if there is nothing to ask. */
  readonly ask: (known: KnownFile) => Asked | null;
  /** The message if the answer is certain. */
  readonly told: (known: KnownFile) => Pick<Question, 'told'>;
  /** The setting for the profile. @param base the config file's settings for all files */
  readonly kept: (ways: Ways, base: Profile) => Nullable<Profile>;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** All ways, in the order of the questions. */
export const WAYS: readonly Way[] = [
  {
    ...{ what: 'how numbers are written', ask: askMark },
    concluded: ({ decimal }) => decimal,
    told: ({ survey: { ways } }) => toldOf(ways.decimal, (typed, way) => markWords(typed, way)),
    kept: ({ decimal }, base) => ({ decimal: decimal.value ?? over(base.decimal, 'point') }),
  },
  {
    ...{ what: 'how dates are written', ask: askOrder },
    concluded: ({ dateOrder }) => dateOrder,
    told: ({ survey: { ways } }) =>
      toldOf(ways.dateOrder, (typed, way) => dateWords(dateReadings(typed)[way as 'dmy'] ?? '')),
    kept: ({ dateOrder }, base) => ({ date_format: dateOrder.value ?? over(base.date_format, 'ymd') }),
  },
  {
    ...{ what: 'the currency', ask: askCurrency },
    concluded: ({ currency }) => currency,
    told: ({ survey: { ways } }) =>
      ways.currency.isProven && ways.currency.value !== null
        ? { told: `Currency: ${ways.currency.value}, because ${ways.currency.because}.` }
        : {},
    kept: ({ hasSigns }) => (hasSigns ? { currency_signs: true } : {}),
  },
];

/** `1.200,50 is one thousand two hundred and 50 cents (line 5)` */
function toldOf<W extends string>(
  { isProven, value, shown }: Conclusion<W>,
  words: (typed: string, way: W) => string,
): Pick<Question, 'told'> {
  if (!isProven || value === null || shown === undefined) return {};
  return { told: `${excerpt(shown)} is ${words(shown, value)}.` };
}

function markWords(typed: string, way: 'point' | 'comma'): string {
  const reading = numberReadings(splitSign(typed)?.number ?? typed)[way];
  return `${numberWords(reading ?? '', true)} (decimal ${way})`;
}

/** The program's default, if the config file sets another value for all files. */
export function over<T>(base: T | undefined, own: T): T | null {
  return base === undefined || base === own ? null : own;
}

export function mapFlag(column: string, path: string, platform: NodeJS.Platform): string {
  return `--map ${shellWord(`${column}=${path}`, platform)}`;
}

export function dropFlag(column: string, platform: NodeJS.Platform): string {
  return `--ignore-column ${shellWord(column, platform)}`;
}

/** A column that needs an answer before it is dropped or read. */
export function doubtQuestion(
  { column, because, path, isNeeded = false }: ColumnDoubt,
  { survey, platform }: KnownFile,
): Question {
  const { answers } = survey;
  const drop: Choice<Step> = { value: withDropped(answers, column), label: 'Do not use this column' };
  const take: Choice<Step>[] =
    path === null ? [] : [{ value: withColumn(answers, column, path), label: `Use it as ${path}` }];
  return {
    open: {
      text: because,
      say: [
        ...(path === null ? [] : [mapFlag(column, path, platform)]),
        ...(isNeeded ? [] : [dropFlag(column, platform)]),
      ],
    },
    asked: {
      question: `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
      choices: [...take, drop, STOP],
      first: path === null ? undefined : 0,
    },
  };
}

/** Asks how a value is read. Null if that is certain. */
function askReading<W extends string>(
  { because, value, shown, say, isProven }: Conclusion<string>,
  what: string,
  question: (shown: string) => string,
  readings: Readings<W>,
  choiceOf: (way: W, reading: string) => Choice<Step>,
): Asked | null {
  if (shown === undefined || isProven) return null;
  // No answer reads a file that mixes two notations.
  if (say.length === 0) return { because: `${because}.`, question: '', choices: [] };
  const ways = (Object.keys(readings) as W[]).filter((way) => readings[way] !== null);
  const first = ways.findIndex((way) => way === value);
  return {
    because: `${what}: ${because}.`,
    question: question(excerpt(shown)),
    choices: ways.map((way) => choiceOf(way, readings[way] ?? '')),
    first: first < 0 ? undefined : first,
  };
}

function askMark({ survey: { ways, answers } }: KnownFile): Asked | null {
  const typed = ways.decimal.shown ?? '';
  return askReading(
    ways.decimal,
    'Numbers',
    (shown) => `How much is ${shown}?`,
    numberReadings(splitSign(typed)?.number ?? typed),
    (way) => ({ value: { ...answers, decimal: way }, label: markWords(typed, way) }),
  );
}

function askOrder({ survey: { ways, answers } }: KnownFile): Asked | null {
  return askReading(
    ways.dateOrder,
    'Dates',
    (shown) => `Which day is ${shown}?`,
    dateReadings(ways.dateOrder.shown ?? ''),
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
  if (isKnown || answers.settled.has(NO_CURRENCY) || (currency.isProven && currency.value !== null)) return null;
  return {
    ...(currency.because === '' ? {} : { because: `Currency: ${currency.because}.` }),
    question: `Currency of all amounts, such as EUR${hasSigns ? '' : ' (Enter alone: none)'}:`,
    choices: [],
    text: {
      initial: currency.value ?? '',
      check: (typed) =>
        (typed === '' && !hasSigns) || CURRENCIES.has(typed.toUpperCase())
          ? null
          : 'A code of three letters, such as EUR, USD or CHF.',
      take: (typed) =>
        typed === '' ? withSettled(answers, NO_CURRENCY) : withValue(answers, 'currency', typed.toUpperCase()),
    },
  };
}

const NO_CURRENCY = 'currency';
