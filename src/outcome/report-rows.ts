/** What a call gives to its report files: the head, and a row for each record. */
import { placeText } from '../util/shell-word.js';
import type { Prepared } from '../batch/prepare.js';
import type { Entries } from '../batch/table.js';
import { idIn } from '../delivery/http/answer.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Run, StoredOutcome } from '../ledger/payment.js';
import { formatDecimal } from '../money/decimal.js';
import type { RunOptions } from '../options.js';
import type { ReportHead, ReportRow } from '../report/formats.js';
import { countEntries } from './summary.js';

export interface OutputContext {
  readonly prepared: Prepared;
  readonly digest: string | null;
  /** Where ids and answers are; null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly run: Run | null;
  /** Why the run was refused; empty for one that was not. */
  readonly refusal: readonly string[];
}

/** @param madeAt milliseconds since 1970 */
export function headOf(
  options: RunOptions,
  { prepared, digest, run, refusal }: OutputContext,
  madeAt: number,
): ReportHead {
  const { records, totals } = countEntries(prepared.entries);
  return {
    command: options.command,
    run: run?.name ?? null,
    target: options.target?.name ?? null,
    batchId: options.safety.batchId,
    digest,
    dryRun: options.safety.dryRun,
    refusal,
    files: prepared.files,
    records: { ...records },
    totals,
    startedAt: run?.startedAt ?? null,
    by: (run ?? options.caller).by,
    version: (run ?? options.caller).version,
    madeAt,
    journalFlags: placeText(options.place, options.platform),
    resumeFlags: options.onward.resume,
    platform: options.platform,
  };
}

/** Records whose outcomes are asked for at once. */
const PAGE = 1000;

/** The call's records in the order of the input, with what the ledger knows of each. @param idPath where an answer has its id */
export async function* rowsOf({ prepared, ledger, run }: OutputContext, idPath: string): AsyncIterable<ReportRow> {
  const { entries } = prepared;
  for (let from = 0; from < entries.length; from += PAGE) {
    const to = Math.min(from + PAGE, entries.length);
    const asked = range(from, to).filter((index) => hasOutcome(index, entries, run));
    const outcomes = (await ledger?.outcomes(asked.map((index) => entries.payment(index)))) ?? [];
    const known = new Map(asked.map((index, i) => [index, outcomes[i] ?? null]));
    for (let index = from; index < to; index++) yield rowOf(index, known.get(index) ?? null, prepared, idPath);
  }
}

/** Where no run began, what was refused, or only planned, has no answer; what earlier runs settled has theirs. */
function hasOutcome(index: number, entries: Entries, run: Run | null): boolean {
  if (entries.payment(index) === 0) return false;
  return run !== null || !['invalid', 'not_sent', 'planned'].includes(entries.status(index));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function rowOf(index: number, outcome: StoredOutcome | null, { entries, files }: Prepared, idPath: string): ReportRow {
  const { file, ...place } = entries.placeOf(index);
  const { type, currency, costCenter } = entries.groupOf(index);
  const isValid = entries.isValid(index);
  const amount = isValid ? entries.amount(index) : null;
  const known = isValid ? outcome : null;
  return {
    file: files[file]?.path ?? '',
    ...place,
    type,
    key: entries.key(index),
    status: entries.status(index),
    httpStatus: known?.httpStatus ?? null,
    id: idIn(known?.response ?? null, idPath),
    amount: amount === null ? null : formatDecimal(amount),
    currency,
    costCenter,
    error: entries.error(index) ?? known?.error ?? null,
  };
}
