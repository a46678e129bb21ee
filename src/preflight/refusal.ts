/** What refuses a run before anything is sent: the first reason by rank, and all of them in words. */
import type { Prepared } from '../batch/prepare.js';
import type { Run } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { TotalRow } from '../money/totals.js';
import { counted } from '../report/table.js';
import type { Assessment } from './assess.js';
import { controlFaults } from './control.js';
import type { Issues } from './issues.js';
import type { Known } from './known.js';
import { dayOf } from './repeat-words.js';
import type { Repeat } from './repeats.js';

/** In the order in which the first one is named. CONTRACT: "Record states". */
export type RefusalReason = 'invalid_input' | 'repeats' | 'control_total' | 'not_confirmed';

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
}

/** Null when nothing refuses the run. Gives all reasons, so that a person who corrects one learns of the others too. */
export function refusalOf(judged: Judged, issues: Issues, options: RunOptions): Refusal | null {
  const { safety } = options;
  const { prepared, records, totals, digest } = judged;
  const found: [RefusalReason, readonly string[]][] = [
    ['invalid_input', issues.refusal(prepared, records, safety.skipInvalid)],
    ['repeats', repeatWords(judged, issues, options)],
    ['control_total', controlFaults(safety, { count: records.valid, totals, digest })],
  ];
  const first = found.find(([, words]) => words.length > 0);
  return first === undefined ? null : { reason: first[0], words: found.flatMap(([, words]) => words) };
}

/** What repeats, and each remedy with the case that it is for. */
function repeatWords({ assessment, known }: Judged, issues: Issues, options: RunOptions): string[] {
  const { repeats, similar } = assessment.undecided;
  const words: string[] = [];
  if (similar !== null && options.safety.decisions.sendSimilar !== null)
    words.push(
      `--send-similar says ${options.safety.decisions.sendSimilar}, but ${similar === 1 ? '1 record is' : `${similar} records are`} similar to what was sent before`,
    );
  if (repeats.length > 0) words.push(...remedies(repeats, known, options));
  if (issues.historyDoubts > 0)
    words.push(
      `--strict: ${counted(issues.historyDoubts, 'warning about earlier payments stands', 'warnings about earlier payments stand')} above; nothing is sent`,
    );
  return words;
}

function remedies(repeats: readonly Repeat[], known: Known, options: RunOptions): string[] {
  const similar = repeats.filter(({ code }) => code === 'similar-record').length;
  const same = repeats.length - similar;
  const found = [
    ...(same === 0 ? [] : [`${counted(same, 'record was', 'records were')} sent before`]),
    ...(similar === 0 ? [] : [`${counted(similar, 'record is', 'records are')} similar to what was sent before`]),
  ].join(', ');
  const skip = similar === 0 ? '--skip-created' : same === 0 ? '--skip-similar' : '--skip-created --skip-similar';
  return [
    `${found}; nothing is sent until you say what they are:`,
    ...resumeWords(repeats, known, options),
    `- they were paid already: ${skip} leaves them out and sends the others`,
    `- they are for another period or purpose: name it with --batch-id, such as --batch-id ${exampleBatch(options)}`,
    ...(similar === 0 || known.run !== null
      ? []
      : [`- the similar ones are payments of their own: --send-similar ${similar} sends them in addition`]),
  ];
}

/** A month that is not the batch of this call. */
function exampleBatch({ now, safety }: RunOptions): string {
  const month = new Date(now()).toISOString().slice(0, 7);
  return safety.batchId === month ? `${month}-b` : month;
}

/** Unfinished runs that hold records of the input come first: going on with one pays nobody twice. */
function resumeWords(repeats: readonly Repeat[], known: Known, options: RunOptions): string[] {
  const runs = new Map<string, { startedAt: number; open: number }>();
  for (const run of known.unfinished) runs.set(run.name, { startedAt: run.startedAt, open: 0 });
  for (const {
    standsFor: { run, state },
  } of repeats) {
    if (run.isEnded || state === 'rejected') continue;
    const { open = 0 } = runs.get(run.name) ?? {};
    runs.set(run.name, { startedAt: run.startedAt, open: open + (state === 'created' ? 0 : 1) });
  }
  return [...runs]
    .filter(([name, { open }]) => open > 0 || known.unfinished.some((run: Run) => run.name === name))
    .map(([name, { startedAt, open }]) => {
      const what = open === 0 ? 'is not finished' : `has ${counted(open, 'of these records', 'of these records')} open`;
      return `- run ${name} of ${dayOf(startedAt)} ${what}. To go on with it: gigwork batch resume ${name}${options.onward.resume}`;
    });
}
