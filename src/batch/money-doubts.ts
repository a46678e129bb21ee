/**
 * Doubts about money that one record alone does not raise: sums that a spreadsheet or an export writes below its rows, the
 * example of a template, parts of a cent, and a currency that only some records of a file have. CONTRACT: "Issue codes".
 */
import type { RawRecord } from '../input/raw.js';
import type { FileFacts } from '../input/read.js';
import { type Decimal, decimalOf, decimalsOf, formatDecimal, smallUnits } from '../money/decimal.js';
import { RunningSum } from '../money/running-sum.js';
import { currencyDigits } from '../records/currencies.js';
import { exampleNumber, isExample } from '../records/example.js';
import { error, excerpt, type Finding, warning } from '../records/issue.js';
import type { Kind } from '../records/kind.js';
import { saysSum } from '../records/sum-words.js';
import type { Entries } from './table.js';
import type { Checked } from './validate.js';

/** One amount above an equal one is no sum. */
const LEAST_ROWS = 2;

export interface MoneyRules {
  /** Sums and examples are records. */
  readonly allowTotalRow: boolean;
  /** Warnings are errors. */
  readonly strict: boolean;
  /** Fields that `--set` and settings give to every record: what they say is said of no single row. */
  readonly setFields?: ReadonlySet<string>;
}

/** What a record says of its money, as far as it can be read. */
interface Money {
  readonly amount: Decimal | null;
  readonly currency: string | null;
}

const NO_FIELDS: ReadonlySet<string> = new Set();

/** Looks at the records of one file, in their order. */
export class MoneyDoubts {
  /** A record has a currency, be it valid or not. */
  hasCurrency = false;
  private readonly rules: MoneyRules;
  private readonly facts: Pick<FileFacts, 'hasErrorColumn'>;
  private readonly all = new RunningSum();
  /** Once a row was a sum and said so: the rows that are no sums, and those since the last sum. */
  private parts: { readonly records: RunningSum; readonly block: RunningSum } | null = null;
  /** The row before, where it is no sum. */
  private last: RawRecord | null = null;

  /** @param facts of the file; they may become known while it is read */
  constructor(rules: MoneyRules, facts: Pick<FileFacts, 'hasErrorColumn'>) {
    this.rules = rules;
    this.facts = facts;
  }

  /** A checked record with what is doubted of its money, too; without content where that is an error. */
  check(raw: RawRecord, kind: Kind, checked: Checked): Checked {
    const money = moneyOf(raw, kind, checked);
    this.hasCurrency ||= money.currency !== null;
    const { allowTotalRow } = this.rules;
    const sum = allowTotalRow ? null : this.sumIn(raw, kind, money.amount);
    const example = allowTotalRow ? null : this.exampleIn(raw, kind, checked);
    const part = subCent(raw, kind, money);
    if (sum === null && example === null && part === null) return checked;
    return this.withDoubts(
      checked,
      [sum, example, part].filter((doubt) => doubt !== null),
    );
  }

  private withDoubts(checked: Checked, doubts: readonly Finding[]): Checked {
    const added = this.rules.strict ? doubts.map((each) => ({ ...each, severity: 'error' as const })) : doubts;
    const findings = [...checked.findings, ...added];
    if (added.every(({ severity }) => severity === 'warning')) return { ...checked, findings };
    const ownKey = checked.content?.parts.ownKey ?? checked.ownKey;
    return { findings, content: null, ...(ownKey === undefined ? {} : { ownKey }) };
  }

  private sumIn(raw: RawRecord, kind: Kind, amount: Decimal | null): Finding | null {
    if (amount === null) return null;
    const { all, parts, last } = this;
    const isSum = isSumOf(all, LEAST_ROWS, amount);
    const word = isSum || this.isPart(amount) ? sumWord(raw) : null;
    // Beyond the sum of all rows, a word counts only where the row above has none: rows of one title may all have it.
    if (word !== null && (isSum || last === null || sumWord(last) === null))
      return this.toldSum(raw, kind, amount, word);
    const rows = all.count;
    all.add(amount);
    parts?.records.add(amount);
    parts?.block.add(amount);
    this.last = raw;
    if (isSum) return doubtedSum(raw, kind, amount, rows);
    return this.facts.hasErrorColumn ? rejectedSum(raw, kind, amount) : null;
  }

  /** Behind the first sum, a block may be a single row. Before, a row that equals the only one above may be its sum. */
  private isPart(amount: Decimal): boolean {
    const { all, parts } = this;
    if (parts === null) return all.count === 1 && isSumOf(all, 1, amount);
    return isSumOf(parts.records, LEAST_ROWS, amount) || isSumOf(parts.block, 1, amount);
  }

  /** @returns null for the sum of a single row that no other sum has come before: one amount is no sum */
  private toldSum(raw: RawRecord, kind: Kind, amount: Decimal, word: string): Finding | null {
    const isDoubted = this.parts !== null || this.all.count >= LEAST_ROWS;
    this.parts = { records: this.parts?.records ?? this.all.copy(), block: new RunningSum() };
    this.last = null;
    this.all.add(amount);
    return isDoubted ? sumFinding(raw, kind, amount, word, '') : null;
  }

  private exampleIn(raw: RawRecord, { fields, amountField }: Kind, { content }: Checked): Finding | null {
    const set = this.rules.setFields ?? NO_FIELDS;
    // Most records are told apart by their amount, before a body is made of their cells.
    if (content !== null && amountField !== null && !set.has(amountField)) {
      if (!isSame(content.parts.amount, exampleNumber(fields, amountField))) return null;
    }
    const body = content === null ? raw.input : content.parts.body();
    if (body === null || !isExample(fields, body, set)) return null;
    return error('example-row', null, `this is the example of a template, and not a record of yours. ${wayOut('it')}`);
  }
}

/** Of two numbers of records: neither has zeros at the end of its decimals. */
function isSame(amount: Decimal | null, other: Decimal): boolean {
  return amount !== null && amount.scale === other.scale && smallUnits(amount) === smallUnits(other);
}

/** Sums of nothing but zeros say nothing: gigs without tasks have no other amounts. */
function isSumOf(rows: RunningSum, least: number, amount: Decimal): boolean {
  return rows.count >= least && rows.isMoney && rows.equals(amount);
}

/** Stands in the message about a row of sums that says so, and by that in the rejects that hold the row. */
const TOLD = 'is the sum of rows above it, and the row says';

/** @param told who found it, where it was not this run */
function sumFinding(raw: RawRecord, kind: Kind, amount: Decimal, word: string, told: string): Finding {
  const says = `${shownAmount(raw, kind, amount)} ${TOLD} ${JSON.stringify(excerpt(word))}${told}`;
  const message = `${says}: a sum is paid to nobody. ${wayOut('the row')}`;
  return error('total-row', kind.amountField, message, typedAmount(raw, kind, amount));
}

function doubtedSum(raw: RawRecord, kind: Kind, amount: Decimal, rows: number): Finding {
  const message = `${shownAmount(raw, kind, amount)} is exactly the sum of the ${rows} amounts above it: is it a row of sums? ${wayOut('the row')}`;
  return warning('total-row', kind.amountField, message, typedAmount(raw, kind, amount));
}

/** A row of sums in a file of rejects, where the rows that it sums up are not: what was said of it still holds. */
function rejectedSum(raw: RawRecord, kind: Kind, amount: Decimal): Finding | null {
  const said = `${shownAmount(raw, kind, amount)} ${TOLD}`;
  const texts = textsOf(raw);
  if (!texts.some((text) => text.includes(said))) return null;
  const word = texts.find((text) => !text.includes(said) && saysSum(text));
  return word === undefined ? null : sumFinding(raw, kind, amount, word.trim(), ', as the run found that rejected it');
}

function wayOut(what: string): string {
  return `Take ${what} out of the file; if it is a payment like the others, say --allow-total-row`;
}

/** Where the amount is typed; what is computed from a price in cents may have parts of a cent by its nature. */
function subCent(raw: RawRecord, kind: Kind, { amount, currency }: Money): Finding | null {
  const { amountField } = kind;
  if (amountField === null || amount === null || currency === null || amount.scale === 0) return null;
  const digits = currencyDigits(currency);
  // Zeros at the end are none of its decimals.
  if (digits === null || amount.scale <= digits || decimalsOf(amount) <= digits) return null;
  const message = `${shownAmount(raw, kind, amount)} has more decimals than ${currency} has (${digits === 0 ? 'none' : digits}); what the service does with them is not known: correct it, if it is not meant so`;
  return warning('sub-cent', amountField, message, typedAmount(raw, kind, amount));
}

/** Also of an invalid row: a sum counts all that a person can read. */
function moneyOf(raw: RawRecord, { amountField }: Kind, { content }: Checked): Money {
  if (content !== null) return content.parts;
  const amount = amountField === null ? undefined : raw.input?.[amountField];
  const currency = raw.input?.['currency'];
  return {
    amount: typeof amount === 'number' && Number.isFinite(amount) ? decimalOf(amount) : null,
    currency: typeof currency === 'string' && currency !== '' ? currency : null,
  };
}

function typedAmount(raw: RawRecord, { amountField }: Kind, amount: Decimal): string {
  return raw.typed?.get(amountField ?? '') ?? formatDecimal(amount);
}

/** `amount 1200.50`, as it is typed; of a type whose amounts are computed, with their unit. */
function shownAmount(raw: RawRecord, kind: Kind, amount: Decimal): string {
  const { amountField, unit } = kind;
  if (amountField !== null) return `${amountField} ${typedAmount(raw, kind, amount).trim()}`;
  return `the amount (${formatDecimal(amount)} ${unit ?? ''})`;
}

/** The text that says that the row is a sum; also one in a column that is dropped. */
function sumWord(raw: RawRecord): string | null {
  return textsOf(raw).find(saysSum)?.trim() ?? null;
}

/** All texts of a row, as they stand in the file. */
function textsOf({ cells, source, input }: RawRecord): readonly string[] {
  return cells ?? textsIn(source ?? input);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The records without a currency among the valid entries from one to another.
 * @param from the first entry of the file, @param to the one behind its last
 */
export function* withoutCurrency(entries: Entries, from: number, to: number): Iterable<number> {
  for (let index = from; index < to; index++)
    if (entries.isValid(index) && entries.groupOf(index).currency === null) yield index;
}

/** What is said of each of them, where others of the file have one. */
export const NO_CURRENCY: Finding = warning(
  'no-currency',
  'currency',
  'currency is missing, and other records of this file have one: add it, or say --set currency=… where it is the same for all',
);
