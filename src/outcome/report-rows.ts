/** What a run gives to its report files: the head, and a row for each record. */
import type { Journal } from '../journal/journal.js';
import type { Outcome } from '../journal/record.js';
import { formatDecimal } from '../money/decimal.js';
import type { ReportHead, ReportRow } from '../report/formats.js';
import { idIn } from '../delivery/http/answer.js';
import { journalWords } from './next-command.js';
import type { RunOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import { repeatFinding } from '../preflight/repeat-words.js';
import { repeatAt } from '../preflight/repeats.js';
import type { Standing } from '../preflight/standing.js';
import { countEntries } from './summary.js';

export interface OutputContext {
  readonly prepared: Prepared;
  readonly standing: Standing;
  /** With `run`: where ids and answers are. */
  readonly journal: Journal | null;
  readonly run: string | null;
  /** Why the run was refused; empty for one that was not. */
  readonly refusal: readonly string[];
}

/** @param madeAt milliseconds since 1970 */
export function headOf(
  options: RunOptions,
  { prepared, standing, journal, run, refusal }: OutputContext,
  madeAt: number,
): ReportHead {
  const { records, totals } = countEntries(prepared.entries);
  return {
    command: options.command,
    run,
    target: options.target?.name ?? null,
    batchId: options.safety.batchId,
    digest: standing.digest,
    dryRun: options.safety.dryRun,
    refusal,
    files: prepared.files,
    records: { ...records },
    totals,
    startedAt: run === null ? null : (journal?.runNamed(run)?.startedAt ?? null),
    madeAt,
    journalFlags: journalWords(options),
    platform: options.platform,
  };
}

/** The run's records in input order, with what the journal knows of each. */
export function* rowsOf(
  { prepared, standing, journal, run, refusal }: OutputContext,
  idPath: string,
): Iterable<ReportRow> {
  const { entries } = prepared;
  const stored = journal === null || run === null ? null : journal.runNamed(run);
  const { repeats } = standing.comparison;
  const unsettled = (at: number): ReportRow => {
    const row = rowOf(at, standing.earlier(at), prepared, idPath);
    const repeat = refusal.length > 0 && row.error === null ? repeatAt(repeats, at) : null;
    return repeat?.counts === true ? { ...row, error: repeatFinding(repeat, true).message } : row;
  };
  let index = 0;
  if (stored !== null && journal !== null) {
    for (const { index: place, outcome } of journal.outcomes(stored)) {
      const entry = standing.continued === null ? place : standing.continued.entryIndex(place);
      if (entry === null || entry < index) continue;
      while (index < entry) yield unsettled(index++);
      yield rowOf(index++, outcome, prepared, idPath);
    }
  }
  while (index < entries.length) yield unsettled(index++);
}

function rowOf(index: number, outcome: Outcome | null, { entries, files }: Prepared, idPath: string): ReportRow {
  const { file, ...place } = entries.placeOf(index);
  const { type, currency, costCenter } = entries.groupOf(index);
  const valid = entries.isValid(index);
  const amount = valid ? entries.amount(index) : null;
  const known = valid ? outcome : null;
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
    error: known?.error ?? entries.error(index),
  };
}
