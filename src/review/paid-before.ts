/** What a profile has paid before: in the last other batch, with which a call is compared, and in the present one. */
import { namedProfile } from '../follow-up/flags.js';
import type { Journal } from '../journal/journal.js';
import type { PaymentId, TargetName } from '../journal/payment.js';
import type { PaidAmounts, ProfileRun } from '../journal/plan.js';
import { parseDecimal, parsePlainNumber, type Decimal } from '../money/decimal.js';
import type { RunOptions } from '../options.js';
import { idForm } from '../prepare/valid-record.js';
import type { ComparedBatch } from '../report/payee-changes-text.js';
import { type KindOfMoney, type Payee, PayeeSums } from './payee-sums.js';

/** What the call is compared with: what the profile has paid at the target, in the last other batch and in this one. */
export interface PaidBefore {
  readonly since: ComparedBatch;
  readonly sums: PayeeSums;
  /** Numbers of the runs that the call is compared with. */
  readonly runs: ReadonlySet<number>;
  /** Other runs of the present batch. */
  readonly present: readonly ProfileRun[];
}

/**
 * The batch of the newest finished run with the profile, if it is another one. All runs of that batch count: corrections
 * are runs, and a month may have several files. A payment counts if it is created or in doubt. One that was refused
 * counts through its correction.
 * @returns null without a profile, or such a run
 * @throws JournalError
 */
export async function loadPaidBefore(
  options: RunOptions,
  journal: Journal | null,
  target: TargetName | null,
): Promise<PaidBefore | null> {
  const profile = comparedProfile(options);
  if (journal === null || target === null || profile === null) return null;
  const runs = await journal.profileRuns(target, profile);
  const { batchId } = options.safety;
  const newest = runs.find((run) => run.isFinished && run.batchId !== batchId);
  if (newest === undefined) return null;
  const compared = runs.filter((run) => run.batchId === newest.batchId);
  const numbers = compared.map(({ number }) => number);
  const sums = new PayeeSums();
  for await (const page of journal.paidBy(numbers))
    eachPaid(page, (payee, kind, amount, id) => sums.addBefore(payee, kind, amount, id));
  return {
    since: { batchId: newest.batchId, run: newest.name, startedAt: newest.startedAt, runs: compared.length },
    sums,
    runs: new Set(numbers),
    present: runs.filter((run) => run.batchId === batchId),
  };
}

type AddPaid = (payee: Payee, kind: KindOfMoney, amount: Decimal | null, payment: PaymentId) => void;

export function eachPaid({ ids, types, payees, payeeIds, amounts, currencies }: PaidAmounts, add: AddPaid): void {
  let kind: KindOfMoney = { type: 'gig', currency: null };
  // One object for all: there may be a million payments.
  const to: Payee = { payee: 0, form: null };
  for (let i = 0; i < ids.length; i++) {
    const type = types[i] as string;
    const currency = currencies[i] ?? null;
    if (!hasPayee(type)) continue;
    // Mostly all have the same.
    if (kind.type !== type || kind.currency !== currency) kind = { type, currency };
    const id = payeeIds[i] ?? null;
    to.payee = payees[i] as number;
    to.form = id === null ? null : idForm(id);
    add(to, kind, storedAmount(amounts[i] ?? null), ids[i] as PaymentId);
  }
}

/** That of the call, or of the run that it resumes. */
function comparedProfile({ resume, settings }: RunOptions): string | null {
  if (resume === null) return namedProfile(settings);
  return resume.inputCall.options.find(([name]) => name === '--profile')?.[1] ?? null;
}

/** A gig is paid to nobody yet. */
export function hasPayee(type: string): boolean {
  return type !== 'gig';
}

/** Decimal text of the journal, mostly plain. */
export function storedAmount(text: string | null): Decimal | null {
  return text === null ? null : (parsePlainNumber(text, '.') ?? parseDecimal(text));
}
