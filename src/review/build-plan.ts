/** Turns the decisions into the plan that the journal makes history, and lists what remains to be sent. */
import { keptBody } from '../prepare/bodies.js';
import { draftOf, keepSubjects } from '../prepare/drafts.js';
import type { InputCall } from '../journal/audit-log.js';
import type { Journal } from '../journal/journal.js';
import {
  type Approval,
  homeOf,
  idOf,
  type StoredPayment,
  type InvalidRecord,
  type PaymentId,
  type RunFile,
  type RunRecord,
  type TargetName,
  type ToSend,
} from '../journal/payment.js';
import type { Plan, DraftRun } from '../journal/plan.js';
import { formatDecimal } from '../money/decimal.js';
import type { RecordType } from '../records/types.js';
import type { Disposition } from './disposition.js';
import { dispositionsOf, type Assessment } from './assessment.js';
import { historyAt, ownAt, ownPayments } from './history.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';

/** What a plan needs beside the assessment. */
export interface PlanContext {
  readonly target: TargetName;
  readonly digest: string;
  readonly lifetimeMs: number | null;
  readonly approval: Approval | null;
  readonly inputCall: InputCall;
  readonly journal: Journal;
}

/**
 * To be called first, if records were stored while they were read: their drafts become those that the plan lists.
 * @throws JournalError
 */
export async function completeDrafts(assessment: Assessment, drafts: DraftRun, journal: Journal): Promise<void> {
  await storeMissing(assessment, drafts, journal);
  await keepSubjects(assessment.prepared, prunedRecords(assessment, drafts), journal);
}

/** @throws JournalError */
export async function buildPlan(assessment: Assessment, context: PlanContext): Promise<Plan> {
  const { prepared, history } = assessment;
  const { target, digest, lifetimeMs, approval, inputCall } = context;
  const preparation = prepared.drafts;
  const sent = [...assessment.exceptions].flatMap(([index, disposition]) =>
    disposition.kind === 'send' ? [{ index, disposition }] : [],
  );
  return {
    version: history.version,
    run: history.run,
    target,
    preparation,
    digest,
    lifetimeMs,
    approval,
    inputCall,
    batchId: prepared.batchId,
    skips: skipsOf(assessment),
    list: {
      files: prepared.files.map(({ path, sha256, records, sheetName, reference }) => {
        return {
          path,
          sha256,
          records,
          sheetName,
          reference,
        };
      }),
      records: recordsOf(assessment),
      invalid: invalidOf(assessment),
    },
    sends:
      preparation === null
        ? [...toSend(assessment)].map(({ payment }) => payment)
        : sent.flatMap(({ disposition }) => disposition.payment ?? []),
    withdrawn: givenUpBy(assessment),
    replaced: [
      ...sent.flatMap(({ index, disposition }) =>
        disposition.replaces.map((payment) => ({
          payment,
          by: rowOf(index, disposition, assessment),
        })),
      ),
      ...correctedBefore(assessment),
    ],
    bodies: await prunedBodies(sent, assessment, context.journal),
    delivers: sendsAny(assessment),
  };
}

/** The skip flags that the command to continue needs, because it asks again about the records that were left out. */
function skipsOf({ exceptions, decisions: { skipCreated, skipSimilar } }: Assessment): Plan['skips'] {
  const isAny = [...exceptions.values()].some(({ kind }) => kind === 'left-out');
  return { skipCreated: isAny && skipCreated, skipSimilar: isAny && skipSimilar };
}

/** Rejected payments whose corrections were paid before, or may have been: these replace them from now on. */
function correctedBefore({ exceptions, history }: Assessment): Plan['replaced'] {
  return [...exceptions].flatMap(([index, disposition]) => {
    const { own, corrects: rejected } = historyAt(index, history);
    if (rejected?.state !== 'rejected' || rejected.replacedBy !== null) return [];
    const isPaid = disposition.kind === 'settled' && disposition.state !== 'rejected';
    const by = disposition.kind === 'left-out' ? disposition.standsFor : own;
    if (by === null || by.id === rejected.id || !(isPaid || disposition.kind === 'left-out')) return [];
    return [{ payment: rejected.id, by: by.id }];
  });
}

/** Payments that the run had accepted, and leaves out before they were sent. */
function givenUpBy({ exceptions, history }: Assessment): PaymentId[] {
  return [...exceptions].flatMap(([index, disposition]) => {
    const own = ownAt(index, history);
    const isOpen = own?.state === 'not_sent' && own.run.number === history.run?.number;
    return isOpen && disposition.kind === 'left-out' && disposition.payment === own.id ? own.id : [];
  });
}

function* recordsOf(assessment: Assessment): Iterable<RunRecord> {
  const { dispositionAt, history, prepared } = assessment;
  const { entries } = prepared;
  for (let index = 0; index < entries.length; index++) {
    const disposition = dispositionAt(index);
    if (disposition === null && !isInConflict(index, prepared)) continue;
    const { file, record, line } = entries.placeOf(index);
    const [payment, standsFor] =
      disposition === null
        ? [entries.payment(index), historyAt(index, history).leftOutFor?.id ?? null]
        : [rowOf(index, disposition, assessment), standsForOf(index, disposition, assessment)];
    yield { index, file, record, line, payment, standsFor };
  }
}

/** A record whose own payment was corrected stays that payment in the list: readers find what replaced it. */
function standsForOf(index: number, disposition: Disposition, { history }: Assessment): PaymentId | null {
  if (disposition.kind !== 'left-out') return null;
  const { own } = historyAt(index, history);
  return own?.id === disposition.payment && own?.replacedBy !== null ? null : disposition.standsFor.id;
}

/** A record that is already in a resumed run, and whose key belongs to other content by now: it stays as it is. */
function isInConflict(index: number, { entries, drafts }: PreparedRecords): boolean {
  return drafts === null && entries.payment(index) !== 0;
}

/** The row of a record: its existing payment, or a separate row. */
function rowOf(index: number, disposition: Disposition, { prepared, history }: Assessment): PaymentId {
  if (disposition.kind === 'repeat' || disposition.kind === 'conflict')
    throw new Error('a record that nobody has decided about passes no gate');
  return (
    disposition.payment ??
    ((disposition.kind === 'settled' && history.accepted[index]) || prepared.entries.payment(index))
  );
}

function* invalidOf({ prepared }: Assessment): Iterable<InvalidRecord> {
  const { entries } = prepared;
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index) || isInConflict(index, prepared)) continue;
    const { file, record, line } = entries.placeOf(index);
    const { type, currency, costCenter } = entries.groupOf(index);
    const amount = entries.amount(index);
    yield {
      index,
      file,
      record,
      line,
      type: type as RecordType,
      error: entries.error(index),
      currency,
      costCenter,
      amount: amount === null ? null : formatDecimal(amount),
      body: keptBody(prepared, index),
    };
  }
}

/** Records that show a payment without its body. The input has brought that, and the gate drops their drafts. */
function* prunedRecords(
  { prepared: { entries }, history, dispositionAt }: Assessment,
  { number }: DraftRun,
): Iterable<number> {
  for (const [index, { hasBody }] of ownPayments(history))
    if (!hasBody && dispositionAt(index)?.kind !== 'send' && homeOf(entries.payment(index)) === number) yield index;
}

/**
 * A record whose payment was known while the input was read was not stored again. If the record needs a separate row
 * after all, it is stored now. For example, that payment may have lost its key to other content in the meantime.
 */
async function storeMissing(
  { prepared: { entries }, dispositionAt }: Assessment,
  preparation: DraftRun,
  journal: Journal,
): Promise<void> {
  for (let index = 0; index < entries.length; index++) {
    const stored = entries.payment(index);
    if (stored === 0 || homeOf(stored) === preparation.number) continue;
    const disposition = dispositionAt(index);
    if ((disposition?.kind !== 'send' && disposition?.kind !== 'left-out') || disposition.payment !== null) continue;
    const [body] = await journal.bodies([stored]);
    if (typeof body !== 'string') throw new Error(`the body of record ${index + 1} is not known any more`);
    await preparation.store([draftOf(entries, index, body)]);
    entries.setPayment(index, idOf(preparation.number, index));
  }
}

/** A rejected payment that is sent again needs its body, which pruning may have removed: the record's row has it. */
async function prunedBodies(
  sent: readonly { readonly index: number; readonly disposition: Disposition & { kind: 'send' } }[],
  { prepared: { entries }, history }: Assessment,
  journal: Journal,
): Promise<Plan['bodies']> {
  const bodies: { payment: PaymentId; body: string }[] = [];
  for (const { index, disposition } of sent) {
    if (disposition.payment === null || ownAt(index, history)?.hasBody !== false) continue;
    const [body] = await journal.bodies([entries.payment(index)]);
    if (typeof body === 'string') bodies.push({ payment: disposition.payment, body });
  }
  return bodies;
}

/** The records to send once the plan is history, in the order of the input. */
export function* toSend(assessment: Assessment): Iterable<ToSend> {
  const { entries } = assessment.prepared;
  for (const [index, disposition] of dispositionsOf(assessment))
    if (disposition.kind === 'send') {
      const payment = disposition.payment ?? entries.payment(index);
      yield { index, payment, type: entries.groupOf(index).type as RecordType };
    }
}

/** Whether the call would send anything. */
export function sendsAny(assessment: Assessment): boolean {
  return toSend(assessment)[Symbol.iterator]().next().done !== true;
}

/**
 * Whether the call would send or record something new: a decision, or the present places of the records.
 * @param lifetimeMs `--key-lifetime` of this call, or null
 */
export function changesAnything(assessment: Assessment, lifetimeMs: number | null): boolean {
  const { exceptions, history } = assessment;
  const { accepted, stoodFor, run } = history;
  if (sendsAny(assessment) || hasMoved(assessment) || correctedBefore(assessment).length > 0) return true;
  // The shortest lifetime of all calls counts, also for later calls.
  const shortens = (payment: StoredPayment): boolean =>
    lifetimeMs !== null &&
    payment.replacedBy === null &&
    payment.state !== 'created' &&
    lifetimeMs < (payment.lifetimeMs ?? Infinity);
  const isNew = ([index, disposition]: [number, Disposition]): boolean => {
    const row = accepted[index] ?? 0;
    // Under its key stands another payment with its content by now.
    if (disposition.kind === 'settled') return row !== 0 && disposition.payment !== null && disposition.payment !== row;
    if (disposition.kind !== 'left-out' || run === null) return disposition.kind === 'left-out';
    return row === 0
      ? stoodFor.get(index) !== disposition.standsFor.id
      : (ownAt(index, history)?.replacedBy ?? null) === null;
  };
  return [...ownPayments(history)].some(([, own]) => shortens(own)) || [...exceptions].some(isNew);
}

/** Whether a run's records are in other files now. A person who settles one must find it at the reported place. */
function hasMoved({ history: { run }, prepared: { files } }: Assessment): boolean {
  const isAsBefore = ({ path, sha256 }: RunFile, i: number): boolean =>
    path === run?.files[i]?.path && sha256 === run.files[i].sha256;
  return run !== null && (files.length !== run.files.length || !files.every(isAsBefore));
}
