/** The ledger's knowledge of a call's records, and the conclusions from it. */
import { keepGateAmounts } from '../batch/ledger-rows.js';
import type { Prepared } from '../batch/prepare.js';
import { startDigest } from '../keys/key.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ClaimRules } from '../ledger/plan.js';
import type { Decisions, PaymentId, Run, TargetName } from '../ledger/payment.js';
import type { TotalRow } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import { countEntries, type RecordCounts } from '../report/summary.js';
import { assess, type Assessment } from './assess.js';
import type { Fate } from './fate.js';
import { type Known, lookUp, NOTHING_KNOWN } from './known.js';
import { type PlaceOf, placesOf } from './places.js';
import { requireNotClosed } from './requirements.js';

/** A call's records after a look at the history. */
export interface Looked extends Known, Assessment {
  readonly prepared: Prepared;
  /** Decisions about repeats, by flag or in the review. */
  readonly decisions: Decisions;
  /** Null in a dry run without a target. */
  readonly digest: string | null;
  /** Counts before any decision. */
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The places of the payments that messages name. */
  readonly placeOf: PlaceOf;
}

export interface LookOptions {
  readonly options: RunOptions;
  readonly prepared: Prepared;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** Null if there is none yet. */
  readonly ledger: Ledger | null;
  readonly rules: ClaimRules;
  /** Its clock is the ledger's. */
  readonly world: { readonly now: () => number };
}

export async function look(call: LookOptions, decisions: Decisions): Promise<Looked> {
  const { options, prepared, target, ledger, rules: doubt, world } = call;
  const { resume, caller } = options;
  for (;;) {
    const now = world.now();
    const digest = target === null ? null : (resume?.digest ?? digestOf(target.target, prepared));
    const known =
      ledger === null || target === null || digest === null
        ? NOTHING_KNOWN
        : await lookUp({ ledger, target, prepared, digest, resume: await presentRun(resume, ledger), now });
    // Another run passed its gate during the look-ups, so they have not all seen the same history.
    if (ledger !== null && target !== null && known.version !== (await ledger.version(target))) continue;
    const { batchId, batchNamed, dryRun: isDryRun } = options.safety;
    const namedBatch = batchNamed ? batchId : null;
    const rules = { doubt: { ...doubt, namedBatch }, decisions, target: target?.target ?? '', now, isDryRun };
    const assessment = assess(prepared, known, rules);
    const found = { ...known, ...assessment, prepared, decisions, digest };
    if (ledger !== null) await keepGateAmounts(prepared.entries, (index) => paymentOf(index, found), ledger);
    return { ...found, ...countEntries(prepared.entries), placeOf: await placesOf(found, ledger, caller.by) };
  }
}

/** The run as it is now: a colleague may have closed it since it was named. @throws UsageError if it is closed */
async function presentRun(run: Run | null, ledger: Ledger): Promise<Run | null> {
  if (run === null) return null;
  const [present = run] = await ledger.runs({ name: run.name });
  requireNotClosed(present);
  return present;
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function digestOf(target: string, { entries }: Prepared): string {
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, entries.bodyHash(index));
  }
  return digest.finish();
}

/** The fates of all records but those sent for the first time: in most inputs, few or none. In any order. */
export function* notableFates({ special, fateAt, created }: Looked): Iterable<[number, Fate]> {
  yield* special;
  for (let index = created.indexOf(1); index >= 0; index = created.indexOf(1, index + 1)) {
    const fate = fateAt(index);
    if (fate !== null) yield [index, fate];
  }
}

/** The valid records with their fates, in the order of the input. */
export function* fatesOf({ prepared: { entries }, fateAt }: Looked): Iterable<[index: number, fate: Fate]> {
  for (let index = 0; index < entries.length; index++) {
    const fate = fateAt(index);
    if (fate !== null) yield [index, fate];
  }
}

/** The payment of a record: the one that its key identifies, or that the continued run accepted; null for none. */
export function paymentOf(index: number, { fateAt, accepted }: Known & Assessment): PaymentId | null {
  const fate = fateAt(index);
  const known = fate?.what === 'send' || fate?.what === 'settled' ? fate.payment : null;
  return known ?? (accepted[index] || null);
}
