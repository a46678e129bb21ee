/** What a person may do next, by chance: one step of a world. */
import { basename } from 'node:path';
import type { Chance } from '../fuzz/chance.js';
import { ask, checkJournal, type Desk, type Done, send, writeFile } from './desk.js';
import type { Run } from './history.js';
import { decide, followRemedy, goOnAsTold, resume } from './printed.js';
import { anyRow, type RecordType, type Row } from './rows.js';
import { type Past, run } from './running.js';
import { type Sheet, sheetOf, typeOf } from './sheet.js';
import {
  changed,
  correctedInPlace,
  correctedRejects,
  distinct,
  merged,
  split,
  withOneEdited,
  withOtherTitles,
  writtenOtherwise,
} from './sheets.js';
import { close, prune, settle, settleLeftOut } from './upkeep.js';
import { decisionsIn, flags, manner, misnamed, readingFlags, suited, unread, without } from './wording.js';
import { inputsIn, valueOf } from './words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Step = (desk: Desk, past: Past) => Promise<Run | null>;

export async function step(desk: Desk, past: Past): Promise<void> {
  const { chance, clock } = desk;
  clock.now += timeUntilNext(chance);
  const isAsked = past.last?.verdict.refused === 'repeats';
  const isLeftOpen = past.last?.called.summary?.records.not_sent > 0 && !isAsked;
  const steps: readonly [number, Step][] = [
    [22, sendNew],
    [14, sendAgain],
    [isLeftOpen ? 24 : 8, sendChanged(changed)],
    [isLeftOpen ? 10 : 5, sendChanged(writtenOtherwise)],
    [4, sendChanged(withOtherTitles)],
    [6, readAgain],
    [6, sendChanged(withOneEdited)],
    [6, sendChanged(correctedInPlace)],
    [6, sendRearranged],
    [isAsked ? 40 : 0, decide],
    [isAsked ? 20 : 0, followRemedy],
    [10, resume],
    [12, goOnAsTold],
    [14, sendRejects],
    [3, sendResults],
    [10, settle],
    [2, settleLeftOut],
    [6, (at) => close(at)],
    [4, prune],
  ];
  let left = chance.below(steps.reduce((sum, [weight]) => sum + weight, 0));
  const [, act] = steps.find(([weight]) => (left -= weight) < 0) as (typeof steps)[number];
  await checkJournal(desk, await act(desk, past));
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

/** As they are by now. */
function filesOf(desk: Desk, { words }: Done): Sheet[] {
  return inputsIn(words, desk.files).map((word) => desk.files.get(basename(word)) as Sheet);
}

function sendNew(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  const files = Array.from({ length: chance.hits(0.15) ? 2 : 1 }, (): Sheet => {
    const type = chance.pick<RecordType>(['payout', 'payout', 'payout', 'gig', 'result']);
    const rows = Array.from({ length: 1 + chance.below(5) }, () => anyRow(type, chance));
    const all = type === 'payout' && chance.hits(0.12) ? ofOneInvoice(rows) : distinct(rows);
    return sheetOf(newName(past, type, chance), all, chance.hits(0.25) ? 'dmy' : 'ymd');
  }).filter((file, i, all) => i === 0 || typeOf(file) !== 'gig' || typeOf(all[0] as Sheet) !== 'gig');
  return sendFiles(desk, past, files, null);
}

/** An invoice's number on each of its lines. */
function ofOneInvoice(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, fields: { ...row.fields, reference_id: 'R1' } }));
}

/** @param decisions flags; null for any @param earlier the call that is typed again, if one is */
function sendFiles(
  desk: Desk,
  past: Past,
  files: readonly Sheet[],
  decisions: readonly string[] | null,
  earlier: Done | null = null,
): Promise<Run | null> {
  const { chance, clock } = desk;
  for (const file of files) if (desk.files.get(file.name) !== file) writeFile(desk, file);
  const types = files.map(typeOf);
  const said = decisions ?? flags(chance, types.includes('gig'), clock.now);
  const more = decisions === null ? [...said, ...readingFlags(files, chance, clock.now, 0.08)] : suited(said, files);
  const command = files.length > 1 || chance.hits(0.3) ? ['batch', 'import'] : [types[0] as string, 'create'];
  const names = files.map(({ name }) => name);
  const words = [...command, ...names, ...addressOf(desk, earlier), ...more, ...manner(chance)];
  return run(desk, past, [...words, '--overwrite', '--rejects', files.length === 1 ? 'rejects.csv' : 'rejects']);
}

/** The service, now and then under another account, or under another name of its host. */
function addressOf({ chance, service: { url } }: Desk, earlier: Done | null): string[] {
  const before = earlier === null ? null : valueOf(earlier.words, '--base-url');
  const drawn = chance.below(100);
  if (before !== null && drawn < 88) return before.endsWith('/main') ? account(before) : ['--base-url', before];
  if (before === null && drawn < 85) return ['--base-url', url];
  if (chance.hits(0.2)) return ['--base-url', url.replace('127.0.0.1', 'localhost')];
  return before?.endsWith('/main') === true ? ['--base-url', url] : account(`${url}/main`);
}

/** A service keeps accounts apart by what it is told of them: here by the path. */
function account(url: string): string[] {
  return ['--base-url', url, '--account', 'main'];
}

/** The same bytes, read with other flags. */
function readAgain(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, clock } = desk;
  if (past.sent.length === 0) return sendNew(desk, past);
  const earlier = chance.pick(past.sent.slice(-3));
  const files = filesOf(desk, earlier);
  const said = [...unread(decisionsIn(earlier.words)), ...readingFlags(files, chance, clock.now, 0.8)];
  return sendFiles(desk, past, files, suited(said, files), earlier);
}

/** The same command, now and then with other flags, or another batch. */
function sendAgain(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, clock } = desk;
  if (past.sent.length === 0) return sendNew(desk, past);
  const earlier = chance.pick(past.sent.slice(-3));
  const said = decisionsIn(earlier.words);
  const decisions = chance.hits(0.6) ? said : chance.hits(0.5) ? misnamed(said, chance, clock.now) : null;
  return sendFiles(desk, past, filesOf(desk, earlier), decisions, earlier);
}

/** A file as somebody changes it. */
function sendChanged(change: (rows: readonly Row[], chance: Chance) => Row[]): Step {
  return (desk, past) => {
    const { chance } = desk;
    if (past.sent.length === 0) return sendNew(desk, past);
    const earlier = chance.pick(past.sent.slice(-4));
    const isInPlace = chance.hits(0.3);
    const files = filesOf(desk, earlier).map((file): Sheet => {
      const name = isInPlace ? file.name : newName(past, typeOf(file), chance);
      return sheetOf(name, change(file.rows, chance), file.dates);
    });
    return sendFiles(desk, past, files, chance.hits(0.6) ? decisionsIn(earlier.words) : null, earlier);
  };
}

/** Two files are put together, or one is split. */
function sendRearranged(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  if (past.sent.length === 0) return sendNew(desk, past);
  const earlier = chance.pick(past.sent.slice(-4));
  const [one] = filesOf(desk, earlier) as [Sheet];
  const type = typeOf(one);
  const others = [...desk.files.values()].filter((file) => file !== one && typeOf(file) === type);
  const files =
    others.length > 0 && chance.hits(0.5)
      ? [merged(one, chance.pick(others), newName(past, type, chance))]
      : split(one, [newName(past, type, chance), newName(past, type, chance)]);
  const named = type === 'gig' || chance.hits(0.5) ? files.slice(0, 1) : files;
  return sendFiles(desk, past, named, chance.hits(0.6) ? decisionsIn(earlier.words) : null, earlier);
}

/** Corrects what a call has left in its rejects, and imports it; now and then what was corrected before, once more. */
function sendRejects(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  const rejected = past.sent.filter(({ called }) => called.summary?.records.rejected > 0).slice(-3);
  if (rejected.length === 0) return sendAgain(desk, past);
  const done = chance.pick(rejected);
  const [file, another] = done.files;
  if (file === undefined || another !== undefined) return sendAgain(desk, past);
  const told = done.called.events.filter(({ event, status }) => event === 'record' && status === 'rejected');
  const keys = new Map(told.map(({ record, key }): [number, string] => [record, key]));
  const rows = correctedRejects(file.rows, keys, chance);
  const corrected = sheetOf(newName(past, typeOf(file), chance), rows, file.dates);
  const said = without(decisionsIn(done.words), '--expect-count');
  const decisions = chance.hits(0.5) ? said : chance.hits(0.5) ? without(said, '--batch-id') : null;
  return sendFiles(desk, past, [corrected], decisions, done);
}

/** Imports results by mistake: the file is refused as a whole. */
async function sendResults(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, service, problems, log, clock, folder } = desk;
  const done = past.sent.findLast(({ words }) => words[1] === 'create' && words[2]?.endsWith('.csv') === true);
  if (done === undefined) return sendAgain(desk, past);
  const written = await send(desk, [...done.words, '--overwrite', '--results', 'results.csv', '--dry-run']);
  if (problems.length > 0 || written.verdict.refused === 'usage') return null;
  const url = valueOf(done.words, '--base-url') as string;
  const kind = done.words[0] as string;
  const name = chance.pick(['results.csv', `${folder}/results.csv`]);
  const words = [kind, 'create', name, '--base-url', url, '--yes', '--json', '--skip-invalid', '--batch-id', 'results'];
  service.begin({});
  const { code, summary, events } = await ask(desk, words);
  log.push(`gigwork ${words.join(' ')}   # ${new Date(clock.now).toISOString()}, exit ${code}`);
  const isTold = events.some((event) => event.event === 'issue' && event.code === 'results-file');
  if (code !== 3 || summary?.stop_reason !== 'invalid_input' || !isTold || service.asked.length > 0)
    problems.push(`a results file was not refused: exit ${code}, ${summary?.stop_reason}`);
  return null;
}
