/** Rows that a run would refuse, or pay by mistake: each kind is a question with its ways out. */
import { parseFilter } from '../input/row-filter.js';
import { excerpt } from '../records/issue.js';
import { pluralize } from '../report/table.js';
import type { LayoutAnalysis } from './analyze.js';
import type { SetupAnswer } from './answers.js';
import { isMoney } from './field-inference.js';
import { groupSumText, groupText, paymentText } from './group-text.js';
import { sampleText } from './inference.js';
import type { RowGroup, RowStatistics } from './row-statistics.js';
import { type PromptChoice, type SetupStep, STOP } from './setup-question.js';

/** Columns that mark debit and credit, or a status. Each choice says what it pays. */
export function* statusColumnSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  for (const { column, shows } of analysis.statusColumns) {
    const words = [...(analysis.rows.words.get(column) ?? [])];
    if (words.length < 2) continue;
    const found = words.map(([word, { count }]) => `${quotedWord(word)} ${pluralize(count, 'row')}`).join(', ');
    const isTurned = isMoneyOutNegative(analysis);
    const pays = (isMeant: (word: string) => boolean): string =>
      paymentText(
        words.filter(([word]) => isMeant(word)).map(([, group]) => group),
        isTurned,
      );
    const only = words.map(([word]) =>
      onlyChoice(column, `=${word}`, `Only ${rowsWith(word)}: ${pays((each) => each === word)}`),
    );
    // Of several kinds of rows, more than one may be meant.
    const allBut =
      words.length < 3
        ? []
        : words.map(([word]) =>
            onlyChoice(column, `!=${word}`, `All but ${rowsWith(word)}: ${pays((each) => each !== word)}`),
          );
    // After one kind was left out, the others may all be meant.
    const isAgain = analysis.answers.only.some((written) => parseFilter('--only', written).column === column);
    const allText = isAgain ? 'All of these rows' : 'Ignore this column, and send all rows';
    const all = { value: { drop: [column] }, label: `${allText}: ${pays(() => true)}`, isWhole: true };
    const some: readonly (PromptChoice<SetupAnswer> | null)[] = [
      ...only,
      ...allBut.map((choice) => (choice === null ? null : { ...choice, isOnlyAsked: true })),
    ];
    const choices = isAgain ? [all, ...some] : [...some, all];
    yield {
      fact: `The column "${column}" shows ${shows}: ${found}.`,
      ask: 'Which rows do you want to pay?',
      choices: choices.filter((choice) => choice !== null),
    };
  }
  const same = sameInAllRows(analysis).map((written) => {
    const { column, text } = parseFilter('--only', written);
    return `All rows have ${quotedWord(text)} under "${column}". In later months too, gigwork will read only such rows.`;
  });
  if (same.length > 0) yield same.join(' ');
}

/** Conditions that all rows fulfil now: another month may have rows that are not to be paid. */
export function sameInAllRows({ answers, statusColumns, rows }: LayoutAnalysis): string[] {
  const used = answers.only.map((written) => parseFilter('--only', written).column);
  const conditions: string[] = [];
  for (const { column } of statusColumns) {
    const [word, another] = rows.words.get(column)?.keys() ?? [];
    if (word === undefined || another !== undefined || used.includes(column)) continue;
    const written = condition(column, `=${word}`);
    if (written !== null) conditions.push(written);
  }
  return conditions;
}

/** Null where a column's name cannot be written in a condition. */
function condition(column: string, test: string): string | null {
  const rule = parseFilter('--only', `${column}${test}`);
  return rule.column === column && rule.test + rule.text === test ? rule.written : null;
}

/** The choice to read only some rows; null where that cannot be written. */
function onlyChoice(
  column: string,
  test: string,
  label: string,
  more: SetupAnswer = {},
): PromptChoice<SetupAnswer> | null {
  const only = condition(column, test);
  return only === null ? null : { value: { only, ...more }, label, isWhole: true };
}

function rowsWith(word: string): string {
  return word === '' ? 'rows with an empty cell' : excerpt(word);
}

function quotedWord(word: string): string {
  return word === '' ? 'an empty cell' : `"${excerpt(word)}"`;
}

export function* totalRowSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  if (analysis.answers.allowTotalRow) return;
  for (const { column, word, group } of analysis.rows.totals) {
    const cell = `"${column}" is ${JSON.stringify(excerpt(word))}`;
    const rows = group.count === 1 ? 'this row out, so that it is' : 'these rows out, so that they are';
    yield {
      fact: `Line ${group.first.line} is a total, not a payment: ${cell} (${groupText(group)}).`,
      ask: `Leave ${rows} not paid?`,
      choices: [
        onlyChoice(column, `!=${word}`, 'Yes, it is a total'),
        { value: { allowTotalRow: true }, label: 'No, it is a payment' },
      ].filter((choice) => choice !== null),
      first: 0,
    };
  }
}

/** Rows that look like the totals of groups: no run finds them. */
export function* subtotalRowSteps({ answers, rows, profiles }: LayoutAnalysis): Iterable<SetupStep> {
  const { subtotals } = rows;
  if (subtotals === null || answers.allowTotalRow || answers.settled.has(SUBTOTALS_SETTLED)) return;
  const { count, first, emptyColumns } = subtotals;
  const { column, rowsAbove } = first;
  const sum = rowsAbove === 1 ? 'the amount of the row above it' : `the sum of the ${rowsAbove} rows above it`;
  const alike = count === 1 ? '' : ` ${count} rows are like this.`;
  const isDateColumn = (name: string): boolean => profiles.columns.get(name)?.areAnyDates === true;
  const marked = emptyColumns.find(isDateColumn) ?? emptyColumns[0];
  const label = `Yes, leave out the rows with an empty cell under "${marked}"`;
  const leave = marked === undefined ? null : onlyChoice(marked, '!=', label);
  const pay = {
    value: { settled: SUBTOTALS_SETTLED },
    label: `No, ${count === 1 ? 'it is a payment' : 'they are payments'}`,
  };
  const stop = { ...STOP, label: 'Stop: I will take them out of the file, or export it without totals' };
  yield {
    fact: `Line ${first.line} has ${JSON.stringify(excerpt(first.typed))} under "${column}", and its amount is ${sum}. It looks like a total, not a payment.${alike}`,
    ask: count === 1 ? 'Is it a total, which pays nobody?' : 'Are they totals, which pay nobody?',
    choices: [leave, stop, pay].filter((choice) => choice !== null),
    flags: leave === null ? ['--allow-total-row'] : undefined,
  };
}

const SUBTOTALS_SETTLED = 'subtotals';

/** Whether the payments are the negative amounts: a person has said so, or most amounts are negative. */
export function isMoneyOutNegative({ answers, rows }: LayoutAnalysis): boolean {
  const countOf = (kind: 'negative' | 'positive'): number => rows.kinds.get(kind)?.count ?? 0;
  return answers.negate ?? countOf('negative') > countOf('positive');
}

/** Amounts that are negative or 0: which of them are the payments. */
export function* signSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { answers, rows, fields } = analysis;
  const column = fields.columns.find(({ field }) => isMoney(field))?.name;
  if (column === undefined || answers.allowNegative) return;
  const negative = rows.kinds.get('negative');
  const positive = rows.kinds.get('positive');
  const isTurned = isMoneyOutNegative(analysis);
  const meant = isTurned ? negative : positive;
  const other = isTurned ? positive : negative;
  const left = other ?? rows.kinds.get('zero');
  if (left === undefined) {
    if (negative !== undefined && isTurned && answers.negate === null) yield turnPrompt(negative);
    return;
  }
  const isOne = left.count === 1;
  const is =
    other === undefined
      ? `${isOne ? 'has' : 'have'} the amount 0`
      : `${isOne ? 'is' : 'are'} ${isTurned ? 'money received' : 'negative'}, ${groupSumText(left)}`;
  const payOnly = (isNegative: boolean, yes: string, group: RowGroup | undefined): PromptChoice<SetupAnswer> | null => {
    if (group === undefined) return null;
    const rowsPaid = paymentText([group], isNegative);
    const label = `${yes}, only the ${isNegative ? 'negative' : 'positive'} amounts: ${rowsPaid}`;
    return onlyChoice(column, isNegative ? '<0' : '>0', label, isNegative ? { negate: true } : {});
  };
  yield {
    fact: `Line ${left.first.line} has ${excerpt(left.first.typed)} under "${column}".`,
    ask: `${left.count} of ${pluralize(rows.count, 'row')} ${is}: leave ${isOne ? 'it' : 'them'} out?`,
    choices: [
      payOnly(isTurned, 'Yes', meant),
      // The other way round, where nobody has said yet which sign payments have.
      payOnly(!isTurned, 'No', answers.negate === null ? other : undefined),
      { value: { allowNegative: true }, label: 'No, send all rows as they are' },
    ].filter((choice) => choice !== null),
  };
}

/** `-5.00`, `5.00-`, `(5.00)` */
const MARKS_OF_A_MINUS = /[-\u2212()]/g;

function turnPrompt({ first }: RowGroup): SetupStep {
  return {
    fact: `Every amount is negative, as in ${sampleText(first)}. Banks show money going out as negative.`,
    ask: `Should ${first.typed} be paid out as ${first.typed.replace(MARKS_OF_A_MINUS, '')}?`,
    choices: [
      { value: { negate: true }, label: 'Yes, negative amounts are the payments' },
      { value: { allowNegative: true }, label: 'No, send the amounts as they are, negative', isOnlyAsked: true },
      STOP,
    ],
    first: 0,
  };
}

const MOST_UNREAD_TEXTS = 4;

/** Rows that a run refuses: without an amount or a payee, or with a text in place of an amount. */
export function* unfilledRowSteps({ answers, rows, fields }: LayoutAnalysis): Iterable<SetupStep> {
  const amount = fields.columns.find(({ field }) => isMoney(field))?.name;
  const user = fields.columns.find(({ path }) => path === 'user_id')?.name;
  if (amount === undefined) return;
  const unread = [...rows.unread].slice(0, MOST_UNREAD_TEXTS);
  const unfilled: readonly UnfilledRows[] = [
    { column: amount, text: '', group: rows.kinds.get('empty'), mayBeLeftOut: true },
    // A number that nothing reads is money for somebody, and so is any text beside a payee.
    ...unread.map(([text, group]) => ({
      column: amount,
      text,
      group,
      mayBeLeftOut: !/\d/.test(text) && !rows.owed.has(text),
    })),
    // Somebody is to get this money, unless the row was left out before as a note.
    { column: user, text: '', group: rows.kinds.get('unnamed'), mayBeLeftOut: false },
  ];
  for (const { column, text, group, mayBeLeftOut } of unfilled) {
    const settled = JSON.stringify([column, text]);
    if (column === undefined || group === undefined || answers.settled.has(settled)) continue;
    const isOne = group.count === 1;
    const found = text === '' ? 'an empty cell' : `${JSON.stringify(excerpt(text))}, which is not a number,`;
    const count = `${group.count} of ${pluralize(rows.count, 'row')} ${isOne ? 'has' : 'have'}`;
    const fact = `${count} ${found} under "${column}". The first is on line ${group.first.line}.`;
    const later = { value: { settled }, label: 'No, I will correct the file: until then, nothing is sent' };
    if (mayBeLeftOut) {
      const leave = onlyChoice(column, `!=${text}`, 'Yes, nothing is paid for them');
      yield {
        fact,
        ask: `Leave ${isOne ? 'this row' : 'these rows'} out? If not, correct the file first.`,
        choices: [leave, later].filter((choice) => choice !== null),
      };
    } else {
      const cells = isOne ? 'this cell' : 'these cells';
      const correct = `Correct ${cells} in the file, then set it up again.`;
      const name = `Write into ${cells} who is paid. Delete a row in the file if it pays nobody.`;
      const may = `${isOne ? 'This row' : 'Each of these rows'} may be a payment, so gigwork does not leave it out.`;
      const doubt = `${fact} ${may}`;
      // Also without a person: what the dry run says of the row advises nothing for a fee.
      if (column === user) yield `${doubt} ${feeWays(rows)}`;
      yield {
        ...(column === user ? {} : { fact: doubt }),
        ask: column === user ? name : correct,
        choices: [
          { ...STOP, label: 'Stop: I will correct the file now' },
          { value: { settled }, label: 'Continue. I will correct the file: until then, nothing is sent' },
        ],
        // No flag helps: the dry run names each of these rows.
        isOptional: true,
      };
    }
  }
}

/** The two ways for rows that pay nobody. */
function feeWays({ unnamedKinds }: RowStatistics): string {
  const kinds = unnamedKinds.map(({ column, word }) => condition(column, `!=${word}`));
  const kind = kinds.find((each) => each !== null && !each.includes("'"));
  const filter =
    kind === undefined
      ? "leave out its kind, if a column has it: --only 'COLUMN!=KIND'"
      : `leave out its kind every month: --only '${kind}'`;
  return `If it is a bank fee or another row that pays nobody, delete it in the file, or ${filter}.`;
}

interface UnfilledRows {
  readonly column: string | undefined;
  readonly text: string;
  readonly group: RowGroup | undefined;
  /** They are empty, or notes. */
  readonly mayBeLeftOut: boolean;
}
