/** What the clerk does about a refusal: of what is printed, what is for her case. */
import { basename } from 'node:path';
import { type Called, call } from '../program.js';
import { without } from '../wording.js';
import { valueOf } from '../words.js';
import { type Advice, adviceIn, resumeIn } from './advice.js';
import { apartFile, arePaid, correctLines, linesOf, mendedFile, type Place, renewKeys } from './files.js';
import type { Clerk, Job } from './job.js';
import type { Paper } from './office.js';

/** A batch for each purpose: the month's salaries, and each week's bonus. */
export function batchOf({ name }: Paper): string {
  return name.replace(/\.csv$/, '');
}

interface Asked extends Place {
  readonly code: string;
  readonly isPaid: boolean;
}

/** Repeats: were they paid for this paper, or for another one? Gives the runs that she has to settle first. */
export async function decide(clerk: Clerk, job: Job, called: Called): Promise<readonly string[]> {
  const { problems } = clerk;
  const { stop_reason: reason } = called.summary;
  const advice = adviceIn(called);
  const errors = (called.events as { event: string; severity: string; code: string; file: string; line: number }[])
    .filter(({ event, severity, line }) => event === 'issue' && severity === 'error' && line !== null)
    .toSorted((a, b) => a.line - b.line);
  if (reason === 'invalid_input') {
    // Her spreadsheet has made other content of what has these keys: new ones would pay it twice.
    if (job.isResaved && correctLines(clerk, job, errors)) {
      forgetDigest(job);
      return [];
    }
    // Other content has that key: the keys of last month stand there still.
    const conflicts = errors.filter(({ code }) => code === 'key-conflict');
    if (clerk.hasStaleKeys && conflicts.length > 0) {
      renewKeys(clerk, job, conflicts);
      forgetDigest(job);
      return [];
    }
    // What she typed, or a spreadsheet, has made other content of it: she writes the rows as they are due.
    if (!correctLines(clerk, job, errors)) problems.push('invalid rows are as they are due');
    forgetDigest(job);
    return [];
  }
  if (reason !== 'repeats') {
    problems.push(`refused, and she does not know why: ${reason}`);
    return [];
  }
  const isFirst = ({ code }: { code: string }): boolean => code === 'open-before' || code === 'not-rejected';
  if (errors.some(isFirst)) return goOnFirst(clerk, job, advice);
  const isPaid = arePaid(clerk, job, errors);
  const asked = errors.map(({ file, line, code }, i): Asked => ({ file, line, code, isPaid: isPaid[i] === true }));
  const renewed = asked.filter(({ code, isPaid: isDone }) => code === 'other-batch' && !isDone);
  if (renewed.length > 0) {
    renewKeys(clerk, job, renewed);
    forgetDigest(job);
    return [];
  }
  const created = asked.filter(({ code }) => code !== 'similar-record');
  const similar = asked.filter(({ code }) => code === 'similar-record');
  const skip = (some: readonly Asked[], flag: string): string[] => (some.length > 0 ? [flag] : []);
  // A run that is resumed has its batch, and so has what corrects a payment.
  const correctsOthers = linesOf(clerk, asked[0]?.file ?? job.paper.name)[0]?.includes('gigwork_key') === true;
  const mayRename = job.next?.[1] !== 'resume' && !correctsOthers;
  const isAllPaid = asked.every((each) => each.isPaid);
  // What is in doubt and was not paid is open again once she has settled it: so that comes before any other name for it.
  if (!isAllPaid && advice.settle.length > 0) {
    job.next = job.words;
    return advice.settle;
  }
  if (isAllPaid) say(clerk, job, advice, [...skip(created, '--skip-created'), ...skip(similar, '--skip-similar')]);
  else if (created.every((each) => each.isPaid) && !similar.some((each) => each.isPaid))
    say(clerk, job, advice, [...skip(created, '--skip-created'), '--send-similar', String(similar.length)]);
  else if (!asked.some((each) => each.isPaid) && job.paid.size === 0 && mayRename) sayBatch(clerk, job, advice);
  else setApart(clerk, job, advice, asked);
  return [];
}

/**
 * An unfinished run comes first; or what is in doubt, or refused, in another one. Where the file that she sends is that
 * run's, saved again, she closes the run: its rows are paid by the file.
 */
async function goOnFirst(clerk: Clerk, job: Job, advice: Advice): Promise<readonly string[]> {
  const { folder, clock, runs, log, problems } = clerk;
  const close = advice.remedies.find(({ code }) => code === 'close');
  if (close !== undefined && job.isResaved && runs.get(close.words[2] as string) === job) {
    const { code, stderr } = await call(close.words, { folder, clock, stopAt: null });
    log.push(`gigwork ${close.words.join(' ')}\n    exit ${code}`);
    if (code !== 0) problems.push(`batch close: ${stderr}`);
    return [];
  }
  const resumed = resumeIn(advice);
  if (resumed !== null) job.next = resumed;
  else if (advice.settle.length > 0) job.next = job.words;
  else clerk.problems.push('nothing is named that comes first');
  return advice.settle;
}

/** Says it as it is printed: the command that says no more and no less, else with the command that was refused. */
function say(clerk: Clerk, job: Job, { commands, flags }: Advice, said: readonly string[]): void {
  const refused = job.next as readonly string[];
  const named = said.filter((word) => word.startsWith('--'));
  const unnamed = named.filter((flag) => !flags.has(flag));
  if (unnamed.length > 0) clerk.problems.push(`nobody has told her of ${unnamed.join(' ')}`);
  if (said.every((word) => refused.includes(word))) clerk.problems.push(`she has said ${said.join(' ')} before`);
  const printed = commands.find((words) => {
    const flagsIn = DECISIONS.filter((flag) => words.includes(flag));
    const isAll = named.every((flag) => flagsIn.includes(flag)) && said.every((word) => words.includes(word));
    return isAll && flagsIn.every((flag) => named.includes(flag) || refused.includes(flag)) && !isOtherBatch(words);
  });
  job.next = printed ?? [...named.reduce(without, refused), ...said];
  if (refused === job.words) job.words = job.next;

  function isOtherBatch(words: readonly string[]): boolean {
    const batch = (all: readonly string[]): string | undefined => all[all.indexOf('--batch-id') + 1];
    return words.includes('--batch-id') && batch(words) !== batch(refused);
  }
}

/** The batch of this paper, since the program does not know it; or the one that is proposed. */
function sayBatch(clerk: Clerk, job: Job, { flags, batches }: Advice): void {
  if (!flags.has('--batch-id')) clerk.problems.push('nobody has told her of --batch-id');
  const [proposed = batchOf(job.paper)] = batches;
  const batch = job.batches.length > 0 || clerk.chance.hits(0.5) ? batchOf(job.paper) : proposed;
  if (job.batches.includes(batch)) clerk.problems.push(`the batch ${batch} does not help`);
  job.batches.push(batch);
  job.words = [...without(undecided(job.words), '--batch-id'), '--batch-id', batch];
  job.next = job.words;
}

/**
 * Rows that were paid already, or left out, without her having said so: where that was for another paper, she imports them
 * for a batch of their own. Gives whether there are any.
 */
export function sendLeftOver(clerk: Clerk, job: Job, called: Called): boolean {
  const told = (called.events as { event: string; status: string; file: string; line: number }[])
    .filter(({ event, status }) => event === 'record' && ['already_created', 'skipped'].includes(status))
    .toSorted((a, b) => a.line - b.line);
  const isPaid = arePaid(clerk, job, told);
  const unpaid = told.filter((_each, i) => isPaid[i] === false);
  if (unpaid.length === 0) return false;
  if (((called.summary.notices ?? []) as unknown[]).length === 0)
    clerk.problems.push('nobody has told her who is not paid');
  job.later.push(job.next as readonly string[]);
  const batch = batchApart(clerk, job);
  job.words = [...withFile(clerk, job, apartFile(clerk, job, unpaid)), ...batch];
  job.next = job.words;
  return true;
}

/** A name that nothing has yet. Under another account she keeps the batch: only there the two are compared. */
function batchApart({ jobs }: Clerk, { paper, words }: Job): string[] {
  const batch = words.includes('--account') ? valueOf(words, '--batch-id') : `${batchOf(paper)}-${jobs.size}`;
  return batch === null ? [] : ['--batch-id', batch];
}

/** Some were paid for this paper and some were not: those come alone, for a batch of their own; then comes the rest. */
function setApart(clerk: Clerk, job: Job, advice: Advice, asked: readonly Asked[]): void {
  const unpaid = asked.filter(({ isPaid }) => !isPaid);
  const flags = [
    ...(asked.some(({ code }) => code !== 'similar-record') ? ['--skip-created'] : []),
    ...(asked.some(({ code }) => code === 'similar-record') ? ['--skip-similar'] : []),
  ];
  // A run that is resumed has its batch: there she knows the flag from elsewhere.
  const needed = job.next?.[1] === 'resume' ? flags : [...flags, '--batch-id'];
  const missing = needed.filter((flag) => !advice.flags.has(flag));
  if (missing.length > 0) clerk.problems.push(`nobody has told her of ${missing.join(' ')}`);
  const refused = job.next as readonly string[];
  job.later.push([...flags.reduce(without, without(refused, '--send-similar')), ...flags]);
  const batch = batchApart(clerk, job);
  job.words = [...withFile(clerk, job, apartFile(clerk, job, unpaid)), ...batch];
  job.next = job.words;
}

const DECISIONS = ['--skip-created', '--skip-similar', '--send-similar'];

/** The file is another one now. */
function forgetDigest(job: Job): void {
  job.words = without(job.words, '--expect-digest');
  if (job.next !== null) job.next = without(job.next, '--expect-digest');
}

/** What was decided about repeats, and for which input. */
export function undecided(words: readonly string[]): string[] {
  return ['--expect-digest', ...DECISIONS].reduce(without, [...words]);
}

/** Her command for another file: what she has said about repeats was about the file as it was. */
function withFile({ jobs }: Clerk, job: Job, name: string): string[] {
  const words = job.words[1] === 'resume' ? [...job.begun] : [...job.words];
  const plain = without(undecided(words), '--batch-id');
  return plain.map((word) => (word.endsWith('.csv') && jobs.has(basename(word)) ? name : word));
}

/** Imports the rejects, corrected. What they correct names their batch. */
export function mend(clerk: Clerk, job: Job, rejects: string): void {
  job.words = withFile(clerk, job, mendedFile(clerk, job, rejects));
  job.next = job.words;
}
