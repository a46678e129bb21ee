/** Where the campaign kills, and the plan of a round, from its seed alone. */
import type { Failpoint } from '../../../src/world.js';
import type { Reply } from '../../support/service.js';
import { RECORDS } from './input.js';
import type { KillMoment } from './service.js';

/** Which call of a round is killed: the first one, the same command again, `batch resume`, or the import of corrected rejects. */
export type Call = 'first' | 'again' | 'resume' | 'mended';

export type Point = Failpoint | `service:${KillMoment}` | 'event';

export interface Kill {
  readonly call: Call;
  readonly point: Point;
  readonly nth: number;
}

interface Range {
  readonly calls: readonly Call[];
  /** The point is reached at least so often in a first call without faults, in any later one at least `later` times. */
  readonly most: number;
  readonly later: number;
}

const ALL: readonly Call[] = ['first', 'again', 'resume'];
/** A run that is resumed comes from the journal: nothing is prepared. */
const READING: readonly Call[] = ['first', 'again'];

/** Every named point, and the moments that only the service sees. */
export const POINTS: Readonly<Record<Exclude<Point, 'event'>, Range>> = {
  'prepare:row': { calls: READING, most: RECORDS, later: RECORDS },
  'prepare:stored': { calls: READING, most: 1, later: 1 },
  'gate:before-commit': { calls: ALL, most: 1, later: 1 },
  'gate:after-commit': { calls: ALL, most: 1, later: 1 },
  'intent:before-commit': { calls: ALL, most: 4, later: 2 },
  'intent:after-commit': { calls: ALL, most: 4, later: 2 },
  'request:sent': { calls: ALL, most: RECORDS - 8, later: 12 },
  'answer:read': { calls: ALL, most: RECORDS - 8, later: 12 },
  'outcome:before-commit': { calls: ALL, most: 4, later: 3 },
  'outcome:after-commit': { calls: ALL, most: 4, later: 3 },
  'report:writing': { calls: ALL, most: RECORDS, later: RECORDS },
  'file:stored': { calls: ALL, most: 4, later: 1 },
  'file:written': { calls: ALL, most: 4, later: 1 },
  'service:arrived': { calls: ALL, most: RECORDS - 8, later: 12 },
  'service:carried-out': { calls: ALL, most: RECORDS - 8, later: 12 },
  'service:answered': { calls: ALL, most: RECORDS - 8, later: 12 },
};

export const POINT_NAMES = Object.keys(POINTS) as (keyof typeof POINTS)[];

/** A whole number from 1 to `most`. */
function upTo(random: () => number, most: number): number {
  return 1 + Math.floor(random() * most);
}

/** Cuts a first call off while it sends, early enough that most is left for the next. */
function early(random: () => number): Kill {
  const points = ['request:sent', 'answer:read', 'service:arrived', 'service:carried-out', 'service:answered'] as const;
  return { call: 'first', point: points[upTo(random, points.length) - 1]!, nth: upTo(random, 12) };
}

/** The kills of a round that is about one point, in one kind of call. */
export function plannedKills(point: keyof typeof POINTS, call: Call, random: () => number): Kill[] {
  const { most, later } = POINTS[point];
  if (call === 'first') return [{ call, point, nth: upTo(random, most) }, ...further(random)];
  return [early(random), { call, point, nth: upTo(random, later) }, ...further(random)];
}

/** Sometimes the call after that is killed too, somewhere. */
function further(random: () => number): Kill[] {
  if (random() < 0.5) return [];
  const call = random() < 0.5 ? 'again' : 'resume';
  const point = POINT_NAMES[upTo(random, POINT_NAMES.length) - 1]!;
  return [{ call, point, nth: upTo(random, 3) }];
}

/** Kills at moments that nobody named. @param events how many things happen in a first call that nothing ends */
export function randomKills(events: number, random: () => number): Kill[] {
  const second: Call = random() < 0.5 ? 'again' : 'resume';
  return [
    { call: 'first', point: 'event', nth: upTo(random, events) },
    { call: second, point: 'event', nth: upTo(random, events) },
  ];
}

const FAULTS: readonly Reply[] = [
  { status: 503 },
  { status: 503, execute: true },
  { status: 429 },
  { status: 408 },
  { fault: 'reset-before' },
  { fault: 'reset-after' },
  { fault: 'truncate' },
];

/** What the service answers in a round: in one round of three, every tenth answer is a fault. */
export function plannedReplies(random: () => number): Reply[] {
  if (random() > 1 / 3) return [];
  const reply = (): Reply => (random() < 0.1 ? FAULTS[upTo(random, FAULTS.length) - 1]! : { default: true });
  return Array.from({ length: RECORDS * 2 }, reply);
}

const MENDING = [
  'prepare:stored',
  'gate:before-commit',
  'gate:after-commit',
  'intent:after-commit',
  'request:sent',
  'answer:read',
  'outcome:before-commit',
  'outcome:after-commit',
] as const;

/** Kills of the import of the corrected rejects, one after the other; in one round of two. */
export function mendingKills(random: () => number): Kill[] {
  const kill = (): Kill => ({
    call: 'mended',
    point: MENDING[upTo(random, MENDING.length) - 1]!,
    nth: upTo(random, 2),
  });
  if (random() < 0.5) return [];
  return random() < 0.5 ? [kill()] : [kill(), kill()];
}
