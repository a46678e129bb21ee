/** What refuses a run before anything is sent: the first reason by rank, and all of them in words. */
import type { Prepared } from '../batch/prepare.js';
import type { Decisions } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { TotalRow } from '../money/totals.js';
import { counted } from '../report/table.js';
import { approvalFaults, foundRun } from './approval.js';
import type { Assessment } from './assess.js';
import { controlFaults } from './control.js';
import type { Issues } from './issues.js';
import { remediesOf, remedyLines } from './remedies.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** In the order in which the first one is named. CONTRACT: "Record states". */
export type RefusalReason = 'invalid_input' | 'repeats' | 'control_total' | 'not_approved' | 'not_confirmed' | 'busy';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly words: readonly string[];
}

export interface Judged {
  readonly prepared: Prepared;
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

/** What repeats, and each way out with the case that it is for. */
function repeatWords({ prepared, assessment }: Judged, issues: Issues, options: RunOptions): string[] {
  const { repeats, similar } = assessment.undecided;
  const words: string[] = [];
  if (similar !== null)
    words.push(
      `--send-similar allows ${options.safety.decisions.sendSimilar}, but ${counted(similar, 'record is', 'records are')} similar to earlier payments`,
    );
  if (repeats.length > 0)
    words.push(foundWords(repeats), ...remedyLines(remediesOf(prepared, assessment, options), options.platform));
  if (issues.historyDoubts > 0)
    words.push(
      `--strict: ${counted(issues.historyDoubts, 'warning', 'warnings')} about earlier payments (above), so nothing is sent. If all of that is as it should be, run it again without --strict`,
    );
  return words;
}

function foundWords(repeats: readonly Repeat[]): string {
  const some = (code: RepeatCode, one: string, many: string): string[] => {
    const count = repeats.filter((repeat) => repeat.code === code).length;
    return count === 0 ? [] : [counted(count, one, many)];
  };
  const found = [
    ...some('created-before', 'record was or may have been paid before', 'records were or may have been paid before'),
    ...some('open-before', 'record is open in another run', 'records are open in another run'),
    ...some(
      'not-rejected',
      'row corrects a payment that is not rejected',
      'rows correct payments that are not rejected',
    ),
    ...some('similar-record', 'record is similar to an earlier payment', 'records are similar to earlier payments'),
  ];
  return `${found.join(', ')}. Nothing was sent. Choose what is true:`;
}
