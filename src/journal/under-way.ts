/** What is under way at this moment: the open claims, and which live processes deliver which runs. */
import type { Db } from './db.js';
import type { StoredState } from './record.js';
import { runOf } from './rows.js';

export interface OpenIntent {
  readonly id: number;
  readonly first: number;
  readonly last: number;
}

/** A claim of a process that has died. */
export interface CutOffIntent extends OpenIntent {
  /** When the claim was made, milliseconds since 1970. */
  readonly at: number;
}

export interface Delivery {
  readonly run: number;
  readonly process: string;
  /** Number of the last claim before the delivery began: what was settled after that was settled while it went on. */
  readonly since: number;
}

export interface UnderWay {
  readonly intents: readonly OpenIntent[];
  /** Claims of dead processes that nobody has taken over yet. */
  readonly cutOff: readonly CutOffIntent[];
  /** Run → the deliveries of live processes. */
  readonly deliveries: ReadonlyMap<number, readonly Delivery[]>;
}

/** A record's row number with what is known of it. */
export interface Standing {
  readonly id: number;
  readonly state: StoredState | null;
  readonly intent: number | null;
  readonly cut_off: number | null;
}

/** @param before only deliveries that began before the one with this number */
export function allUnderWay(db: Db, isAlive: (process: string) => boolean, before = Number.MAX_SAFE_INTEGER): UnderWay {
  const intents = db.prepare('SELECT id, first, last, process, at FROM intent').all() as unknown as (CutOffIntent & {
    process: string;
  })[];
  const found = db
    .prepare('SELECT run, process, since FROM delivery WHERE id < ?')
    .all(before) as unknown as Delivery[];
  const live = new Set([...new Set([...found, ...intents].map(({ process }) => process))].filter(isAlive));
  const deliveries = new Map<number, Delivery[]>();
  for (const delivery of found) {
    if (!live.has(delivery.process)) continue;
    const known = deliveries.get(delivery.run);
    if (known === undefined) deliveries.set(delivery.run, [delivery]);
    else known.push(delivery);
  }
  return { intents, cutOff: intents.filter(({ process }) => !live.has(process)), deliveries };
}

/** Whether an open claim covers the record and has not settled it yet. */
export function isClaimed(record: Standing, intents: readonly OpenIntent[]): boolean {
  return claimOn(record, intents) !== undefined;
}

/** The open claim that covers the record and has not settled it yet. */
export function claimOn<Intent extends OpenIntent>(
  { id, intent }: Standing,
  intents: readonly Intent[],
): Intent | undefined {
  return intents.find((open) => id >= open.first && id <= open.last && (intent ?? 0) < open.id);
}

/**
 * Whether a record was rejected while another live process delivered its run. That process writes the record into its
 * rejects, and a person mends and imports it from there. Sent again as it is, it could be paid beside the mended one.
 * @param self the process that asks: what it has rejected itself does not count
 */
export function isRejectedBeside({ id, state, intent }: Standing, underWay: UnderWay, self?: string): boolean {
  return state === 'rejected' && othersOn(runOf(id), underWay, self).some(({ since }) => (intent ?? 0) > since);
}

/** Deliveries of a run by live processes. @param self not by this one */
export function othersOn(run: number, { deliveries }: UnderWay, self?: string): Delivery[] {
  return (deliveries.get(run) ?? []).filter(({ process }) => process !== self);
}

/** Whether a record is under way, or a live process will still come to it. */
export function isPending(record: Standing, underWay: UnderWay): boolean {
  const { intents, deliveries } = underWay;
  const { id, state, intent, cut_off: cutOff } = record;
  if (state !== null && isFinal(state)) return false;
  if (isClaimed(record, intents)) return true;
  if (isRejectedBeside(record, underWay)) return false;
  const open = state === null || state === 'not_sent' || cutOff === 1;
  return (deliveries.get(runOf(id)) ?? []).some(({ since }) => open || (intent ?? 0) <= since);
}

/** The states of records that no delivery of their run ever sends again. */
const FINAL: readonly StoredState[] = ['created', 'already_created', 'invalid', 'left_unknown'];

/** Whether no delivery of its run ever sends it again. */
export function isFinal(state: StoredState): boolean {
  return FINAL.includes(state);
}

/** SQL for the opposite of {@link isFinal}. @param column of the state, NULL where nothing is known */
export function sqlNotFinal(column: string): string {
  return `coalesce(${column}, '') NOT IN (${FINAL.map((state) => `'${state}'`).join(', ')})`;
}
