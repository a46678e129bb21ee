/** Questions about how cells are written, each shown on values of the file. */
import { splitSign } from '../../input/currency-signs.js';
import { readDate } from '../../input/dates.js';
import { type Conclusion, isSure } from '../../input/setup/conclusion.js';
import { readingsOf } from '../../input/setup/number-marks.js';
import { type Answers, type Survey, withColumn, withDropped, withValue } from '../../input/setup/survey.js';
import type { ColumnDoubt, Ways } from '../../input/setup/ways.js';
import { numberWords } from '../../money/number-words.js';
import { isCalendarDate } from '../../records/calendar.js';
import { CURRENCIES } from '../../records/currencies.js';
import type { Kind } from '../../records/kind.js';
import { shellWord } from '../../util/shell-word.js';
import { type Asked, type Choice, pointOf, type Question, type Step } from './dialogue.js';

export function wayQuestions(
  ways: Ways,
  survey: Survey,
  answers: Answers,
  kind: Kind,
  platform: NodeJS.Platform,
): Question[] {
  const { decimal, dateOrder, currency, negate } = ways;
  const question = (id: string, what: string, conclusion: Conclusion<unknown>, asked: Asked | null): Question => ({
    ...{ id, asked, open: isSure(conclusion) ? null : pointOf(what, conclusion) },
  });
  return [
    ...ways.doubts.map((doubt) => doubtQuestion(doubt, answers, platform)),
    question('decimal', 'how numbers are written', decimal, askMark(ways, answers)),
    question('date_format', 'how dates are written', dateOrder, askOrder(ways, answers)),
    question('currency', 'the currency', currency, askCurrency(ways, survey, answers, kind)),
    question('negate', 'whether amounts change their sign', negate, askNegation(negate, answers)),
  ];
}

/** A column about which something must be said before it is dropped or read. */
function doubtQuestion({ column, because, path }: ColumnDoubt, answers: Answers, platform: NodeJS.Platform): Question {
  const word = (text: string): string => shellWord(text, platform);
  return {
    id: 'doubt',
    open: {
      text: because,
      say: [...(path === null ? [] : [`--map ${word(`${column}=${path}`)}`]), `--ignore-column ${word(column)}`],
    },
    asked: {
      question: `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
      choices: [
        ...(path === null ? [] : [{ value: withColumn(answers, column, path), label: `it gives ${path}` }]),
        { value: withDropped(answers, column), label: 'it is not sent' },
        { value: 'stop', label: 'stop, nothing is written' },
      ],
      first: path === null ? 1 : 0,
    },
  };
}

/** Asks how a value is read, even where that is proven. Null where nothing has to be said. */
function askReading<T>(
  { certainty, because, value }: Conclusion<T>,
  shown: string | null,
  words: { readonly what: string; readonly question: string },
  readings: readonly { readonly way: T; readonly label: string; readonly step: Answers }[],
): Asked | null {
  if (certainty === 'nothing' || certainty === 'said' || shown === null) return null;
  // No answer reads a file that is written in two ways.
  if (certainty === 'conflict') return { because: `${because}.`, question: '', choices: [] };
  return {
    ...(because === '' ? {} : { because: `${words.what}: ${because}.` }),
    question: words.question,
    choices: readings.map(({ label, step }): Choice<Step> => ({ value: step, label })),
    first: Math.max(
      0,
      readings.findIndex(({ way }) => way === value),
    ),
  };
}

function askMark({ decimal, shownNumber }: Ways, answers: Answers): Asked | null {
  const typed = shownNumber === null ? '' : (splitSign(shownNumber)?.number ?? shownNumber);
  const readings = (['point', 'comma'] as const).flatMap((way) => {
    const reading = readingsOf(typed, false)[way];
    if (reading === null) return [];
    return [{ way, label: `${numberWords(reading, true)} (decimal ${way})`, step: { ...answers, decimal: way } }];
  });
  const words = { what: 'Numbers', question: `How much is ${shownNumber}?` };
  return askReading(decimal, shownNumber, words, readings);
}

function askOrder({ dateOrder, shownDate }: Ways, answers: Answers): Asked | null {
  const readings = (['dmy', 'mdy'] as const).flatMap((way) => {
    const date = readDate(shownDate ?? '', way);
    if (!isCalendarDate(date)) return [];
    const label = `${dateWords(date)} (${way === 'dmy' ? 'day' : 'month'} first)`;
    return [{ way, label, step: { ...answers, dateOrder: way } }];
  });
  return askReading(dateOrder, shownDate, { what: 'Dates', question: `Which day is ${shownDate}?` }, readings);
}

/** `5 December 2026` */
function dateWords(date: string): string {
  const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(new Date(`${date}T00:00:00Z`));
}

function askCurrency({ currency, signed }: Ways, { fields }: Survey, answers: Answers, kind: Kind): Asked | null {
  const given = [...fields.columns.map(({ path }) => path), ...answers.columns.set, ...answers.columns.map.values()];
  const isKnown = given.includes('currency') || !kind.fields.some(({ name }) => name === 'currency');
  if (isKnown || (signed !== null && isSure(currency))) return null;
  const isFree = signed === null;
  return {
    ...(currency.because === '' ? {} : { because: `Currency: ${currency.because}.` }),
    question: `Which currency are the amounts in, such as EUR${isFree ? ', or Enter for none' : ''}?`,
    choices: [],
    text: {
      initial: currency.value ?? '',
      check: (typed) =>
        (typed === '' && isFree) || CURRENCIES.has(typed.toUpperCase())
          ? null
          : 'A code of three letters, such as EUR, USD or CHF.',
      take: (typed) => (typed === '' ? answers : withValue(answers, 'currency', typed.toUpperCase())),
    },
  };
}

function askNegation(negate: Conclusion<boolean>, answers: Answers): Asked | null {
  if (isSure(negate)) return null;
  return {
    because: `Signs: ${negate.because}.`,
    question: 'Do amounts change their sign?',
    choices: [
      { value: { ...answers, negate: true }, label: 'yes: what is negative here is paid' },
      { value: { ...answers, negate: false }, label: 'no: they stay as they stand' },
    ],
    first: negate.value === false ? 1 : 0,
  };
}
