/** Corrections of rejected payments: rows of an input that are one, and those in the journal. CONTRACT: "Rejected, corrected". */
import { UsageError } from '../errors.js';
import { KEY_COLUMN } from '../input/result-columns.js';
import type { RawRecord } from '../input/raw-record.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { Journal } from '../journal/journal.js';
import type { PaymentId, StoredPayment, TargetName } from '../journal/payment.js';
import { type Body, RECORD_INFO, type RecordType } from '../records/types.js';
import { error, type Finding } from '../records/issue.js';
import { shellQuote } from '../util/shell-quote.js';
import { paymentsOf } from '../journal/pages.js';
import { type ValidRecord, payeeOf } from './valid-record.js';
import type { ValidatedRow } from './validator.js';

/** Where corrected payments are looked up: a target, and its journal, if there is one yet. */
export interface PaymentLookup {
  readonly target: TargetName;
  readonly journal: Journal | null;
}

interface Corrected extends StoredPayment {
  /** Null if its body was removed. */
  readonly userId: unknown;
}

export class CorrectionResolver {
  private readonly history: PaymentLookup | null;
  private readonly isNamed: boolean;
  private readonly platform: NodeJS.Platform;
  /** By type and the key in the row: the payment that it corrects, and its payee. */
  private readonly payments = new Map<string, Corrected>();
  private batch: string | null;
  /** By the IDs of rows that have no key: the same ID with zeros, if the target knows only that. */
  private readonly withZeros = new Map<string, string>();
  /** Whether any row so far comes from a rejects file. */
  isAny = false;

  /**
   * @param history null if there is no target, so that no payments can be looked up
   * @param named the batch that the call names, or null
   */
  constructor(history: PaymentLookup | null, named: string | null, platform: NodeJS.Platform) {
    this.history = history;
    this.isNamed = named !== null;
    this.platform = platform;
    this.batch = named;
  }

  /** Whether the batch is known: the one that was named, or that of the corrected payments. */
  get hasBatch(): boolean {
    return this.batch !== null;
  }

  get batchId(): string {
    return this.batch ?? DEFAULT_BATCH;
  }

  /** From now on, keys are computed for this batch. */
  decideBatch(): void {
    this.batch = this.batchId;
  }

  /** @throws UsageError if the rows correct payments of two batches, and the call names none */
  async lookUp(rows: readonly RawRecord[], type: RecordType): Promise<void> {
    await this.findZeros(rows, type);
    // Most files have none: no list is made for them.
    if (rows.every(({ replaces }) => replaces === undefined)) return;
    const keys = rows.map(({ replaces }) => replaces).filter((key) => key !== undefined);
    this.isAny = true;
    const { target, journal = null } = this.history ?? {};
    if (target === undefined || journal === null) return;
    // One key may name a payment of each type.
    const found = (await journal.find(target, keys)).filter((payment) => payment.type === type);
    const bodies = await journal.bodies(found.map(({ id }) => id));
    for (const [i, payment] of found.entries()) {
      const body = bodies[i] ?? null;
      const userId = body === null ? null : userOf(body);
      this.payments.set(`${type} ${payment.key}`, { ...payment, userId });
      if (!this.isNamed) this.requireOneBatch(payment);
    }
  }

  /** For rows that were invalid: no payment shows which ID they had. */
  private async findZeros(rows: readonly RawRecord[], type: RecordType): Promise<void> {
    const { target, journal = null } = this.history ?? {};
    const lacking = rows.filter(({ lacksKey }) => lacksKey === true);
    if (target === undefined || journal === null || lacking.length === 0) return;
    this.isAny = true;
    const users = lacking.map((raw) => raw.read().input?.['user_id']);
    for (const user of new Set(users.filter((each) => typeof each === 'string' && /^[1-9]\d*$/.test(each)))) {
      const payee = payeeOf(RECORD_INFO[type], { valueOf: () => user });
      const known = new Set((await journal.bodiesOfPayees(target, [payee])).map(userOf));
      const [first] = known;
      if (typeof first === 'string' && !known.has(user)) this.withZeros.set(user as string, first);
    }
  }

  private requireOneBatch({ key, batchId, run }: StoredPayment): void {
    this.batch ??= batchId;
    if (this.batch !== batchId)
      throw new UsageError(
        `The row with the ${KEY_COLUMN} ${key} corrects a payment of batch ${batchId} (run ${run.name}), and others are for batch ${this.batch}. Put the rows of each batch into a separate file, and import each with its --batch-id`,
      );
  }

  /** The record of a row that was looked up. A row that corrects a payment has a different kind of key. */
  asCorrectionOf(raw: RawRecord, checked: ValidatedRow): ValidatedRow {
    const { replaces, lacksKey } = raw;
    const { content } = checked;
    if (content === null) return checked;
    const wrong = (finding: Finding): ValidatedRow => ({ ...checked, findings: [...checked.findings, finding] });
    if (replaces === undefined) {
      const lost = lacksKey === true ? this.lostBefore(content, raw) : null;
      return lost === null ? checked : wrong(lost);
    }
    if (this.history === null)
      return { ...checked, content: content.asCorrectionOf({ key: replaces, content: 0n }, this.batchId) };
    const payment = this.payments.get(`${content.kind.type} ${replaces}`);
    if (payment === undefined) {
      const message = `This target has no payment with the ${KEY_COLUMN} ${replaces}. Take the row from the rejects file again: a spreadsheet may have changed the key, or the file belongs to another journal`;
      return wrong(error('replaces-unknown', KEY_COLUMN, message, replaces));
    }
    if (payment.batchId !== this.batchId) {
      const { batchId, run } = payment;
      const message = `The row corrects a payment of batch ${batchId} (run ${run.name}), and this call is for batch ${this.batchId}. Import it with --batch-id ${shellQuote(batchId, this.platform)}`;
      return wrong(error('wrong-batch', KEY_COLUMN, message, replaces));
    }
    const zeros = lostZeros(content, payment, raw);
    return zeros === null ? { ...checked, content: content.asCorrectionOf(payment, this.batchId) } : wrong(zeros);
  }

  private lostBefore(content: ValidRecord, raw: RawRecord): Finding | null {
    const user = content.parts.values.body()['user_id'];
    const known = typeof user === 'string' ? this.withZeros.get(user) : undefined;
    if (known === undefined) return null;
    const message = `The user ID is ${String(user)}, and earlier payments were for ${known}. ${zerosRemedy(known, raw)}. If ${String(user)} is another person, import the row in a separate file without the column ${KEY_COLUMN}`;
    return error('lost-zeros', 'user_id', message, user);
  }
}

/**
 * A spreadsheet removes zeros before digits: then a row would pay another person than the rejected payment did. If that
 * payment's body was pruned, nothing shows its ID.
 */
function lostZeros(content: ValidRecord, { userId }: Corrected, raw: RawRecord): Finding | null {
  const user = content.parts.values.body()['user_id'];
  if (typeof user !== 'string' || !/^\d+$/.test(user) || typeof userId !== 'string') return null;
  if (!new RegExp(`^0+${user}$`).test(userId)) return null;
  const message = `The user ID is ${user}, and the refused payment was for ${userId}. ${zerosRemedy(userId, raw)}`;
  return error('lost-zeros', 'user_id', message, user);
}

/** Rejects of a workbook are one already, and those of JSON are none. */
function zerosRemedy(userId: string, { cells, isOfSheet }: RawRecord): string {
  const remedy = `A spreadsheet has probably removed the zeros. Format the column as text, and type ${userId} again`;
  if (cells === undefined || isOfSheet === true) return remedy;
  return `${remedy}. To keep zeros from the start, write the rejects as a workbook: --rejects rejects.xlsx`;
}

function userOf(body: string): unknown {
  return (JSON.parse(body) as Body)['user_id'];
}

interface Replaced {
  readonly replacements: ReadonlyMap<PaymentId, StoredPayment>;
}

/** The replacements of payments, to the last one, by number. @throws JournalError */
export async function loadCorrectionChains(
  payments: readonly StoredPayment[],
  journal: Journal,
): Promise<Map<PaymentId, StoredPayment>> {
  const replacements = new Map<PaymentId, StoredPayment>();
  for (let found = [...payments]; found.length > 0;) {
    const next = found.flatMap(({ replacedBy: id }) =>
      id === null || replacements.has(id) ? [] : [[id, id] as const],
    );
    found = [];
    for await (const [id, payment] of paymentsOf(new Map(next), journal)) {
      replacements.set(id, payment);
      found.push(payment);
    }
  }
  return replacements;
}

/** The last replacement of a payment, or the payment itself if it was never replaced. */
export function newestCorrection(payment: StoredPayment, known: Replaced): StoredPayment {
  return correctionsOf(payment, known).at(-1) ?? payment;
}

/** All replacements of a payment, in order, to the last one. */
export function correctionsOf(payment: StoredPayment, { replacements }: Replaced): StoredPayment[] {
  const corrections = new Set<StoredPayment>();
  for (let next = payment.replacedBy; next !== null;) {
    const correction = replacements.get(next);
    if (correction === undefined || corrections.has(correction)) break;
    corrections.add(correction);
    next = correction.replacedBy;
  }
  return [...corrections];
}
