/** Delivering a run: outcomes in, claims out, one durable commit for both. Several processes may deliver one run. */
import { JournalError } from '../../errors.js';
import { transaction } from '../../util/sqlite.js';
import type { Claimed, ClaimRules, Claims, Delivery, Settled, Unclaimed } from '../ledger.js';
import type { PaymentId, Run, StoredOutcome } from '../payment.js';
import { type Candidate, candidates, checked, claimedOf } from './candidates.js';
import { CREATED, CUT_OFF, REJECTED, storedOutcomeOf } from './codes.js';
import { type Context, isRegistered, TAKEN_OVER } from './context.js';
import { guarded } from './guard.js';
import { isOpen, storeOutcomes } from './outcomes.js';
import { takeOver } from './recovery.js';
import {
  claimOn,
  isRejectedIn,
  type LiveDelivery,
  type OpenClaim,
  openClaims,
  rememberedLiveness,
} from './under-way.js';

/** What a delivery knows of the moment at which it began. */
export interface Beginning {
  /** Number of the last claim before it. */
  readonly since: number;
  /** What other live processes were delivering then. */
  readonly others: readonly LiveDelivery[];
}

/** @param beginning null for a run of which nothing is to be sent */
export function openDelivery(context: Context, run: Run, beginning: Beginning | null): Delivery {
  const calls = {
    exchange: (settled: readonly Settled[], wanted: readonly PaymentId[], rules: ClaimRules): Claims => {
      if (settled.length + wanted.length === 0) return { claimed: [], unclaimed: [] };
      return exchange({ context, run: run.number, beginning, rules }, settled, wanted);
    },
    leave: (): void => {
      context.sql('DELETE FROM delivery WHERE run = ? AND process = ?').run(run.number, context.self);
    },
  };
  return { run, ...guarded(calls, context.file) };
}

interface Exchange {
  readonly context: Context;
  readonly run: number;
  readonly beginning: Beginning | null;
  readonly rules: ClaimRules;
}

function exchange(call: Exchange, settled: readonly Settled[], wanted: readonly PaymentId[]): Claims {
  const { context, run } = call;
  const { stored, looked, claimed } = transaction(context.db, () => {
    const apply = storeOutcomes(context, run, settled);
    const found = wanted.length === 0 ? NOT_LOOKED : lookOrRefuse(call, wanted);
    return { stored: apply, looked: found, claimed: claim(call, found.free) };
  });
  // Only now: a failed commit changes nothing in memory either.
  stored();
  remember(context, claimed);
  looked.dead.forEach(context.forgetLock);
  if (looked.refusal !== null) throw looked.refusal;
  return { claimed, unclaimed: looked.unclaimed };
}

function remember({ own }: Context, claimed: readonly Claimed[]): void {
  for (const { id, claim: number } of claimed) {
    own.payments.set(id, number);
    own.left.set(number, (own.left.get(number) ?? 0) + 1);
  }
}

interface Looked {
  readonly free: readonly Candidate[];
  readonly unclaimed: readonly Unclaimed[];
  /** Names of dead processes that were taken over. */
  readonly dead: readonly string[];
  /** Why nothing may be claimed. */
  readonly refusal: JournalError | null;
}

const NOT_LOOKED: Looked = { free: [], unclaimed: [], dead: [], refusal: null };

/** Where nothing may be claimed, the outcomes are stored all the same: whoever looks at the file later must know them. */
function lookOrRefuse(call: Exchange, wanted: readonly PaymentId[]): Looked {
  try {
    return lookAt(call, wanted);
  } catch (cause) {
    if (cause instanceof JournalError) return { ...NOT_LOOKED, refusal: cause };
    throw cause;
  }
}

/** Everything is looked at before anything is claimed. @throws JournalError when nothing may be claimed at all */
function lookAt(call: Exchange, wanted: readonly PaymentId[]): Looked {
  const { context } = call;
  context.requireFile();
  if (!isRegistered(context)) throw new JournalError(TAKEN_OVER);
  if (call.beginning === null) throw new Error('nothing of this run is to be sent');
  const { claims, dead } = takeOverDead(context, wanted);
  const free: Candidate[] = [];
  const unclaimed: Unclaimed[] = [];
  for (const candidate of candidates(context, wanted)) {
    const why = reasonNotTo(call, call.beginning, candidate, claims);
    if (why === null) free.push(checked(candidate));
    else unclaimed.push(why);
  }
  return { free, unclaimed, dead, refusal: null };
}

/** Dead processes whose claims are in the way are taken over. */
function takeOverDead(context: Context, wanted: readonly PaymentId[]): { claims: OpenClaim[]; dead: string[] } {
  const others = openClaims(context).filter(({ process }) => process !== context.self);
  const inTheWay = others.filter(({ first, last }) => wanted.some((id) => id >= first && id <= last));
  const isAlive = rememberedLiveness(context);
  const dead = new Map(inTheWay.filter(({ name }) => !isAlive(name)).map((each) => [each.process, each.name ?? '']));
  for (const process of dead.keys()) takeOver(context, process);
  return { claims: inTheWay.filter(({ process }) => !dead.has(process)), dead: [...dead.values()] };
}

/** Null for a payment that may be claimed. */
function reasonNotTo(
  { context, rules }: Exchange,
  { since, others }: Beginning,
  candidate: Candidate,
  claims: readonly OpenClaim[],
): Unclaimed | null {
  const { id, type, state, stamp, cells } = candidate;
  const settled = (): Unclaimed => ({ id, why: 'settled', outcome: storedOutcomeOf(cells) as StoredOutcome });
  if (state === CREATED) return settled();
  if (context.own.payments.has(id) || claimOn(candidate, claims) !== undefined) return { id, why: 'elsewhere' };
  if (isOpen(state)) return reasonUnsendable(candidate);
  const isNews = (stamp ?? 0) > since;
  const doubt = { type, doubtSince: candidate.doubtSince ?? 0 };
  if (state === REJECTED) {
    // What another process has had rejected meanwhile it writes into its rejects, for a person to correct.
    if (!rules.retryRejected || isNews || isRejectedIn(candidate, others)) return settled();
  } else if (!rules.mayResend(doubt)) return settled();
  // What a live process has left in doubt it has tried as often as it may. What a dead one has left is sent again while its
  // key protects it; otherwise it waits for a person's word, and an earlier one does not cover it.
  else if (isNews && (state !== CUT_OFF || !rules.isProtected(doubt))) return settled();
  return reasonUnsendable(candidate) === null ? null : settled();
}

function reasonUnsendable({ id, replacedBy, body }: Candidate): Unclaimed | null {
  if (replacedBy !== null) return { id, why: 'unsendable', reason: 'another payment was made in its place' };
  if (body === null) return { id, why: 'unsendable', reason: 'its stored body was removed by batch prune' };
  return null;
}

/** Writes a claim for each unbroken range: a claim covers only payments that are about to be sent. */
function claim({ context, run }: Exchange, free: readonly Candidate[]): Claimed[] {
  const insert = context.sql('INSERT INTO claim (process, run, first, last, at) VALUES (?, ?, ?, ?, ?)');
  const claimed: Claimed[] = [];
  const at = context.now();
  for (let i = 0; i < free.length;) {
    const first = (free[i] as Candidate).id;
    let next = i + 1;
    while (next < free.length && free[next]?.id === first + next - i) next++;
    const { lastInsertRowid } = insert.run(context.self, run, first, first + next - i - 1, at);
    for (; i < next; i++) claimed.push(claimedOf(free[i] as Candidate, Number(lastInsertRowid)));
  }
  return claimed;
}
