/** What a person may do next, by chance: one step of a world. */
import type { Chance } from '../fuzz/chance.js';
import { become } from './apply.js';
import { ask, checkJournal, type Desk, type Done, type NamedFile, runNamed, send, writeFile } from './desk.js';
import type { Listed, Run } from './history.js';
import { canonical } from './keys.js';
import { anyRow, edited, mended, type RecordType, type Row } from './rows.js';
import type { Weather } from './service.js';
import { shellWords } from './words.js';

/** What the steps of a world leave to the next ones. */
export interface Past {
  /** Calls with files, the newest last. */
  readonly sent: Done[];
  last: Done | null;
  files: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const WEATHERS: readonly Weather[] = [
  {},
  {},
  {},
  { refused: 0.15, busy: 0.1 },
  { lost: 0.15, 'lost-done': 0.15, failed: 0.1, 'failed-done': 0.1 },
  { failed: 0.6, 'failed-done': 0.3 },
  { 'redirected-done': 0.15, redirected: 0.15, moved: 0.15 },
  { unauthorized: 0.3, refused: 0.1, lost: 0.1 },
  { garbled: 0.15, 'garbled-done': 0.15 },
  { missing: 0.3, conflict: 0.05 },
];

export async function step(desk: Desk, past: Past): Promise<void> {
  const { chance, clock } = desk;
  clock.now += timeUntilNext(chance);
  const steps: readonly [number, () => Promise<Run | null>][] = [
    [24, () => sendNew(desk, past)],
    [16, () => sendAgain(desk, past)],
    [16, () => sendEdited(desk, past)],
    [past.last?.verdict.refused === 'repeats' ? 40 : 0, () => decide(desk, past)],
    [12, () => resume(desk, past)],
    [10, () => goOnAsTold(desk, past)],
    [12, () => sendRejects(desk, past)],
    [12, () => settle(desk)],
    [5, () => close(desk)],
    [4, () => prune(desk)],
  ];
  let left = chance.below(steps.reduce((sum, [weight]) => sum + weight, 0));
  const [, act] = steps.find(([weight]) => (left -= weight) < 0) as (typeof steps)[number];
  await checkJournal(desk, await act());
}

function timeUntilNext(chance: Chance): number {
  const far = chance.below(100);
  if (far < 60) return (1 + chance.below(50)) * MINUTE;
  if (far < 80) return (1 + chance.below(22)) * HOUR;
  return far < 90 ? (24 + chance.below(3)) * HOUR : (3 + chance.below(9)) * 24 * HOUR;
}

function newName(past: Past, type: RecordType, chance: Chance): string {
  past.files++;
  return `${type}${past.files}.${type === 'gig' || chance.hits(0.4) ? 'ndjson' : 'csv'}`;
}

function rowsOf(type: RecordType, chance: Chance): Row[] {
  const rows = Array.from({ length: 1 + chance.below(5) }, () => anyRow(type, chance));
  return type === 'gig' ? distinct(rows) : rows;
}

/** Nobody could tell which of two equal gigs was answered: no key is sent with them. */
function distinct(rows: readonly Row[]): Row[] {
  const seen = new Map(rows.map((row) => [canonical(row.fields), row]));
  return [...seen.values()];
}

function anyType(chance: Chance): RecordType {
  return chance.pick(['payout', 'payout', 'payout', 'gig', 'result']);
}

function sendNew(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  const files = Array.from({ length: chance.hits(0.15) ? 2 : 1 }, (): NamedFile => {
    const type = anyType(chance);
    return { name: newName(past, type, chance), rows: rowsOf(type, chance) };
  }).filter(({ rows }, i, all) => i === 0 || rows[0]?.type !== 'gig' || all[0]?.rows[0]?.type !== 'gig');
  for (const file of files) writeFile(desk, file);
  return sendFiles(
    desk,
    past,
    files.map(({ name }) => name),
    null,
  );
}

/** Flags of a call that nobody has thought about before. */
function flags(chance: Chance, hasGigs: boolean): string[] {
  const all: string[] = [];
  const maybe = (share: number, ...words: string[]): void => void (chance.hits(share) && all.push(...words));
  maybe(0.3, '--batch-id', chance.pick(['2026-11', '2026-12']));
  maybe(0.12, '--skip-created');
  maybe(0.08, '--skip-similar');
  maybe(0.2, '--skip-invalid');
  maybe(0.06, '--strict');
  // A file without these columns would be refused.
  if (!hasGigs) maybe(0.06, '--key-columns', 'user_id,title');
  maybe(0.15, '--retry-rejected');
  maybe(0.1, '--resend-unknown');
  maybe(0.1, '--key-lifetime', chance.pick(['0', '2']));
  maybe(0.04, '--expect-count', String(1 + chance.below(4)));
  return all;
}

/** @param decisions flags; null for any */
async function sendFiles(
  desk: Desk,
  past: Past,
  files: readonly string[],
  decisions: readonly string[] | null,
): Promise<Run | null> {
  const { chance, service } = desk;
  const more =
    decisions ??
    flags(
      chance,
      files.some((name) => name.startsWith('gig')),
    );
  const type = files.length === 1 ? /^[a-z]+/.exec(files[0] as string)?.[0] : undefined;
  const command = type === undefined || chance.hits(0.3) ? ['batch', 'import'] : [type, 'create'];
  const words = [...command, ...files, '--base-url', service.url, ...more, ...manner(chance)];
  return run(desk, past, [...words, '--rejects', files.length === 1 ? 'rejects.csv' : 'rejects']);
}

function manner(chance: Chance): string[] {
  const counts = ['--retries', String(chance.below(3)), '--concurrency', chance.pick(['1', '1', '3'])];
  return ['--json', '--yes', '--no-progress', '--timeout', '3600', ...counts];
}

/** Runs it, sometimes dry before. */
async function run(desk: Desk, past: Past, words: readonly string[]): Promise<Run | null> {
  const { chance } = desk;
  if (chance.hits(0.25)) await send(desk, [...words, '--dry-run']);
  const stopAt = chance.hits(0.12) ? 1 + chance.below(30) : null;
  const done = await send(desk, words, { weather: chance.pick(WEATHERS), stopAt });
  past.last = done;
  if (words.some((word) => desk.files.has(word))) past.sent.push(done);
  const name = done.called.summary?.run as string | null | undefined;
  return name === null || name === undefined ? null : runNamed(desk.history, name);
}

function filesIn({ words }: Done, desk: Desk): string[] {
  return words.filter((word) => desk.files.has(word));
}

/** What a command said beside its files, its address and its manner. */
function decisionsIn({ words }: Done): string[] {
  const kept: string[] = [];
  const valued = ['--batch-id', '--key-columns', '--send-similar', '--key-lifetime', '--expect-count'];
  const plain = [
    '--skip-created',
    '--skip-similar',
    '--skip-invalid',
    '--strict',
    '--retry-rejected',
    '--resend-unknown',
  ];
  for (const [i, word] of words.entries()) {
    if (valued.includes(word)) kept.push(word, words[i + 1] as string);
    else if (plain.includes(word)) kept.push(word);
  }
  return kept;
}

/** The same command, now and then with other flags. */
function sendAgain(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  if (past.sent.length === 0) return sendNew(desk, past);
  const earlier = chance.pick(past.sent.slice(-3));
  return sendFiles(desk, past, filesIn(earlier, desk), chance.hits(0.7) ? decisionsIn(earlier) : null);
}

/** A file as somebody changes it: rows edited, added, taken out, sorted otherwise. */
function sendEdited(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  if (past.sent.length === 0) return sendNew(desk, past);
  const earlier = chance.pick(past.sent.slice(-4));
  const names = filesIn(earlier, desk).map((name) => {
    const { rows } = desk.files.get(name) as NamedFile;
    const [first] = rows as [Row, ...Row[]];
    let changed = rows.map((row) => (row.isValid && chance.hits(0.25) ? edited(row, chance) : row));
    if (chance.hits(0.3)) changed = changed.filter(() => chance.hits(0.7));
    if (chance.hits(0.3) || changed.length === 0) changed = [...changed, anyRow(first.type, chance)];
    if (chance.hits(0.3)) changed = changed.toReversed();
    const file = { name: newName(past, first.type, chance), rows: first.type === 'gig' ? distinct(changed) : changed };
    writeFile(desk, file);
    return file.name;
  });
  return sendFiles(desk, past, names, chance.hits(0.6) ? decisionsIn(earlier) : null);
}

/** A call was refused because of repeats: somebody says what they are. */
function decide(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  const { words, verdict } = past.last as Done;
  const kept = without(words, '--send-similar');
  const { same, similar } = verdict;
  const decisions: string[][] = [
    ['--skip-created', '--skip-similar'],
    same > 0 ? ['--skip-created'] : ['--skip-similar'],
    ['--skip-created', '--send-similar', String(similar)],
    ['--send-similar', String(1 + chance.below(3))],
    ['--batch-id', `own-${chance.below(3)}`],
  ];
  const said = chance.pick(decisions);
  const flag = said[0] as string;
  if (flag === '--batch-id' && words[1] === 'resume') return Promise.resolve(null);
  // Nobody says two decisions that contradict each other.
  const all = [...without(kept, flag), ...said];
  if (all.includes('--send-similar') && (all.includes('--skip-similar') || all.includes('0')))
    return Promise.resolve(null);
  return run(desk, past, all);
}

/** The words without an option and its value, or without a flag. */
function without(words: readonly string[], option: string): string[] {
  const isValued = ['--batch-id', '--send-similar', '--expect-count'].includes(option);
  return words.filter((word, i) => word !== option && !(isValued && words[i - 1] === option));
}

function resume(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, history } = desk;
  if (history.runs.length === 0) return sendNew(desk, past);
  const { name } = chance.pick(history.runs);
  const allowed = ['--retry-rejected', '--resend-unknown', '--skip-created', '--skip-similar'];
  const said = allowed.filter(() => chance.hits(0.2));
  return run(desk, past, ['batch', 'resume', name, ...manner(chance), ...said]);
}

/** Does what the last call said that goes on, word by word. */
function goOnAsTold(desk: Desk, past: Past): Promise<Run | null> {
  const next = past.last?.called.summary?.next as string | string[] | null | undefined;
  if (next === null || next === undefined) return sendAgain(desk, past);
  const words = (typeof next === 'string' ? shellWords(next) : next).slice(1);
  return run(desk, past, words.includes('--json') ? words : [...words, '--json']);
}

/** Corrects what the last call has left in its rejects, and imports it. */
function sendRejects(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  const done = past.sent.findLast(({ called }) => called.summary?.records.rejected > 0);
  const [name, another] = done === undefined ? [] : filesIn(done, desk);
  if (done === undefined || name === undefined || another !== undefined) return sendAgain(desk, past);
  const { rows } = desk.files.get(name) as NamedFile;
  const told = done.called.events.filter(({ event, status }) => event === 'record' && status === 'rejected');
  const [first] = rows as [Row, ...Row[]];
  const corrected = told.map(({ record, key }): Row => {
    const row = rows[record - 1] as Row;
    return { ...mended(row, chance), replaces: chance.hits(0.95) ? key : null };
  });
  const file = {
    name: newName(past, first.type, chance),
    rows: first.type === 'gig' ? distinct(corrected) : corrected,
  };
  writeFile(desk, file);
  return sendFiles(desk, past, [file.name], chance.hits(0.6) ? without(decisionsIn(done), '--expect-count') : null);
}

/** A person looks at the service what became of payments in doubt, and says so. */
export async function settle(desk: Desk): Promise<Run | null> {
  const { chance, history, clock, service, problems, log } = desk;
  const doubted = history.runs.find(({ list }) => list.some(isDoubtful));
  if (doubted === undefined) return null;
  const doubtful = doubted.list.filter(isDoubtful);
  const { file, record, payment } = chance.pick(doubtful) as Listed & { payment: NonNullable<Listed['payment']> };
  // A gig comes without a key: of one row, as many are created as are not known of yet.
  const known = history.payments.filter(
    ({ content, state }) => content === payment.content && state === 'created',
  ).length;
  const isDone =
    payment.row.type === 'gig'
      ? (service.done.get(payment.content) ?? 0) > known
      : (service.doneUnder.get(payment.key) ?? 0) > 0;
  const said = isDone ? ['--created'] : ['--not-created', '--note', 'looked it up'];
  const words = ['batch', 'settle', doubted.name, '--record', String(record), '--file', file, ...said];
  const { code, stderr } = await ask(desk, words);
  log.push(`gigwork ${words.join(' ')}   # exit ${code}`);
  if (code !== 0) problems.push(`batch settle: exit ${code}, ${stderr}`);
  become(history, payment, isDone ? 'created' : 'open', null, doubted.name, clock.now);
  return doubted;
}

function isDoubtful({ payment }: Listed): boolean {
  return payment?.state === 'unknown';
}

async function close(desk: Desk): Promise<Run | null> {
  const { chance, history, problems, log } = desk;
  if (history.runs.length === 0) return null;
  const chosen = chance.pick(history.runs);
  const isOpen = chosen.list.some(({ payment }) => payment?.state === 'open' || payment?.state === 'unknown');
  const { code, stderr } = await ask(desk, ['batch', 'close', chosen.name, '--note', 'not needed']);
  log.push(`gigwork batch close ${chosen.name}   # exit ${code}`);
  // One that ended with open records, which were settled since, may be closed, or be called finished.
  const codes = chosen.closed ? [2] : isOpen ? [0] : chosen.exitCode === 0 || chosen.exitCode === 4 ? [2] : [0, 2];
  if (!codes.includes(code as number))
    problems.push(`batch close: exit ${code} instead of ${codes.join(' or ')}, ${stderr}`);
  if (code === 0) chosen.closed = true;
  return chosen;
}

async function prune(desk: Desk): Promise<Run | null> {
  const { chance, clock, history, problems, log } = desk;
  const day = Math.floor(clock.now / 86_400_000 - chance.below(4)) * 86_400_000;
  const before = new Date(day).toISOString().slice(0, 10);
  const { code, stderr } = await ask(desk, ['batch', 'prune', '--before', before]);
  log.push(`gigwork batch prune --before ${before}   # exit ${code}`);
  if (code !== 0) problems.push(`batch prune: exit ${code}, ${stderr}`);
  for (const payment of history.payments)
    if ((payment.state === 'created' || payment.state === 'rejected') && payment.changedAt < day) payment.pruned = true;
  return history.runs[0] ?? null;
}
