/**
 * Warnings about money that need more than one record: total rows from a spreadsheet or an export, the example of a
 * template, parts of a cent, and a currency that only some records of a file have. CONTRACT: "Issue codes".
 */
import type { ColumnBinding, RawRecord } from '../input/raw-record.js';
import { type Decimal, decimalOf, decimalsOf, formatDecimal, smallUnits } from '../money/decimal.js';
import { RunningSum } from '../money/running-sum.js';
import { currencyDigits } from '../records/currencies.js';
import { costCenterOf } from '../records/cost-center.js';
import { isExample, templateRecord } from '../records/fields.js';
import type { RecordSchema } from '../records/schema.js';
import { error, type Finding, warning } from '../records/issue.js';
import { isSumWord } from '../records/sum-words.js';
import type { ValidatedRow } from './validator.js';

/** Fewer amounts may equal the next one by chance. */
const LEAST_ROWS = 3;

export interface MoneyRules {
  /** Treat total rows and examples as records. */
  readonly allowTotalRow: boolean;
  /** Fields that `--set` and settings set on every record: their values do not describe a single row. */
  readonly setFields?: ReadonlySet<string>;
}

/** The money of a record, as far as it can be read. */
interface ReadableMoney {
  readonly amount: Decimal | null;
  readonly currency: string | null;
}

const NO_SET_FIELDS: ReadonlySet<string> = new Set();

/** Checks the records of one file, in their order. */
export class AmountWarnings {
  /** At least one record has a currency, valid or not. */
  hasCurrency = false;
  private readonly rules: MoneyRules;
  private readonly above = new RunningSum();
  /** Columns of the file that may contain a word for a total. */
  private columns: readonly ColumnBinding[] | undefined;
  private naming: readonly ColumnBinding[] = [];

  constructor(rules: MoneyRules) {
    this.rules = rules;
  }

  /** Adds the warnings about its money to a checked record. */
  check(raw: RawRecord, kind: RecordSchema, checked: ValidatedRow): ValidatedRow {
    const money = readMoney(raw, kind, checked);
    this.hasCurrency ||= money.currency !== null;
    const { allowTotalRow } = this.rules;
    // A row that is a total itself is not part of another one.
    const sum = allowTotalRow ? null : (this.wordIn(raw, kind) ?? this.sumIn(raw, kind, money.amount));
    const example = allowTotalRow ? null : this.exampleIn(raw, kind, checked);
    const part = subCent(raw, kind, money);
    const doubts = [sum, example, part].filter((doubt) => doubt !== null);
    if (doubts.length === 0 && !checked.findings.some(saysTotal)) return checked;
    const findings = [...checked.findings, ...doubts];
    // Whatever else is wrong with a total goes with its row.
    return { ...checked, findings: findings.toSorted((a, b) => Number(saysTotal(b)) - Number(saysTotal(a))) };
  }

  /** A row with a word for a total, whatever its amount: an amount above it may be unreadable, or a total as well. */
  private wordIn(raw: RawRecord, kind: RecordSchema): Finding | null {
    const { cells, columns } = raw;
    if (cells === undefined || columns === undefined) return this.wordAmong(raw, kind);
    if (columns !== this.columns) {
      this.columns = columns;
      this.naming = columns.filter(({ path }) => namingFields(kind).includes(path));
    }
    for (const { index, path } of this.naming) {
      const text = cells[index] ?? '';
      if (isSumWord(text)) return wordFinding(path, text);
    }
    return null;
  }

  /** For a record that is not a row of a table; its cells need not be converted. */
  private wordAmong(raw: RawRecord, kind: RecordSchema): Finding | null {
    const { input } = raw.read();
    const set = this.rules.setFields ?? NO_SET_FIELDS;
    for (const name of namingFields(kind)) {
      const text = set.has(name) ? raw.source?.[name] : input?.[name];
      if (typeof text === 'string' && isSumWord(text)) return wordFinding(name, text);
    }
    return null;
  }

  private sumIn(raw: RawRecord, kind: RecordSchema, amount: Decimal | null): Finding | null {
    if (amount === null) return null;
    const { count, isMoney } = this.above;
    // Sums of only zeros mean nothing: gigs without tasks have no other amounts.
    const isSum = count >= LEAST_ROWS && isMoney && this.above.equals(amount);
    this.above.add(amount);
    if (!isSum) return null;
    const found = `${kind.amountField ?? 'The amount'} (${shownAmount(raw, kind, amount)}) is exactly the sum of the ${count} amounts above it.`;
    const message = `${found} If this row is a total, remove it. If it is a payment, add --allow-total-row`;
    return warning('total-row', kind.amountField, message, typedAmount(raw, kind, amount));
  }

  private exampleIn(raw: RawRecord, { fields, amountField }: RecordSchema, { content }: ValidatedRow): Finding | null {
    const set = this.rules.setFields ?? NO_SET_FIELDS;
    // The amount alone rules out most records, without making a body from their cells.
    if (content !== null && amountField !== null && !set.has(amountField)) {
      if (roundedNumber(content.parts.amount) !== templateRecord(fields)[amountField]) return null;
    }
    const body = content === null ? raw.read().input : content.parts.values.body();
    if (body === null || !isExample(fields, body, set)) return null;
    const message = `This is the example of a template. Remove it. If it is a record of yours, add --allow-total-row`;
    return error('example-row', null, message);
  }
}

/** The number next to an amount: close enough to distinguish it from the example's, which is small. */
function roundedNumber(amount: Decimal | null): number | null {
  return amount === null ? null : smallUnits(amount) / 10 ** amount.scale;
}

/** The fields for payee and purpose. */
function namingFields({ reference }: RecordSchema): readonly string[] {
  return ['user_id', 'title', 'description', reference ?? 'title'];
}

/** Of a row whose words say so: a sum alone may be chance. */
function saysTotal({ code, severity }: Finding): boolean {
  return code === 'total-row' && severity === 'error';
}

function wordFinding(name: string, text: string): Finding {
  const found = `${name} is ${JSON.stringify(text.trim())}: this is a total, not a payment.`;
  return error('total-row', name, `${found} Remove the row. If it is a payment, add --allow-total-row`, text);
}

/** Of amounts without a currency: more decimals are mostly left by a calculation. */
const DIGITS_WITHOUT_CURRENCY = 6;

/** Only for typed amounts: an amount computed from a price in cents may have parts of a cent. */
function subCent(raw: RawRecord, kind: RecordSchema, { amount, currency }: ReadableMoney): Finding | null {
  const { amountField } = kind;
  if (amountField === null || amount === null || amount.scale === 0) return null;
  const digits = currency === null ? DIGITS_WITHOUT_CURRENCY : currencyDigits(currency);
  // Trailing zeros are not decimals.
  if (digits === null || amount.scale <= digits || decimalsOf(amount) <= digits) return null;
  const has =
    currency === null ? `no amount needs more than ${digits}` : `${currency} has ${digits === 0 ? 'no' : digits}`;
  const message = `${amountField} is ${shownAmount(raw, kind, amount)}, and ${has} decimals. The service does not say what it does with more. Correct the amount if it is a mistake`;
  return warning('sub-cent', amountField, message, typedAmount(raw, kind, amount));
}

/** Also for an invalid row: a total counts all amounts that a person can read. */
function readMoney(raw: RawRecord, { amountField }: RecordSchema, { content }: ValidatedRow): ReadableMoney {
  if (content !== null) return content.parts;
  const { input } = raw.read();
  const amount = amountField === null ? undefined : input?.[amountField];
  const currency = input?.['currency'];
  return {
    amount: typeof amount === 'number' && Number.isFinite(amount) ? decimalOf(amount) : null,
    currency: typeof currency === 'string' && currency !== '' ? currency : null,
  };
}

/** Reading changed its value, or the record has two. */
const NO_VALUE: ReadonlySet<string> = new Set(['inexact-number', 'duplicate-field']);

/** The money of an invalid record, as far as a person can read it: it is shown with the record, and counts in no sum. */
export function tryReadMoney(
  raw: RawRecord,
  kind: RecordSchema,
  checked: ValidatedRow,
): ReadableMoney & { readonly costCenter: string | null } {
  const { amount, currency } = readMoney(raw, kind, checked);
  const isUnsure = checked.findings.some(({ field, code }) => field === kind.amountField && NO_VALUE.has(code));
  return { amount: isUnsure ? null : amount, currency, costCenter: costCenterOf(raw.read().input ?? {}) };
}

function typedAmount(raw: RawRecord, { amountField }: RecordSchema, amount: Decimal): string {
  return raw.read().typed?.get(amountField ?? '') ?? formatDecimal(amount);
}

/** As typed; with their unit if the amounts of the type are computed. */
function shownAmount(raw: RawRecord, kind: RecordSchema, amount: Decimal): string {
  return kind.amountField === null
    ? `${formatDecimal(amount)} ${kind.unit ?? ''}`
    : typedAmount(raw, kind, amount).trim();
}

/** For a record without a currency, if others of its file have one. */
export const MISSING_CURRENCY: Finding = warning(
  'no-currency',
  'currency',
  'This record has no currency, and others of its file have one. Add it, or --set currency=… if it is the same for all',
);
