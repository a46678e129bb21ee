/** Questions about how cells are written, each shown on values of the file. */
import { isCalendarDate } from '../../records/calendar.js';
import { CURRENCIES } from '../../records/currencies.js';
import type { Kind } from '../../records/kind.js';
import { splitSign } from '../../input/currency-signs.js';
import { type DateOrder, readDate } from '../../input/dates.js';
import type { DecimalMark } from '../../input/numbers.js';
import { type Conclusion, isSure } from '../../input/setup/conclusion.js';
import { readingsOf } from '../../input/setup/number-marks.js';
import { type Answers, type Survey, withColumn, withDropped, withValue } from '../../input/setup/survey.js';
import type { ColumnDoubt, Ways } from '../../input/setup/ways.js';
import { numberWords } from '../../money/number-words.js';
import type { Known } from './call.js';
import { type Choice, type Prompts, Stopped } from './prompts.js';

/** @throws Stopped */
export async function askWays({ survey, ways, answers: first, kind }: Known, prompts: Prompts): Promise<Answers> {
  const mark = { ...first, decimal: await askMark(ways, prompts) };
  const dated = { ...mark, dateOrder: await askOrder(ways, prompts) };
  const answers = await askCurrency(ways, dated, kind, survey, prompts);
  return { ...answers, negate: await askNegation(ways.negate, prompts) };
}

/** A column about which something must be said before it is dropped or read. @throws Stopped */
export async function askDoubt(
  { column, because, path }: ColumnDoubt,
  answers: Answers,
  prompts: Prompts,
): Promise<Answers> {
  const choices: Choice<'map' | 'drop' | 'stop'>[] = [
    ...(path === null ? [] : [{ value: 'map' as const, label: `it gives ${path}` }]),
    { value: 'drop', label: 'it is not sent' },
    { value: 'stop', label: 'stop, nothing is written' },
  ];
  const answer = await prompts.choose(
    `${because.charAt(0).toUpperCase()}${because.slice(1)}.`,
    choices,
    path === null ? 'stop' : 'map',
  );
  if (answer === 'stop') throw new Stopped();
  return answer === 'map' ? withColumn(answers, column, path ?? '') : withDropped(answers, column);
}

const MARKS: readonly DecimalMark[] = ['point', 'comma'];

/** Null where nothing has to be said. */
async function askMark({ decimal, shownNumber }: Ways, prompts: Prompts): Promise<DecimalMark | null> {
  if (decimal.certainty === 'nothing' || decimal.certainty === 'said' || shownNumber === null) return decimal.value;
  refuseConflict(decimal, prompts);
  const readings = readingsOf(splitSign(shownNumber)?.number ?? shownNumber, false);
  const choices = MARKS.flatMap((mark): Choice<DecimalMark>[] => {
    const reading = readings[mark];
    if (reading === null) return [];
    return [{ value: mark, label: `${numberWords(reading, true)} (decimal ${mark})` }];
  });
  if (decimal.because !== '') prompts.say(`Numbers: ${decimal.because}.`);
  return prompts.choose(`How much is ${shownNumber}?`, choices, decimal.value ?? 'point');
}

async function askOrder({ dateOrder, shownDate }: Ways, prompts: Prompts): Promise<DateOrder | null> {
  if (dateOrder.certainty === 'nothing' || dateOrder.certainty === 'said' || shownDate === null) return dateOrder.value;
  refuseConflict(dateOrder, prompts);
  const choices = (['dmy', 'mdy'] as const).flatMap((order): Choice<DateOrder>[] => {
    const date = readDate(shownDate, order);
    if (!isCalendarDate(date)) return [];
    return [{ value: order, label: `${dateWords(date)} (${order === 'dmy' ? 'day' : 'month'} first)` }];
  });
  prompts.say(`Dates: ${dateOrder.because}.`);
  return prompts.choose(`Which day is ${shownDate}?`, choices, dateOrder.value ?? 'dmy');
}

/** `5 December 2026` */
function dateWords(date: string): string {
  const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(new Date(`${date}T00:00:00Z`));
}

/** No answer reads a file that is written in two ways. */
function refuseConflict({ certainty, because }: Conclusion<unknown>, prompts: Prompts): void {
  if (certainty !== 'conflict') return;
  prompts.say(`${because}.`);
  throw new Stopped();
}

async function askCurrency(
  { currency, signed }: Ways,
  answers: Answers,
  kind: Kind,
  { fields }: Survey,
  prompts: Prompts,
): Promise<Answers> {
  const has = [
    ...(fields?.columns ?? []).map(({ path }) => path),
    ...answers.columns.set,
    ...answers.columns.map.values(),
  ];
  const isKnown = has.includes('currency') || !kind.fields.some(({ name }) => name === 'currency');
  if (isKnown || (signed !== null && isSure(currency))) return answers;
  if (currency.because !== '') prompts.say(`Currency: ${currency.because}.`);
  const optional = signed === null ? ', or Enter for none' : '';
  const code = await prompts.type(
    `Which currency are the amounts in, such as EUR${optional}?`,
    currency.value ?? '',
    (typed) =>
      (typed === '' && signed === null) || CURRENCIES.has(typed.toUpperCase())
        ? null
        : 'A code of three letters, such as EUR, USD or CHF.',
  );
  return code === '' ? answers : withValue(answers, 'currency', code.toUpperCase());
}

async function askNegation(negate: Conclusion<boolean>, prompts: Prompts): Promise<boolean | null> {
  if (isSure(negate)) return negate.value;
  prompts.say(`Signs: ${negate.because}.`);
  const choices = [
    { value: true, label: 'yes: what is negative here is paid' },
    { value: false, label: 'no: they stay as they stand' },
  ];
  return prompts.choose('Do amounts change their sign?', choices, negate.value ?? true);
}
