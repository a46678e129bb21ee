/** What `batch reconcile` records: a decision for each payment that the list settles, in the run that has it. */
import { ROWS_PER_QUERY } from '../journal/pages.js';
import type { Journal } from '../journal/journal.js';
import { NOT_CREATED, type Outcome, type Run, type StoredRecord } from '../journal/payment.js';
import type { SettleDecision } from '../journal/plan.js';
import type { ServiceExport } from '../reconcile/export-rows.js';
import type { Reconciliation, ReconcileRules, ReconcileScope } from '../reconcile/reconciliation.js';
import type { Verdict } from '../reconcile/verdict.js';

/** What the call has read and found. */
export interface ComparedList {
  readonly list: ServiceExport;
  readonly scope: ReconcileScope;
  readonly found: Reconciliation;
}

/** @param note how a person knows it. @throws JournalError */
export async function decisionsOf(
  { list, scope, found }: ComparedList,
  { asOf, requestMsOf }: ReconcileRules,
  note: string,
): Promise<SettleDecision[]> {
  const decided = found.verdicts.filter(({ kind }) => kind === 'created' || kind === 'not_created');
  const records = await decidedRecords(decided, found, scope.journal);
  const sha256OfAll = list.files.map(({ sha256 }) => sha256).join(' ');
  return decided.map(({ kind, row, payment }) => {
    const place = records.get(payment?.id ?? 0);
    if (place === undefined) throw new Error(`payment ${payment?.id} is not in the list of its run`);
    const { run, record } = place;
    const sha256 = row === null ? sha256OfAll : (list.files[row.file]?.sha256 ?? sha256OfAll);
    return {
      run,
      record,
      outcome: settledAs(kind, row?.id ?? null, note),
      requestMs: requestMsOf(run),
      list: { sha256, asOf },
    };
  });
}

function settledAs(kind: Verdict['kind'], id: string | null, note: string): Outcome {
  const nothing = { httpStatus: null, attempts: 0, error: null, requestId: null, doubtSince: null };
  return kind === 'created'
    ? { ...nothing, state: 'created', response: id === null ? null : JSON.stringify({ id }) }
    : { ...nothing, state: 'not_sent', response: null, error: `${NOT_CREATED}${note}` };
}

/** The records of the payments, in the runs that accepted them last. */
async function decidedRecords(decided: readonly Verdict[], { runs }: Reconciliation, journal: Journal) {
  const payments = decided.map(({ payment }) => payment).filter((payment) => payment !== null);
  const places = await journal.places(payments.map(({ id }) => id));
  const wanted = new Map<number, number[]>();
  for (const [i, payment] of payments.entries()) {
    const index = places[i]?.index;
    if (index === undefined) continue;
    const indexes = wanted.get(payment.run.number);
    if (indexes === undefined) wanted.set(payment.run.number, [index]);
    else indexes.push(index);
  }
  const found = new Map<number, { readonly run: Run; readonly record: StoredRecord }>();
  for (const [number, indexes] of wanted) {
    const run = runs.get(number);
    if (run === undefined) continue;
    for await (const record of recordsAt(indexes, run, journal))
      if (record.payment !== null) found.set(record.payment, { run, record });
  }
  return found;
}

/** Reads only the pages that have one of the records. */
async function* recordsAt(indexes: readonly number[], run: Run, journal: Journal): AsyncGenerator<StoredRecord, void> {
  const wanted = new Set(indexes);
  let next = 0;
  for (const index of indexes.toSorted((one, other) => one - other)) {
    if (index < next) continue;
    const page = await journal.records(run, index, ROWS_PER_QUERY);
    next = (page.at(-1)?.index ?? index) + 1;
    yield* page.filter((record) => wanted.has(record.index));
  }
}
