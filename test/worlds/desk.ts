/** A world: a folder with a journal, a service, a clock, files, and the oracle that watches. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Chance, chanceOf } from '../fuzz/chance.js';
import { apply } from './apply.js';
import {
  checkDone,
  checkPaid,
  checkPlanned,
  checkRefused,
  checkRejects,
  checkSent,
  checkShown,
  checkSums,
  type Judged,
  toldOf,
} from './check.js';
import { type Entry, entriesOf, type Rules } from './entries.js';
import { type History, newHistory, type Run, type State } from './history.js';
import { judge } from './judge.js';
import { call, type Called, type Clock } from './program.js';
import type { Verdict } from './repeats.js';
import { type Row, textOf } from './rows.js';
import { startWorldService, type Weather, type WorldService } from './service.js';
import { rulesOf } from './words.js';

export interface NamedFile {
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface Desk {
  readonly folder: string;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly service: WorldService;
  readonly history: History;
  /** What is in the folder, by name. */
  readonly files: Map<string, NamedFile>;
  /** What was done, as it would be typed. */
  readonly log: string[];
  readonly problems: string[];
}

/** 2026-11-15, near the dates of the records. */
const BEGIN = Date.UTC(2026, 10, 15, 8);

export async function openDesk(seed: number): Promise<Desk> {
  const chance = chanceOf(seed);
  const clock = { now: BEGIN };
  const service = await startWorldService(clock, chance);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gigwork-world-')));
  const history = newHistory(service.url);
  return { folder, chance, clock, service, history, files: new Map(), log: [], problems: [] };
}

/** @param keep the folder is left, for somebody to look at it */
export async function closeDesk({ folder, service }: Desk, keep: boolean): Promise<void> {
  await service.close();
  if (!keep) rmSync(folder, { recursive: true, force: true });
}

export function writeFile(desk: Desk, file: NamedFile): void {
  const text = textOf(file.rows, file.name.endsWith('.csv') ? 'csv' : 'ndjson');
  writeFileSync(join(desk.folder, file.name), text);
  desk.files.set(file.name, file);
  desk.log.push(`# ${file.name}:\n${text.trimEnd().replaceAll(/^/gm, '#   ')}`);
}

/** A call of the program that nobody judges. */
export function ask(desk: Desk, words: readonly string[]): Promise<Called> {
  return call(words, { folder: desk.folder, clock: desk.clock, stopAt: null });
}

export interface Done {
  readonly called: Called;
  readonly verdict: Verdict;
  readonly words: readonly string[];
}

/** Runs a command that sends, and holds it against the oracle. @param files its inputs; none for `batch resume` */
export async function send(
  desk: Desk,
  words: readonly string[],
  { weather = {}, stopAt = null }: { weather?: Weather; stopAt?: number | null } = {},
): Promise<Done> {
  const { history, service, clock, log, problems } = desk;
  const resumed = words[1] === 'resume' ? runNamed(history, words[2] as string) : null;
  const rules = resumed === null ? rulesOf(words) : rulesOfResumed(resumed, rulesOf(words));
  const inputs = words.filter((word) => desk.files.has(word)).map((word) => desk.files.get(word) as NamedFile);
  const entries = resumed === null ? entriesOf(inputs, rules) : resumed.list.map(entryOf);
  const startedAt = clock.now;
  const verdict = judge(entries, rules, history, resumed, startedAt);
  const dry = words.includes('--dry-run');
  const before = dry ? await shown(desk) : null;
  service.begin(weather);
  log.push(
    `gigwork ${words.join(' ')}   # ${new Date(startedAt).toISOString()}${stopAt === null ? '' : `, stopped at point ${stopAt}`}`,
  );
  const called = await call(words, { folder: desk.folder, clock, stopAt });
  const asked = [...service.asked];
  log.push(
    `#   exit ${called.code}, ${JSON.stringify(called.summary?.records)}, ${called.summary?.stop_reason}; ${asked.map(({ answer }) => answer).join(' ')}`,
  );
  const say = (problem: string): void => void problems.push(problem);
  const judged: Judged = { entries, verdict, called, asked, dry, skipInvalid: rules.skipInvalid };
  const done = { called, verdict, words };
  if (called.summary === undefined) {
    say(`no summary: exit ${called.code}\n${called.stdout.slice(-2000)}\n${called.stderr.slice(-2000)}`);
    return done;
  }
  if (resumed !== null && resumed.closed) {
    if (called.code !== 2 || asked.length > 0)
      say(`resuming a closed run: exit ${called.code}, ${asked.length} requests`);
    return done;
  }
  if (called.stopped && called.summary.stop_reason === 'interrupted' && called.summary.run === null) {
    if (asked.length > 0 || called.code !== 130)
      say(`stopped before its gate: exit ${called.code}, ${asked.length} requests`);
    return done;
  }
  checkSums(judged, say);
  if (verdict.refused !== null) checkRefused(judged, say);
  else if (dry) checkPlanned(judged, say);
  else {
    const run = passed(desk, judged, words, startedAt);
    checkSent(judged, run, say);
    checkDone(judged, run, say);
  }
  checkRejects(judged, words, desk.folder, say);
  if (before !== null && (await shown(desk)) !== before) say('a dry run has changed the journal');
  checkPaid(history, service, say);
  if (problems.length > 0) log.push(called.stderr.trimEnd().replaceAll(/^/gm, '#   | '));
  return done;
}

function passed(
  desk: Desk,
  { entries, verdict, called, asked }: Judged,
  words: readonly string[],
  startedAt: number,
): Run | null {
  const { history, clock } = desk;
  const name = called.summary.run as string | null;
  const changes = verdict.fates.some((fate) => fate.is === 'send' || (fate.is === 'told' && fate.leftOut !== null));
  const expected = verdict.run?.name ?? (changes ? 'a new run' : null);
  if ((name === null) !== (expected === null) || (verdict.run !== null && name !== verdict.run.name))
    desk.problems.push(`the run is ${name} instead of ${expected}`);
  if (verdict.run === null && history.runs.some((run) => run.name === name))
    desk.problems.push(`the run ${name} went on, and had to be a new one`);
  if (name === null) return null;
  const told = toldOf({ entries, called });
  const toldState = (index: number): State | null => {
    const status = told[index]?.status ?? null;
    return status === 'not_sent' ? 'open' : (status as State | null);
  };
  const rules = rulesOf(words);
  const run = apply(history, {
    entries,
    rules,
    verdict,
    name,
    isResumed: words[1] === 'resume',
    asked,
    startedAt,
    now: clock.now,
    toldState,
  });
  run.exitCode = called.code as number;
  return run;
}

export function runNamed({ runs }: History, name: string): Run {
  const run = runs.find((each) => each.name === name);
  if (run === undefined) throw new Error(`the oracle knows no run ${name}`);
  return run;
}

/** What was decided when a run began still holds, and so does its batch; invalid records were left to the person then. */
function rulesOfResumed({ batch, decisions }: Run, rules: Rules): Rules {
  return {
    ...rules,
    ...{ batch, batchNamed: batch !== 'default', skipInvalid: true },
    skipCreated: rules.skipCreated || decisions.skipCreated,
    skipSimilar: (rules.skipSimilar || decisions.skipSimilar) && rules.sendSimilar === null,
  };
}

/** A record of a run that goes on from the journal alone. */
function entryOf({ file, record, row, payment }: Run['list'][number]): Entry {
  if (payment === null) return { file, record, row, content: '', key: null, body: '', identifies: true };
  const { content, key, body } = payment;
  return { file, record, row: payment.row, content, key, body, identifies: true };
}

/** All that the journal tells of its runs. */
async function shown(desk: Desk): Promise<string> {
  const { runs } = desk.history;
  const pieces = [(await ask(desk, ['batch', 'list', '--json'])).stdout];
  for (const { name } of runs.slice(0, 2)) pieces.push((await ask(desk, ['batch', 'show', name, '--json'])).stdout);
  return pieces.join('');
}

/** `batch list` and `batch show` of a run that was touched last agree with the oracle. */
export async function checkJournal(desk: Desk, run: Run | null): Promise<void> {
  const say = (problem: string): void => void desk.problems.push(problem);
  const { stdout } = await ask(desk, ['batch', 'list', '--json']);
  const listed = (JSON.parse(stdout) as { runs: { run: string }[] }).runs.map((each) => each.run);
  const known = desk.history.runs.map(({ name }) => name);
  if (listed.join() !== known.join()) say(`batch list has ${listed.join()} instead of ${known.join()}`);
  if (run === null) return;
  const document = JSON.parse((await ask(desk, ['batch', 'show', run.name, '--json'])).stdout) as Record<
    string,
    unknown
  >;
  checkShown(run, document, say);
}
