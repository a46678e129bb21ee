/** Delivering a run: outcomes in, claims out, one durable commit for both. Several processes may deliver one run. */
import { JournalError } from '../../errors.js';
import { type Beginning, type Candidate, checked, claimedOf, reasonNotTo } from '../claiming.js';
import { CREATED } from '../codes.js';
import type { ClaimRules, Claims, Delivery, Settled, Unclaimed } from '../ledger.js';
import type { PaymentId, Run } from '../payment.js';
import { candidates, type Looked } from './candidates.js';
import { ALIVE, type Context, isRegistered, registered, SHARE, SHUT_OUT } from './context.js';
import { storeOutcomes } from './outcomes.js';
import { takeOverDead } from './processes.js';
import type { Transaction } from './session.js';

interface Exchange {
  readonly context: Context;
  readonly run: number;
  readonly beginning: Beginning | null;
  readonly rules: ClaimRules;
  /** How many may be claimed. */
  readonly most: number;
}

/** @param beginning null for a run of which nothing is to be sent */
export function openDelivery(context: Context, run: Run, beginning: Beginning | null): Delivery {
  const { session, self, right } = context;
  return {
    run,
    exchange: async (settled, wanted, rules, most = wanted.length) => {
      const call = { context, run: run.number, beginning, rules, most };
      if (settled.length + wanted.length === 0) return { claimed: [], unclaimed: [] };
      // Claims come first in a transaction, so that two that exchange with each other cannot wait in a circle.
      const again = new Set(settled.map(({ id }) => id));
      if (!wanted.some((id) => again.has(id))) return exchange(call, settled, wanted);
      await exchange(call, settled, []);
      return exchange(call, [], wanted);
    },
    maySend: right.maySend,
    untilMaySend: right.untilMaySend,
    leave: async () => {
      await session.write((tx) => tx.change('DELETE FROM delivery WHERE run = $1 AND process = $2', run.number, self));
    },
  };
}

async function exchange(call: Exchange, settled: readonly Settled[], wanted: readonly PaymentId[]): Promise<Claims> {
  const { claims, dead } = await commitOf(call, settled, wanted);
  if (dead.length === 0) return claims;
  await takeOverDead(call.context, dead);
  const left = claims.unclaimed.flatMap(({ id, why }) => (why === 'elsewhere' ? [id] : []));
  const more = await commitOf({ ...call, most: call.most - claims.claimed.length }, [], left);
  const known = new Map(more.claims.unclaimed.map((each) => [each.id, each]));
  const claimed = new Set(more.claims.claimed.map(({ id }) => id));
  return {
    claimed: [...claims.claimed, ...more.claims.claimed],
    unclaimed: claims.unclaimed.filter(({ id }) => !claimed.has(id)).map((each) => known.get(each.id) ?? each),
  };
}

interface Committed {
  readonly claims: Claims;
  /** Processes whose claims are in the way, and whose leases have run out. */
  readonly dead: readonly number[];
}

async function commitOf(call: Exchange, settled: readonly Settled[], wanted: readonly PaymentId[]): Promise<Committed> {
  const { context, run } = call;
  const { self } = context;
  const { committed, refusal } = await context.session.write(
    async (tx) => {
      const isCurrent = isRegistered(tx);
      // Where nothing may be claimed, the outcomes are stored all the same: whoever looks later must know them.
      const looked = wanted.length === 0 ? NOTHING : isCurrent ? await claim(call, tx, wanted) : refused(SHUT_OUT);
      await storeOutcomes(tx, run, self, settled);
      return looked;
    },
    [SHARE, registered(self)],
  );
  if (refusal !== null) throw refusal;
  return committed;
}

interface Attempted {
  readonly committed: Committed;
  /** Why nothing may be claimed. */
  readonly refusal: JournalError | null;
}

const NOTHING: Attempted = { committed: { claims: { claimed: [], unclaimed: [] }, dead: [] }, refusal: null };

function refused(why: string): Attempted {
  return { ...NOTHING, refusal: new JournalError(why) };
}

/**
 * The first that look free, so that it writes next to nothing for those that others have. In the order of the payments, so
 * that two processes that want the same cannot wait for each other in a circle.
 */
const CLAIM = `WITH me AS (SELECT pr.id FROM process pr WHERE pr.id = $1 AND ${ALIVE}),
  n AS (SELECT nextval('claim_number') AS number),
  free AS (SELECT w.id FROM unnest($4::bigint[]) WITH ORDINALITY w(id, place)
    WHERE NOT EXISTS (SELECT FROM claim c WHERE c.payment = w.id)
      AND NOT EXISTS (SELECT FROM outcome o WHERE o.payment = w.id AND o.state = ${CREATED})
    ORDER BY w.place LIMIT $5)
  INSERT INTO claim (payment, number, process, run, at)
  SELECT free.id, n.number, me.id, $2, $3 FROM me, n, free ORDER BY free.id ON CONFLICT DO NOTHING
  RETURNING payment, number`;

/**
 * First claims all that nobody has under way, then looks: what is seen then cannot change any more. What turns out not to
 * be free is given back in the same transaction.
 */
async function claim(call: Exchange, tx: Transaction, wanted: readonly PaymentId[]): Promise<Attempted> {
  const { context, run, beginning, rules, most } = call;
  if (beginning === null) throw new Error('nothing of this run is to be sent');
  const got = new Map(await tx.rows<[PaymentId, number]>(CLAIM, context.self, run, tx.at, wanted, most));
  const free: Candidate[] = [];
  const unclaimed: Unclaimed[] = [];
  const dead = new Set<number>();
  let refusal: JournalError | null = null;
  for (const looked of await candidates(tx, wanted)) {
    const { candidate } = looked;
    const isMine = got.has(candidate.id);
    // Where there was room for more claims, what was not claimed was not free.
    const isOthers = !isMine && (looked.owner !== null || got.size < most);
    const why = reasonNotTo(candidate, isOthers, beginning, rules);
    if (why !== null) unclaimed.push(withOwner(why, looked, context.self));
    else if (!isMine) unclaimed.push({ id: candidate.id, why: 'free' });
    else {
      refusal ??= damageOf(candidate);
      free.push(candidate);
    }
    if (looked.owner?.isAlive === false && candidate.state !== CREATED) dead.add(looked.owner.process);
  }
  const kept = refusal === null ? new Set(free.map(({ id }) => id)) : new Set<PaymentId>();
  const back = [...got.keys()].filter((id) => !kept.has(id));
  if (back.length > 0)
    await tx.change('DELETE FROM claim WHERE process = $1 AND payment = ANY ($2::bigint[])', context.self, back);
  if (refusal !== null) return { ...NOTHING, refusal };
  const claimed = free.map((candidate) => claimedOf(candidate, got.get(candidate.id) as number));
  return { committed: { claims: { claimed, unclaimed }, dead: [...dead] }, refusal: null };
}

/** Says how long whoever has the payment may still have it, in the worst case. */
function withOwner(why: Unclaimed, { owner }: Looked, self: number | null): Unclaimed {
  if (why.why !== 'elsewhere' || owner === null || owner.process === self) return why;
  return { ...why, owner: { host: owner.host, leaseMs: owner.leaseMs } };
}

function damageOf(candidate: Candidate): JournalError | null {
  try {
    checked(candidate);
    return null;
  } catch (cause) {
    if (cause instanceof JournalError) return cause;
    throw cause;
  }
}
