/** What a call did and said, held against what it had to do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './entries.js';
import type { Fate } from './fates.js';
import type { History, Listed, Payment, Run } from './history.js';
import { asksFor } from './outcomes.js';
import type { Called } from './program.js';
import type { Verdict } from './repeats.js';
import type { Answer, Asked, WorldService } from './service.js';
import { valueOf } from './words.js';

export interface Judged {
  readonly entries: readonly Entry[];
  readonly verdict: Verdict;
  readonly called: Called;
  readonly asked: readonly Asked[];
  readonly dry: boolean;
  readonly skipInvalid: boolean;
}

type Say = (problem: string) => void;

/** The states that a valid record may be told in. */
const STATES = ['created', 'already_created', 'skipped', 'rejected', 'unknown', 'not_sent', 'planned'] as const;

function nameOf({ file, record, row }: Pick<Listed, 'file' | 'record' | 'row'>): string {
  return `${file} ${record} ${row.type} ${JSON.stringify(row.fields['title'])}`;
}

/** Every record is told once, and the counts and the money add up. */
export function checkSums({ entries, called }: Judged, say: Say): void {
  const { summary, events } = called;
  const told = events.filter(({ event }) => event === 'record');
  if (told.length !== entries.length) say(`${told.length} record events for ${entries.length} records`);
  const counts = summary.records as Record<string, number>;
  for (const state of [...STATES, 'invalid'])
    if (told.filter(({ status }) => status === state).length !== counts[state])
      say(`${counts[state]} ${state} in the summary, others among the records`);
  const valid = STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  if (counts['valid'] !== valid || counts['read'] !== valid + (counts['invalid'] ?? 0))
    say(`the counts do not add up: ${JSON.stringify(counts)}`);
  const amounts = new Map<string, number>();
  for (const [i, { status }] of inOrder(entries, told).entries()) {
    const { type, fields } = (entries[i] as Entry).row;
    if (type === 'payout' && status !== 'invalid')
      amounts.set(status, (amounts.get(status) ?? 0) + (fields['amount'] as number));
  }
  for (const { status, amount } of summary.totals.payout as { status: string; amount: string }[]) {
    if (Number(amount) !== amounts.get(status)) say(`payouts ${status}: ${amount} instead of ${amounts.get(status)}`);
    amounts.delete(status);
  }
  if (amounts.size > 0) say(`no totals for payouts ${[...amounts.keys()].join(', ')}`);
}

/** The record events in the order of the input. */
function inOrder(
  entries: readonly Entry[],
  told: readonly Record<string, unknown>[],
): { status: string; key: string }[] {
  const byPlace = new Map(told.map((event) => [`${String(event['file'])} ${String(event['record'])}`, event]));
  return entries.map(({ file, record }) => (byPlace.get(`${file} ${record}`) ?? {}) as { status: string; key: string });
}

export function toldOf({ entries, called }: Pick<Judged, 'entries' | 'called'>): { status: string; key: string }[] {
  return inOrder(
    entries,
    called.events.filter(({ event }) => event === 'record'),
  );
}

/** A refused call sends nothing, and says why. */
export function checkRefused(judged: Judged, say: Say): void {
  const { verdict, called, asked, entries } = judged;
  const { summary } = called;
  if (called.code !== 3 || summary.stop_reason !== verdict.refused)
    say(`exit ${called.code}, ${summary.stop_reason}; it had to be refused: ${verdict.refused}`);
  if (summary.run !== null) say(`a refused call names the run ${summary.run}`);
  if (asked.length > 0) say('a refused call has sent something');
  for (const [i, { status }] of toldOf(judged).entries()) {
    const fate = verdict.fates[i] as Fate;
    // Left out in the run that would have gone on, it stands for a payment that was created.
    const isCreated = fate.is === 'told' && verdict.run !== null && ['already_created', 'skipped'].includes(fate.as);
    const expected = fate.is === 'invalid' ? 'invalid' : isCreated ? 'already_created' : 'not_sent';
    if (status !== expected) say(`${nameOf(entries[i] as Entry)} is ${status} in a refusal instead of ${expected}`);
  }
}

/** A dry run promises what the next call does. */
export function checkPlanned(judged: Judged, say: Say): void {
  const { verdict, called, asked, entries } = judged;
  if (asked.length > 0) say('a dry run has sent something');
  const told = toldOf(judged);
  for (const [i, { status }] of told.entries()) {
    const fate = verdict.fates[i] as Fate;
    const expected = fate.is === 'invalid' ? 'invalid' : fate.is === 'send' ? 'planned' : fate.as;
    if (status !== expected) say(`${nameOf(entries[i] as Entry)} is ${status} in a dry run instead of ${expected}`);
  }
  const has = (...states: string[]): boolean => told.some(({ status }) => states.includes(status));
  const code = has('rejected', 'invalid') ? 4 : 0;
  if (called.code !== code) say(`a dry run ends with ${called.code} instead of ${code}`);
}

/** What is told of each record is what became of it. To be called when the call is applied to the history. */
export function checkDone(judged: Judged, run: Run | null, say: Say): void {
  const { verdict, entries } = judged;
  const told = toldOf(judged);
  for (const [i, { status, key }] of told.entries()) {
    const entry = entries[i] as Entry;
    const fate = verdict.fates[i] as Fate;
    const payment = run?.list[i]?.payment ?? (fate.is === 'told' ? fate.payment : null);
    const expected = stateOf(fate, payment);
    if (status !== expected) say(`${nameOf(entry)} is ${status} instead of ${expected}`);
    if (entry.key !== null && fate.is !== 'invalid' && key !== entry.key && verdict.run === null)
      say(`${nameOf(entry)} has the key ${key} instead of ${entry.key}`);
  }
  checkEnd(
    judged,
    told.map(({ status }) => status),
    say,
  );
}

function stateOf(fate: Fate, payment: Payment | null): string {
  if (fate.is === 'invalid') return 'invalid';
  if (fate.is === 'told') return fate.as;
  const { state } = payment as Payment;
  return state === 'open' ? 'not_sent' : state;
}

/** The exit code, and a way on for whatever is not paid. */
function checkEnd({ called, asked }: Judged, states: readonly string[], say: Say): void {
  const { code, summary, stderr } = called;
  const has = (...some: string[]): boolean => states.some((state) => some.includes(state));
  const isOpen = has('unknown', 'not_sent');
  const done = has('rejected', 'invalid') ? 4 : 0;
  const expected = !isOpen ? done : summary.stop_reason === 'interrupted' ? 130 : 5;
  if (code !== expected || summary.exit_code !== code) say(`exit ${code} instead of ${expected}`);
  if (isOpen && summary.next === null && !/batch (settle|resume) \d/.test(stderr))
    say('something is not paid, and no way on is named');
  const was = (...answers: Answer[]): boolean => asked.some(({ answer }) => answers.includes(answer));
  const reason: Record<string, boolean> = {
    unauthorized: was('unauthorized'),
    redirected: was('redirected', 'redirected-done', 'moved'),
    wrong_target: was('garbled', 'garbled-done'),
    unreachable: was('lost', 'lost-done'),
    interrupted: called.stopped,
    null: true,
  };
  if (reason[String(summary.stop_reason)] !== true) say(`it stopped for no reason: ${summary.stop_reason}`);
  const stops = was('unauthorized', 'redirected', 'redirected-done', 'moved');
  if (stops && summary.stop_reason === null && isOpen) say('the run went on after an answer that stops it');
}

/** Only what was to be sent was sent, and all of it unless something stopped the run. */
export function checkSent({ verdict, asked, called }: Judged, run: Run | null, say: Say): void {
  const wanted = verdict.fates.flatMap((fate, i) => (fate.is === 'send' ? (run?.list[i]?.payment ?? []) : []));
  const mine = new Set(wanted.flatMap((payment) => asksFor(payment, asked)));
  for (const one of asked) if (!mine.has(one)) say(`sent although it was not to be sent: ${one.content} (${one.key})`);
  if (called.summary.stop_reason !== null || called.stopped) return;
  for (const payment of wanted)
    if (asksFor(payment, asked).length === 0) say(`not sent although nothing stopped the run: ${payment.content}`);
}

/** Nobody is paid more often than was decided, and nobody is called paid who was not. */
export function checkPaid({ payments }: History, { done }: WorldService, say: Say): void {
  const rows = new Map<string, { allowed: number; told: number }>();
  for (const { content, state, allowed } of payments) {
    const row = rows.get(content) ?? { allowed: 0, told: 0 };
    rows.set(content, { allowed: row.allowed + allowed, told: row.told + (state === 'created' ? 1 : 0) });
  }
  for (const [content, times] of done) {
    const allowed = rows.get(content)?.allowed ?? 0;
    if (times > allowed) say(`paid ${times} times, and ${allowed} were decided: ${content}`);
  }
  for (const [content, { told }] of rows)
    if ((done.get(content) ?? 0) < told)
      say(`paid ${done.get(content) ?? 0} times, and told ${told} times: ${content}`);
}

/** A run as `batch show` has it. */
export function checkShown(run: Run, document: Record<string, unknown>, say: Say): void {
  const outcomes = document['outcomes'] as { file: string; record: number; status: string; key: string | null }[];
  const listed = new Map(run.list.map((each) => [`${each.file} ${each.record}`, each]));
  if (outcomes.length !== run.list.length) say(`batch show lists ${outcomes.length} records of ${run.list.length}`);
  for (const { file, record, status } of outcomes) {
    const each = listed.get(`${file} ${record}`);
    if (each === undefined) say(`batch show lists ${file} ${record}, which is not in the run`);
    else if (!shownAs(each, run).includes(status))
      say(`batch show: ${nameOf(each)} is ${status} instead of ${shownAs(each, run).join(' or ')}`);
  }
  if (document['exit_code'] !== run.exitCode)
    say(`batch show: exit ${String(document['exit_code'])} instead of ${run.exitCode}`);
  if ((document['closed'] !== null) !== run.closed) say('batch show and the oracle differ about its being closed');
}

function shownAs({ payment, leftOut }: Listed, { name }: Run): string[] {
  if (payment === null) return ['invalid'];
  if (payment.state === 'open') return ['not_sent'];
  if (payment.state !== 'created') return [payment.state];
  return [leftOut !== null ? 'skipped' : payment.settledBy === name ? 'created' : 'already_created'];
}

/** The rejects hold what is to be corrected, with the keys of the payments that corrected rows replace. */
export function checkRejects(judged: Judged, words: readonly string[], folder: string, say: Say): void {
  const name = valueOf(words, '--rejects');
  if (name === null || !name.endsWith('.csv')) return;
  const lines = readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const isCsv = words.some((word) => word.endsWith('.csv') && word !== name);
  const told = toldOf(judged).filter(({ status }) => status === 'rejected' || status === 'invalid');
  if (lines.length !== told.length + (isCsv ? 1 : 0))
    say(`${lines.length} lines of rejects for ${told.length} records`);
  for (const { status, key } of told)
    if (status === 'rejected' && !lines.some((line) => line.includes(key))) say(`the rejects lack the key ${key}`);
}
