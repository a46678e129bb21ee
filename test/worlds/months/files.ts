/** What the clerk does in her files: she finds the rows that are meant, corrects them, and puts some apart. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BAD } from '../service.js';
import type { Clerk, Job } from './job.js';
import { contentOf, type Due, type Paper } from './office.js';

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A file as lines: the header first. */
export function linesOf({ folder }: Clerk, file: string): string[] {
  return readFileSync(join(folder, basename(file)), 'utf8')
    .trimEnd()
    .split('\n');
}

function writeLines({ folder }: Clerk, file: string, lines: readonly string[]): void {
  writeFileSync(join(folder, basename(file)), `${lines.join('\n')}\n`);
}

/** What is due for a line of a file, whatever was typed, and whatever a spreadsheet has made of it. */
function dueOf({ rows }: Paper, header: string, line: string): Due {
  const cells = line.split(',');
  const typed = Object.fromEntries(header.split(',').map((name, i) => [name, cells[i] ?? '']));
  const plain = (user: unknown): string => (user as string).replace(/^0+/, '');
  const fits = ({ fields, amount }: Due): boolean =>
    plain(fields['user_id']) === plain(typed['user_id']) &&
    (fields['title'] as string).toLowerCase() === typed['title']?.toLowerCase() &&
    [String(BAD), String(amount)].includes(String(typed['amount']));
  const due = rows.find(fits);
  if (due === undefined) throw new Error(`nothing is due for ${line}`);
  return due;
}

/** The business row that a line of a file is for. */
function contentIn(paper: Paper, header: string, line: string): string {
  return contentOf(dueOf(paper, header, line));
}

/** A line as it is due: its amount, its zeros, and its title. */
function corrected(paper: Paper, header: string, line: string): string {
  const due = dueOf(paper, header, line);
  const names = header.split(',');
  const cells = line.split(',').map((cell, i) => {
    if (names[i] === 'amount') return String(due.amount);
    // As it was, before a spreadsheet saved it.
    return names[i] === 'user_id' || names[i] === 'title' ? (due.fields[names[i]] as string) : cell;
  });
  return cells.join(',');
}

/** Writes lines as they are due. Gives whether that changes anything. */
export function correctLines(clerk: Clerk, { paper }: Job, places: readonly Place[]): boolean {
  let isChanged = false;
  for (const { file, line } of places) {
    const lines = linesOf(clerk, file);
    const mended = corrected(paper, lines[0] as string, lines[line - 1] as string);
    isChanged ||= mended !== lines[line - 1];
    writeLines(clerk, file, lines.with(line - 1, mended));
  }
  return isChanged;
}

/** Saves a paper as a spreadsheet does that knows better: titles in capitals, zeros gone. */
export function saveAgain(clerk: Clerk, { paper }: Job): void {
  const [header = '', ...rows] = linesOf(clerk, paper.name);
  const names = header.split(',');
  const saved = rows.map((row) =>
    row
      .split(',')
      .map((cell, i) =>
        names[i] === 'title' ? cell.toUpperCase() : names[i] === 'user_id' ? cell.replace(/^0+/, '') : cell,
      )
      .join(','),
  );
  writeLines(clerk, paper.name, [header, ...saved]);
}

/** New payments need new keys. */
export function renewKeys(clerk: Clerk, { paper }: Job, places: readonly Place[]): void {
  for (const { file, line } of places) {
    const lines = linesOf(clerk, file);
    const at = (lines[0] as string).split(',').indexOf('idempotency_key');
    const cells = (lines[line - 1] as string).split(',');
    writeLines(clerk, file, lines.with(line - 1, cells.with(at, `${cells[at]}-new-${paper.month + 1}`).join(',')));
  }
}

/** The rejects, corrected, as a file of its own for the same paper. */
export function mendedFile(clerk: Clerk, job: Job, rejects: string): string {
  const [header = '', ...rows] = linesOf(clerk, rejects);
  const isSpoilt = clerk.hasSpreadsheet && clerk.chance.hits(0.3);
  const mended = rows.map((row) => {
    const right = corrected(job.paper, header, row);
    // A spreadsheet takes a text of digits for a number.
    const spoilt = (cell: string): string => (/^\d+$/.test(cell) ? cell.replace(/^0+/, '') : cell);
    return isSpoilt ? right.split(',').map(spoilt).join(',') : right;
  });
  return newFile(clerk, job, 'mended', [header, ...mended]);
}

/** Rows alone in a file of their own, correcting nothing. */
export function apartFile(clerk: Clerk, job: Job, places: readonly Place[]): string {
  const lines = linesOf(clerk, (places[0] as Place).file);
  const names = (lines[0] as string).split(',');
  const kept = names.flatMap((name, i) => (name.startsWith('gigwork_') ? [] : [i]));
  const rows = [lines[0] as string, ...places.map(({ line }) => lines[line - 1] as string)];
  const plain = rows.map((row) => {
    const cells = row.split(',');
    return kept.map((i) => cells[i] ?? '').join(',');
  });
  return newFile(clerk, job, 'apart', plain);
}

function newFile(clerk: Clerk, job: Job, kind: string, lines: readonly string[]): string {
  const name = `${kind}-${clerk.jobs.size}-${job.paper.name}`;
  clerk.jobs.set(name, job);
  writeLines(clerk, name, lines);
  return name;
}

/**
 * Which of these rows were paid for this paper. Of two rows that are the same, the first one is paid first; and what she
 * has corrected or set apart was open then, so it is paid when all that are the same are.
 */
export function arePaid(clerk: Clerk, { paid, paper, next }: Job, places: readonly Place[]): boolean[] {
  const asked = new Set(places.map(({ line }) => line));
  return places.map(({ file, line }) => {
    const [header = '', ...rows] = linesOf(clerk, file);
    const content = contentIn(paper, header, rows[line - 2] as string);
    // A run that is resumed asks about what it has not paid: a row that is the same and is not asked about comes first.
    const comesFirst = (at: number): boolean => at <= line || (next?.[1] === 'resume' && !asked.has(at));
    const before = rows.filter((_row, i) => comesFirst(i + 2)).map((row) => contentIn(paper, header, row));
    const same = (each: string): boolean => each === content;
    const isWhole = basename(file) === paper.name;
    const place = (isWhole ? before : paper.rows.map(contentOf)).filter(same).length;
    return place <= (paid.get(content) ?? 0);
  });
}

/** Whether all that is due was paid for this paper. */
export function isAllPaid({ paper, paid }: Job): boolean {
  const due = new Map<string, number>();
  for (const row of paper.rows) due.set(contentOf(row), (due.get(contentOf(row)) ?? 0) + 1);
  return [...due].every(([content, times]) => (paid.get(content) ?? 0) >= times);
}
