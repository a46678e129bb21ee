/**
 * Preflight: from the records, what the ledger knows of them and what a person has decided, to what would be done. PURE:
 * nothing is changed, so it is computed again whenever the history has changed.
 */
import { bodyHashOf, type Prepared } from '../batch/prepare.js';
import { startDigest } from '../keys/key.js';
import type { Decisions, KnownPayment, LeftOut, PaymentId, Run, RunFile } from '../ledger/payment.js';
import type { RecordType } from '../records/kind.js';
import { decide, type Undecided } from './decide.js';
import { type Asked, type Fate, fateInNewRun, fateInRun, type FateRules, SENT_FIRST } from './fate.js';
import type { Known } from './known.js';
import { ownPayments } from './own.js';
import { type Repeat, shown, startDuplicates } from './repeats.js';
import { type Closed, closedBy, refuseSecondCorrection, sendOnce } from './together.js';

export interface AssessRules extends FateRules {
  /** The batch was named: only its payments are repeats, those of others are warnings. */
  readonly batchNamed: boolean;
  readonly decisions: Decisions;
}

export interface Assessment {
  /** The fate of a valid record; null for an invalid one. */
  readonly fates: readonly (Fate | null)[];
  readonly repeats: readonly Repeat[];
  readonly undecided: Undecided;
  /** Payments that the run closes, beside those that its new payments replace. */
  readonly closed: readonly Closed[];
  /** Records that the history makes invalid: their keys belong to the content of these payments. */
  readonly conflicts: readonly Conflict[];
}

export interface Conflict {
  readonly index: number;
  readonly payment: KnownPayment | null;
}

export function assess(prepared: Prepared, known: Known, rules: AssessRules): Assessment {
  const { entries } = prepared;
  // Made at its full length: a list of a million that grows takes three times as much on its way.
  const fates: (Fate | null)[] = Array.from({ length: entries.length }, () => null);
  const conflicts: Conflict[] = [];
  for (let index = 0; index < entries.length; index++)
    if (entries.isValid(index)) fates[index] = fateOf(prepared, index, known, rules);
  refuseSecondCorrection(fates, known);
  fates.forEach((fate, index) => {
    if (fate?.what === 'conflict') conflicts.push({ index, payment: fate.payment });
  });
  const found = repeatsOf(prepared, fates, known, rules);
  const undecided = decide(found, fates, rules.decisions, (index, since) =>
    rules.rules.mayResend({ type: typeOf(prepared, index), doubtSince: since }),
  );
  const closed = closedBy(prepared, fates, known);
  sendOnce(fates, known, closed);
  // What nobody is asked about yet is not told either.
  const repeats = found.filter(({ code, index }) => code !== 'similar-record' || fates[index]?.what !== 'repeat');
  return { fates, repeats, undecided, closed, conflicts };
}

function typeOf({ entries }: Prepared, index: number): RecordType {
  return entries.groupOf(index).type as RecordType;
}

function fateOf(prepared: Prepared, index: number, known: Known, rules: AssessRules): Fate {
  const { entries } = prepared;
  if (known.created[index] === 1) return CREATED_IN_RUN;
  const listed = known.listed.get(index);
  if (listed === undefined && !known.byKey.has(index) && !known.corrected.has(index)) return SENT_FIRST;
  const asked: Asked = {
    index,
    type: typeOf(prepared, index),
    bodyHash: bodyHashOf(prepared, index),
    content: entries.content(index),
    identifies: entries.keySource(index) !== 'content',
  };
  return listed === undefined ? fateInNewRun(asked, known, rules) : fateInRun(asked, listed, known, rules);
}

/** Most records of a run that goes on: one object for all of them. */
const CREATED_IN_RUN: Fate = { what: 'created', payment: null, leftOut: null };

function repeatsOf(
  prepared: Prepared,
  fates: readonly (Fate | null)[],
  known: Known,
  { batchId, batchNamed }: AssessRules,
): Repeat[] {
  const { entries } = prepared;
  const named = batchNamed ? batchId : null;
  const duplicates = startDuplicates(known.similar, {
    batchId: named,
    since: known.run?.moment ?? 0,
    goesOn: known.run !== null,
    isOwn: ownPayments(prepared, fates, known),
  });
  const byContent = (index: number, isInDoubt = false): Repeat | null =>
    duplicates.of({
      index,
      isInDoubt,
      content: entries.content(index),
      similarity: entries.similarity(index),
      reference: entries.reference(index),
      date: entries.date(index),
    });
  const all = (index: number, fate: Fate): Repeat | null | readonly Repeat[] => {
    if (fate.what === 'send') {
      const isLeft = known.similar.size > 0 && (fate.again !== null || !isLive(index, fate, known));
      return isLeft ? byContent(index, fate.again === 'unknown') : null;
    }
    if (fate.what !== 'repeat') return null;
    const repeat = byKey(index, fate, entries.content(index), known, named);
    if (fate.code !== 'open-before' || fate.payment.isLive) return repeat;
    // It is sent when a person has decided about its key, so its content is compared as well; paid since, it stands for that.
    const other = byContent(index);
    if (other === null) return repeat;
    return other.counts && other.code === 'same-content' ? other : [repeat, other];
  };
  const repeats: Repeat[] = [];
  fates.forEach((fate, index) => {
    const found = fate === null ? null : all(index, fate);
    // Most have none, and a list for each of them would be garbage.
    if (found !== null) repeats.push(...[found].flat());
  });
  return repeats;
}

/** A live run sends the record's payment, whatever is decided here. Leaving it out would let another record be sent for it. */
function isLive(index: number, { payment }: Fate & { what: 'send' }, { byKey: own }: Known): boolean {
  const standing = own.get(index);
  return standing !== undefined && standing.id === payment && standing.isLive;
}

/**
 * The record stands for the payment of its own key. Its content may have been paid under other keys since, and a person
 * is shown the newest.
 */
function byKey(
  index: number,
  { code, payment, corrects = false }: Fate & { what: 'repeat' },
  content: bigint,
  { similar }: Known,
  batchId: string | null,
): Repeat {
  const others = code === 'open-before' ? [] : (similar.get(payment.similarity) ?? []);
  const paid = others.filter(
    ({ id, state, run, ...other }) =>
      id !== payment.id &&
      other.content === payment.content &&
      (state === 'created' || state === 'unknown') &&
      (batchId === null || run.batchId === batchId),
  );
  // A row may correct a payment of other content.
  const standsAs = payment.content === content ? 'same' : 'similar';
  return { index, code, ...shown([payment, ...paid]), standsFor: payment, standsAs, corrects, counts: true };
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function digestOf(target: string, prepared: Prepared): string {
  const { entries } = prepared;
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, bodyHashOf(prepared, index));
  }
  return digest.finish();
}

/** What is written down of a record: the payment that it lists, and why it is not sent itself. Null: its own draft. */
export function listedAs(fate: Fate): { payment: PaymentId | null; leftOut: LeftOut | null } {
  switch (fate.what) {
    case 'send':
      return { payment: fate.payment, leftOut: null };
    case 'created':
    case 'rejected':
    case 'unknown':
    case 'not_sent':
      return { payment: fate.payment, leftOut: fate.leftOut };
    case 'repeat':
    case 'conflict':
      throw new Error('a record that nobody has decided about passes no gate');
  }
}

/** Whether something would be sent or closed, or is left out that was not left out before. */
export function changesAnything({ fates, closed }: Assessment, { listed, repriced }: Known): boolean {
  if (repriced.length > 0 || closed.length > 0) return true;
  return fates.some((fate, index) => {
    if (fate === null) return false;
    if (fate.what === 'send') return true;
    return 'leftOut' in fate && fate.leftOut !== null && listed.get(index)?.leftOut !== fate.leftOut;
  });
}

/** Whether a run's records stand in other files now. What a person is told of them must be found there when it is settled. */
export function hasMoved(run: Run | null, files: readonly RunFile[]): boolean {
  if (run === null) return false;
  const isAsBefore = (file: RunFile, i: number): boolean =>
    file.path === run.files[i]?.path && file.sha256 === run.files[i].sha256;
  return files.length !== run.files.length || !files.every(isAsBefore);
}

/** Rejected payments are claimed only where the plan says so: their own run asks for it, a new run does by listing them. */
export function triesRejected({ fates }: Assessment): boolean {
  return fates.some((fate) => fate?.what === 'send' && fate.again === 'rejected');
}
