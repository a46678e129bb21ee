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
  const advice = adviceIn(called.stderr);
  const errors = called.events
    .filter(({ event, severity }) => event === 'issue' && severity === 'error')
    .toSorted((a, b) => a.line - b.line);
  if (reason === 'invalid_input' && errors.every(({ code }) => code === 'key-conflict')) {
    restore(clerk, job, errors);
    return;
  }
  if (reason !== 'repeats') {
    problems.push(`refused, and she does not know why: ${reason}`);
    return;
  }
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

/** These rows were refused, corrected and paid under their own keys: she writes them as they were sent, as she is told to. */
function restore(
  { folder, problems }: Clerk,
  { paper }: Job,
  errors: readonly { readonly file?: string; readonly line?: number }[],
): void {
  for (const { file, line } of errors as readonly { file: string; line: number }[]) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const mended = corrected(paper, lines[0] as string, lines[line - 1] as string);
    if (mended === lines[line - 1]) problems.push(`the key of ${file}, line ${line}, belongs to other content`);
    writeFileSync(join(folder, file), lines.with(line - 1, mended).join('\n'));
  }
}

/**
 * Rows that are not sent since they were corrected before: where that was for another paper, they are payments of their
 * own, and she imports them alone. Gives whether there are any.
 */
export function setApartReplaced(clerk: Clerk, job: Job, { stderr, events }: Called): boolean {
  const { replaced: batch } = adviceIn(stderr);
  if (batch === null) return false;
  const rejected = events.filter(({ event, status }) => event === 'record' && status === 'rejected');
  const isReplaced = ({ error }: { error?: string }): boolean => error?.includes('replaced by a corrected') === true;
  const contentAt = ({ file, line }: Place): string => {
    const lines = readFileSync(join(clerk.folder, file), 'utf8').split('\n');
    return contentIn(job.paper, lines[0] as string, lines[line - 1] as string);
  };
  const missing = new Map<string, number>();
  for (const row of job.paper.rows) add(missing, contentOf(row), 1);
  for (const [content, times] of job.paid) add(missing, content, -times);
  // These are paid when they are corrected.
  for (const each of rejected) if (!isReplaced(each)) add(missing, contentAt(each as Place), -1);
  const unpaid = (rejected.filter(isReplaced) as unknown as Place[]).filter((place) => {
    add(missing, contentAt(place), -1);
    return (missing.get(contentAt(place)) ?? 0) >= 0;
  });
  if (unpaid.length > 0) setApart(clerk, job, unpaid, { withEquals: false, batch, here: [] });
  return unpaid.length > 0;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Puts the rows into a file of their own, for a batch of their own; then comes the rest. */
function setApart(
  { folder, jobs }: Clerk,
  job: Job,
  places: readonly Place[],
  { withEquals, batch, here }: NonNullable<Advice['alone']>,
): void {
  const [first] = places;
  const lines = readFileSync(join(folder, (first as { file: string }).file), 'utf8').split('\n');
  const name = `apart-${jobs.size}-${job.paper.name}`;
  const named = new Set(places.map(({ line }) => lines[line - 1] as string));
  const rows = withEquals
    ? lines.slice(1).filter((line) => named.has(line))
    : places.map(({ line }) => lines[line - 1] as string);
  writeFileSync(join(folder, name), withoutKeys([lines[0] as string, ...rows]));
  jobs.set(name, job);
  job.later.push([...job.words, ...here.filter((flag) => !job.words.includes(flag))]);
  const at = job.words.indexOf('--batch-id');
  const others = at < 0 ? job.words : job.words.toSpliced(at, 2);
  const plain = others.filter((word, i) => !DECISIONS.includes(word) && others[i - 1] !== '--send-similar');
  job.words = [...plain.map((word) => (word.endsWith('.csv') && jobs.has(word) ? name : word)), ...batch];
  job.next = job.words;
}

/** The rows of the file that she imports correct nothing any more: they are payments of their own. */
function emptyKeys({ folder, jobs }: Clerk, job: Job): void {
  const name = job.words.find((word) => jobs.has(word)) as string;
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  writeFileSync(join(folder, name), withoutKeys(lines));
  job.next = job.words;
}

/** The text of a file in which no row corrects anything. */
function withoutKeys([header, ...rows]: readonly string[]): string {
  const at = (header as string).split(',').indexOf('gigwork_key');
  const emptied = at < 0 ? rows : rows.map((row) => row.split(',').with(at, '').join(','));
  return `${[header, ...emptied].join('\n')}\n`;
}

export function finish(job: Job): void {
  const later = job.later.pop() ?? null;
  if (later !== null) job.words = later;
  job.next = later;
}

/**
 * Which of these rows were paid for this paper. Of two rows that are the same, the first one is paid first; and what she has
 * corrected or set apart was open then, so it is paid when all that are the same are.
 */
function paidRows({ folder }: Clerk, { paid, paper, next }: Job, places: readonly Place[]): boolean[] {
  const isResumed = next?.[1] === 'resume';
  return places.map(({ file, line }) => {
    const [header = '', ...rows] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
    const content = contentIn(paper, header, rows[line - 2] as string);
    const same = (each: string): boolean => each === content;
    // A run that goes on by its name asks about what it has not paid: a row that is the same and is not asked about comes first.
    const asked = new Set(places.map((each) => each.line));
    const comesFirst = (at: number): boolean => at <= line || (isResumed && !asked.has(at));
    const before = rows.filter((_row, i) => comesFirst(i + 2)).map((row) => contentIn(paper, header, row));
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

/** Whether all that is due was paid for this paper. */
export function isAllPaid({ paper, paid }: Job): boolean {
  const due = new Map<string, number>();
  for (const row of paper.rows) add(due, contentOf(row), 1);
  return [...due].every(([content, times]) => (paid.get(content) ?? 0) >= times);
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

/** A line with the amount that is due. */
function corrected({ rows }: Paper, header: string, line: string): string {
  const names = header.split(',');
  const cells = line.split(',');
  const cellOf = (name: string): string => cells[names.indexOf(name)] ?? '';
  const due = rows.find(({ fields }) => fields['user_id'] === cellOf('user_id') && fields['title'] === cellOf('title'));
  return cellOf('amount') === String(BAD) ? cells.with(names.indexOf('amount'), String(due?.amount)).join(',') : line;
}

const DECISIONS = ['--skip-created', '--skip-similar', '--send-similar'];

/** Corrects the rows in the rejects file that the service does not take, and imports it for the batch of its paper. */
export function mend(clerk: Clerk, job: Job, rejects: string): readonly string[] {
  const { folder } = clerk;
  const lines = readFileSync(join(folder, rejects), 'utf8').trimEnd().split('\n');
  const mended = lines.slice(1).map((line) => corrected(job.paper, lines[0] as string, line));
  const name = `mended-${clerk.jobs.size}-${job.paper.name}`;
  clerk.jobs.set(name, job);
  writeFileSync(join(folder, name), `${[lines[0], ...mended].join('\n')}\n`);
  // What she has said about repeats was about the file as it was.
  const kept = job.words.filter((word, i) => !DECISIONS.includes(word) && job.words[i - 1] !== '--send-similar');
  const words = kept.map((word) => (word.endsWith(job.paper.name) ? name : word));
  job.words = words;
  return words;
}
