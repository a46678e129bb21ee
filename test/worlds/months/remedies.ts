/** What the clerk does about a refusal and about rejects: the remedy that is for her case, as it is printed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Called } from '../program.js';
import { BAD } from '../service.js';
import { type Advice, adviceIn } from './advice.js';
import type { Clerk, Job } from './job.js';
import { contentOf, type Due, type Paper } from './office.js';

/** A batch for each purpose: the month's salaries, and each week's bonus. */
export function batchOf({ name }: Paper): string {
  return name.replace(/\.csv$/, '');
}

/** Repeats: were they paid for this paper, or for another one? Unfinished runs come first, as they are printed. */
export function decide(clerk: Clerk, job: Job, called: Called): void {
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
  { batch, here }: NonNullable<Advice['alone']>,
): void {
  const [first] = places;
  const lines = readFileSync(join(folder, (first as { file: string }).file), 'utf8').split('\n');
  const name = `apart-${jobs.size}-${job.paper.name}`;
  writeFileSync(join(folder, name), `${[lines[0], ...places.map(({ line }) => lines[line - 1])].join('\n')}\n`);
  jobs.set(name, job);
  job.later = [...job.words, ...here.filter((flag) => !job.words.includes(flag))];
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

export function finish(job: Job): void {
  if (job.later !== null) job.words = job.later;
  job.next = job.later;
  job.later = null;
}

/**
 * Which of these rows were paid for this paper. Of two rows that are the same, the first one is paid first; and what she has
 * corrected or set apart was open then, so it is paid when all that are the same are.
 */
function paidRows(
  { folder }: Clerk,
  { paid, paper }: Job,
  places: readonly { file: string; line: number }[],
): boolean[] {
  return places.map(({ file, line }) => {
    const [header = '', ...rows] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
    const content = contentIn(paper, header, rows[line - 2] as string);
    const same = (each: string): boolean => each === content;
    const before = rows.slice(0, line - 1).map((row) => contentIn(paper, header, row));
    const place = file === paper.name ? before.filter(same).length : paper.rows.map(contentOf).filter(same).length;
    return place <= (paid.get(content) ?? 0);
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
export function isOf({ name }: Paper, file: string): boolean {
  return file.endsWith(name);
}

/** Says it with the command that was refused, which may be that of a run that is resumed. */
function say(clerk: Clerk, job: Job, flags: readonly string[]): void {
  const refused = job.next as readonly string[];
  const news = flags.filter((flag) => !refused.includes(flag));
  if (news.length === 0) clerk.problems.push(`she was told to say ${flags.join(' ')}, and has said it`);
  const said = [...refused, ...news];
  if (refused === job.words) job.words = said;
  job.next = said;
}

/** The batch that is proposed; and where that is another purpose's, one of her own, since the program cannot know all. */
export function sayBatch(clerk: Clerk, job: Job, [, proposed = '']: readonly string[]): void {
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
export function mend(clerk: Clerk, job: Job, rejects: string): readonly string[] {
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
