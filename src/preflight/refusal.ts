/** What refuses a run before anything is sent: the first reason by rank, and all of them in words. */
import type { Prepared } from '../batch/prepare.js';
import type { Decisions } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { TotalRow } from '../money/totals.js';
import { counted, countText } from '../report/table.js';
import { approvalFaults, foundRun } from './approval.js';
import type { Assessment } from './assess.js';
import { controlFaults } from './control.js';
import type { Issues } from './issues.js';
import type { Known } from './known.js';
import { furtherWords } from '../util/shell-word.js';
import { dayOf, exampleBatch } from './repeat-words.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** In the order in which the first one is named. CONTRACT: "Record states". */
export type RefusalReason = 'invalid_input' | 'repeats' | 'control_total' | 'not_approved' | 'not_confirmed';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly words: readonly string[];
}

export interface Judged {
  readonly prepared: Prepared;
  readonly known: Known;
  readonly assessment: Assessment;
  /** Over the valid records. */
  readonly records: { readonly valid: number; readonly invalid: number };
  readonly totals: readonly TotalRow[];
  readonly digest: string | null;
  /** What was decided about repeats, by flag or in the review. */
  readonly decisions: Decisions;
}

/** Null when nothing refuses the run. Gives all reasons, so that a person who corrects one learns of the others too. */
export function refusalOf(judged: Judged, issues: Issues, options: RunOptions): Refusal | null {
  const { safety } = options;
  const { prepared, records, totals, digest, decisions } = judged;
  const found: [RefusalReason, readonly string[]][] = [
    ['invalid_input', issues.refusal(prepared, records, safety.skipInvalid)],
    ['repeats', repeatWords(judged, issues, options)],
    ['control_total', controlFaults(safety, { count: records.valid, totals, digest })],
    [
      'control_total',
      safety.approval === null ? [] : approvalFaults(safety.approval, foundRun(prepared, digest, decisions, options)),
    ],
  ];
  const first = found.find(([, words]) => words.length > 0);
  return first === undefined ? null : { reason: first[0], words: found.flatMap(([, words]) => words) };
}

/** What repeats, and each remedy with the case that it is for. */
function repeatWords(judged: Judged, issues: Issues, options: RunOptions): string[] {
  const { repeats, similar } = judged.assessment.undecided;
  const words: string[] = [];
  if (similar !== null && options.safety.decisions.sendSimilar !== null)
    words.push(
      `--send-similar says ${options.safety.decisions.sendSimilar}, but ${counted(similar, 'record is', 'records are')} similar to what was sent before`,
    );
  if (repeats.length > 0) words.push(...remedies(judged, options));
  if (issues.historyDoubts > 0)
    words.push(
      `--strict: ${counted(issues.historyDoubts, 'warning', 'warnings')} about earlier payments (above), so nothing is sent; if all of that is as it should be, run it again without --strict`,
    );
  return words;
}

function remedies({ prepared, assessment, known, decisions }: Judged, options: RunOptions): string[] {
  const { repeats } = assessment.undecided;
  const count = (...codes: readonly RepeatCode[]): number => repeats.filter(({ code }) => codes.includes(code)).length;
  const [sent, open, similar] = [
    count('created-before', 'same-content'),
    count('open-before'),
    count('similar-record'),
  ];
  const found = [
    ...(sent === 0 ? [] : [`${counted(sent, 'record was', 'records were')} sent before`]),
    ...(open === 0 ? [] : [`${counted(open, 'record is', 'records are')} still open in another run`]),
    ...(similar === 0 ? [] : [`${counted(similar, 'record is', 'records are')} similar to what was sent before`]),
  ].join(', ');
  // What was answered in the review is not on the command line.
  const isSkipped = decisions.skipCreated && !options.safety.decisions.skipCreated;
  return [
    `${found}. Nothing is sent until you say what they are:`,
    ...unfinishedWords(repeats, known, options).map((words) => `- ${words}`),
    ...(sent + similar === 0 ? [] : [paidWords(sent, similar, open)]),
    ...(open === 0 || sent + similar > 0
      ? []
      : ['- they are to be paid by this run: --skip-created sends them, each once, and the other run leaves them']),
    ...(hasOtherPurpose(repeats, known)
      ? [otherPurposeWords(prepared, assessment, skipFlags(sent + open > 0, similar > 0), options)]
      : []),
    ...(repeats.some(({ corrects }) => corrects === true) ? [CORRECTS] : []),
    ...(similar === 0 ? [] : [ownWords({ others: sent + open, similar, isSkipped }, known, options)]),
  ];
}

/** Their key is that of a payment, in every batch. */
const CORRECTS =
  '- rows with a gigwork_key that are payments of their own after all: empty that column in them, and import the file again';

function paidWords(sent: number, similar: number, open: number): string {
  const sends =
    open === 0 ? 'sends the others' : 'sends the others, also those that are open in another run, each once';
  return `- they were paid already: ${skipFlags(sent + open > 0, similar > 0)} leaves them out and ${sends}`;
}

/** Whether all other records are new: another batch would pay once more what was created before, or was left out for it. */
export function isAllNews({ fates, undecided }: Assessment): boolean {
  const asked = new Set(undecided.repeats.map(({ index }) => index));
  return fates.every(
    (fate, index) =>
      fate === null || asked.has(index) || fate.what === 'conflict' || (fate.what === 'send' && fate.payment === null),
  );
}

/**
 * A row that corrects what is not rejected any more is no payment of another purpose. Neither is a record of a run that goes
 * on, which has its batch: where it is only similar to what came since, it is a payment of its own, or was paid.
 */
export function hasOtherPurpose(repeats: readonly Repeat[], known: Known): boolean {
  return repeats.some(({ corrects, code }) => corrects !== true && (known.run === null || code !== 'similar-record'));
}

/** @param skips what leaves the records out */
function otherPurposeWords(prepared: Prepared, assessment: Assessment, skips: string, options: RunOptions): string {
  const flag = `--batch-id ${exampleBatch(options)}`;
  if (isAllNews(assessment))
    return `- they are for another period or purpose: name it with --batch-id, such as ${flag}`;
  const them = hasEquals(prepared, assessment) ? 'these records, and those that equal them,' : 'these records';
  return `- they are for another period or purpose: put ${them} alone into a file of their own, import it with a name for that, such as ${flag}, and leave them out here with ${skips}`;
}

/**
 * Whether records that would be sent equal some that are asked about. Once these are paid elsewhere, they count as payments
 * of that content, and a record that equals them would be left out beside them.
 */
function hasEquals({ entries }: Prepared, { fates, undecided }: Assessment): boolean {
  const asked = new Set(undecided.repeats.map(({ index }) => index));
  const contents = new Set(Array.from(asked, (index) => entries.content(index)));
  return fates.some(
    (fate, index) => fate?.what === 'send' && !asked.has(index) && contents.has(entries.content(index)),
  );
}

function skipFlags(same: boolean, similar: boolean): string {
  return [...(same ? ['--skip-created'] : []), ...(similar ? ['--skip-similar'] : [])].join(' ');
}

/** A run keeps what was decided when it began, so that it is named where something else is decided now. */
function ownWords(
  { others, similar, isSkipped }: { readonly others: number; readonly similar: number; readonly isSkipped: boolean },
  known: Known,
  options: RunOptions,
): string {
  const flags = `${others === 0 && !isSkipped ? '' : '--skip-created '}--send-similar ${similar}`;
  const what =
    others === 0
      ? 'they are payments of their own'
      : 'the similar ones are payments of their own, and the others were paid already';
  return known.run === null || options.resume !== null
    ? `- ${what}: ${flags} sends the similar ones in addition`
    : `- ${what}. To send the similar ones in addition: gigwork batch resume ${known.run.name}${furtherWords(options.onward.resume, options.platform)} ${flags}`;
}

/**
 * Unfinished runs that hold records of the input come first: going on with one pays nobody twice. Where it has not all of
 * these records, nobody is to forget the others over it.
 */
export function unfinishedWords(
  repeats: readonly Repeat[],
  known: Known,
  options: Pick<RunOptions, 'onward' | 'platform'>,
): string[] {
  const runs = new Map<string, { startedAt: number; open: number }>();
  for (const run of known.unfinished) runs.set(run.name, { startedAt: run.startedAt, open: 0 });
  for (const {
    standsFor: { run, state },
  } of repeats) {
    if (run.isEnded || state === 'rejected' || state === 'created') continue;
    const { open = 0 } = runs.get(run.name) ?? {};
    runs.set(run.name, { startedAt: run.startedAt, open: open + 1 });
  }
  return [...runs].map(([name, { startedAt, open }]) => {
    const what = open === 0 ? 'is not finished' : `has ${countText(open)} of these records open`;
    const isSame = known.unfinished.some((run) => run.name === name);
    const how = isSame ? 'To go on with it' : 'Go on with it first, then run this again';
    return `run ${name} of ${dayOf(startedAt)} ${what}. ${how}: gigwork batch resume ${name}${furtherWords(options.onward.resume, options.platform)}`;
  });
}
