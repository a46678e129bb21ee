/** Approvals: what differs between what was approved and what would be sent. PURE. */
import type { Prepared } from '../batch/prepare.js';
import type { ApprovedFlags, ApprovedRun } from '../ledger/event.js';
import type { Decisions } from '../ledger/payment.js';
import { formatDecimal } from '../money/decimal.js';
import { startTotals, sumByCurrency, type TotalRow } from '../money/totals.js';
import type { FileApproval, RunOptions } from '../options.js';
import type { RecordType } from '../records/kind.js';
import { KINDS, withUnit } from '../records/kinds.js';
import { personWords } from '../report/table.js';
import { DEFAULT_LIFETIME_MS } from './doubt.js';

const HOUR_MS = 3_600_000;

/** A run that would be sent. In a dry run without a target, nobody knows its digest. */
export interface FoundRun extends Omit<ApprovedRun, 'target' | 'digest'> {
  readonly target: string | null;
  readonly digest: string | null;
}

/** @param decisions what was decided about repeats, by flag or in the review */
export function foundRun(
  { entries, files }: Prepared,
  digest: string | null,
  decisions: Decisions,
  options: RunOptions,
): FoundRun {
  const totals = startTotals();
  entries.total(totals, (status) => (status === 'invalid' ? null : ''));
  const rows = totals.rows();
  return {
    target: options.target?.name ?? null,
    batchId: options.safety.batchId,
    digest,
    count: rows.reduce((sum, { count }) => sum + count, 0),
    totals: rows,
    flags: flagsOf(decisions, options),
    files: files.map(({ path, sha256, records }) => ({ path, sha256, records })),
  };
}

export function flagsOf(decisions: Decisions, { safety, resume }: RunOptions): ApprovedFlags {
  return {
    skipCreated: decisions.skipCreated,
    skipSimilar: decisions.skipSimilar,
    sendSimilar: decisions.sendSimilar,
    skipInvalid: resume === null ? safety.skipInvalid : null,
    keyColumns: resume === null ? safety.keyColumns : null,
    resendUnknown: safety.resendUnknown,
    keyLifetimeHours: (safety.keyLifetimeMs ?? DEFAULT_LIFETIME_MS) / HOUR_MS,
  };
}

/** Why an approval does not allow a run, with everything that differs; empty where it does. */
export function approvalFaults(approval: FileApproval, found: FoundRun): string[] {
  const differences = differencesOf(approval, found);
  if (differences.length === 0) return [];
  return [
    `--approval ${approval.file} is for another run than this one, so nothing is sent. What differs from what ${personWords(approval.by)} approved:`,
    ...differences.map((words) => `- ${words}`),
  ];
}

export function differencesOf(approved: ApprovedRun, found: FoundRun): string[] {
  const differences = [
    ...differs('target', approved.target, found.target ?? 'none, since this is a dry run without one'),
    ...differs('batch', approved.batchId, found.batchId),
    ...flagDifferences(approved.flags, found.flags),
    ...differs('count', `${approved.count} valid records`, `${found.count}`, approved.count === found.count),
    ...totalDifferences(approved.totals, found.totals),
  ];
  if (differences.length > 0 || approved.digest === found.digest) return differences;
  return [
    `records: at least one is another one now, or they stand in another order (approved: digest ${approved.digest}; this run: ${found.digest ?? 'none'})`,
  ];
}

function differs(what: string, approved: string, found: string, isSame = approved === found): string[] {
  return isSame ? [] : [`${what}: approved was ${approved}, this run has ${found}`];
}

/** Each flag as it is typed; empty where it is not in force, null where it was not decided by this call. */
function typedFlags(flags: ApprovedFlags): readonly (readonly [name: string, typed: string | null])[] {
  const { skipCreated, skipSimilar, sendSimilar, skipInvalid, keyColumns, resendUnknown, keyLifetimeHours } = flags;
  const plain = (name: string, isOn: boolean | null): readonly [string, string | null] => [
    name,
    isOn === null ? null : isOn ? name : '',
  ];
  return [
    plain('--skip-created', skipCreated),
    plain('--skip-similar', skipSimilar),
    ['--send-similar', sendSimilar === null ? '' : `--send-similar ${sendSimilar}`],
    plain('--skip-invalid', skipInvalid),
    ['--key-columns', keyColumns === null ? null : typedList('--key-columns', keyColumns)],
    plain('--resend-unknown', resendUnknown),
    ['--key-lifetime', `--key-lifetime ${keyLifetimeHours}`],
  ];
}

function typedList(name: string, values: readonly string[]): string {
  return values.length === 0 ? '' : `${name} ${values.join(',')}`;
}

export function flagDifferences(approved: ApprovedFlags, found: ApprovedFlags): string[] {
  const now = new Map(typedFlags(found));
  return typedFlags(approved).flatMap(([name, before]) => {
    const after = now.get(name) ?? null;
    if (before === null || after === null || before === after) return [];
    return [
      `flags: approved ${before === '' ? `without ${name}` : `with ${before}`}, this run is ${after === '' ? 'without it' : `with ${after}`}`,
    ];
  });
}

/** Differences of cost centers that are told. */
const MOST_TOLD = 5;

/** By type and currency; where all of these agree, by cost center: money may have moved between them. */
function totalDifferences(approved: readonly TotalRow[], found: readonly TotalRow[]): string[] {
  const sums = rowDifferences(sumByCurrency(approved), sumByCurrency(found));
  const all = sums.length > 0 ? sums : rowDifferences(approved, found);
  const more = all.length - MOST_TOLD;
  return more <= 0 ? all : [...all.slice(0, MOST_TOLD), `total: ${more} more are other ones`];
}

function rowDifferences(approved: readonly TotalRow[], found: readonly TotalRow[]): string[] {
  const before = new Map(approved.map((row) => [nameOf(row), figureOf(row)]));
  const after = new Map(found.map((row) => [nameOf(row), figureOf(row)]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    differs(`total of ${name}`, before.get(name) ?? 'none', after.get(name) ?? 'none'),
  );
}

function nameOf({ type, currency, costCenter }: TotalRow): string {
  const { plural } = KINDS[type as RecordType];
  return `${plural}${currency === null ? ' without a currency' : ` in ${currency}`}${costCenter === null ? '' : `, cost center ${costCenter}`}`;
}

/** Plain digits, as in the messages of `--expect-total`. */
function figureOf({ type, amount, unpriced }: TotalRow): string {
  const text = withUnit(formatDecimal(amount), type as RecordType);
  return unpriced === 0 ? text : `${text} and ${unpriced} without a known price`;
}
