/** Rows that a run would refuse, or pay by mistake: each kind is a question with its ways out. */
import type { Answer } from './answers.js';
import { sampleText } from './inference.js';
import type { StatusColumn } from './status-columns.js';
import type { RowGroup } from './row-statistics.js';
import type { LayoutAnalysis } from './analyze.js';
import { parseFilter } from '../input/row-filter.js';
import { moneyText } from '../records/currencies.js';
import { excerpt } from '../records/issue.js';
import { pluralize } from '../report/table.js';
import { type Choice, type SetupStep, type ChoiceEffect, STOP } from './wizard.js';

/** Columns that mark debit and credit, or a status. */
export function markingPoints(analysis: LayoutAnalysis): SetupStep[] {
  const same = sameInAllRows(analysis).map((written) => {
    const { column, text } = parseFilter('--only', written);
    return `All rows have ${wordText(text)} under "${column}". In later months too, gigwork will read only such rows.`;
  });
  const mixed = analysis.markings.filter(({ column }) => (analysis.found.words.get(column)?.size ?? 0) > 1);
  return [...mixed.map((marking) => markingPoint(marking, analysis)), same.join(' ')];
}

/** Conditions that all rows fulfil now: another month may have rows that are not to be paid. */
export function sameInAllRows({ answers, markings, found }: LayoutAnalysis): string[] {
  const used = answers.only.map((written) => parseFilter('--only', written).column);
  return markings.flatMap(({ column }) => {
    const [word, another] = found.words.get(column)?.keys() ?? [];
    if (word === undefined || another !== undefined || used.includes(column)) return [];
    return condition(column, `=${word}`) ?? [];
  });
}

/** Null where a column's name cannot be written in a condition. */
function condition(column: string, test: string): string | null {
  const rule = parseFilter('--only', `${column}${test}`);
  return rule.column === column && rule.test + rule.text === test ? rule.written : null;
}

/** A choice that leaves rows out. */
function onlyChoice(column: string, test: string, label: string, more: Answer = {}): Choice<Answer>[] {
  const only = condition(column, test);
  return only === null ? [] : [{ value: { only, ...more }, label }];
}

function wordText(word: string): string {
  return word === '' ? 'nothing' : `"${excerpt(word)}"`;
}

function markingPoint({ column, what }: StatusColumn, analysis: LayoutAnalysis): SetupStep {
  const words = [...(analysis.found.words.get(column) ?? [])];
  const found = words.map(([word, { count }]) => `${wordText(word)} ${pluralize(count, 'row')}`).join(', ');
  const choicesOf = (test: string, label: string): Choice<Answer>[] =>
    words.flatMap(([word, group]) =>
      onlyChoice(column, `${test}${word}`, `${label} ${wordText(word)}: ${groupWords(group, analysis)}`),
    );
  // Of several kinds of rows, more than one may be meant.
  const others = words.length < 3 ? [] : choicesOf('!=', 'All but');
  return {
    fact: `The column "${column}" shows ${what}: ${found}.`,
    ask: 'Which rows do you want to pay?',
    choices: [
      ...choicesOf('=', 'Only'),
      ...others.map((choice) => ({ ...choice, isOnlyAsked: true })),
      { value: { drop: [column] }, label: 'Ignore this column, and send all rows' },
    ],
  };
}

export function totalPoints(analysis: LayoutAnalysis): SetupStep[] {
  if (analysis.answers.allowTotalRow) return [];
  return analysis.found.totals.map(({ column, word, group }) => ({
    fact: `Line ${group.first.line} is a total, not a payment: "${column}" is ${JSON.stringify(excerpt(word))} (${groupWords(group, analysis)}).`,
    ask:
      group.count === 1
        ? 'Leave this row out, so that it is not paid?'
        : 'Leave these rows out, so that they are not paid?',
    choices: [
      ...onlyChoice(column, `!=${word}`, 'Yes, it is a total'),
      { value: { allowTotalRow: true }, label: 'No, it is a payment' },
    ],
    first: 0,
  }));
}

/** About amounts that are negative or 0: which of them are the payments. */
export function signsPoint(analysis: LayoutAnalysis): SetupStep {
  const { answers, found, fields } = analysis;
  const column = fields.columns.find(({ field }) => field.money === true)?.name;
  if (column === undefined || answers.allowNegative) return '';
  const [negative, positive, zero] = (['negative', 'positive', 'zero'] as const).map((kind) => found.kinds.get(kind));
  const areTurned = answers.negate ?? (negative?.count ?? 0) > (positive?.count ?? 0);
  const [meant, other] = areTurned ? [negative, positive] : [positive, negative];
  const left = other ?? zero;
  if (negative !== undefined && areTurned && answers.negate === null && left === undefined) return turnPoint(negative);
  if (left === undefined) return '';
  const isOne = left.count === 1;
  const kind = areTurned ? 'money received' : 'negative';
  const is =
    other === undefined
      ? `${isOne ? 'has' : 'have'} the amount 0`
      : `${isOne ? 'is' : 'are'} ${kind}, ${sumWords(left, analysis)}`;
  const payOnly = (areNegative: boolean, yes: string, group: RowGroup | undefined): Choice<ChoiceEffect>[] => {
    const label = `${yes}, pay only the ${areNegative ? 'negative' : 'positive'} amounts: `;
    const more = areNegative ? { negate: true } : {};
    if (group === undefined) return [];
    return onlyChoice(column, areNegative ? '<0' : '>0', label + groupWords(group, analysis), more);
  };
  return {
    fact: `Line ${left.first.line} has ${excerpt(left.first.typed)} under "${column}".`,
    ask: `${left.count} of ${pluralize(found.count, 'row')} ${is}: leave ${isOne ? 'it' : 'them'} out?`,
    choices: [
      ...payOnly(areTurned, 'Yes', meant),
      // The other way round, where nobody has said yet which sign payments have.
      ...payOnly(!areTurned, 'No', answers.negate === null ? other : undefined),
      { value: { allowNegative: true }, label: 'No, send all rows as they are' },
    ],
  };
}

function turnPoint({ first }: RowGroup): SetupStep {
  return {
    fact: `Every amount is negative, as in ${sampleText(first)}. Banks show money going out as negative.`,
    ask: `Should ${first.typed} be paid out as ${first.typed.replace('-', '')}?`,
    choices: [
      { value: { negate: true }, label: 'Yes, negative amounts are the payments' },
      { value: { allowNegative: true }, label: 'No, send the amounts as they are, negative', isOnlyAsked: true },
      STOP,
    ],
    first: 0,
  };
}

const MOST_TEXTS = 4;

/** About rows that a run refuses: without an amount or a payee, or with a text in place of an amount. */
export function unfilledPoints(analysis: LayoutAnalysis): SetupStep[] {
  const { found, fields } = analysis;
  const amount = fields.columns.find(({ field }) => field.money === true)?.name;
  const user = fields.columns.find(({ path }) => path === 'user_id')?.name;
  if (amount === undefined) return [];
  return [
    unfilledPoint(amount, '', found.kinds.get('empty'), analysis),
    user === undefined ? '' : unfilledPoint(user, '', found.kinds.get('unnamed'), analysis),
    ...[...found.unread].slice(0, MOST_TEXTS).map(([text, group]) => unfilledPoint(amount, text, group, analysis)),
  ];
}

function unfilledPoint(column: string, text: string, group: RowGroup | undefined, analysis: LayoutAnalysis): SetupStep {
  const settled = JSON.stringify([column, text]);
  if (group === undefined || analysis.answers.settled.has(settled)) return '';
  const rows = `${group.count} of ${pluralize(analysis.found.count, 'row')} ${group.count === 1 ? 'has' : 'have'}`;
  const what = text === '' ? 'an empty cell' : `${JSON.stringify(excerpt(text))}, which is not a number,`;
  return {
    fact: `${rows} ${what} under "${column}". The first is on line ${group.first.line}.`,
    ask: `Leave ${group.count === 1 ? 'this row' : 'these rows'} out? If not, correct the file first.`,
    choices: [
      ...onlyChoice(column, `!=${text}`, 'Yes, nothing is paid for them'),
      { value: { settled }, label: 'No, I will correct the file: until then, nothing is sent' },
    ],
  };
}

/** `12 rows, 1,290.40 EUR` */
function groupWords(group: RowGroup, analysis: LayoutAnalysis): string {
  return `${pluralize(group.count, 'row')}, ${sumWords(group, analysis)}`;
}

function sumWords({ sum }: RowGroup, { currency, answers, fields, profiles }: LayoutAnalysis): string {
  const column = fields.columns.find(({ path }) => path === 'currency');
  const [code, another] = (column === undefined ? null : profiles.columns.get(column.name)?.words)?.keys() ?? [];
  const known = answers.set.get('currency') ?? currency.value ?? (another === undefined ? code : null);
  return moneyText(sum.value(), typeof known === 'string' ? known : null, 'payout');
}
