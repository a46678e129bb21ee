/** What a call did and said, held against what it had to do. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkEnding } from './ending.js';
import type { Fate } from './fates.js';
import {
  type Entry,
  type History,
  isReplaced,
  lastCorrection,
  type Listed,
  type Payment,
  paymentUnder,
  type Run,
} from './history.js';
import type { Verdict } from './judge.js';
import { asksFor } from './outcomes.js';
import type { Called } from './program.js';
import type { Asked, WorldService } from './service.js';
import { similarRowsIn } from './warnings.js';
import { type Rules, valueOf } from './words.js';

export interface Judged {
  readonly verdict: Verdict;
  readonly rules: Rules;
  readonly history: History;
  readonly called: Called;
  readonly asked: readonly Asked[];
  readonly dry: boolean;
  readonly startedAt: number;
  readonly now: number;
}

export type Say = (problem: string) => void;

/** The states that a valid record may be told in. */
const STATES = ['created', 'already_created', 'skipped', 'rejected', 'unknown', 'not_sent', 'planned'] as const;

function nameOf({ file, record, row }: Entry): string {
  return `${file} ${record} ${row.type} ${JSON.stringify(row.fields['title'])}`;
}

export interface ToldRecord {
  readonly status: string;
  readonly key: string;
  readonly amount: string | null;
  readonly user_id: string | null;
  readonly stands_for: { readonly key: string } | null;
}

/** The record events in the order of the input. */
export function toldOf({ verdict, called }: Pick<Judged, 'verdict' | 'called'>): Partial<ToldRecord>[] {
  const told = called.events.filter(({ event }) => event === 'record');
  const byPlace = new Map(told.map((event) => [`${String(event['file'])} ${String(event['record'])}`, event]));
  return verdict.entries.map(({ file, record }) => (byPlace.get(`${file} ${record}`) ?? {}) as Partial<ToldRecord>);
}

/** Every record is told once, with its own payee and amount, and the counts and the money add up. */
export function checkSums(judged: Judged, say: Say): void {
  const { verdict, called } = judged;
  const { summary, events } = called;
  const all = events.filter(({ event }) => event === 'record');
  if (all.length !== verdict.entries.length) say(`${all.length} record events for ${verdict.entries.length} records`);
  const counts = summary.records as Record<string, number>;
  for (const state of [...STATES, 'invalid'])
    if (all.filter(({ status }) => status === state).length !== counts[state])
      say(`${counts[state]} ${state} in the summary, others among the records`);
  const valid = STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  if (counts['valid'] !== valid || counts['read'] !== valid + (counts['invalid'] ?? 0))
    say(`the counts do not add up: ${JSON.stringify(counts)}`);
  const amounts = new Map<string, number>();
  for (const [i, { status, amount, user_id: user }] of toldOf(judged).entries()) {
    const entry = verdict.entries[i] as Entry;
    const { type, fields } = entry.row;
    if (type !== 'payout' || status === 'invalid' || status === undefined) continue;
    amounts.set(status, (amounts.get(status) ?? 0) + (fields['amount'] as number));
    // Where its body was removed, only the input knows the name.
    const isPruned = isPrunedHere(entry, judged);
    const isNamed = user === fields['user_id'] || (user === null && isPruned);
    if (Number(amount) !== fields['amount'] || !isNamed) say(`${nameOf(entry)} is told with ${user}, ${amount}`);
  }
  for (const { status, amount } of summary.totals.payout as { status: string; amount: string }[]) {
    if (Number(amount) !== amounts.get(status)) say(`payouts ${status}: ${amount} instead of ${amounts.get(status)}`);
    amounts.delete(status);
  }
  if (amounts.size > 0) say(`no totals for payouts ${[...amounts.keys()].join(', ')}`);
}

function isPrunedHere({ row, key }: Entry, { history, verdict }: Judged): boolean {
  const isOld = verdict.run !== null && verdict.run.startedAt < history.prunedBefore;
  return paymentUnder(history, verdict.target, row, key)?.pruned === true || isOld;
}

/** A refused call sends nothing, and says why. */
export function checkRefused(judged: Judged, say: Say): void {
  const { verdict, called, asked, dry, history, rules } = judged;
  const { summary } = called;
  const code = verdict.refused === 'usage' ? 2 : 3;
  if (called.code !== code || summary.stop_reason !== verdict.refused)
    say(`exit ${called.code}, ${summary.stop_reason}; it had to be refused: ${verdict.refused} (${verdict.why})`);
  if (summary.run !== null && code === 3) say(`a refused call names the run ${summary.run}`);
  if (asked.length > 0) say('a refused call has sent something');
  if (code === 2) return;
  if (verdict.refused === 'repeats' && ((summary.remedies ?? []) as unknown[]).length === 0 && summary.next === null)
    say('a refusal names no remedy');
  const similar = similarRowsIn(verdict.entries, { ...verdict.readings, invalidRowsAreSimilar: true });
  for (const [i, { status }] of toldOf(judged).entries()) {
    const entry = verdict.entries[i] as Entry;
    const expected = stateUnderKey(entry, verdict.fates[i] as Fate, verdict, history);
    // Which of them is a mistake, nobody can say.
    if (rules.strict && similar.has(entry)) expected.push('invalid');
    if (!expected.includes(String(status)) && !(dry && status === 'planned'))
      say(`${nameOf(entry)} is ${status} in a refusal instead of ${expected.join(' or ')}`);
  }
}

/** In a refusal each valid record has its payment's state; one that names another payment may have that one's. */
function stateUnderKey(entry: Entry, fate: Fate, { target }: Verdict, history: History): string[] {
  if (entry.key === null) return ['invalid'];
  const stateOf = (payment: Payment | null): string[] => {
    if (payment === null || payment.state === 'open') return ['not_sent'];
    if (isReplaced(payment, history)) return ['skipped', 'rejected'];
    return payment.state === 'created' ? ['already_created', 'skipped'] : [payment.state];
  };
  const own = stateOf(paymentUnder(history, target, entry.row, entry.key));
  const others = fate.is === 'repeat' || fate.is === 'left' ? [...stateOf(fate.standsFor), 'not_sent'] : [];
  return [...own, ...others, ...(fate.is === 'told' ? [fate.as] : [])];
}

/** A dry run promises what the next call does. */
export function checkPlanned(judged: Judged, say: Say): void {
  const { verdict, called, asked } = judged;
  if (asked.length > 0) say('a dry run has sent something');
  const all = toldOf(judged);
  for (const [i, { status }] of all.entries()) {
    const fate = verdict.fates[i] as Fate;
    const expected = fate.is === 'send' ? ['planned'] : statesOf(fate, null);
    if (!expected.includes(String(status)))
      say(`${nameOf(verdict.entries[i] as Entry)} is ${status} in a dry run instead of ${expected.join(' or ')}`);
  }
  const has = (...states: string[]): boolean => all.some(({ status }) => states.includes(String(status)));
  const codes = has('unknown') ? [0, 4, 5, 6] : [has('rejected', 'invalid') ? 4 : 0];
  // The rows of its rejects are not there any more.
  if (verdict.hasChangedFile && codes.includes(0)) codes.push(1);
  if (!codes.includes(called.code as number))
    say(`a dry run ends with ${called.code} instead of ${codes.join(' or ')}`);
}

/** What is told of each record is what became of it. To be called when the call is applied to the history. */
export function checkDone(judged: Judged, run: Run | null, say: Say): void {
  const { verdict } = judged;
  const all = toldOf(judged);
  for (const [i, { status, key, stands_for: standsFor }] of all.entries()) {
    const entry = verdict.entries[i] as Entry;
    const fate = verdict.fates[i] as Fate;
    const expected = statesOf(fate, run?.list[i]?.payment ?? null);
    if (!expected.includes(String(status))) say(`${nameOf(entry)} is ${status} instead of ${expected.join(' or ')}`);
    if (entry.key !== null && key !== entry.key) say(`${nameOf(entry)} has the key ${key} instead of ${entry.key}`);
    if (fate.is === 'left' && standsFor?.key !== fate.standsFor.key)
      say(`${nameOf(entry)} stands for ${standsFor?.key} instead of ${fate.standsFor.key}`);
  }
  checkWarnings(judged, say);
  checkEnding(
    judged,
    run,
    all.map(({ status }) => String(status)),
    say,
  );
}

function statesOf(fate: Fate, payment: Payment | null): string[] {
  if (fate.is === 'left') return [fate.standsFor.state === 'created' ? 'skipped' : 'unknown'];
  // What another record of the same input corrects is told as it stands before or after that.
  if (fate.is === 'told') return fate.as === 'rejected' ? ['rejected', 'skipped'] : [fate.as];
  if (fate.is !== 'send' || payment === null) return ['invalid'];
  return [payment.state === 'open' ? 'not_sent' : payment.state];
}

function checkWarnings({ verdict, called }: Judged, say: Say): void {
  for (const [code, count] of warningsOf(verdict))
    if (isTold(code, called) !== count > 0) say(`${code} is ${count > 0 ? 'not ' : ''}told of ${count}`);
}

/** Each with its count. */
export function warningsOf({ doubts, similarRows }: Verdict): [string, number][] {
  return [...Object.entries(doubts), ['similar-rows', similarRows.size]];
}

export function isTold(code: string, { events }: Called): boolean {
  return events.some((event) => event.event === 'issue' && event.code === code);
}

/** Only what was to be sent was sent; and all of it, unless something stopped the run or it was killed. */
export function checkSent(
  { verdict, asked, called }: Pick<Judged, 'verdict' | 'asked'> & { readonly called?: Called },
  run: Run | null,
  say: Say,
): void {
  const wanted = verdict.fates.flatMap((fate, i) => (fate.is === 'send' ? (run?.list[i]?.payment ?? []) : []));
  const mine = new Set(wanted.flatMap((payment) => asksFor(payment, asked)));
  for (const one of asked) if (!mine.has(one)) say(`sent although it was not to be sent: ${one.content} (${one.key})`);
  if (called === undefined || called.summary.stop_reason !== null || called.stopped) return;
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
export function checkShown(run: Run, history: History, document: Record<string, unknown>, say: Say): void {
  const outcomes = document['outcomes'] as { file: string; record: number; status: string }[];
  const listed = new Map(run.list.map((each) => [`${each.entry.file} ${each.entry.record}`, each]));
  if (outcomes.length !== run.list.length) say(`batch show lists ${outcomes.length} records of ${run.list.length}`);
  for (const { file, record, status } of outcomes) {
    const each = listed.get(`${file} ${record}`);
    const expected = each === undefined ? [] : shownAs(each, run, history);
    if (!expected.includes(status))
      say(`batch show: ${file} ${record} is ${status} instead of ${expected.join(' or ')}`);
  }
  if (document['exit_code'] !== run.exitCode)
    say(`batch show: exit ${String(document['exit_code'])} instead of ${run.exitCode}`);
  if ((document['closed'] !== null) !== run.closed) say('batch show and the oracle differ about its being closed');
}

function shownAs({ payment, standsFor }: Listed, { name }: Run, history: History): string[] {
  if (standsFor !== null) {
    if (standsFor.state === 'created') return ['skipped'];
    return standsFor.state === 'open' ? ['not_sent'] : [standsFor.state, 'not_sent'];
  }
  if (payment === null) return ['invalid'];
  if (isReplaced(payment, history))
    return [lastCorrection(payment, history).state === 'created' ? 'skipped' : 'rejected'];
  if (payment.state === 'open') {
    const { replacedBy } = payment;
    if (replacedBy === null) return ['not_sent'];
    // Other content has taken its place in a closed run: it is told as replaced.
    return ['not_sent', lastCorrection(replacedBy, history).state === 'created' ? 'skipped' : 'rejected'];
  }
  if (payment.state !== 'created') return [payment.state];
  return [payment.settledBy === name ? 'created' : 'already_created'];
}

/** The rejects hold what is to be corrected, with the keys of the payments that corrected rows replace. */
export function checkRejects(judged: Judged, words: readonly string[], folder: string, say: Say): void {
  const name = valueOf(words, '--rejects');
  const { refused, hasChangedFile } = judged.verdict;
  if (name === null || !name.endsWith('.csv') || refused === 'usage' || hasChangedFile) return;
  const lines = readFileSync(resolve(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  // A run that goes on writes them as its input was written, which its command does not say.
  const isCsv =
    words[1] === 'resume'
      ? lines[0]?.startsWith('{') === false
      : words.some((word) => word.endsWith('.csv') && word !== name);
  const { verdict, history } = judged;
  const isCorrected = (i: number): boolean => {
    const { row, key } = verdict.entries[i] as Entry;
    const own = paymentUnder(history, verdict.target, row, key);
    return own !== null && isReplaced(own, history);
  };
  const all = toldOf(judged);
  const told = all.filter(({ status }, i) => status === 'invalid' || (status === 'rejected' && !isCorrected(i)));
  // What another row of the same input corrects was not corrected when it was looked at.
  const isMoot = (i: number): boolean =>
    isCorrected(i) && verdict.entries.some(({ corrects }) => corrects?.key === verdict.entries[i]?.key);
  const moot = all.filter(({ status }, i) => status === 'rejected' && isMoot(i)).length;
  const surplus = lines.length - told.length - (isCsv ? 1 : 0);
  if (surplus < 0 || surplus > moot) say(`${lines.length} lines of rejects for ${told.length} records`);
  for (const { status, key } of told)
    if (status === 'rejected' && !lines.some((line) => line.includes(String(key))))
      say(`the rejects lack the key ${key}`);
}
