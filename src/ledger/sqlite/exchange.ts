/** Delivering a run: outcomes in, claims out, one durable commit for both. */
import { JournalError } from '../../errors.js';
import type { RecordType } from '../../records/kind.js';
import { transaction } from '../../util/sqlite.js';
import { alreadyClaimed, type Candidate, claimedOf, NO_CLAIMS, type Sorted, sortOut } from '../claiming.js';
import { CREATED, typeCode } from '../codes.js';
import type { Claimed, Claims, Delivery, Settled } from '../ledger.js';
import type { PaymentId, Run } from '../payment.js';
import { candidates } from './candidates.js';
import { type Context, isRegistered, TAKEN_OVER } from './context.js';
import { guarded } from './guard.js';
import { storeOutcomes } from './outcomes.js';
import { claimOn, openClaims } from './under-way.js';

/** Stops at the first one: only where nothing of the type was created does it look at all that was. */
const HAS_CREATED = `SELECT 1 FROM outcome o JOIN payment p ON p.id = o.payment
  WHERE o.state = ${CREATED} AND p.type = ? AND p.target = (SELECT target FROM run WHERE number = ?) LIMIT 1`;

/** @param delivers false for a run of which nothing is to be sent */
export function openDelivery(context: Context, run: Run, delivers: boolean): Delivery {
  const { number } = run;
  const calls = {
    exchange: (settled: readonly Settled[], wanted: readonly PaymentId[]): Claims => {
      if (wanted.length > 0 && !delivers) throw new Error('nothing of this run is to be sent');
      return settled.length + wanted.length === 0 ? NO_CLAIMS : exchange(context, number, settled, wanted);
    },
    hasCreated: (type: RecordType): boolean => context.sql(HAS_CREATED).get(typeCode(type), number) !== undefined,
    leave: (): void => {
      context.sql('DELETE FROM delivery WHERE run = ? AND process = ?').run(number, context.self);
    },
  };
  // While this process lives, its claims are its own.
  return { run, ...guarded(calls, context.file), maySend: () => true, untilMaySend: () => null };
}

function exchange(context: Context, run: number, settled: readonly Settled[], wanted: readonly PaymentId[]): Claims {
  const { stored, sorted, claimed } = transaction(context.db, () => {
    const apply = storeOutcomes(context, run, settled);
    const found = wanted.length === 0 ? NOTHING_WANTED : look(context, wanted);
    return { stored: apply, sorted: found, claimed: found.refusal === null ? claim(context, run, found.sendable) : [] };
  });
  // Only now: a failed commit changes nothing in memory either.
  stored();
  remember(context, claimed);
  if (sorted.refusal !== null) throw sorted.refusal;
  return { claimed, unclaimed: sorted.unclaimed };
}

function remember({ own }: Context, claimed: readonly Claimed[]): void {
  for (const { id, claim: number } of claimed) {
    own.payments.set(id, number);
    own.left.set(number, (own.left.get(number) ?? 0) + 1);
  }
}

const NOTHING_WANTED: Sorted = { sendable: [], unclaimed: [], refusal: null };

/** Where nothing may be claimed, the outcomes are stored all the same: whoever looks at the file later must know them. */
function look(context: Context, wanted: readonly PaymentId[]): Sorted {
  try {
    context.requireFile();
  } catch (cause) {
    if (cause instanceof JournalError) return { ...NOTHING_WANTED, refusal: cause };
    throw cause;
  }
  if (!isRegistered(context)) return { ...NOTHING_WANTED, refusal: new JournalError(TAKEN_OVER, { isPassing: true }) };
  const sorted = sortOut(candidates(context, wanted));
  const others = openClaims(context).filter(({ process }) => process !== context.self);
  for (const each of sorted.sendable)
    if (context.own.payments.has(each.id) || claimOn(each, others) !== undefined) throw alreadyClaimed(each);
  return sorted;
}

/** Writes a claim for each unbroken range: a claim covers only payments that are about to be sent. */
function claim(context: Context, run: number, sendable: readonly Candidate[]): Claimed[] {
  const insert = context.sql('INSERT INTO claim (process, run, first, last, at) VALUES (?, ?, ?, ?, ?)');
  const claimed: Claimed[] = [];
  const at = context.now();
  for (let i = 0; i < sendable.length;) {
    const first = (sendable[i] as Candidate).id;
    let next = i + 1;
    while (next < sendable.length && sendable[next]?.id === first + next - i) next++;
    const { lastInsertRowid } = insert.run(context.self, run, first, first + next - i - 1, at);
    for (; i < next; i++) claimed.push(claimedOf(sendable[i] as Candidate, Number(lastInsertRowid)));
  }
  return claimed;
}
