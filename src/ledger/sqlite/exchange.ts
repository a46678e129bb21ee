/** Delivering a run: outcomes in, claims out, one durable commit for both. Several processes may deliver one run. */
import { JournalError } from '../../errors.js';
import { transaction } from '../../util/sqlite.js';
import type { Claimed, ClaimRules, Claims, Delivery, Settled, Unclaimed } from '../ledger.js';
import { type Beginning, type Candidate, checked, claimedOf, reasonNotTo } from '../claiming.js';
import type { PaymentId, Run } from '../payment.js';
import { candidates } from './candidates.js';
import { type Context, isRegistered, TAKEN_OVER } from './context.js';
import { guarded } from './guard.js';
import { storeOutcomes } from './outcomes.js';
import { takeOver } from './recovery.js';
import { claimOn, type OpenClaim, openClaims, rememberedLiveness } from './under-way.js';

/** @param beginning null for a run of which nothing is to be sent */
export function openDelivery(context: Context, run: Run, beginning: Beginning | null): Delivery {
  const calls = {
    exchange: (
      settled: readonly Settled[],
      wanted: readonly PaymentId[],
      rules: ClaimRules,
      most = Number.POSITIVE_INFINITY,
    ): Claims => {
      if (settled.length + wanted.length === 0) return { claimed: [], unclaimed: [] };
      return exchange({ context, run: run.number, beginning, rules, most }, settled, wanted);
    },
    leave: (): void => {
      context.sql('DELETE FROM delivery WHERE run = ? AND process = ?').run(run.number, context.self);
    },
  };
  // While this process lives, its claims are its own.
  return { run, ...guarded(calls, context.file), maySend: () => true, untilMaySend: () => null };
}

interface Exchange {
  readonly context: Context;
  readonly run: number;
  readonly beginning: Beginning | null;
  readonly rules: ClaimRules;
  /** How many may be claimed. */
  readonly most: number;
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
    const isClaimed = context.own.payments.has(candidate.id) || claimOn(candidate, claims) !== undefined;
    const why = reasonNotTo(candidate, isClaimed, call.beginning, call.rules);
    if (why !== null) unclaimed.push(why);
    else if (free.length < call.most) free.push(checked(candidate));
    else unclaimed.push({ id: candidate.id, why: 'free' });
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
