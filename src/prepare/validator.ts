/** One raw record → checked, priced and keyed. */
import { canonicalJson, splitBodyAt } from '../keys/canonical.js';
import { KEY_FIELD } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { Decimal } from '../money/decimal.js';
import type { CellNotation } from '../input/cells.js';
import type { ColumnBinding, RawRecord } from '../input/raw-record.js';
import { fieldBySynonym } from '../input/column-synonyms.js';
import { costCenterOf } from '../records/cost-center.js';
import type { AmountRules } from '../records/doubts.js';
import type { RecordSchema } from '../records/schema.js';
import type { Body } from '../records/types.js';
import { checkRecord } from '../records/check.js';
import { encodingDoubtIn } from '../records/doubtful-encoding.js';
import { error, type Finding } from '../records/issue.js';
import { memberAt } from './file-columns.js';
import { ValidRecord } from './valid-record.js';
import { PlainRows } from './plain-rows.js';
import type { Prices } from './prices.js';

export interface ValidatedRow {
  readonly findings: readonly Finding[];
  /** Null if it could not be made: then a finding is an error. */
  readonly content: ValidRecord | null;
  /** An invalid record's key from its file: no other record may have it. */
  readonly ownKey?: RecordKey | null;
}

export interface ValidationRules {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How cells are written. */
  readonly style: CellNotation;
  /** Treat total rows and template examples as records. */
  readonly allowTotalRow: boolean;
  /** Send payouts of zero or below, with a warning. */
  readonly allowNegative: boolean;
  /** Fields that a flag sets on every record; empty for a record that is made of flags. */
  readonly setFields?: ReadonlySet<string>;
  readonly keyColumns: readonly string[];
  readonly prices: Prices;
}

/** The most findings for a single record: a megabyte of brackets can be wrong in a million places. */
const MOST_FINDINGS = 1000;

const NOTHING: readonly Finding[] = [];

/** Checks the records of a run, one after the other. Throws nothing. */
export class RecordValidator {
  private readonly rules: ValidationRules;
  /** For the current file: its columns, and how its plain rows are read. */
  private columns: readonly ColumnBinding[] | null = null;
  private plainRows: PlainRows | null = null;

  constructor(rules: ValidationRules) {
    this.rules = rules;
  }

  /** All findings of a record, and its content unless one of them is an error. */
  check(raw: RawRecord, kind: RecordSchema): ValidatedRow {
    const content = this.plainContent(raw, kind);
    return content === null ? checkRaw(raw, kind, this.rules) : { findings: NOTHING, content };
  }

  private plainContent(raw: RawRecord, kind: RecordSchema): ValidRecord | null {
    const { cells, columns } = raw;
    if (cells === undefined || columns === undefined || raw.isWhole !== true) return null;
    if (raw.isEncodingGuessed === true && cells.some((cell) => encodingDoubtIn(cell, true) !== null)) return null;
    if (columns !== this.columns) {
      this.columns = columns;
      // Keys from key columns are made from the body, so every row goes the long way.
      this.plainRows = this.rules.keyColumns.length > 0 ? null : PlainRows.of(kind, columns, this.rules);
    }
    return this.plainRows?.read(cells) ?? null;
  }
}

function checkRaw(raw: RawRecord, kind: RecordSchema, rules: ValidationRules): ValidatedRow {
  const findings: Finding[] = [];
  let isWrong = false;
  let isFault = false;
  const report = (finding: Finding): void => {
    const changesNothing = isWrong && (isFault || finding.fault !== true);
    if (changesNothing && findings.length >= MOST_FINDINGS) return;
    findings.push(finding);
    isWrong ||= finding.severity === 'error';
    isFault ||= finding.fault === true;
  };
  const said = raw.read();
  for (const finding of said.findings) report(finding);
  if (said.input === null) return { findings, content: null };
  const body = checkRecord(kind, said.input, {
    now: rules.now,
    report,
    isEncodingGuessed: raw.isEncodingGuessed,
    isTable: raw.cells !== undefined,
    unreadable: said.unreadable,
    typed: said.typed,
    amounts: { allowNegative: rules.allowNegative, sign: signOf(raw, kind, rules) },
    usual: (name) => fieldBySynonym(name, kind.type)?.field ?? null,
  });
  const price = kind.price === null ? null : takePrice(body, kind.price.name, findings, rules.prices, report);
  if (rules.keyColumns.length > 0) reportKeyColumns(body, rules.keyColumns, [...findings], report);
  if (!isWrong) return { findings, content: contentOf(kind, body, price, rules) };
  const ownKey = body[KEY_FIELD];
  return { findings, content: null, ownKey: typeof ownKey === 'string' ? RecordKey.of(ownKey) : null };
}

/** Whether a field comes from the record's file: it was neither set on all records nor typed as a flag. */
function isOfFile({ cells, source }: RawRecord, name: string, { setFields }: ValidationRules): boolean {
  return (cells !== undefined || source !== undefined) && setFields?.has(name) !== true;
}

function signOf(raw: RawRecord, { amountField }: RecordSchema, rules: ValidationRules): AmountRules['sign'] {
  if (amountField === null || !isOfFile(raw, amountField, rules)) return null;
  return rules.style.negate ? 'changed' : 'typed';
}

/** The price to use. A price in the record leaves its body, because it is never sent. @param findings in the record */
function takePrice(
  body: Body,
  name: string,
  findings: readonly Finding[],
  prices: Prices,
  report: (finding: Finding) => void,
): Decimal | null {
  const { gig_task_id: task, [name]: own } = body;
  if (own !== undefined) delete body[name];
  // A price that cannot be read is an error of its record: the list's price does not replace it.
  if (typeof task !== 'string' || findings.some(({ field }) => field === name)) return null;
  return prices.priceOf(task, typeof own === 'number' ? String(own) : undefined, report);
}

function contentOf(kind: RecordSchema, body: Body, price: Decimal | null, rules: ValidationRules): ValidRecord {
  const { keyColumns } = rules;
  const text = splitBodyAt(body, KEY_FIELD);
  const ownKey = body[KEY_FIELD] as string | undefined;
  const computed = keyColumns.length > 0 ? 'columns' : 'content';
  const keySource = ownKey === undefined ? computed : 'own';
  return new ValidRecord(kind, {
    text,
    ownKey: ownKey === undefined ? null : RecordKey.of(ownKey),
    keySource,
    keyValue: keySource === 'columns' ? columnsValue(body, keyColumns) : text.without,
    amount: kind.amount(body, price),
    currency: (body['currency'] as string | undefined) ?? null,
    costCenter: costCenterOf(body),
    values: {
      body: () => body,
      valueOf: (name) => body[name] ?? null,
      // The fields of one record without a file count as a file's.
      isOfFile: (name) => rules.setFields?.has(name) !== true,
    },
    price,
  });
}

/**
 * Each record without a key from its file needs every key column, or two records could share the rest of the key.
 * @param found earlier findings of the record: a wrong key column is not reported as missing too
 */
function reportKeyColumns(
  body: Body,
  keyColumns: readonly string[],
  found: readonly Finding[],
  report: (finding: Finding) => void,
): void {
  if (body[KEY_FIELD] !== undefined) return;
  for (const path of keyColumns) {
    if (memberAt(body, path.split('.')) !== undefined || found.some((finding) => isErrorAt(path, finding))) continue;
    report(error('missing-field', path, `${path} is missing. --key-columns makes the key of every record from it`));
  }
}

/** Whether an error concerns the field at a path, or the object around it. */
function isErrorAt(path: string, { severity, field }: Finding): boolean {
  return severity === 'error' && field !== null && (path === field || path.startsWith(`${field}.`));
}

/** The flat object of key columns, as canonical JSON. */
function columnsValue(body: Body, keyColumns: readonly string[]): string {
  return canonicalJson(Object.fromEntries(keyColumns.map((path) => [path, memberAt(body, path.split('.'))])));
}
