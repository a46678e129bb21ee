/** What is under way at this moment: the open claims, and which live processes deliver which runs. */
import { type Context } from './context.js';
import { CREATED, CUT_OFF, NOT_SENT, REJECTED } from './codes.js';

export interface OpenClaim {
  readonly id: number;
  /** Row number of its process. */
  readonly process: number;
  readonly name: string | null;
  readonly run: number;
  readonly first: number;
  readonly last: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface LiveDelivery {
  readonly run: number;
  readonly process: number;
  /** Number of the last claim before it began: what has a later stamp has happened since. */
  readonly since: number;
}

/** What is known of a payment. Without an outcome, `state` is null. */
export interface Known {
  readonly id: number;
  readonly state: number | null;
  readonly stamp: number | null;
  /** The run whose delivery brought the outcome about. */
  readonly run: number | null;
}

/** Asks for each process once. */
export function rememberedLiveness(context: Context): (name: string | null) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    if (name === null) return false;
    let alive = known.get(name);
    if (alive === undefined) known.set(name, (alive = context.isAlive(name)));
    return alive;
  };
}

export function openClaims({ sql }: Context): OpenClaim[] {
  type Cells = [number, number, string | null, number, number, number, number];
  const select = sql(
    'SELECT c.id, c.process, p.name, c.run, c.first, c.last, c.at FROM claim c LEFT JOIN process p ON p.id = c.process',
  );
  return (select.all() as Cells[]).map(([id, process, name, run, first, last, at]) => {
    return { id, process, name, run, first, last, at };
  });
}

/** The open claim that covers a payment and has not settled it yet; the oldest one. */
export function claimOn({ id, state, stamp }: Known, claims: readonly OpenClaim[]): OpenClaim | undefined {
  if (state === CREATED) return undefined;
  return claims.find((claim) => id >= claim.first && id <= claim.last && (stamp ?? 0) < claim.id);
}

/** Deliveries by live processes. */
export function liveDeliveries({ sql }: Context, isAlive: (name: string | null) => boolean): LiveDelivery[] {
  const select = sql(
    'SELECT d.run, d.process, d.since, p.name FROM delivery d LEFT JOIN process p ON p.id = d.process',
  );
  return (select.all() as [number, number, number, string | null][])
    .filter(([, , , name]) => isAlive(name))
    .map(([run, process, since]) => ({ run, process, since }));
}

/** Whether the run lists the payment and would send it: a record that is left out is not sent. */
function lists({ sql }: Context, run: number, payment: number): boolean {
  const select = sql(
    `SELECT payment + count FROM span WHERE run = ? AND left_out IS NULL AND payment <= ? ORDER BY payment DESC LIMIT 1`,
  );
  const [end] = (select.get(run, payment) as [number] | undefined) ?? [0];
  return end > payment;
}

/**
 * Whether a payment was rejected while a delivery of that run went on. Its process writes the payment into its rejects,
 * and a person corrects and imports it from there. Sent again as it is, it could be paid beside the corrected one.
 */
export function isRejectedIn({ state, stamp, run }: Known, deliveries: readonly LiveDelivery[]): boolean {
  return state === REJECTED && deliveries.some((delivery) => delivery.run === run && (stamp ?? 0) > delivery.since);
}

/** Whether a live delivery may still come to a payment that is not claimed. */
export function isAwaited(context: Context, payment: Known, deliveries: readonly LiveDelivery[]): boolean {
  const { id, state, stamp } = payment;
  if (deliveries.length === 0 || state === CREATED || isRejectedIn(payment, deliveries)) return false;
  // What was settled since the delivery began it takes as it is, but for what a dead process has left in doubt.
  const isOpen = state === null || state === NOT_SENT || state === CUT_OFF;
  return deliveries.some(({ run, since }) => (isOpen || (stamp ?? 0) <= since) && lists(context, run, id));
}
