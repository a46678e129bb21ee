/** Why a run is refused before anything is sent: the first reason by rank, and the text of all reasons. */
import { compare, formatDecimal } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { ExpectedTotal, RunOptions } from '../options.js';
import { pluralize } from '../report/table.js';
import { approvalDifferences, describeRun } from './approval.js';
import type { RepeatCode } from './disposition.js';
import type { IssueLog } from './issue-log.js';
import type { Assessment } from './assessment.js';

/** The first one that applies is named. CONTRACT: "Record states". */
export type RefusalReason = 'invalid_input' | 'repeats' | 'control_total' | 'not_approved' | 'not_confirmed' | 'busy';

export interface Refusal {
  readonly reason: RefusalReason;
  /** Whole sentences, without commands. */
  readonly reasons: readonly string[];
}

/** Null if nothing refuses the run. Has all reasons: a person who corrects one learns of the others too. */
export function refusalOf(assessment: Assessment, issues: IssueLog, options: RunOptions): Refusal | null {
  const { approval } = options.safety;
  const found: [RefusalReason, readonly string[]][] = [
    // Records that --skip-invalid skips refuse nothing.
    ['invalid_input', issues.refusal(assessment)],
    ['repeats', repeatReasons(assessment, issues)],
    ['control_total', controlFaults(assessment, options)],
    ['control_total', approval === null ? [] : approvalDifferences(approval, describeRun(assessment, options))],
  ];
  const first = found.find(([, words]) => words.length > 0);
  if (first === undefined) return null;
  return { reason: first[0], reasons: found.flatMap(([, words]) => words) };
}

function repeatReasons({ undecided }: Assessment, { historyDoubts }: IssueLog): string[] {
  const words: string[] = [];
  if (undecided.length > 0) {
    const found = FOUND.flatMap(([code, one, many]) => {
      const { length } = undecided.filter((repeat) => repeat.code === code);
      return length === 0 ? [] : pluralize(length, one, many);
    });
    words.push(found.join(', '));
  }
  if (historyDoubts > 0)
    words.push(
      `--strict: ${pluralize(historyDoubts, 'warning', 'warnings')} about earlier payments (above). Do what each says. Only if all of that is as it should be, run it again without --strict`,
    );
  return words;
}

/** In the order of the message. */
const FOUND: readonly (readonly [code: RepeatCode, one: string, many: string])[] = [
  ['created-before', 'record was or may have been paid before', 'records were or may have been paid before'],
  [
    'other-batch',
    'record was paid in another batch, under its own key',
    'records were paid in another batch, under their own keys',
  ],
  [
    'open-before',
    'record is open in another run, or looks like one that is',
    'records are open in another run, or look like ones that are',
  ],
  ['not-rejected', 'row corrects a payment that was not refused', 'rows correct payments that were not refused'],
  ['similar-record', 'record is similar to an earlier payment', 'records are similar to earlier payments'],
];

/** Where the read values differ from those that the person expects of the file. CONTRACT: `--expect-…`. */
function controlFaults({ records: { valid }, totals, digest }: Assessment, { safety }: RunOptions): string[] {
  const { expectCount, expectTotal, expectDigest } = safety;
  const sums = sumByCurrency(totals);
  const faults = expectTotal.flatMap((total) => totalFault(total, sums) ?? []);
  if (expectCount !== null && expectCount !== valid)
    faults.unshift(`--expect-count says ${expectCount} valid records, the input has ${valid}`);
  if (expectDigest !== null && expectDigest.toLowerCase() !== digest)
    faults.push(
      `--expect-digest says ${expectDigest}, this run's digest is ${digest ?? 'not known, since there is no target'}: it is not the run that was approved`,
    );
  return faults;
}

function totalFault({ typed, type, currency, amount }: ExpectedTotal, sums: readonly TotalRow[]): string | null {
  const said = `--expect-total ${typed}`;
  const [sum, ...others] = sums.filter(
    (each) => (type === null || each.type === type) && (currency === undefined || each.currency === currency),
  );
  if (sum === undefined) {
    // An input without any total counts as zero. If there are other totals, a missing total is an error.
    if (sums.length === 0 && amount.units === 0n) return null;
    const found = sums.map((each) => `${totalName(each)} ${formatDecimal(each.amount)}`).join(', ');
    return `${said} fits no total; the input has ${found === '' ? 'no records' : found}`;
  }
  if (others.length > 0)
    return `${said} fits several totals (${[sum, ...others].map(totalName).join(', ')}); name one, such as --expect-total ${totalName(sum)}=AMOUNT`;
  if (sum.unpriced > 0)
    return `${said} cannot be held against ${totalName(sum)}: ${sum.unpriced} of its records have no known price`;
  if (compare(sum.amount, amount) === 0) return null;
  return `${said}, but the input's total ${totalName(sum)} is ${formatDecimal(sum.amount)}`;
}

function totalName({ type, currency }: TotalRow): string {
  return `${type}/${currency ?? 'none'}`;
}
