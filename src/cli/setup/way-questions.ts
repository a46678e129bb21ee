/** Questions about how cells are read, each shown on values of the file. */
import { splitSign } from '../../input/currency-signs.js';
import type { Conclusion } from '../../input/setup/conclusion.js';
import { dateReadings } from '../../input/setup/date-orders.js';
import { numberReadings } from '../../input/setup/number-marks.js';
import { type Answers, setPaths, withColumn, withDropped, withValue } from '../../input/setup/answers.js';
import type { Survey } from '../../input/setup/survey.js';
import type { ColumnDoubt, Ways } from '../../input/setup/ways.js';
import { numberWords } from '../../money/number-words.js';
import { CURRENCIES } from '../../records/currencies.js';
import { excerpt } from '../../records/issue.js';
import type { Kind } from '../../records/kind.js';
import { shellWord } from '../../util/shell-word.js';
import { type Asked, type Choice, pointOf, type Question, type Step } from './dialogue.js';

/** What is known when questions about ways are made. */
interface Known {
  readonly ways: Ways;
  readonly survey: Survey;
  readonly answers: Answers;
  readonly kind: Kind;
  readonly platform: NodeJS.Platform;
}

/** A question about all cells of a kind. */
interface WayQuestion {
  readonly id: string;
  readonly what: string;
  readonly concluded: (ways: Ways) => Conclusion<unknown>;
  readonly ask: (known: Known) => Asked | null;
}

const WAY_QUESTIONS: readonly WayQuestion[] = [
  { id: 'decimal', what: 'how numbers are written', concluded: ({ decimal }) => decimal, ask: askMark },
  { id: 'date_format', what: 'how dates are written', concluded: ({ dateOrder }) => dateOrder, ask: askOrder },
  { id: 'currency', what: 'the currency', concluded: ({ currency }) => currency, ask: askCurrency },
  { id: 'negate', what: 'whether amounts change their sign', concluded: ({ negate }) => negate, ask: askNegation },
];

export function wayQuestions(known: Known): Question[] {
  const { ways, answers, platform } = known;
  return [
    ...ways.doubts.map((doubt) => doubtQuestion(doubt, answers, platform)),
    ...WAY_QUESTIONS.map(({ id, what, concluded, ask }) => ({
      ...{ id, open: pointOf(what, concluded(ways)), asked: ask(known) },
    })),
  ];
}

export function mapFlag(column: string, path: string, platform: NodeJS.Platform): string {
  return `--map ${shellWord(`${column}=${path}`, platform)}`;
}

export function dropFlag(column: string, platform: NodeJS.Platform): string {
  return `--ignore-column ${shellWord(column, platform)}`;
}

/** A column about which something must be said before it is dropped or read. */
function doubtQuestion({ column, because, path }: ColumnDoubt, answers: Answers, platform: NodeJS.Platform): Question {
  const drop: Choice<Step> = { value: withDropped(answers, column), label: 'it is not sent' };
  const stop: Choice<Step> = { value: 'stop', label: 'stop, nothing is written' };
  const question = `${because.charAt(0).toUpperCase()}${because.slice(1)}.`;
  if (path === null)
    return {
      id: 'doubt',
      open: { text: because, say: [dropFlag(column, platform)] },
      // Money that comes in would be paid out: Enter alone does not drop the column.
      asked: { question, choices: [drop, stop], first: 1 },
    };
  const take: Choice<Step> = { value: withColumn(answers, column, path), label: `it gives ${path}` };
  return {
    id: 'doubt',
    open: { text: because, say: [mapFlag(column, path, platform), dropFlag(column, platform)] },
    asked: { question, choices: [take, drop, stop] },
  };
}

/** Asks how a value is read, even where that is proven. Null where nothing has to be said. */
function askReading<W extends string>(
  { because, value, shown, say }: Conclusion<W>,
  what: string,
  question: (shown: string) => string,
  readings: readonly { readonly way: string; readonly label: string; readonly step: Answers }[],
): Asked | null {
  if (shown === undefined) return null;
  // No answer reads a file that is written in two ways.
  if (say.length === 0) return { because: `${because}.`, question: '', choices: [] };
  return {
    because: `${what}: ${because}.`,
    question: question(excerpt(shown)),
    choices: readings.map(({ label, step }) => ({ value: step, label })),
    first: Math.max(
      0,
      readings.findIndex(({ way }) => way === value),
    ),
  };
}

function askMark({ ways: { decimal }, answers }: Known): Asked | null {
  const typed = decimal.shown ?? '';
  const readings = numberReadings(splitSign(typed)?.number ?? typed);
  const choices = (['point', 'comma'] as const).flatMap((way) => {
    const reading = readings[way];
    if (reading === null) return [];
    return [{ way, label: `${numberWords(reading, true)} (decimal ${way})`, step: { ...answers, decimal: way } }];
  });
  return askReading(decimal, 'Numbers', (shown) => `How much is ${shown}?`, choices);
}

function askOrder({ ways: { dateOrder }, answers }: Known): Asked | null {
  const readings = dateReadings(dateOrder.shown ?? '');
  const choices = (['dmy', 'mdy'] as const).flatMap((way) => {
    const date = readings[way];
    if (date === null) return [];
    const label = `${dateWords(date)} (${way === 'dmy' ? 'day' : 'month'} first)`;
    return [{ way, label, step: { ...answers, dateOrder: way } }];
  });
  return askReading(dateOrder, 'Dates', (shown) => `Which day is ${shown}?`, choices);
}

/** `5 December 2026` */
function dateWords(date: string): string {
  const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(new Date(`${date}T00:00:00Z`));
}

function askCurrency({ ways: { currency, hasSigns }, survey, answers, kind }: Known): Asked | null {
  const given = [...survey.fields.columns.map(({ path }) => path), ...setPaths(answers)];
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

function askNegation({ ways: { negate }, answers }: Known): Asked | null {
  if (negate.isProven) return null;
  return {
    because: `Signs: ${negate.because}.`,
    question: 'Do amounts change their sign?',
    choices: [
      { value: { ...answers, negate: true }, label: 'yes: what is negative here is paid' },
      { value: { ...answers, negate: false }, label: 'no: they stay as they stand' },
    ],
  };
}
