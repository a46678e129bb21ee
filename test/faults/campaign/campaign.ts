/** The kill campaign: every point, in every kind of call, so and so many times; and random moments besides. */
import { readFileSync } from 'node:fs';
import { seededRandom } from '../../support/builders.js';
import { workspace } from '../../support/cli.js';
import { CRASH_ENTRY } from '../../support/crash.js';
import { startService } from '../../support/service.js';
import { writeInput } from './input.js';
import {
  type Call,
  mendingKills,
  plannedKills,
  plannedReplies,
  type Point,
  POINT_NAMES,
  POINTS,
  randomKills,
} from './points.js';
import { type Plan, playRound } from './round.js';

export interface CampaignOptions {
  readonly seed: number;
  /** How often each point is aimed at, and each random pair of moments tried. */
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** How many rounds are played at a time. */
const TABLES = 2;

/** How many things happen in a first call that nothing ends: random moments lie among them. */
export async function countEvents(): Promise<number> {
  let remove = (): Promise<void> => Promise.resolve();
  const work = workspace((cleanUp) => (remove = cleanUp));
  const service = await startService();
  const { args } = writeInput(work, 1, service.url);
  await work.process(args, { entry: CRASH_ENTRY, env: { TEST_COUNT_TO: work.path('counts.json') } });
  const counts = JSON.parse(readFileSync(work.path('counts.json'), 'utf8')) as { event: number };
  await service.close();
  await remove();
  return counts.event;
}

/** The plans of a campaign, from its seed alone. */
export function plans(seed: number, rounds: number, events: number): Plan[] {
  const planned: Plan[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const point of [...POINT_NAMES, 'event'] as const) {
      const own = planned.length + 1;
      const random = seededRandom(seed * 100_003 + own);
      const calls: readonly Call[] = point === 'event' ? ['first'] : POINTS[point].calls;
      const call = calls[round % calls.length]!;
      const kills = point === 'event' ? randomKills(events, random) : plannedKills(point, call, random);
      const replies = plannedReplies(random);
      const beside = random() < 0.25;
      const mending = mendingKills(random);
      planned.push({ seed: own, about: point, kills, replies, beside, mending });
    }
  }
  return planned;
}

/** Plays it and prints a table. Gives whether the promise was kept in every round, and every point was hit often enough. */
export async function campaign({ seed, rounds, print }: CampaignOptions): Promise<boolean> {
  const events = await countEvents();
  const waiting = plans(seed, rounds, events);
  // A call that waits for another beside it may have nothing left to send, and is killed nowhere.
  const due = waiting.filter(({ beside }) => !beside).map(({ about }) => about);
  const hits = new Map<Point, Record<Call, number>>();
  let broken = 0;
  let played = 0;
  const play = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const round = await playRound(plan);
      played++;
      for (const { point, call } of round.hits) {
        const counts = hits.get(point) ?? { first: 0, again: 0, resume: 0, mended: 0 };
        counts[call]++;
        hits.set(point, counts);
      }
      if (round.problems.length === 0) continue;
      broken++;
      const kills = plan.kills.map(({ call, point, nth }) => `${call} ${point}#${nth}`).join(', ');
      print(
        `broken: seed ${seed}, round ${plan.seed} (${kills}${plan.beside ? ', another beside' : ''})\n  ${round.problems.join('\n  ')}`,
      );
    }
  };
  await Promise.all(Array.from({ length: TABLES }, play));
  print(
    `${'killed at'.padEnd(24)}${'first'.padStart(8)}${'again'.padStart(8)}${'resume'.padStart(8)}${'mended'.padStart(8)}${'all'.padStart(8)}`,
  );
  let missed = 0;
  let kills = 0;
  for (const point of [...POINT_NAMES, 'event'] as const) {
    const { first, again, resume, mended } = hits.get(point) ?? { first: 0, again: 0, resume: 0, mended: 0 };
    const all = first + again + resume + mended;
    kills += all;
    if (all < due.filter((about) => about === point).length) missed++;
    print(
      [point.padEnd(24), ...[first, again, resume, mended, all].map((count) => String(count).padStart(8))].join(''),
    );
  }
  print(
    `${played} rounds with ${kills} kills, seed ${seed}: ${broken} broken, ${missed} points hit less often than they were due`,
  );
  return broken === 0 && missed === 0;
}
