/** A world: a folder with a journal, a service, a clock, files, and the oracle that watches. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Chance, chanceOf } from '../fuzz/chance.js';
import { apply } from './apply.js';
import { type Bound, newBound } from './bound.js';
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
import { verdictFor } from './fitting.js';
import { type Entry, type History, newHistory, type Run, type State } from './history.js';
import { type Call, judge, type Verdict } from './judge.js';
import { call, type Called, type Clock } from './program.js';
import { READINGS } from './readings.js';
import { startWorldService, type Weather, type WorldService } from './service.js';
import { digestOfText, type Sheet } from './sheet.js';
import { hostOf, inputsIn, rulesOf, targetOf } from './words.js';

export interface Desk {
  readonly folder: string;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly service: WorldService;
  readonly history: History;
  readonly bound: Bound;
  /** What is in the folder, by name. */
  readonly files: Map<string, Sheet>;
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
  const history = newHistory();
  const empty = { files: new Map<string, Sheet>(), log: [], problems: [] };
  return { folder, chance, clock, service, history, bound: newBound(), ...empty };
}

export async function closeDesk({ folder, service }: Desk): Promise<void> {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

export function writeFile(desk: Desk, file: Sheet): void {
  writeFileSync(join(desk.folder, file.name), file.text);
  desk.files.set(file.name, file);
  desk.log.push(`# ${file.name}:\n${file.text.trimEnd().replaceAll(/^/gm, '#   ')}`);
}

/** A call of the program that nobody judges. */
export function ask(desk: Desk, words: readonly string[]): Promise<Called> {
  return call(words, { folder: desk.folder, clock: desk.clock, stopAt: null });
}

export interface Done {
  readonly called: Called;
  readonly verdict: Verdict;
  readonly words: readonly string[];
  /** As they were then. */
  readonly files: readonly Sheet[];
}

/** What a command is at this moment. */
function callOf({ history, files, clock }: Desk, words: readonly string[]): Call {
  const resumed = words[1] === 'resume' ? runNamed(history, words[2] as string) : null;
  const named = inputsIn(words, files).map((word) => ({ ...(files.get(basename(word)) as Sheet), name: word }));
  const target = resumed?.target ?? targetOf(words);
  const hasChangedFile = resumed !== null && resumed.list.some(({ entry }) => isChanged(entry, files));
  return { files: named, rules: rulesOf(words), target, resumed, hasChangedFile, now: clock.now };
}

function isChanged({ file, source }: Entry, files: Desk['files']): boolean {
  const { text } = files.get(basename(file)) as Sheet;
  return digestOfText(text) !== source.digest;
}

export function startCall(desk: Desk, words: readonly string[], weather: Weather, note: string): Call {
  const { service, clock, log, history, bound } = desk;
  service.begin(weather);
  log.push(`gigwork ${words.join(' ')}   # ${new Date(clock.now).toISOString()}${note === '' ? '' : `, ${note}`}`);
  const at = callOf(desk, words);
  if (!words.includes('--dry-run')) {
    const { entries, batch } = judge(at, history, READINGS);
    if (at.resumed === null) bound.expect(entries, `${hostOf(at.target)} ${batch}`, at.rules);
    bound.risk(at.rules);
  }
  return at;
}

/** Runs a command that sends, and holds it against the oracle. */
export async function send(
  desk: Desk,
  words: readonly string[],
  { weather = {}, stopAt = null }: { weather?: Weather; stopAt?: number | null } = {},
): Promise<Done> {
  const { history, service, clock, log, problems, bound } = desk;
  const dry = words.includes('--dry-run');
  const before = dry ? await shown(desk) : null;
  const at = startCall(desk, words, weather, stopAt === null ? '' : `stopped at point ${stopAt}`);
  const called = await call(words, { folder: desk.folder, clock, stopAt });
  const asked = [...service.asked];
  const { summary } = called;
  const answers = asked.map(({ answer }) => answer).join(' ');
  const issues = called.events.filter(({ event }) => event === 'issue').map(({ code, line }) => `${code}@${line}`);
  const counts = JSON.stringify(summary?.records);
  log.push(`#   exit ${called.code}, ${counts}, ${summary?.stop_reason}; ${answers}; ${issues.join(' ')}`);
  const say = (problem: string): void => void problems.push(problem);
  const verdict = verdictFor(at, history, { called, asked, dry });
  const { rules, now: startedAt } = at;
  const judged: Judged = { verdict, rules, history, called, asked, dry, startedAt, now: clock.now };
  if (summary === undefined)
    say(`no summary: exit ${called.code}\n${called.stdout.slice(-2000)}\n${called.stderr.slice(-2000)}`);
  else if (called.stopped && summary.stop_reason === 'interrupted' && summary.run === null) {
    if (asked.length > 0 || called.code !== 130)
      say(`stopped before its gate: exit ${called.code}, ${asked.length} requests`);
  } else if (verdict.refused === 'usage') checkRefused(judged, say);
  else {
    checkSums(judged, say);
    if (verdict.refused !== null) checkRefused(judged, say);
    else if (dry) checkPlanned(judged, say);
    else {
      const run = passed(desk, judged);
      checkSent(judged, run, say);
      checkDone(judged, run, say);
    }
    checkRejects(judged, words, desk.folder, say);
  }
  if (before !== null && (await shown(desk)) !== before) say('a dry run has changed the journal');
  checkPaid(history, service, say);
  bound.check(service, say);
  if (problems.length > 0) log.push(...wordsOf(called));
  return { called, verdict, words, files: at.files };
}

/** What it told people, and its issues. */
function wordsOf({ stderr, events }: Called): string[] {
  const issues = events.filter(({ event }) => event === 'issue').map(({ code, message }) => `#   ${code}: ${message}`);
  return [stderr.trimEnd().replaceAll(/^/gm, '#   | '), ...issues];
}

function passed({ history, problems }: Desk, judged: Judged): Run | null {
  const { verdict, rules, called, asked, startedAt, now } = judged;
  const name = called.summary.run as string | null;
  const changes = verdict.fates.some(({ is }) => is === 'send' || is === 'left');
  if (verdict.run !== null && name !== verdict.run.name && (name !== null || changes))
    problems.push(`the run is ${name} instead of ${verdict.run.name}`);
  if (verdict.run === null && name === null && changes) problems.push('something is sent or left out without a run');
  if (verdict.run === null && history.runs.some((run) => run.name === name))
    problems.push(`the run ${name} went on, and had to be a new one`);
  if (problems.length > 0) return null;
  const all = toldOf(judged);
  const toldState = (index: number): State | null => {
    const status = all[index]?.status ?? null;
    return status === 'not_sent' ? 'open' : (status as State | null);
  };
  const stopReason = called.summary.stop_reason as string | null;
  const at = { asked, startedAt, now, stopReason, toldState, wasKilled: false };
  const run = apply(history, { rules, verdict, name, ...at });
  // That an output file cannot be written does not change what was done.
  if (run !== null) run.exitCode = called.code === 1 && verdict.hasChangedFile ? 0 : (called.code as number);
  return run;
}

export function runNamed({ runs }: History, name: string): Run {
  const run = runs.find((each) => each.name === name);
  if (run === undefined) throw new Error(`the oracle knows no run ${name}`);
  return run;
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
  if (run === null || desk.problems.length > 0) return;
  const shownRun = (await ask(desk, ['batch', 'show', run.name, '--json'])).stdout;
  checkShown(run, desk.history, JSON.parse(shownRun) as Record<string, unknown>, say);
}
