/** Which currency the amounts have: a column, their signs, their name, or a person says so. */
import { isByLastWord } from '../input/column-synonyms.js';
import { CURRENCIES } from '../records/currencies.js';
import type { LayoutAnalysis } from './analyze.js';
import { setPaths } from './answers.js';
import { suggestionPrompt } from './column-questions.js';
import { type CurrencyConflict, isCurrencyGiven, settledCurrency } from './currency-inference.js';
import { meantCurrency } from './money-tally.js';
import { countedText } from './group-text.js';
import { isDecided, sampleText } from './inference.js';
import { isMoneyOutNegative } from './row-questions.js';
import { type ChoiceEffect, type PromptChoice, type SetupPrompt, type SetupStep, STOP } from './setup-question.js';

/** Columns that may have the currency of each row, where none gives it yet. */
export function* currencyColumnSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { fields, answers, currencyConflict: conflict, schema } = analysis;
  if (isGiven(analysis)) return;
  if (conflict !== null) {
    yield conflictPrompt(conflict, analysis);
    return;
  }
  const suggestion = fields.suggestions.find(({ path }) => path === 'currency');
  if (suggestion !== undefined) {
    const prompt = suggestionPrompt(suggestion, analysis);
    // `Original currency` may be that of another amount.
    const isLikely = suggestion.names.every((name) => !isByLastWord(name, schema.type));
    yield isLikely ? prompt : { ...prompt, first: undefined };
    return;
  }
  for (const column of fields.others) {
    const profile = analysis.profiles.columns.get(column);
    const [first, second] = profile?.words?.values() ?? [];
    // If all rows have the same currency, dropping it with the other columns loses nothing.
    const isLost = second !== undefined || !answers.ignoreOthers;
    if (profile?.areCurrencies !== true || first === undefined || !isLost || analysis.currency.kind === 'certain')
      continue;
    yield {
      fact: `The column "${column}" has currencies, as in ${sampleText(first)}.`,
      ask: 'Do you want to use it as the currency of each row?',
      choices: [
        { value: { map: [column, 'currency'] }, label: 'Yes, use it as the currency' },
        { value: { drop: [column] }, label: 'No, do not use this column' },
      ],
      first: 0,
    };
  }
}

function isGiven({ answers, fields, profiles }: LayoutAnalysis): boolean {
  return setPaths(answers).includes('currency') || isCurrencyGiven(fields, profiles.columns);
}

/** Nothing is likely where names, signs and columns disagree. */
function conflictPrompt(conflict: CurrencyConflict, analysis: LayoutAnalysis): SetupPrompt {
  const { columns, codes, money } = conflict;
  const names = columns.map(({ name }) => name);
  const forAll = codes.map((code): PromptChoice<ChoiceEffect> => {
    const text = payClause(analysis, () => code);
    return { value: { set: ['currency', code], drop: names }, label: `${code}, in all rows${text}`, isWhole: true };
  });
  const byRow = columns.map(({ name, place }): PromptChoice<ChoiceEffect> => {
    const others = names.filter((other) => other !== name);
    return {
      value: { map: [name, 'currency'], drop: others, settled: settledCurrency(name, money) },
      label: `The currency under "${name}"${payClause(analysis, (typed) => typed[place] ?? '')}`,
      isWhole: true,
      // Nothing on the command line says that amounts which show one currency have another one.
      isOnlyAsked: conflict.isAboutAmounts,
    };
  });
  const isOpen = conflict.isAboutAmounts && codes.length === 0;
  const another = isOpen ? [{ value: anotherCurrency(names), label: 'Another currency, in all rows' }] : [];
  return {
    fact: conflict.why,
    ask: 'Which currency do the amounts have?',
    choices: [...forAll, ...byRow, ...another, STOP],
    flags: isOpen ? ['--set currency=CODE'] : undefined,
  };
}

function anotherCurrency(drop: readonly string[]): SetupPrompt {
  return {
    ask: 'Currency of all amounts, such as EUR:',
    initial: '',
    check: codeProblem,
    answerOf: (typed) => ({ set: ['currency', typed.toUpperCase()], drop }),
  };
}

function codeProblem(typed: string): string | null {
  return CURRENCIES.has(typed.toUpperCase()) ? null : 'A code of three letters, such as EUR, USD or CHF.';
}

/**
 * `: pays 4 rows, 3,225.17 EUR and 5.00 GBP`; nothing as long as the amounts are not known.
 * @param currencyOf the currency of rows with these codes
 */
function payClause(analysis: LayoutAnalysis, currencyOf: (codes: readonly string[]) => string): string {
  if (analysis.money.size === 0) return '';
  const groups = analysis.rows.currencies.map(({ group, codes }) => [group, currencyOf(codes)] as const);
  return `: ${countedText(groups, isMoneyOutNegative(analysis))}`;
}

/** A column with `eur`: the service expects EUR. */
function* codeSteps({ fields, profiles, answers }: LayoutAnalysis): Iterable<SetupStep> {
  const column = fields.columns.find(({ path }) => path === 'currency')?.name ?? '';
  const settled = JSON.stringify(['currency codes', column]);
  const values = [...(profiles.columns.get(column)?.words?.values() ?? [])];
  const wrong = values.find(({ typed }) => !CURRENCIES.has(typed) && meantCurrency(typed) !== null);
  if (wrong === undefined || answers.settled.has(settled)) return;
  const [code = null, another] = new Set(values.map(({ typed }) => meantCurrency(typed)));
  const keep = { value: { settled }, label: 'Send them as they are, with a warning', isOnlyAsked: true };
  const stop = { ...STOP, label: 'Stop: I will write the codes in capital letters' };
  const isOne = code !== null && another === undefined;
  const forAll = {
    value: { set: ['currency', code ?? ''] as const, drop: [column] },
    label: `Yes, ${code} in all rows`,
  };
  yield {
    fact: `The column "${column}" has ${sampleText(wrong)}, which is not a currency code.`,
    ask: isOne ? `Is ${code} meant?` : 'Correct the codes in the file?',
    choices: isOne ? [forAll, keep, stop] : [stop, keep],
    first: 0,
    flags: isOne ? undefined : [`--set currency=CODE`],
  };
}

const NO_CURRENCY_SETTLED = 'currency';

/** The currency of all amounts, where no column gives that of each row. */
export function* currencySteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { currency, currencyConflict: conflict, hasSigns, schema, answers } = analysis;
  if (conflict !== null) {
    if (isGiven(analysis)) yield conflictPrompt(conflict, analysis);
    return;
  }
  yield* codeSteps(analysis);
  const why = 'why' in currency ? (currency.why ?? '') : '';
  if (currency.kind === 'certain') {
    yield `Currency: ${currency.value}, because ${why}.`;
    return;
  }
  const isField = schema.fields.some(({ name }) => name === 'currency');
  if (isGiven(analysis) || !isField) return;
  if (answers.settled.has(NO_CURRENCY_SETTLED)) {
    yield 'No currency: the amounts are sent without one.';
    return;
  }
  const likely = currency.kind === 'likely' ? currency.value : null;
  yield {
    fact: why,
    ask: `Currency of all amounts, such as EUR${hasSigns ? '' : ' (Enter alone: no currency)'}:`,
    initial: likely ?? '',
    check: (typed) => (typed === '' && !hasSigns ? null : codeProblem(typed)),
    answerOf: (typed) => (typed === '' ? { settled: NO_CURRENCY_SETTLED } : { set: ['currency', typed.toUpperCase()] }),
    flags: [`--set currency=${likely ?? 'CODE'}`, "--map 'COLUMN=currency'"],
    isOptional: isDecided(currency),
  };
}
