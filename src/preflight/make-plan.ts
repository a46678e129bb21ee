/** Turns the decisions into the plan that the ledger makes history, and lists what remains to be sent. */
import { keptBody } from '../batch/bodies.js';
import { draftOf, keepReadable } from '../batch/ledger-rows.js';
import type { InputCall } from '../ledger/event.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  type Approval,
  homeOf,
  idOf,
  type KnownPayment,
  type InvalidRecord,
  type PaymentId,
  type RunFile,
  type RunRecord,
  type TargetName,
  type ToSend,
} from '../ledger/payment.js';
import type { Plan, Preparation } from '../ledger/plan.js';
import { formatDecimal } from '../money/decimal.js';
import type { RecordType } from '../records/kind.js';
import type { Fate } from './fate.js';
import { fatesOf, type Looked } from './look.js';

export interface Planned extends Looked {
  readonly target: TargetName;
  readonly digest: string;
  readonly lifetimeMs: number | null;
  readonly approval: Approval | null;
  readonly inputCall: InputCall;
  /** Null for a run that is resumed from the ledger alone. */
  readonly preparation: Preparation | null;
  readonly ledger: Ledger;
}

/** @throws JournalError */
export async function planOf(planned: Planned): Promise<Plan> {
  const { prepared, version, run, preparation, target, digest, lifetimeMs, approval, inputCall } = planned;
  if (preparation !== null) {
    await storeMissing(planned, preparation);
    await keepReadable(prepared, prunedRecords(planned, preparation), planned.ledger);
  }
  const sent = [...planned.special].flatMap(([index, fate]) => (fate.what === 'send' ? [{ index, fate }] : []));
  return {
    ...{ version, run, target, preparation, digest, lifetimeMs, approval, inputCall },
    batchId: prepared.batchId,
    skips: skipsOf(planned),
    list: {
      files: prepared.files.map(({ path, sha256, records, sheetName, reference }) => {
        return { path, sha256, records, sheetName, reference };
      }),
      records: recordsOf(planned),
      invalid: invalidOf(planned),
    },
    sends:
      preparation === null
        ? [...toSend(planned)].map(({ payment }) => payment)
        : sent.flatMap(({ fate }) => fate.payment ?? []),
    givenUp: givenUpBy(planned),
    replaced: [
      ...sent.flatMap(({ index, fate }) =>
        fate.replaces.map((payment) => ({ payment, by: rowOf(index, fate, planned) })),
      ),
      ...correctedBefore(planned),
    ],
    bodies: await prunedBodies(sent, planned),
    delivers: sendsAny(planned),
  };
}

/** The skip flags that the command to continue needs, because it asks again about the records that were left out. */
function skipsOf({ special, decisions: { skipCreated, skipSimilar } }: Looked): Plan['skips'] {
  const isAny = [...special.values()].some(({ what }) => what === 'left-out');
  return { skipCreated: isAny && skipCreated, skipSimilar: isAny && skipSimilar };
}

/** Rejected payments whose corrections were paid before, or may have been: these replace them from now on. */
function correctedBefore({ special, byKey, corrected }: Looked): Plan['replaced'] {
  return [...special].flatMap(([index, fate]) => {
    const rejected = corrected.get(index);
    if (rejected?.state !== 'rejected' || rejected.replacedBy !== null) return [];
    const isPaid = fate.what === 'settled' && fate.state !== 'rejected';
    const by = fate.what === 'left-out' ? fate.standsFor.id : isPaid ? byKey.get(index)?.id : undefined;
    return by === undefined || by === rejected.id ? [] : [{ payment: rejected.id, by }];
  });
}

/** Payments that the run had accepted, and leaves out before they were sent. */
function givenUpBy({ special, byKey, run }: Looked): PaymentId[] {
  return [...special].flatMap(([index, fate]) => {
    const own = byKey.get(index);
    const isOpen = own?.state === 'not_sent' && own.run.number === run?.number;
    return isOpen && fate.what === 'left-out' && fate.payment === own.id ? own.id : [];
  });
}

function* recordsOf(planned: Planned): Iterable<RunRecord> {
  const { fateAt, leftOut } = planned;
  const { entries } = planned.prepared;
  for (let index = 0; index < entries.length; index++) {
    const fate = fateAt(index);
    if (fate === null && !isInConflict(index, planned)) continue;
    const { file, record, line } = entries.placeOf(index);
    const [payment, standsFor] =
      fate === null
        ? [entries.payment(index), leftOut.get(index)?.id ?? null]
        : [rowOf(index, fate, planned), standsForOf(index, fate, planned)];
    yield { index, file, record, line, payment, standsFor };
  }
}

/** A record whose own payment was corrected stays that payment in the list: readers find what replaced it. */
function standsForOf(index: number, fate: Fate, { byKey }: Planned): PaymentId | null {
  if (fate.what !== 'left-out') return null;
  const own = byKey.get(index);
  return own?.id === fate.payment && own?.replacedBy !== null ? null : fate.standsFor.id;
}

/** A record that is already in a resumed run, and whose key belongs to other content by now: it stays as it is. */
function isInConflict(index: number, { prepared, preparation }: Pick<Planned, 'prepared' | 'preparation'>): boolean {
  return preparation === null && prepared.entries.payment(index) !== 0;
}

/** The row of a record: its existing payment, or a separate row. */
function rowOf(index: number, fate: Fate, { prepared, accepted }: Planned): PaymentId {
  if (fate.what === 'repeat' || fate.what === 'conflict')
    throw new Error('a record that nobody has decided about passes no gate');
  return fate.payment ?? ((fate.what === 'settled' && accepted[index]) || prepared.entries.payment(index));
}

function* invalidOf(planned: Planned): Iterable<InvalidRecord> {
  const { prepared } = planned;
  const { entries } = prepared;
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index) || isInConflict(index, planned)) continue;
    const { file, record, line } = entries.placeOf(index);
    const { type, currency, costCenter } = entries.groupOf(index);
    const amount = entries.amount(index);
    yield {
      ...{ index, file, record, line, type: type as RecordType, error: entries.error(index), currency, costCenter },
      amount: amount === null ? null : formatDecimal(amount),
      body: keptBody(prepared, index),
    };
  }
}

/** Records that show a payment without its body. The input has brought that, and the gate drops their drafts. */
function* prunedRecords({ prepared: { entries }, byKey, fateAt }: Planned, { number }: Preparation): Iterable<number> {
  for (const [index, { hasBody }] of byKey)
    if (!hasBody && fateAt(index)?.what !== 'send' && homeOf(entries.payment(index)) === number) yield index;
}

/**
 * A record whose payment was known while the input was read was not stored again. If the record needs a separate row
 * after all, it is stored now. For example, that payment may have lost its key to other content in the meantime.
 */
async function storeMissing(
  { prepared: { entries }, fateAt, ledger }: Planned,
  preparation: Preparation,
): Promise<void> {
  for (let index = 0; index < entries.length; index++) {
    const stored = entries.payment(index);
    if (stored === 0 || homeOf(stored) === preparation.number) continue;
    const fate = fateAt(index);
    if ((fate?.what !== 'send' && fate?.what !== 'left-out') || fate.payment !== null) continue;
    const [body] = await ledger.bodies([stored]);
    if (typeof body !== 'string') throw new Error(`the body of record ${index + 1} is not known any more`);
    await preparation.store([draftOf(entries, index, body)]);
    entries.setPayment(index, idOf(preparation.number, index));
  }
}

/** A rejected payment that is sent again needs its body, which pruning may have removed: the record's row has it. */
async function prunedBodies(
  sent: readonly { readonly index: number; readonly fate: Fate & { what: 'send' } }[],
  { prepared: { entries }, byKey, ledger }: Planned,
): Promise<Plan['bodies']> {
  const bodies: { payment: PaymentId; body: string }[] = [];
  for (const { index, fate } of sent) {
    if (fate.payment === null || byKey.get(index)?.hasBody !== false) continue;
    const [body] = await ledger.bodies([entries.payment(index)]);
    if (typeof body === 'string') bodies.push({ payment: fate.payment, body });
  }
  return bodies;
}

/** The records to send once the plan is history, in the order of the input. */
export function* toSend(looked: Looked): Iterable<ToSend> {
  const { entries } = looked.prepared;
  for (const [index, fate] of fatesOf(looked))
    if (fate.what === 'send') {
      const payment = fate.payment ?? entries.payment(index);
      yield { index, payment, type: entries.groupOf(index).type as RecordType };
    }
}

/** Whether the call would send anything. */
export function sendsAny(looked: Looked): boolean {
  return toSend(looked)[Symbol.iterator]().next().done !== true;
}

/**
 * Whether the call would send or record something new: a decision, or the present places of the records.
 * @param lifetimeMs `--key-lifetime` of this call, or null
 */
export function changesAnything(looked: Looked, lifetimeMs: number | null): boolean {
  const { byKey, accepted, stoodFor, run, special } = looked;
  if (sendsAny(looked) || hasMoved(looked) || correctedBefore(looked).length > 0) return true;
  // The shortest lifetime of all calls counts, also for later calls.
  const shortens = (payment: KnownPayment): boolean =>
    lifetimeMs !== null &&
    payment.replacedBy === null &&
    payment.state !== 'created' &&
    lifetimeMs < (payment.lifetimeMs ?? Infinity);
  const isNew = ([index, fate]: [number, Fate]): boolean => {
    const row = accepted[index] ?? 0;
    // Under its key stands another payment with its content by now.
    if (fate.what === 'settled') return row !== 0 && fate.payment !== null && fate.payment !== row;
    if (fate.what !== 'left-out' || run === null) return fate.what === 'left-out';
    return row === 0 ? stoodFor.get(index) !== fate.standsFor.id : (byKey.get(index)?.replacedBy ?? null) === null;
  };
  return [...byKey.values()].some(shortens) || [...special].some(isNew);
}

/** Whether a run's records are in other files now. A person who settles one must find it at the reported place. */
function hasMoved({ run, prepared: { files } }: Looked): boolean {
  const isAsBefore = ({ path, sha256 }: RunFile, i: number): boolean =>
    path === run?.files[i]?.path && sha256 === run.files[i].sha256;
  return run !== null && (files.length !== run.files.length || !files.every(isAsBefore));
}
