/**
 * Doubts about money that one record alone does not raise: sums that a spreadsheet or an export writes below its rows, the
 * example of a template, parts of a cent, and a currency that only some records of a file have. CONTRACT: "Issue codes".
 */
import type { RawRecord } from '../input/raw.js';
import { add, compare, type Decimal, decimalOf, decimalsOf, moneyWords, ZERO } from '../money/decimal.js';
import { currencyDigits } from '../records/currencies.js';
import type { Body } from '../records/field.js';
import { exampleMark, isExample } from '../records/example.js';
import { error, type Finding, warning } from '../records/issue.js';
import type { Kind } from '../records/kind.js';
import type { Entries } from './table.js';
import type { Checked } from './validate.js';

/** The amounts of some rows. */
interface Sum {
  readonly amount: Decimal;
  readonly count: number;
}

const NOTHING: Sum = { amount: ZERO, count: 0 };
/** One amount above an equal one is no sum. */
const LEAST_ROWS = 2;

/** Words that say that a row is a sum, in the languages of the files that are imported most. */
const SUM_WORDS =
  /(?<!\p{L})(?:(?:zwischen|gesamt|end|monats|über)?summe|summen?|gesamt(?:betrag)?|insgesamt|(?:sub|grand)?[- ]?totals?|totale|totaal|sums?|somme|suma|soma|saldo|balance|razem|celkem|összesen|итого|合計)(?!\p{L})|Σ/iu;

export interface MoneyRules {
  /** Sums and examples are records. */
  readonly allowTotalRow: boolean;
  /** Warnings are errors. */
  readonly strict: boolean;
}

/** Looks at the records of one file, in their order. */
export class MoneyDoubts {
  private readonly rules: MoneyRules;
  /** All rows; those that are no sums; and those since the last sum. */
  private all = NOTHING;
  private records = NOTHING;
  private block = NOTHING;

  constructor(rules: MoneyRules) {
    this.rules = rules;
  }

  /** A checked record with what is doubted of its money, too; without content where that is an error. */
  check(raw: RawRecord, kind: Kind, checked: Checked): Checked {
    const { allowTotalRow, strict } = this.rules;
    const found: Finding[] = [];
    if (!allowTotalRow) this.findNoPayment(raw, kind, checked, found);
    findSubCent(kind, checked, found);
    if (found.length === 0) return checked;
    const added = strict ? found.map((each) => ({ ...each, severity: 'error' as const })) : found;
    const findings = [...checked.findings, ...added];
    if (added.every(({ severity }) => severity === 'warning')) return { ...checked, findings };
    const ownKey = checked.content?.parts.ownKey ?? checked.ownKey;
    return { findings, content: null, ...(ownKey === undefined ? {} : { ownKey }) };
  }

  private findNoPayment(raw: RawRecord, kind: Kind, checked: Checked, found: Finding[]): void {
    const sum = this.sumIn(raw, kind, checked);
    if (sum !== null) found.push(sum);
    const example = exampleIn(raw, kind, checked);
    if (example !== null) found.push(example);
  }

  private sumIn(raw: RawRecord, kind: Kind, checked: Checked): Finding | null {
    const amount = amountOf(raw, kind, checked);
    if (amount === null) return null;
    const { all, records, block } = this;
    const isSumOf = (rows: Sum): boolean => rows.count >= LEAST_ROWS && compare(rows.amount, amount) === 0;
    const field = kind.amountField;
    this.all = plus(all, amount);
    const word = isSumOf(all) || isSumOf(records) || isSumOf(block) ? sumWord(raw) : null;
    if (word !== null) {
      this.block = NOTHING;
      const message = `${moneyWords(amount, null)} is the sum of rows above it, and the row says ${JSON.stringify(word)}: a sum is paid to nobody. ${wayOut('the row')}`;
      return error('total-row', field, message, raw.typed?.get(field ?? '') ?? moneyWords(amount, null));
    }
    this.records = plus(records, amount);
    this.block = plus(block, amount);
    if (!isSumOf(all)) return null;
    const message = `${moneyWords(amount, null)} is exactly the sum of the ${all.count} amounts above it: is it a row of sums? ${wayOut('the row')}`;
    return warning('total-row', field, message, moneyWords(amount, null));
  }
}

function wayOut(what: string): string {
  return `Take ${what} out of the file; if it is a payment like the others, say --allow-total-row`;
}

function plus({ amount, count }: Sum, more: Decimal): Sum {
  return { amount: add(amount, more), count: count + 1 };
}

/** Also of an invalid row: a sum counts all that a person can read. */
function amountOf(raw: RawRecord, { amountField }: Kind, { content }: Checked): Decimal | null {
  if (content !== null) return content.parts.amount;
  const value = amountField === null ? undefined : raw.input?.[amountField];
  return typeof value === 'number' && Number.isFinite(value) ? decimalOf(value) : null;
}

/** The text that says that the row is a sum; also one in a column that is dropped. */
function sumWord({ cells, input }: RawRecord): string | null {
  return (cells ?? textsIn(input ?? {})).find((text) => SUM_WORDS.test(text))?.trim() ?? null;
}

function textsIn(body: Body): string[] {
  return Object.values(body).filter((value) => typeof value === 'string');
}

function exampleIn(raw: RawRecord, kind: Kind, { content }: Checked): Finding | null {
  if (content === null ? raw.input === null : !content.parts.text.without.includes(exampleMark(kind.fields)))
    return null;
  const body = content === null ? raw.input : content.parts.body();
  if (body === null || !isExample(kind.fields, body)) return null;
  return error('example-row', null, `this is the example of a template, and not a record of yours. ${wayOut('it')}`);
}

/** Where the amount is typed; what is computed from a price in cents may have parts of a cent by its nature. */
function findSubCent({ amountField }: Kind, { content }: Checked, found: Finding[]): void {
  if (content === null || amountField === null) return;
  const { amount, currency } = content.parts;
  if (amount === null || amount.scale === 0) return;
  const digits = currencyDigits(currency);
  if (digits === null || decimalsOf(amount) <= digits) return;
  const most = digits === 0 ? 'no decimals' : `at most ${digits} decimals`;
  const message = `${amountField} is ${moneyWords(amount, null)}, and amounts in ${currency} have ${most}`;
  found.push(warning('sub-cent', amountField, message, moneyWords(amount, null)));
}

/**
 * The records without a currency in a file where others have one, among the valid entries from one to another.
 * @param from the first entry of the file, @param to the one behind its last
 */
export function withoutCurrency(entries: Entries, from: number, to: number): number[] {
  const lacking: number[] = [];
  let has = false;
  for (let index = from; index < to; index++) {
    if (!entries.isValid(index)) continue;
    if (entries.groupOf(index).currency === null) lacking.push(index);
    else has = true;
  }
  return has ? lacking : [];
}

/** What is said of each of them. */
export const NO_CURRENCY: Finding = warning(
  'no-currency',
  'currency',
  'currency is missing, and other records of this file have one: add it, or say --set currency=… where it is the same for all',
);
