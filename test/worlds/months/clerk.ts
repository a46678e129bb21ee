/** A clerk who does what the program tells her, word by word, and chooses by the case that each remedy is for. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { csv } from '../../support/builders.js';
import { type Called, call, callKilled } from '../program.js';
import type { Weather } from '../service.js';
import { adviceIn, resumeIn } from './advice.js';
import { isAllPaid, saveAgain } from './files.js';
import { type Clerk, finish, type Job } from './job.js';
import { businessIn, type Naming, type Paper } from './office.js';
import { batchOf, decide, mend, sendLeftOver, undecided } from './remedies.js';
import { TIMEOUT } from '../wording.js';

const HOUR = 3_600_000;
/** More calls than any paper needs. */
const PATIENCE = 30;
/** The day on which she types, as the name of a batch. */
const TODAY = '@today';
/** Other batches' payments are told as long as they are younger than 6 days: after that she looks up what she has typed. */
const REMEMBERED = 5 * 24 * HOUR;

export function startJob({ folder, service, jobs, clock }: Clerk, paper: Paper, naming: Naming): Job {
  const rows = paper.rows.map(({ fields, ownKey }) =>
    ownKey === null ? fields : { ...fields, idempotency_key: ownKey },
  );
  writeFileSync(join(folder, paper.name), csv(rows));
  const batch = { paper: ['--batch-id', batchOf(paper)], day: ['--batch-id', TODAY], none: [] }[naming];
  const words = [
    'payout',
    'create',
    paper.name,
    '--base-url',
    service.url,
    ...batch,
    '--overwrite',
    '--rejects',
    'rejects.csv',
  ];
  const fresh = { typedFor: null, isResaved: false, batches: [], later: [], paid: new Map<string, number>() };
  const job: Job = { paper, words, next: words, begun: words, begunAt: clock.now, ...fresh };
  jobs.set(paper.name, job);
  return job;
}

/** Works on a paper until it is done, or until she goes home: then she goes on another day where she was. */
export async function work(clerk: Clerk, job: Job, weather: () => Weather, mayLeave: boolean): Promise<void> {
  for (let calls = 0; job.next !== null && clerk.problems.length === 0; calls++) {
    if (calls > PATIENCE) {
      clerk.problems.push(`${job.paper.name} comes to no end`);
      return;
    }
    await doNext(clerk, job, weather());
    if (mayLeave && job.next !== null && clerk.chance.hits(0.25)) return;
    clerk.clock.now += (clerk.chance.hits(0.85) ? 1 : 30) * HOUR;
  }
}

async function doNext(clerk: Clerk, job: Job, weather: Weather): Promise<void> {
  const words = job.next as readonly string[];
  const ran = await runFor(clerk, job, words, weather);
  if (ran === null) return;
  const { called, owner } = ran;
  const advice = adviceIn(called);
  const isOwn = words[1] === 'create';
  if (isOwn && (called.code === 0 || called.code === 4) && sendLeftOver(clerk, job, called)) return;
  switch (called.code) {
    case 0:
      // The run of another paper, which held records like hers, or what came first: hers is to be done still.
      if (!isOwn && (owner !== job || !isAllPaid(job))) job.next = job.words;
      else finish(job);
      break;
    case 3:
      for (const name of await decide(clerk, job, called)) await settle(clerk, name);
      break;
    case 4:
      // Of another paper's run, that one's rows were rejected: its own command tells of them again.
      if (!isOwn && owner !== job) [owner.next, job.next] = [owner.next ?? owner.words, job.words];
      else if (advice.rejects !== null) mend(clerk, job, advice.rejects);
      // A run that was resumed has rejected something: the first command writes the rejects.
      else if (words[1] === 'resume') job.next = job.words;
      else finish(job);
      break;
    default:
      for (const name of advice.settle) await settle(clerk, name);
      if (isOwn && changesHerMind(clerk, job, called)) return;
      goOn(clerk, job, called);
  }
}

/** Runs it, and notes for which paper somebody was paid: a run that is resumed may be that of another one. */
async function runFor(
  clerk: Clerk,
  job: Job,
  words: readonly string[],
  weather: Weather,
): Promise<{ called: Called; owner: Job } | null> {
  const { service } = clerk;
  const before = businessIn(service.done);
  const called = await run(clerk, job, words, weather);
  const name = words[1] === 'resume' ? words[2] : (called?.summary.run as string | null | undefined);
  const owner = name === undefined || name === null ? job : await ownerOf(clerk, job, name, words);
  for (const [content, times] of businessIn(service.done)) {
    const news = times - (before.get(content) ?? 0);
    if (news > 0) owner.paid.set(content, (owner.paid.get(content) ?? 0) + news);
  }
  return called === null ? null : { called, owner };
}

/** The paper that a run was begun for. One whose beginning she did not see is that of the file that it has. */
async function ownerOf(
  { runs, jobs, folder, clock }: Clerk,
  job: Job,
  name: string,
  words: readonly string[],
): Promise<Job> {
  let owner = runs.get(name) ?? job;
  if (!runs.has(name) && words[1] === 'resume') {
    const { stdout } = await call(['batch', 'show', name, '--json'], { folder, clock, stopAt: null });
    const [file] = (JSON.parse(stdout) as { files: { path: string }[] }).files;
    owner = jobs.get(basename(file?.path ?? '')) ?? job;
  }
  runs.set(name, owner);
  return owner;
}

const POINTS = [
  'gate:after-commit',
  'intent:after-commit',
  'request:sent',
  'answer:read',
  'outcome:after-commit',
] as const;
/** A process takes as long as some twenty calls without one. */
const KILLS = 0.01;

/** Runs it. Null when there is nothing to be read of what it said. */
async function run(clerk: Clerk, job: Job, words: readonly string[], weather: Weather): Promise<Called | null> {
  const { folder, clock, service, chance, log, problems } = clerk;
  service.begin(weather);
  const stopAt = chance.hits(0.04) ? 1 + chance.below(30) : null;
  const typed = wordsOfToday(clerk, job, words);
  log.push(`${new Date(clock.now).toISOString()} gigwork ${typed.join(' ')}`);
  const missing = ['--json', '--yes', '--no-progress'].filter((flag) => !words.includes(flag));
  const all = [...typed, ...missing, ...(words.includes('--timeout') ? [] : TIMEOUT)];
  if (chance.hits(KILLS)) {
    // She sees nothing of it, and types the same once more.
    const killAt = `${chance.pick(POINTS)}#${1 + chance.below(4)}`;
    const { signal } = await callKilled(all, { folder, clock }, killAt);
    log.push(`    ${signal === null ? 'it came to its end, unseen' : `killed at ${killAt}`}`);
    return null;
  }
  const called = await call(all, { folder, clock, stopAt });
  const { summary, code, stderr } = called;
  const errors = called.events.filter(({ severity }) => severity === 'error').map((issue) => issue.code);
  log.push(`    exit ${code}: ${service.asked.map(({ answer }) => answer).join(' ')} ${errors.join(' ')}`);
  log.push(stderr.trimEnd().replaceAll(/^/gm, '    | '));
  if (summary === undefined || code === 1 || code === 2) {
    problems.push(`a command that was printed cannot be used: exit ${code}`);
    return null;
  }
  return called;
}

/** What she has decided about repeats was for the batch of that day. */
function wordsOfToday(clerk: Clerk, job: Job, words: readonly string[]): string[] {
  if (!words.includes(TODAY)) return [...words];
  const day = dayFor(clerk, job);
  const isNew = job.typedFor !== null && job.typedFor !== day;
  job.typedFor = day;
  if (isNew) [job.words, job.next] = [undecided(job.words), undecided(words)];
  return (isNew ? undecided(words) : words).map((word) => (word === TODAY ? day : word));
}

/** The nightly job takes the date; somebody who comes back much later takes the name that was typed then. */
function dayFor({ clock }: Clerk, { begunAt }: Job): string {
  const at = clock.now - begunAt < REMEMBERED ? clock.now : begunAt;
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Rows were left open. Now and then she saves the file again, or takes another account of the same service, before she
 * sends it once more; and what was printed she types later. Gives whether she does.
 */
function changesHerMind(clerk: Clerk, job: Job, called: Called): boolean {
  const { chance, hasSpreadsheet, service } = clerk;
  const isLeftOpen = called.summary.records.not_sent > 0 && job.words.includes(job.paper.name);
  const isFirst = !job.isResaved && job.later.length === 0;
  if (!isLeftOpen || !isFirst) return false;
  const next = called.summary.next as readonly string[] | null;
  if (hasSpreadsheet && chance.hits(0.4)) {
    saveAgain(clerk, job);
    job.isResaved = true;
    // Under another account and another batch name at once, nothing is compared.
  } else if (next?.[2] === 'resume' && !job.words.includes(TODAY) && chance.hits(0.15)) {
    job.later.push(next.slice(1));
    job.words = job.words.flatMap((word) => (word === service.url ? [`${word}/main`, '--account', 'main'] : [word]));
  } else return false;
  job.next = job.words;
  return true;
}

/** Something is not paid yet: she goes on with the command that is printed. */
function goOn(clerk: Clerk, job: Job, called: Called): void {
  const next = called.summary.next as readonly string[] | null;
  const printed = next?.slice(1) ?? resumeIn(adviceIn(called));
  const isAnyway = printed === null || printed[1] === 'settle' || clerk.chance.hits(0.2);
  // Nothing was sent, or everything is settled: the same command tells. It is always safe, so she types it now and then.
  job.next = isAnyway ? job.words : printed;
}

/** Looks at the service what became of the records in doubt, and says so. */
async function settle(clerk: Clerk, name: string): Promise<void> {
  const { folder, clock, service, problems, log } = clerk;
  const ask = (words: readonly string[]): Promise<Called> => call(words, { folder, clock, stopAt: null });
  // Until then the service may be at it still.
  clock.now += HOUR;
  const shown = JSON.parse((await ask(['batch', 'show', name, '--json'])).stdout) as {
    target: string;
    outcomes: Record<string, unknown>[];
  };
  for (const outcome of shown.outcomes) {
    const isLeftOut = (outcome['stands_for'] ?? null) !== null;
    if (outcome['status'] !== 'unknown' || isLeftOut) continue;
    const isDone = service.timesUnder(shown.target.split('#')[0] as string, 'payout', String(outcome['key'])) > 0;
    // The service may be at it until the time-out of its last request is over: she looks again later.
    if (!isDone) clock.now += HOUR + 1000;
    const said = [isDone ? '--created' : '--not-created', '--note', 'looked it up'];
    const words = ['batch', 'settle', name, '--key', String(outcome['key']), ...said];
    const { code, stderr } = await ask(words);
    log.push(`gigwork ${words.join(' ')}\n    exit ${code}`);
    if (code !== 0) problems.push(`batch settle: ${stderr}`);
  }
}
