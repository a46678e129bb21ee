/**
 * Preflight: from the records, what the ledger knows of them and what a person has decided, to what would be done. PURE:
 * nothing is changed, so it is computed again whenever the history has changed.
 */
import type { Prepared } from '../batch/prepare.js';
import { RecordKey } from '../keys/record-key.js';
import { startDigest } from '../keys/key.js';
import type { Decisions, KnownPayment, LeftOut, PaymentId } from '../ledger/payment.js';
import type { RecordType } from '../records/kind.js';
import { decide, type Undecided } from './decide.js';
import { type Asked, type Fate, fateInNewRun, fateInRun, type FateRules } from './fate.js';
import type { Known } from './known.js';
import { type Repeat, shown, startDuplicates } from './repeats.js';

export interface AssessRules extends FateRules {
  readonly batchId: string;
  /** The batch was named: only its payments are repeats, those of others are warnings. */
  readonly batchNamed: boolean;
  readonly decisions: Decisions;
}

export interface Assessment {
  /** The fate of a valid record; null for an invalid one. */
  readonly fates: readonly (Fate | null)[];
  readonly repeats: readonly Repeat[];
  readonly undecided: Undecided;
  /** Records that the history makes invalid: their keys belong to the content of these payments. */
  readonly conflicts: readonly Conflict[];
}

export interface Conflict {
  readonly index: number;
  readonly payment: KnownPayment | null;
}

export function assess(prepared: Prepared, known: Known, rules: AssessRules): Assessment {
  const { entries } = prepared;
  const fates: (Fate | null)[] = [];
  const conflicts: Conflict[] = [];
  for (let index = 0; index < entries.length; index++) {
    const fate = entries.isValid(index) ? fateOf(prepared, index, known, rules) : null;
    fates.push(fate);
    if (fate?.what === 'conflict') conflicts.push({ index, payment: fate.payment });
  }
  const repeats = repeatsOf(prepared, fates, known, rules);
  const undecided = decide(repeats, fates, rules.decisions, (index, since) =>
    rules.rules.mayResend({ type: typeOf(prepared, index), doubtSince: since }),
  );
  return { fates, repeats, undecided, conflicts };
}

function typeOf({ entries }: Prepared, index: number): RecordType {
  return entries.groupOf(index).type as RecordType;
}

function fateOf(prepared: Prepared, index: number, known: Known, rules: AssessRules): Fate {
  const { entries } = prepared;
  if (known.created[index] === 1) return CREATED_IN_RUN;
  const asked: Asked = {
    index,
    type: typeOf(prepared, index),
    bodyHash: entries.bodyHash(index),
    identifies: entries.keySource(index) !== 'content',
  };
  const listed = known.listed.get(index);
  return listed === undefined ? fateInNewRun(asked, known, rules) : fateInRun(asked, listed, known, rules);
}

/** Most records of a run that goes on: one object for all of them. */
const CREATED_IN_RUN: Fate = { what: 'created', payment: null, leftOut: null };

function repeatsOf(
  { entries, index: keys }: Prepared,
  fates: readonly (Fate | null)[],
  known: Known,
  { batchId, batchNamed }: AssessRules,
): Repeat[] {
  const repeats: Repeat[] = [];
  const duplicates = startDuplicates(known.similar, {
    batchId: batchNamed ? batchId : null,
    since: known.run?.moment ?? 0,
    goesOn: known.run !== null,
    isOwn: ({ key }) => keys.find(RecordKey.of(key)) !== null,
  });
  for (const [index, fate] of fates.entries()) {
    if (fate?.what === 'repeat') {
      const { similar } = known;
      repeats.push(
        byKey({ index, content: entries.content(index), fate, similar, batchId: batchNamed ? batchId : null }),
      );
    }
    // One that is open elsewhere would be sent by this run, once a person says so: it must be no payment a second time.
    const mayBeSent = fate?.what === 'send' || (fate?.what === 'repeat' && fate.code === 'open-before');
    if (!mayBeSent || known.similar.size === 0) continue;
    const repeat = duplicates.of({
      index,
      content: entries.content(index),
      similarity: entries.similarity(index),
      reference: entries.reference(index),
      date: entries.date(index),
    });
    if (repeat !== null) repeats.push(repeat);
  }
  return repeats;
}

interface RepeatedByKey {
  readonly index: number;
  readonly content: bigint;
  readonly fate: Fate & { what: 'repeat' };
  readonly similar: Known['similar'];
  /** The batch that was named; null: payments of all batches are repeats. */
  readonly batchId: string | null;
}

/**
 * The record stands for the payment of its own key. Its content may have been paid under other keys since, and a person
 * is shown the newest.
 */
function byKey({ index, content, fate: { code, payment }, similar, batchId }: RepeatedByKey): Repeat {
  const others = code === 'open-before' ? [] : (similar.get(payment.similarity) ?? []);
  const paid = others.filter(
    (other) =>
      other.id !== payment.id &&
      other.content === payment.content &&
      (other.state === 'created' || other.state === 'unknown') &&
      (batchId === null || other.run.batchId === batchId),
  );
  const standsAs = payment.content === content ? 'same' : 'similar';
  return { index, code, ...shown([payment, ...paid]), standsFor: payment, standsAs, counts: true };
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

/** Whether something would be sent, or is left out that was not left out before. */
export function changesAnything({ fates }: Assessment, { listed, repriced }: Known): boolean {
  if (repriced.length > 0) return true;
  return fates.some((fate, index) => {
    if (fate === null) return false;
    if (fate.what === 'send') return true;
    return 'leftOut' in fate && fate.leftOut !== null && listed.get(index)?.leftOut !== fate.leftOut;
  });
}
