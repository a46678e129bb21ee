/** The records of a whole batch in their present state: each payment once, whichever of its runs list it. */
import { PAGE, pagesOf } from '../batch/ledger-rows.js';
import type { Ledger } from '../ledger/ledger.js';
import { homeOf, type KnownPayment, type Run, type StoredRecord } from '../ledger/payment.js';
import type { RecordReport, ReportHead } from './record-report.js';
import { reportsOf } from './stored-records.js';

/** One run, or all runs of a batch at one target, oldest first. */
export interface Reported {
  readonly runs: readonly Run[];
  readonly isBatch: boolean;
}

/** In the order of the runs and their inputs. @param idPath where an answer has its id. @throws JournalError */
export async function* reportedRecords(
  { runs, isBatch }: Reported,
  ledger: Ledger,
  idPath: string,
): AsyncGenerator<RecordReport, void> {
  for (const run of runs)
    for await (const page of pagesOf((from) => ledger.records(run, from, PAGE))) {
      const told = isBatch ? await onceOf(page, run, ledger) : page;
      for (const { report } of await reportsOf(told, run, ledger, idPath)) yield report;
    }
}

/**
 * A payment belongs to the batch of the run that first accepted it, and appears in the run that accepted it last. If a
 * record was left out because of a payment of another batch, the record appears; otherwise only that payment does.
 */
async function onceOf(page: readonly StoredRecord[], run: Run, ledger: Ledger): Promise<StoredRecord[]> {
  const asked = new Set(page.flatMap(({ payment, standsFor }) => standsFor?.payment ?? payment ?? []));
  const known = new Map((await ledger.byId([...asked])).map((payment) => [payment.id, payment]));
  const isOfBatch = (payment: KnownPayment): boolean =>
    payment.batchId === run.batchId && payment.run.target === run.target;
  return page.filter(({ payment, standsFor }) => {
    const told = known.get(standsFor?.payment ?? payment ?? 0);
    if (payment === null || told === undefined) return true;
    if (standsFor !== null) return !isOfBatch(told);
    if (!isOfBatch(told)) return false;
    return run.number === (told.run.batchId === run.batchId ? told.run.number : homeOf(told.id));
  });
}

/** @param madeAt when the report is made, milliseconds since 1970 */
export function reportedHead({ runs }: Reported, madeAt: number): ReportHead {
  const { target = null, batchId = '' } = runs[0] ?? {};
  return { runs, target, batchId, dryRun: false, refusal: [], madeAt };
}
