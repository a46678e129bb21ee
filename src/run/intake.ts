/** One raw record → checked, priced and keyed. */
import { type KeyBasis, computeKey, sha256 } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import { canonicalJson, type SplitCanonical, splitCanonical } from '../keys/canonical.js';
import type { Decimal } from '../money/decimal.js';
import type { RawRecord } from '../read/raw.js';
import { costCenterOf } from '../records/cost-center.js';
import { checkRecord } from '../records/check.js';
import type { Body } from '../records/field.js';
import { type Finding, error } from '../records/issue.js';
import type { Kind } from '../records/kind.js';
import type { KeySource } from './entries.js';
import type { Prices } from './prices.js';

export interface Checked {
  readonly findings: readonly Finding[];
  /** Null when a finding is an error. */
  readonly content: CheckedContent | null;
}

/** A valid record without its key. */
export class CheckedContent {
  readonly kind: Kind;
  readonly ownKey: RecordKey | null;
  readonly keySource: KeySource;
  /** What a computed key is made from: the content, or the flat object of key columns. */
  readonly keyValue: string;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  private readonly body: Body;
  private readonly price: Decimal | null;
  private readonly text: SplitCanonical;

  constructor(kind: Kind, body: Body, price: Decimal | null, keyColumns: readonly string[]) {
    this.kind = kind;
    this.body = body;
    this.price = price;
    this.text = splitCanonical(body, KEY_FIELD);
    const ownKey = body[KEY_FIELD] as string | undefined;
    this.ownKey = ownKey === undefined ? null : RecordKey.of(ownKey);
    this.keySource = this.ownKey !== null ? 'own' : keyColumns.length > 0 ? 'columns' : 'content';
    this.keyValue = this.keySource === 'columns' ? columnsValue(body, keyColumns) : this.text.without;
    this.amount = kind.amount(body, price);
    this.currency = (body['currency'] as string | undefined) ?? null;
    this.costCenter = costCenterOf(body);
  }

  /** Canonical JSON of the body as it is sent. @param key of the record */
  sent(key: RecordKey): string {
    // The service documents no idempotency_key on gigs, so none is sent with one.
    return this.kind.keyed ? this.text.with(key.text) : this.text.without;
  }

  /** How the amount came about. */
  steps(): string {
    return this.kind.steps(this.body, this.price);
  }

  /** 16 bytes, like the next. */
  contentHash(): Uint8Array {
    return sixteenBytes(`${this.kind.type}\n${this.text.without}`);
  }

  likenessHash(): Uint8Array {
    const { type, likeness } = this.kind;
    return sixteenBytes(JSON.stringify([type, ...likeness.map((name) => this.body[name] ?? null)]));
  }
}

export interface IntakeRules {
  readonly today: string;
  readonly strict: boolean;
  readonly keyColumns: readonly string[];
  readonly prices: Prices;
}

/** Of a record that is wrong anyway, no more is told: a megabyte of brackets can be wrong in a million places. */
const MOST_FINDINGS = 1000;

const KEY_FIELD = 'idempotency_key';

/** Everything that is found in one record; its content only when nothing of it is an error. Throws nothing. */
export function checkRaw(raw: RawRecord, kind: Kind, rules: IntakeRules): Checked {
  const findings: Finding[] = [];
  let isWrong = false;
  let isFault = false;
  const report = (finding: Finding): void => {
    const changesNothing = isWrong && (isFault || finding.fault !== true);
    if (changesNothing && findings.length >= MOST_FINDINGS) return;
    findings.push(rules.strict ? { ...finding, severity: 'error' } : finding);
    isWrong ||= rules.strict || finding.severity === 'error';
    isFault ||= finding.fault === true;
  };
  for (const finding of raw.findings) report(finding);
  if (raw.input === null) return { findings, content: null };
  const body = checkRecord(kind, raw.input, {
    today: rules.today,
    report,
    unreadable: raw.unreadable,
    typed: raw.typed,
  });
  const task = body['gig_task_id'];
  const priced = kind.type === 'result' && typeof task === 'string';
  const price = priced ? rules.prices.priceOf(task, raw.price, report) : null;
  const missing = missingKeyColumn(body, rules.keyColumns);
  if (missing !== null) report(missing);
  if (isWrong) return { findings, content: null };
  return { findings, content: new CheckedContent(kind, body, price, rules.keyColumns) };
}

function sixteenBytes(text: string): Uint8Array {
  return Buffer.from(sha256(text).slice(0, 32), 'hex');
}

/** Each record needs every key column, or two records would share what is left of the key. */
function missingKeyColumn(body: Body, keyColumns: readonly string[]): Finding | null {
  if (keyColumns.length === 0 || body[KEY_FIELD] !== undefined) return null;
  const missing = keyColumns.find((path) => valueAt(body, path) === undefined);
  if (missing === undefined) return null;
  return error('missing-field', missing, `${missing} is missing; --key-columns makes every record's key from it`);
}

function valueAt(body: Body, path: string): unknown {
  let value: unknown = body;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** The flat object of key columns, as canonical JSON. */
export function columnsValue(body: Body, keyColumns: readonly string[]): string {
  return canonicalJson(Object.fromEntries(keyColumns.map((path) => [path, valueAt(body, path)])));
}

/** The record's key for an ordinal; its own key has none. */
export function keyOf(content: CheckedContent, batchId: string, ordinal: number): RecordKey {
  if (content.ownKey !== null) return content.ownKey;
  return computeKey(batchId, content.kind.type, content.keySource as KeyBasis, content.keyValue, ordinal);
}
