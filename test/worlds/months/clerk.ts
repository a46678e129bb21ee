/** A clerk who does what the program tells her, word by word, and chooses by the case that each remedy is for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../../fuzz/chance.js';
import { csv } from '../../support/builders.js';
import { type Called, type Clock, call, callKilled } from '../program.js';
import { BAD, type Weather, type WorldService } from '../service.js';
import { adviceIn } from './advice.js';
import { contentOf, type Due, type Paper } from './office.js';

export interface Clerk {
  readonly folder: string;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly service: WorldService;
  /** Her papers by the names of their files, those of corrected rows too. */
  readonly jobs: Map<string, Job>;
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
  /** What she has put aside until other rows of the same paper are done. */
  later: readonly string[] | null;
  /** Business row → how often it was paid for this paper. She looks at the service, so she knows. */
  readonly paid: Map<string, number>;
}

const HOUR = 3_600_000;
/** More calls than any paper needs. */
const PATIENCE = 25;

export function startJob({ folder, service, jobs }: Clerk, paper: Paper, namesBatch: boolean): Job {
  const rows = paper.rows.map(({ fields, ownKey }) =>
    ownKey === null ? fields : { ...fields, idempotency_key: ownKey },
  );
  writeFileSync(join(folder, paper.name), csv(rows));
  const batch = namesBatch ? ['--batch-id', batchOf(paper)] : [];
  const words = ['payout', 'create', paper.name, '--base-url', service.url, ...batch, '--rejects', 'rejects.csv'];
  const job: Job = { paper, words, next: words, batches: [], later: null, paid: new Map() };
  jobs.set(paper.name, job);
  return job;
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
  const called = await runFor(clerk, job, job.next as readonly string[], weather);
  if (called === null) return;
  const advice = adviceIn(called.stderr);
  switch (called.code) {
    case 0:
      // Another week's bonus is not paid yet when it looks like this one's.
      if (advice.sameRecords === null || isOf(job.paper, advice.sameRecords.files)) finish(job);
      else sayBatch(clerk, job, advice.sameRecords.batch);
      break;
    case 3:
      decide(clerk, job, called);
      break;
    case 4:
      if (advice.rejects !== null) job.next = mend(clerk, job, advice.rejects);
      // A run that was resumed has rejected something: the first command writes the rejects.
      else job.next = job.words;
      break;
    default:
      await goOn(clerk, job, called);
  }
}

/** Runs it, and notes for which paper somebody was paid: a run that is resumed may be that of another one. */
async function runFor(clerk: Clerk, job: Job, words: readonly string[], weather: Weather): Promise<Called | null> {
  const { service, folder, clock, jobs } = clerk;
  const before = new Map(service.done);
  const called = await run(clerk, words, weather);
  let owner = job;
  if (words[1] === 'resume') {
    const { stdout } = await call(['batch', 'show', words[2] as string, '--json'], { folder, clock, stopAt: null });
    owner = jobs.get((JSON.parse(stdout) as { files: { path: string }[] }).files[0]?.path ?? '') ?? job;
  }
  for (const [content, times] of service.done) {
    const news = times - (before.get(content) ?? 0);
    if (news > 0) owner.paid.set(content, (owner.paid.get(content) ?? 0) + news);
  }
  return called;
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
async function run(clerk: Clerk, words: readonly string[], weather: Weather): Promise<Called | null> {
  const { folder, clock, service, chance, log, problems } = clerk;
  service.begin(weather);
  const stopAt = chance.hits(0.04) ? 1 + chance.below(30) : null;
  log.push(`${new Date(clock.now).toISOString()} gigwork ${words.join(' ')}`);
  const all = [
    ...words,
    ...['--json', '--yes', '--no-progress'].filter((flag) => !words.includes(flag)),
    '--timeout',
    '3600',
  ];
  if (chance.hits(KILLS)) {
    // She sees nothing of it, and types the same once more.
    const killAt = `${chance.pick(POINTS)}#${1 + chance.below(4)}`;
    const { signal } = await callKilled(all, { folder, clock }, killAt);
    log.push(`    ${signal === null ? 'it came to its end, unseen' : `killed at ${killAt}`}`);
    return null;
  }
  const called = await call(all, { folder, clock, stopAt });
  const { summary, code, stderr } = called;
  log.push(`    exit ${code}: ${service.asked.map(({ answer }) => answer).join(' ')}`);
  log.push(stderr.trimEnd().replaceAll(/^/gm, '    | '));
  if (summary === undefined || code === 1 || code === 2) {
    problems.push(`a command that was printed cannot be used: exit ${code}`);
    return null;
  }
  return called;
}

/** Repeats: were they paid for this paper, or for another one? Unfinished runs come first, as they are printed. */
function decide(clerk: Clerk, job: Job, called: Called): void {
  const { problems } = clerk;
  const { stop_reason: reason } = called.summary;
  if (reason !== 'repeats') {
    problems.push(`refused, and she does not know why: ${reason}`);
    return;
  }
  const advice = adviceIn(called.stderr);
  const errors = called.events
    .filter(({ event, severity }) => event === 'issue' && severity === 'error')
    .toSorted((a, b) => a.line - b.line);
  const places = errors.map(({ file, line }) => ({ file: String(file), line: Number(line) }));
  const isPaid = paidRows(clerk, job, places);
  const isSimilar = errors.map(({ code }) => code === 'similar-record');
  const [first] = advice.goOn;
  if (first !== undefined) job.next = first;
  else if (isPaid.every(Boolean) && advice.paidAlready !== null) say(clerk, job, advice.paidAlready);
  else if (!isPaid.some(Boolean) && advice.emptyKeys && advice.anotherPeriod === null) emptyKeys(clerk, job);
  else if (!isPaid.some(Boolean) && advice.anotherPeriod !== null) sayBatch(clerk, job, advice.anotherPeriod);
  else if (!isPaid.some(Boolean) && advice.alone !== null) setApart(clerk, job, places, advice.alone);
  else if (isPaid.every((paid, i) => paid !== isSimilar[i]) && advice.ofTheirOwn !== null)
    say(clerk, job, advice.ofTheirOwn);
  else problems.push('none of the remedies is for her case');
}

/** Puts the rows into a file of their own, for a batch of their own; then comes the rest. */
function setApart(
  { folder, jobs }: Clerk,
  job: Job,
  places: readonly { file: string; line: number }[],
  batch: readonly string[],
): void {
  const [first] = places;
  const lines = readFileSync(join(folder, (first as { file: string }).file), 'utf8').split('\n');
  const name = `apart-${jobs.size}-${job.paper.name}`;
  writeFileSync(join(folder, name), `${[lines[0], ...places.map(({ line }) => lines[line - 1])].join('\n')}\n`);
  jobs.set(name, job);
  job.later = job.words;
  const at = job.words.indexOf('--batch-id');
  const others = at < 0 ? job.words : job.words.toSpliced(at, 2);
  const plain = others.filter((word) => !DECISIONS.includes(word));
  job.words = [...plain.map((word) => (word.endsWith('.csv') && jobs.has(word) ? name : word)), ...batch];
  job.next = job.words;
}

/** The rows of the file that she imports correct nothing any more: they are payments of their own. */
function emptyKeys({ folder, jobs }: Clerk, job: Job): void {
  const name = job.words.find((word) => jobs.has(word)) as string;
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  const at = (lines[0] as string).split(',').indexOf('gigwork_key');
  const emptied = lines.slice(1).map((line) => line.split(',').with(at, '').join(','));
  writeFileSync(join(folder, name), `${[lines[0], ...emptied].join('\n')}\n`);
  job.next = job.words;
}

function finish(job: Job): void {
  if (job.later !== null) job.words = job.later;
  job.next = job.later;
  job.later = null;
}

/** Which of these rows were paid for this paper. Of two that are the same, the first one comes first. */
function paidRows(
  { folder }: Clerk,
  { paid, paper }: Job,
  places: readonly { file: string; line: number }[],
): boolean[] {
  const seen = new Map<string, number>();
  return places.map(({ file, line }) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const content = contentIn(paper, lines[0] as string, lines[line - 1] as string);
    const times = (seen.get(content) ?? 0) + 1;
    seen.set(content, times);
    return times <= (paid.get(content) ?? 0);
  });
}

/** The business row that a line of a file is for: what is due, whatever was typed. */
function contentIn({ rows }: Paper, header: string, line: string): string {
  const cells = line.split(',');
  const typed = Object.fromEntries(header.split(',').map((name, i) => [name, cells[i] ?? '']));
  const fits = (one: Due): boolean =>
    one.fields['user_id'] === typed['user_id'] &&
    one.fields['title'] === typed['title'] &&
    [String(BAD), String(one.amount)].includes(String(typed['amount']));
  const due = rows.find(fits);
  if (due === undefined) throw new Error(`nothing is due for ${line}`);
  return contentOf(due);
}

/** Files are named after what they are for. */
function isOf({ name }: Paper, file: string): boolean {
  return file.endsWith(name);
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

const DECISIONS = ['--skip-created', '--skip-similar', '--send-similar'];

/** Corrects the rows in the rejects file that the service does not take, and imports it for the batch of its paper. */
function mend(clerk: Clerk, job: Job, rejects: string): readonly string[] {
  const { folder } = clerk;
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
  const name = `mended-${clerk.jobs.size}-${job.paper.name}`;
  clerk.jobs.set(name, job);
  writeFileSync(join(folder, name), `${[lines[0], ...mended].join('\n')}\n`);
  // What she has said about repeats was about the file as it was.
  const kept = job.words.filter((word, i) => !DECISIONS.includes(word) && job.words[i - 1] !== '--send-similar');
  const words = kept.map((word) => (word.endsWith(job.paper.name) ? name : word));
  job.words = words;
  return words;
}

/** Something is not paid yet: she settles what she is told to, and goes on with the command that is printed. */
async function goOn(clerk: Clerk, job: Job, called: Called): Promise<void> {
  const advice = adviceIn(called.stderr);
  for (const name of advice.settle) await settle(clerk, name);
  const [first] = advice.goOn;
  const printed = called.summary.next as string | readonly string[] | null;
  if (first === undefined && printed !== null && called.code !== 130)
    clerk.problems.push('the summary has a command that is not printed');
  // Nothing was sent, or everything is settled: the same command tells. It is always safe, so she types it now and then.
  job.next = first === undefined || clerk.chance.hits(0.2) ? job.words : first;
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
