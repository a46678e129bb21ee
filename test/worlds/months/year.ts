/** Twelve months of a clerk, from a seed alone. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chanceOf } from '../../fuzz/chance.js';
import { type CampaignOptions, type Outcome, playAll } from '../campaign.js';
import { call } from '../program.js';
import { startWorldService, type Weather } from '../service.js';
import { startJob, work } from './clerk.js';
import type { Clerk, Job } from './job.js';
import { anyOffice, businessIn, contentOf, papersOf } from './office.js';

const DAY = 24 * 3_600_000;
const FINE: Weather = {};
const BAD_DAYS: readonly Weather[] = [
  { lost: 0.2, 'lost-done': 0.2, failed: 0.1 },
  { failed: 0.7, 'failed-done': 0.2 },
  { unauthorized: 0.3 },
  { refused: 0.1, busy: 0.2 },
  { 'redirected-done': 0.2, moved: 0.1 },
  { garbled: 0.1, 'garbled-done': 0.2 },
];

export async function liveYear(seed: number, number: number, months = 12): Promise<Outcome> {
  const chance = chanceOf(seed * 7_000_003 + number);
  const clock = { now: Date.UTC(2026, 0, 25, 9) };
  const service = await startWorldService(clock, chance);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gigwork-year-')));
  const office = anyOffice(chance);
  const { hasSpreadsheet, hasStaleKeys } = office;
  const empty = { jobs: new Map<string, Job>(), runs: new Map<string, Job>(), log: [], problems: [] };
  const clerk: Clerk = { folder, chance, clock, service, hasSpreadsheet, hasStaleKeys, ...empty };
  const due = new Map<string, number>();
  const desk: Job[] = [];
  const weather = (): Weather => (chance.hits(0.3) ? chance.pick(BAD_DAYS) : FINE);
  let papers = 0;
  try {
    for (let month = 0; month < months && clerk.problems.length === 0; month++) {
      clock.now = Math.max(clock.now + DAY, Date.UTC(2026, month, 25, 9));
      clerk.log.push(`--- ${new Date(clock.now).toISOString().slice(0, 7)}`);
      if (chance.hits(0.2))
        await call(['batch', 'prune', '--before', dayOf(clock.now)], { folder, clock, stopAt: null });
      // What was left last month is forgotten for now, now and then.
      for (const job of desk) if (!chance.hits(0.2)) await work(clerk, job, weather, true);
      for (const paper of papersOf(office, month, chance)) {
        papers++;
        for (const row of paper.rows) due.set(contentOf(row), (due.get(contentOf(row)) ?? 0) + 1);
        const job = startJob(clerk, paper, office.naming);
        desk.push(job);
        await work(clerk, job, weather, true);
      }
    }
    clerk.log.push('--- the end of the year');
    for (const job of desk) await work(clerk, job, () => FINE, false);
  } catch (cause) {
    clerk.problems.push(`thrown: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
  }
  if (clerk.problems.length === 0) checkPaid(due, businessIn(service.done), clerk.problems);
  await service.close();
  rmSync(folder, { recursive: true, force: true });
  return { size: papers, problems: clerk.problems, log: clerk.log };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Everybody was paid exactly what was due. */
function checkPaid(due: ReadonlyMap<string, number>, done: ReadonlyMap<string, number>, problems: string[]): void {
  for (const content of new Set([...due.keys(), ...done.keys()])) {
    const wanted = due.get(content) ?? 0;
    const paid = done.get(content) ?? 0;
    if (paid !== wanted) problems.push(`paid ${paid} times instead of ${wanted}: ${content}`);
  }
}

/** At the end of each year, everybody is paid exactly what was due. */
export function campaign(options: CampaignOptions): Promise<boolean> {
  return playAll('months', options, liveYear);
}
