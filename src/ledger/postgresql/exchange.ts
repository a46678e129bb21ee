/** Delivering a run: outcomes in, claims out, one durable commit for both. Several processes may deliver one run. */
import { JournalError } from '../../errors.js';
import { type Beginning, type Candidate, checked, claimedOf, reasonNotTo } from '../claiming.js';
import { CREATED } from '../codes.js';
import type { ClaimRules, Claims, Delivery, Settled, Unclaimed } from '../ledger.js';
import type { PaymentId, Run } from '../payment.js';
import { candidates, type Looked } from './candidates.js';
import { ALIVE, type Context, isRegistered, share, SHUT_OUT } from './context.js';
import { storeOutcomes } from './outcomes.js';
import { takeOverDead } from './processes.js';
import type { Transaction } from './session.js';

interface Exchange {
  readonly context: Context;
  readonly run: number;
  readonly beginning: Beginning | null;
  readonly rules: ClaimRules;
}

/** @param beginning null for a run of which nothing is to be sent */
export function openDelivery(context: Context, run: Run, beginning: Beginning | null): Delivery {
  const { session, self, right } = context;
  return {
    run,
    exchange: async (settled, wanted, rules) => {
      const call = { context, run: run.number, beginning, rules };
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
  const more = await commitOf(call, [], left);
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
  const { committed, refusal } = await context.session.write(async (tx) => {
    await share(tx);
    const isCurrent = await isRegistered(tx, context.self);
    // Where nothing may be claimed, the outcomes are stored all the same: whoever looks later must know them.
    const looked = wanted.length === 0 ? NOTHING : isCurrent ? await claim(call, tx, wanted) : refused(SHUT_OUT);
    await storeOutcomes(tx, run, context.self, settled);
    return looked;
  });
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

/** In the order of the payments, so that two processes that want the same cannot wait for each other in a circle. */
const CLAIM = `WITH me AS (SELECT pr.id FROM process pr WHERE pr.id = $1 AND ${ALIVE}),
  n AS (SELECT nextval('claim_number') AS number)
  INSERT INTO claim (payment, number, process, run, at)
  SELECT w, n.number, me.id, $2, $3 FROM me, n, unnest($4::bigint[]) w ORDER BY w ON CONFLICT DO NOTHING
  RETURNING payment, number`;

/**
 * First claims all that nobody has under way, then looks: what is seen then cannot change any more. What turns out not to
 * be free is given back in the same transaction.
 */
async function claim(call: Exchange, tx: Transaction, wanted: readonly PaymentId[]): Promise<Attempted> {
  const { context, run, beginning, rules } = call;
  if (beginning === null) throw new Error('nothing of this run is to be sent');
  const got = new Map(await tx.rows<[PaymentId, number]>(CLAIM, context.self, run, tx.at, wanted));
  const free: Candidate[] = [];
  const unclaimed: Unclaimed[] = [];
  const dead = new Set<number>();
  let refusal: JournalError | null = null;
  for (const looked of await candidates(tx, wanted)) {
    const { candidate } = looked;
    const why = reasonNotTo(candidate, !got.has(candidate.id), beginning, rules);
    if (why === null) refusal ??= damageOf(candidate);
    if (why === null) free.push(candidate);
    else unclaimed.push(withOwner(why, looked, context.self));
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
