/** From what was decided to the plan that the ledger makes history, and what is left to be sent of it. */
import { draftOf } from '../batch/ledger-rows.js';
import type { Prepared } from '../batch/prepare.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  type Approval,
  type Decisions,
  homeOf,
  idOf,
  type KnownPayment,
  type InvalidRecord,
  type PaymentId,
  type RunRecord,
  type TargetName,
  type ToSend,
} from '../ledger/payment.js';
import type { Plan, Preparation } from '../ledger/plan.js';
import type { RecordType } from '../records/kind.js';
import { type Assessment, fatesOf } from './assess.js';
import type { Fate } from './fate.js';
import type { Known } from './known.js';

export interface Planned {
  readonly prepared: Prepared;
  readonly known: Known;
  readonly assessment: Assessment;
  readonly target: TargetName;
  readonly digest: string;
  readonly decisions: Decisions;
  readonly lifetimeMs: number | null;
  readonly approval: Approval | null;
  /** Null for a run that is resumed from the ledger alone. */
  readonly preparation: Preparation | null;
  readonly ledger: Ledger;
}

/** @throws JournalError */
export async function planOf(planned: Planned): Promise<Plan> {
  const { prepared, known, assessment, preparation, target, digest, decisions, lifetimeMs, approval } = planned;
  if (preparation !== null) await storeMissing(planned, preparation);
  const special = [...assessment.special];
  const sent = special.flatMap(([index, fate]) => (fate.what === 'send' ? [{ index, fate }] : []));
  return {
    version: known.version,
    ...{ target, preparation, digest, lifetimeMs, approval },
    run: known.run,
    batchId: prepared.batchId,
    skips: skipsOf(special, decisions),
    list: {
      files: prepared.files.map(({ path, sha256, records }) => ({ path, sha256, records })),
      records: recordsOf(planned),
      invalid: invalidOf(planned),
    },
    sends:
      preparation === null
        ? [...toSend(prepared, assessment)].map(({ payment }) => payment)
        : sent.flatMap(({ fate }) => fate.payment ?? []),
    givenUp: givenUpBy(special, known),
    replaced: [
      ...sent.flatMap(({ index, fate }) =>
        fate.replaces.map((payment) => ({ payment, by: rowOf(index, fate, planned) })),
      ),
      ...correctedBefore(special, known),
    ],
    bodies: await prunedBodies(sent, planned),
    delivers: hasAny(toSend(prepared, assessment)),
  };
}

type Fates = readonly (readonly [index: number, fate: Fate])[];

/** The flags that the command which goes on needs, since it is asked again about what was left out. */
function skipsOf(fates: Fates, { skipCreated, skipSimilar }: Decisions): Plan['skips'] {
  const isAny = fates.some(([, { what }]) => what === 'left-out');
  return { skipCreated: isAny && skipCreated, skipSimilar: isAny && skipSimilar };
}

/** Rejected payments whose corrections were paid before, or may have been: these stand in for them from now on. */
function correctedBefore(fates: Fates, { byKey, corrected }: Known): Plan['replaced'] {
  return fates.flatMap(([index, fate]) => {
    const rejected = corrected.get(index);
    if (rejected?.state !== 'rejected' || rejected.replacedBy !== null) return [];
    const isPaid = fate.what === 'settled' && fate.state !== 'rejected';
    const by = fate.what === 'left-out' ? fate.standsFor.id : isPaid ? byKey.get(index)?.id : undefined;
    return by === undefined || by === rejected.id ? [] : [{ payment: rejected.id, by }];
  });
}

/** Payments that the run had accepted, and leaves out before they were sent. */
function givenUpBy(fates: Fates, { byKey, run }: Known): PaymentId[] {
  return fates.flatMap(([index, fate]) => {
    const own = byKey.get(index);
    const isOpen = own?.state === 'not_sent' && own.run.number === run?.number;
    return isOpen && fate.what === 'left-out' && fate.payment === own.id ? own.id : [];
  });
}

function* recordsOf(planned: Planned): Iterable<RunRecord> {
  const { prepared, assessment, known } = planned;
  const { entries } = prepared;
  for (let index = 0; index < entries.length; index++) {
    const fate = assessment.fateAt(index);
    if (fate === null && !isInConflict(index, planned)) continue;
    const { file, record, line } = entries.placeOf(index);
    const [payment, standsFor] =
      fate === null
        ? [entries.payment(index), known.leftOut.get(index)?.id ?? null]
        : [rowOf(index, fate, planned), fate.what === 'left-out' ? fate.standsFor.id : null];
    yield { index, file, record, line, payment, standsFor };
  }
}

/** A record that a run which is resumed has already, and whose key belongs to other content now: it stays as it is. */
function isInConflict(index: number, { prepared, preparation }: Pick<Planned, 'prepared' | 'preparation'>): boolean {
  return preparation === null && prepared.entries.payment(index) !== 0;
}

/** The row of a record: the payment that it is, or a row of its own. */
function rowOf(index: number, fate: Fate, { prepared, known }: Planned): PaymentId {
  if (fate.what === 'repeat' || fate.what === 'conflict')
    throw new Error('a record that nobody has decided about passes no gate');
  return fate.payment ?? ((fate.what === 'settled' && known.accepted[index]) || prepared.entries.payment(index));
}

function* invalidOf(planned: Planned): Iterable<InvalidRecord> {
  const { entries } = planned.prepared;
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index) || isInConflict(index, planned)) continue;
    const { file, record, line } = entries.placeOf(index);
    const type = entries.groupOf(index).type as RecordType;
    yield { index, file, record, line, type, error: entries.error(index) };
  }
}

/**
 * A record whose payment the ledger had while the input was read was not stored once more. Where the record needs a row of
 * its own after all, as where that payment has lost its key to other content meanwhile, it is stored now.
 */
async function storeMissing(
  { prepared: { entries }, assessment, ledger }: Planned,
  preparation: Preparation,
): Promise<void> {
  for (let index = 0; index < entries.length; index++) {
    const stored = entries.payment(index);
    if (stored === 0 || homeOf(stored) === preparation.number) continue;
    const fate = assessment.fateAt(index);
    if ((fate?.what !== 'send' && fate?.what !== 'left-out') || fate.payment !== null) continue;
    const [body] = await ledger.bodies([stored]);
    if (typeof body !== 'string') throw new Error(`the body of record ${index + 1} is not known any more`);
    await preparation.store([draftOf(entries, index, body)]);
    entries.setPayment(index, idOf(preparation.number, index));
  }
}

/** A rejected payment that is sent again needs its body, which pruning may have removed: the record's own row brings it. */
async function prunedBodies(
  sent: readonly { readonly index: number; readonly fate: Fate & { what: 'send' } }[],
  { prepared: { entries }, known, ledger }: Planned,
): Promise<Plan['bodies']> {
  const bodies: { payment: PaymentId; body: string }[] = [];
  for (const { index, fate } of sent) {
    if (fate.payment === null || known.byKey.get(index)?.hasBody !== false) continue;
    const [body] = await ledger.bodies([entries.payment(index)]);
    if (typeof body === 'string') bodies.push({ payment: fate.payment, body });
  }
  return bodies;
}

/** What is sent once the plan is history, in the order of the input. */
export function* toSend(prepared: Prepared, assessment: Assessment): Iterable<ToSend> {
  const { entries } = prepared;
  for (const [index, fate] of fatesOf(prepared, assessment))
    if (fate.what === 'send') {
      const payment = fate.payment ?? entries.payment(index);
      yield { index, payment, type: entries.groupOf(index).type as RecordType };
    }
}

function hasAny(items: Iterable<unknown>): boolean {
  return items[Symbol.iterator]().next().done !== true;
}

/**
 * Whether something would be sent, or a person's decision would be written down for the first time.
 * @param lifetimeMs `--key-lifetime` of this call, or null
 */
export function changesAnything(
  prepared: Prepared,
  assessment: Assessment,
  known: Known,
  lifetimeMs: number | null,
): boolean {
  if (hasAny(toSend(prepared, assessment))) return true;
  // The shortest lifetime that was ever said of a payment holds, also in calls that come later.
  const shortens = (payment: KnownPayment): boolean =>
    lifetimeMs !== null &&
    payment.replacedBy === null &&
    payment.state !== 'created' &&
    lifetimeMs < (payment.lifetimeMs ?? Infinity);
  if ([...known.byKey.values()].some(shortens)) return true;
  const isNew = (index: number): boolean =>
    known.run === null || ((known.accepted[index] ?? 0) !== 0 && (known.byKey.get(index)?.replacedBy ?? null) === null);
  const isLeftOut = [...assessment.special].some(([index, { what }]) => what === 'left-out' && isNew(index));
  return isLeftOut || correctedBefore([...assessment.special], known).length > 0;
}
