/** A clerk who does what the program tells her, word by word, and chooses by the case that each remedy is for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../../fuzz/chance.js';
import { csv } from '../../support/builders.js';
import { type Called, type Clock, call } from '../program.js';
import { BAD, type Weather, type WorldService } from '../service.js';
import { adviceIn } from './advice.js';
import type { Paper } from './office.js';

export interface Clerk {
  readonly folder: string;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly service: WorldService;
  /** Which paper each run was for: she writes it on the paper. */
  readonly runs: Map<string, Paper>;
  readonly log: string[];
  readonly problems: string[];
}

/** A paper on her desk: the command for it, as far as she has got with it. */
export interface Job {
  readonly paper: Paper;
  words: readonly string[];
  /** The next thing to do for it; null when it is done. */
  next: readonly string[] | null;
  /** Batches that she has tried for it. */
  readonly batches: string[];
}

const HOUR = 3_600_000;
/** More calls than any paper needs. */
const PATIENCE = 25;

export function startJob({ folder, service }: Clerk, paper: Paper, namesBatch: boolean): Job {
  const rows = paper.rows.map(({ fields, ownKey }) =>
    ownKey === null ? fields : { ...fields, idempotency_key: ownKey },
  );
  writeFileSync(join(folder, paper.name), csv(rows));
  const batch = namesBatch ? ['--batch-id', batchOf(paper)] : [];
  const words = ['payout', 'create', paper.name, '--base-url', service.url, ...batch, '--rejects', 'rejects.csv'];
  return { paper, words, next: words, batches: [] };
}

/** A batch for each purpose: the month's salaries, and each week's bonus. */
function batchOf({ name }: Paper): string {
  return name.replace(/\.csv$/, '');
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
  const called = await run(clerk, job, job.next as readonly string[], weather);
  if (called === null) return;
  const advice = adviceIn(called.stderr);
  switch (called.code) {
    case 0:
      job.next = null;
      break;
    case 3:
      decide(clerk, job, called);
      break;
    case 4:
      if (advice.rejects !== null) job.next = mend(clerk, job, advice.rejects);
      else goOnWithFile(clerk, job);
      break;
    default:
      await goOn(clerk, job, called);
  }
}

/** Runs it and remembers what it was for. Null when she cannot read what it said. */
async function run(clerk: Clerk, job: Job, words: readonly string[], weather: Weather): Promise<Called | null> {
  const { folder, clock, service, chance, runs, log, problems } = clerk;
  service.begin(weather);
  const stopAt = chance.hits(0.04) ? 1 + chance.below(30) : null;
  const all = [
    ...words,
    ...['--json', '--yes', '--no-progress'].filter((flag) => !words.includes(flag)),
    '--timeout',
    '3600',
  ];
  const called = await call(all, { folder, clock, stopAt });
  const { summary, code, stderr } = called;
  log.push(
    `${new Date(clock.now).toISOString()} gigwork ${all.join(' ')}\n    exit ${code}: ${service.asked.map(({ answer }) => answer).join(' ')}`,
  );
  log.push(stderr.trimEnd().replaceAll(/^/gm, '    | '));
  if (summary === undefined || code === 1 || code === 2) {
    problems.push(`a command that was printed cannot be used: exit ${code}`);
    return null;
  }
  if (typeof summary.run === 'string' && !runs.has(summary.run)) runs.set(summary.run, job.paper);
  return called;
}

/** Repeats: were they paid for this paper, or for another one? Unfinished runs come first, as they are printed. */
function decide(clerk: Clerk, job: Job, called: Called): void {
  const { runs, problems } = clerk;
  const { stop_reason: reason } = called.summary;
  if (reason !== 'repeats') {
    problems.push(`refused, and she does not know why: ${reason}`);
    return;
  }
  const advice = adviceIn(called.stderr);
  const errors = called.events.filter(({ event, severity }) => event === 'issue' && severity === 'error');
  const papers = errors.map(({ earlier }) => runs.get(earlier?.run));
  const isMine = (paper: Paper | undefined): boolean => paper === job.paper;
  const [first] = advice.goOn;
  if (first !== undefined) job.next = first;
  else if (papers.every(isMine) && advice.paidAlready !== null) say(clerk, job, advice.paidAlready);
  else if (!papers.some(isMine) && advice.anotherPeriod !== null) sayBatch(clerk, job, advice.anotherPeriod);
  else problems.push('none of the remedies is for her case');
}

function say(clerk: Clerk, job: Job, flags: readonly string[]): void {
  const news = flags.filter((flag) => !job.words.includes(flag));
  if (news.length === 0) clerk.problems.push(`she was told to say ${flags.join(' ')}, and has said it`);
  job.words = [...job.words, ...news];
  job.next = job.words;
}

/** The batch that is proposed; and where that is another purpose's, one of her own, since the program cannot know all. */
function sayBatch(clerk: Clerk, job: Job, [, proposed = '']: readonly string[]): void {
  const taken = job.batches.length > 0;
  const batch = taken ? batchOf(job.paper) : proposed;
  if (job.batches.includes(batch)) clerk.problems.push(`the batch ${batch} does not help`);
  job.batches.push(batch);
  const at = job.words.indexOf('--batch-id');
  const others = at < 0 ? job.words : job.words.toSpliced(at, 2);
  job.words = [...others, '--batch-id', batch];
  job.next = job.words;
}

/** Corrects the rows in the rejects file that the service does not take, and imports it with the flags of its paper. */
function mend({ folder }: Clerk, job: Job, rejects: string): readonly string[] {
  const lines = readFileSync(join(folder, rejects), 'utf8').trimEnd().split('\n');
  const header = (lines[0] as string).split(',');
  const [user, title, amount] = ['user_id', 'title', 'amount'].map((name) => header.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const mended = lines.slice(1).map((line) => {
    const cells = line.split(',');
    const due = job.paper.rows.find(
      ({ fields }) => fields['user_id'] === cells[user] && fields['title'] === cells[title],
    );
    if (cells[amount] === String(BAD)) cells[amount] = String(due?.amount);
    return cells.join(',');
  });
  const name = `mended-${job.paper.name}`;
  writeFileSync(join(folder, name), `${[lines[0], ...mended].join('\n')}\n`);
  const words = job.words.map((word) => (word === job.paper.name ? name : word));
  job.words = words;
  return words;
}

/** A run that was resumed has rejected something: the first command writes the rejects. */
function goOnWithFile(_clerk: Clerk, job: Job): void {
  job.next = job.words;
}

/** Something is not paid yet: she settles what she is told to, and goes on with the command that is printed. */
async function goOn(clerk: Clerk, job: Job, called: Called): Promise<void> {
  const advice = adviceIn(called.stderr);
  for (const name of advice.settle) await settle(clerk, name);
  const [first] = advice.goOn;
  const printed = called.summary.next as string | readonly string[] | null;
  if (first === undefined && printed !== null && called.code !== 130)
    clerk.problems.push('the summary has a command that is not printed');
  // Nothing was sent, or everything is settled: the same command tells.
  job.next = first ?? job.words;
}

/** Looks at the service what became of the records in doubt, and says so. */
async function settle(clerk: Clerk, name: string): Promise<void> {
  const { folder, clock, service, problems, log } = clerk;
  const ask = (words: readonly string[]): Promise<Called> => call(words, { folder, clock, stopAt: null });
  const shown = JSON.parse((await ask(['batch', 'show', name, '--json'])).stdout) as {
    outcomes: Record<string, unknown>[];
  };
  for (const outcome of shown.outcomes) {
    if (outcome['status'] !== 'unknown') continue;
    const isDone = (service.doneUnder.get(String(outcome['key'])) ?? 0) > 0;
    const words = [
      'batch',
      'settle',
      name,
      '--line',
      String(outcome['line']),
      isDone ? '--created' : '--not-created',
      '--note',
      'looked it up',
    ];
    const { code, stderr } = await ask(words);
    log.push(`gigwork ${words.join(' ')}\n    exit ${code}`);
    if (code !== 0) problems.push(`batch settle: ${stderr}`);
  }
}
