/** From what was decided to the plan that the ledger makes history, and what is left to be sent of it. */
import { draftOf } from '../batch/draft.js';
import type { Prepared } from '../batch/prepare.js';
import type { Entries } from '../batch/table.js';
import { idOf, type Ledger, type Plan, type Preparation, type TargetName } from '../ledger/ledger.js';
import type {
  Approval,
  Decisions,
  InvalidRecord,
  RecordState,
  PaymentId,
  RunRecord,
  ToSend,
} from '../ledger/payment.js';
import type { RecordType } from '../records/kind.js';
import { type Assessment, listedAs } from './assess.js';
import type { Fate } from './fate.js';
import type { Known } from './known.js';

export interface Planned {
  readonly prepared: Prepared;
  readonly known: Known;
  readonly assessment: Assessment;
  readonly target: TargetName;
  readonly digest: string;
  readonly decisions: Decisions;
  readonly approval: Approval | null;
  /** Null for a run that is resumed from the ledger alone. */
  readonly preparation: Preparation | null;
  readonly ledger: Ledger;
}

/** @throws JournalError */
export async function planOf(planned: Planned): Promise<Plan> {
  const { prepared, known, assessment, preparation, target, digest, decisions, approval, ledger } = planned;
  const { fates } = assessment;
  if (preparation !== null) await storeMissing(prepared, fates, preparation, ledger);
  // A run that is resumed keeps the records whose keys have passed on meanwhile: its digest is over them too, and who
  // goes on with it by its input must find them.
  const conflicting = preparation === null ? known.listed : new Map<number, RecordState>();
  return {
    version: known.version,
    target,
    run: known.run,
    preparation,
    digest,
    decisions: known.run?.decisions ?? decisions,
    approval,
    list: {
      files: prepared.files.map(({ path, sha256, records }) => ({ path, sha256, records })),
      records: recordsOf(prepared.entries, fates, preparation, conflicting),
      invalid: invalid(prepared.entries, conflicting),
    },
    replaced: [...replaced(fates, preparation), ...assessment.closed],
    bodies: preparation === null ? [] : await prunedBodies(fates, known, preparation, ledger),
    amounts: known.repriced,
    delivers: fates.some((fate) => fate?.what === 'send'),
  };
}

function* recordsOf(
  entries: Entries,
  fates: Assessment['fates'],
  preparation: Preparation | null,
  conflicting: ReadonlyMap<number, RecordState>,
): Iterable<RunRecord> {
  for (const [index, fate] of fates.entries()) {
    const { file, record, line } = entries.placeOf(index);
    const kept = conflicting.get(index)?.payment ?? null;
    if (fate === null) {
      if (kept !== null) yield { index, file, record, line, payment: kept, leftOut: null };
      continue;
    }
    const { payment, leftOut } = listedAs(fate);
    const own = (): PaymentId => (fate.what === 'send' ? ownDraft(preparation, index) : entries.payment(index));
    yield { index, file, record, line, payment: payment ?? own(), leftOut };
  }
}

function ownDraft(preparation: Preparation | null, index: number): PaymentId {
  if (preparation === null) throw new Error('a run that is resumed has no records of its own');
  return idOf(preparation.number, index);
}

function* invalid(entries: Entries, conflicting: ReadonlyMap<number, RecordState>): Iterable<InvalidRecord> {
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index) || conflicting.has(index)) continue;
    const { file, record, line } = entries.placeOf(index);
    const type = entries.groupOf(index).type as RecordType;
    yield { index, file, record, line, type, error: entries.error(index) };
  }
}

function replaced(fates: Assessment['fates'], preparation: Preparation | null): Plan['replaced'] {
  return fates.flatMap((fate, index) =>
    fate?.what === 'send' ? fate.replaced.map((payment) => ({ payment, by: ownDraft(preparation, index) })) : [],
  );
}

/**
 * A record whose payment the ledger had while the input was read was not stored once more. Where that payment has lost
 * its key to other content meanwhile, the record needs a draft after all.
 */
async function storeMissing(
  { entries }: Prepared,
  fates: Assessment['fates'],
  preparation: Preparation,
  ledger: Ledger,
): Promise<void> {
  for (const [index, fate] of fates.entries()) {
    const known = entries.payment(index);
    if (fate?.what !== 'send' || fate.payment !== null || known === 0) continue;
    const [body] = await ledger.bodies([known]);
    if (typeof body !== 'string') throw new Error(`the body of record ${index + 1} is not known any more`);
    await preparation.store([draftOf(entries, index, body)]);
    entries.setPayment(index, 0);
  }
}

/** A rejected payment that is sent again needs its body, which pruning may have removed: the input brings it. */
async function prunedBodies(
  fates: Assessment['fates'],
  known: Known,
  preparation: Preparation,
  ledger: Ledger,
): Promise<Plan['bodies']> {
  const bodies: { payment: PaymentId; body: string }[] = [];
  for (const [index, fate] of fates.entries()) {
    if (fate?.what !== 'send' || fate.payment === null) continue;
    const hasBody = known.listed.get(index)?.hasBody ?? known.byKey.get(index)?.hasBody ?? true;
    if (hasBody) continue;
    const [body] = await ledger.bodies([idOf(preparation.number, index)]);
    if (typeof body === 'string') bodies.push({ payment: fate.payment, body });
  }
  return bodies;
}

/** What is sent once the plan is history, in the order of the input. */
export function* toSend(
  { entries }: Prepared,
  fates: readonly (Fate | null)[],
  preparation: Preparation | null,
): Iterable<ToSend> {
  for (const [index, fate] of fates.entries()) {
    if (fate?.what !== 'send') continue;
    const payment = fate.payment ?? ownDraft(preparation, index);
    yield { index, payment, type: entries.groupOf(index).type as RecordType };
  }
}

/** The payment whose body is an entry's: one that the ledger knows, or the record's own draft; null where it has none. */
export function bodyOf(
  index: number,
  { entries }: Prepared,
  fate: Fate | null,
  preparation: Preparation | null,
): PaymentId | null {
  if (preparation !== null) return entries.payment(index) || idOf(preparation.number, index);
  return fate !== null && 'payment' in fate && typeof fate.payment === 'number' ? fate.payment : null;
}
