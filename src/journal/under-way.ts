/** What is under way at this moment: the open claims, and which live processes deliver which runs. */
import type { Db } from './db.js';
import type { StoredState } from './record.js';
import { runOf } from './rows.js';

export interface OpenIntent {
  readonly id: number;
  readonly first: number;
  readonly last: number;
}

interface Delivery {
  readonly run: number;
  readonly process: string;
  /** The last claim before it began: what was settled after that, was settled while it went on. */
  readonly since: number;
}

export interface UnderWay {
  readonly intents: readonly OpenIntent[];
  /** Run → the deliveries of processes that live. */
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
  const intents = db.prepare('SELECT id, first, last FROM intent').all() as unknown as OpenIntent[];
  const found = db
    .prepare('SELECT run, process, since FROM delivery WHERE id < ?')
    .all(before) as unknown as Delivery[];
  const live = new Set([...new Set(found.map(({ process }) => process))].filter(isAlive));
  const deliveries = new Map<number, Delivery[]>();
  for (const delivery of found) {
    if (!live.has(delivery.process)) continue;
    const known = deliveries.get(delivery.run);
    if (known === undefined) deliveries.set(delivery.run, [delivery]);
    else known.push(delivery);
  }
  return { intents, deliveries };
}

/** Whether a claim holds the record that has not settled it yet. */
export function isClaimed({ id, intent }: Standing, intents: readonly OpenIntent[]): boolean {
  return intents.some((open) => id >= open.first && id <= open.last && (intent ?? 0) < open.id);
}

/** Whether a record is under way, or a live process will come to it yet. */
export function isPending(record: Standing, { intents, deliveries }: UnderWay): boolean {
  const { id, state, intent, cut_off: cutOff } = record;
  if (state !== null && isFinal(state)) return false;
  if (isClaimed(record, intents)) return true;
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
