/** The journal's knowledge of a call's records, and the conclusions from it. */
import { chunksOf, restoreGateAmounts } from '../prepare/stored-run.js';
import type { PreparedRecords } from '../prepare/prepare.js';
import { startDigest } from '../keys/key.js';
import type { Journal } from '../journal/journal.js';
import type { Decisions, PaymentId, Run } from '../journal/payment.js';
import type { TotalRow } from '../money/totals.js';
import { countEntries, type RecordCounts } from '../report/reporter.js';
import { assess, type Conclusions } from './assess.js';
import type { Disposition } from './disposition.js';
import { type PaymentHistory, loadHistory, EMPTY_HISTORY } from './history.js';
import { type PaymentOrigins, findOrigins } from './origins.js';
import { requireNotClosed } from './requirements.js';
import type { ReviewContext } from './review.js';

/** A call's records after a look at the history. */
export interface Assessment extends PaymentHistory, Conclusions {
  readonly prepared: PreparedRecords;
  /** Decisions about repeats, by flag or in the review. */
  readonly decisions: Decisions;
  /** When the history was read. Milliseconds since 1970. */
  readonly now: number;
  /** Null in a dry run without a target. */
  readonly digest: string | null;
  /** Counts before any decision. */
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The places of the payments that messages name. */
  readonly placeOf: PaymentOrigins;
}

export async function assessRecords(
  { options, target, journal, rules: doubt, world }: ReviewContext,
  records: PreparedRecords,
  decisions: Decisions,
): Promise<Assessment> {
  let prepared = records;
  const { resume, caller } = options;
  for (;;) {
    const now = world.now();
    const digest = target === null ? null : (resume?.digest ?? runDigest(target.target, prepared));
    const known =
      journal === null || target === null || digest === null
        ? EMPTY_HISTORY
        : await loadHistory({ journal, target, prepared, digest, resume: await presentRun(resume, journal), now });
    // Another run passed its gate during the look-ups, so they have not all seen the same history.
    if (journal !== null && target !== null && known.version !== (await journal.version(target))) continue;
    const { batchNamed, dryRun: isDryRun } = options.safety;
    const namedBatch = batchNamed ? prepared.batchId : null;
    const rules = { doubt: { ...doubt, namedBatch }, decisions, target: target?.target ?? '', now, isDryRun };
    const assessment = assess(prepared, known, rules);
    const found = { ...known, ...assessment, prepared, decisions, digest, now };
    const gone = resume === null || journal === null ? [] : await unsendable(found, prepared, journal);
    if (gone.length > 0) {
      prepared = { ...prepared, pruned: new Set([...prepared.pruned, ...gone]) };
      continue;
    }
    if (journal !== null) await restoreGateAmounts(prepared.entries, (index) => paymentOf(index, found), journal);
    return { ...found, ...countEntries(prepared.entries), placeOf: await findOrigins(found, journal, caller.by) };
  }
}

/**
 * `batch prune` may have removed contents since the run was read, and nothing else has them.
 * @returns the records that would be sent without one
 */
async function unsendable(
  found: PaymentHistory & Conclusions,
  prepared: PreparedRecords,
  journal: Journal,
): Promise<number[]> {
  const gone: number[] = [];
  for (const page of chunksOf(dispositionsIn(prepared, found), PAGE)) {
    const payments = page.flatMap(([index, disposition]) =>
      disposition.kind === 'send' && !prepared.pruned.has(index)
        ? [[index, disposition.payment ?? prepared.entries.payment(index)] as const]
        : [],
    );
    const pruned = new Set(await journal.pruned(payments.map(([, payment]) => payment)));
    gone.push(...payments.flatMap(([index, payment]) => (pruned.has(payment) ? index : [])));
  }
  return gone;
}

/** How many payments are looked up at once. */
const PAGE = 2000;

/** The run as it is now: a colleague may have closed it since it was named. @throws UsageError if it is closed */
async function presentRun(run: Run | null, journal: Journal): Promise<Run | null> {
  if (run === null) return null;
  const [present = run] = await journal.runs({ name: run.name });
  requireNotClosed(present);
  return present;
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function runDigest(target: string, { entries }: PreparedRecords): string {
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, entries.bodyHash(index));
  }
  return digest.finish();
}

/** The dispositions of all records but those sent for the first time: in most inputs, few or none. In any order. */
export function* exceptionalDispositions({
  exceptions,
  dispositionAt,
  created,
}: Assessment): Iterable<[number, Disposition]> {
  yield* exceptions;
  for (let index = created.indexOf(1); index >= 0; index = created.indexOf(1, index + 1)) {
    const disposition = dispositionAt(index);
    if (disposition !== null) yield [index, disposition];
  }
}

/** The valid records with their dispositions, in the order of the input. */
export function dispositionsOf(assessment: Assessment): Iterable<[index: number, disposition: Disposition]> {
  return dispositionsIn(assessment.prepared, assessment);
}

function* dispositionsIn(
  { entries }: PreparedRecords,
  { dispositionAt }: Conclusions,
): Iterable<[index: number, disposition: Disposition]> {
  for (let index = 0; index < entries.length; index++) {
    const disposition = dispositionAt(index);
    if (disposition !== null) yield [index, disposition];
  }
}

/** The payment of a record: the one that its key identifies, or that the continued run accepted; null for none. */
export function paymentOf(index: number, { dispositionAt, accepted }: PaymentHistory & Conclusions): PaymentId | null {
  const disposition = dispositionAt(index);
  const known = disposition?.kind === 'send' || disposition?.kind === 'settled' ? disposition.payment : null;
  return known ?? (accepted[index] || null);
}
