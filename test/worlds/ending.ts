/** How a call ended: its exit code, a way on for what is not paid, and what is told once. CONTRACT: "Exit codes". */
import { type Fate, isProtected } from './fates.js';
import type { Payment, Run } from './history.js';
import { differInDateAlone } from './likeness.js';
import { LEFT_OUT_IN_DOUBT } from './readings.js';
import type { Judged, Say } from './check.js';
import { sideOf } from './resembling.js';
import type { Answer } from './service.js';
import type { Rules } from './words.js';

/** Calling again may get further than these. */
const HELPED_BY_CALLING: readonly (string | null)[] = [null, 'unreachable', 'throttled', 'busy', 'journal'];

export function checkEnding(judged: Judged, run: Run | null, states: readonly string[], say: Say): void {
  const { code, summary, stderr } = judged.called;
  const codes = codesOf(judged, run, states);
  // The rows of its rejects are not there any more.
  if (judged.verdict.hasChangedFile && codes.includes(0)) codes.push(1);
  if (!codes.includes(code as number) || summary.exit_code !== code)
    say(`exit ${code} instead of ${codes.join(' or ')}`);
  if (summary.retry !== (code === 5)) say(`retry is ${summary.retry} with exit ${code}`);
  const isUndone = states.some((state) => state === 'unknown' || state === 'not_sent');
  const named = /gigwork'? batch (settle|resume) \S/.test(stderr);
  if (isUndone && summary.next === null && !named) say('something is not paid, and no way on is named');
  checkStop(judged, isUndone, say);
  checkNotices(judged, say);
}

/** The codes that fit, of which the first in the order 5, 6, 4 is meant. */
function codesOf({ verdict, called, now, rules }: Judged, run: Run | null, states: readonly string[]): number[] {
  const { stop_reason: stop } = called.summary;
  const isUndone = states.some((state) => state === 'unknown' || state === 'not_sent');
  if (stop === 'interrupted' && isUndone) return [130];
  const ofOne = (state: string, i: number): readonly number[] => {
    if (state === 'rejected' || state === 'invalid') return [4];
    if (state === 'not_sent') return [HELPED_BY_CALLING.includes(stop) ? 5 : 6];
    if (state !== 'unknown') return [0];
    if (verdict.fates[i]?.is === 'left') return LEFT_OUT_IN_DOUBT;
    const payment = run?.list[i]?.payment ?? null;
    if (payment === null || !isRetried(payment, rules, now, verdict)) return [6];
    // Its key protects it, and a person takes it for what it resembles.
    return verdict.fates[i]?.is === 'told' ? LEFT_OUT_IN_DOUBT : [5];
  };
  const all = states.map(ofOne);
  // A person wanted the run to stop here, or has to look at gigs in doubt: that comes first.
  if (isUndone && (stop === 'too_many_rejected' || stop === 'tls' || stop === 'in_doubt')) return [6];
  const order = [5, 6, 4, 0];
  const least = all.filter((each) => each.length === 1).flat();
  const certain = order.find((code) => least.includes(code)) ?? 0;
  const others = all.filter((each) => each.length > 1).flat();
  const isEither = others.length > 0;
  const possible = others.filter((code) => order.indexOf(code) < order.indexOf(certain));
  return isEither && certain !== 5 && certain !== 6 ? possible : [certain, ...possible];
}

function isRetried(payment: Payment, rules: Rules, now: number, { readings }: Judged['verdict']): boolean {
  return payment.wasCutOff && isProtected(payment, rules, now, readings);
}

function checkStop({ called, asked, rules }: Judged, isUndone: boolean, say: Say): void {
  const { stop_reason: stop } = called.summary;
  const was = (...answers: Answer[]): boolean => asked.some(({ answer }) => answers.includes(answer));
  // Three gigs in doubt in a row.
  const hasGigsInDoubt = asked.filter(({ type, answer }) => type === 'gig' && IN_DOUBT.includes(answer)).length >= 3;
  const reason: Record<string, boolean> = {
    unauthorized: was('unauthorized'),
    redirected: was('redirected', 'redirected-done', 'moved'),
    wrong_target: was('garbled', 'garbled-done') || asked.every(({ answer }) => answer === 'missing'),
    unreachable: was('lost', 'lost-done'),
    interrupted: called.stopped,
    in_doubt: hasGigsInDoubt,
    too_many_rejected: rules.stopAfter !== null && was('refused', 'missing', 'conflict'),
    throttled: was('busy'),
    null: true,
  };
  if (reason[String(stop)] !== true) say(`it stopped for no reason: ${stop}`);
  const stops = was('unauthorized', 'redirected', 'redirected-done', 'moved');
  if (stops && stop === null && isUndone) say('the run went on after an answer that stops it');
}

const IN_DOUBT: readonly Answer[] = ['lost', 'lost-done', 'failed', 'failed-done', 'garbled', 'garbled-done'];

const LATELY = 6 * 24 * 3_600_000;

interface Notice {
  readonly code: string;
  readonly count: number;
}

/** What was paid before is told once: by this call's batch, and by others. */
function checkNotices({ called, verdict, history, startedAt }: Judged, say: Say): void {
  const notices = (called.summary.notices ?? []) as readonly Notice[];
  const told = (code: string): number =>
    notices.filter((each) => each.code === code).reduce((sum, { count }) => sum + count, 0);
  const { already_created: already, skipped } = called.summary.records as Record<string, number>;
  if (told('already-created') !== already) say(`${told('already-created')} already created in the notices`);
  if (told('skipped') !== skipped) say(`${told('skipped')} skipped in the notices`);
  const news = verdict.fates.flatMap((fate, i) => (isNew(fate) ? (verdict.entries[i] ?? []) : []));
  // What other records of the input stand for is no news.
  const taken = new Set(
    verdict.fates.flatMap((fate) => (fate.is === 'told' ? [fate.payment] : fate.is === 'left' ? [fate.standsFor] : [])),
  );
  const paid = history.payments.filter(
    (each) =>
      each.target === verdict.target && each.state === 'created' && each.changedAt < startedAt && !taken.has(each),
  );
  const inOthers = news.some(({ content }) =>
    // What was paid lately is a similar record, which is told as that.
    paid.some(
      (each) => each.batch !== verdict.batch && each.content === content && startedAt - each.changedAt >= LATELY,
    ),
  );
  // Of what is similar, a person was told otherwise.
  if (inOthers && verdict.similar === 0 && verdict.batch !== 'default' && told('paid-in-batch') === 0)
    say('nothing is said of payments in other batches');
  const onOthers = news.some((entry) =>
    paid.some((each) => each.batch === verdict.batch && differInDateAlone(sideOf(each, verdict.readings), entry)),
  );
  if (onOthers && verdict.similar === 0 && told('other-date') === 0)
    say('nothing is said of payments that differ in their date alone');
}

function isNew(fate: Fate): boolean {
  return fate.is === 'send' && fate.payment === null;
}
