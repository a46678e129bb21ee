/** The comparison of the journal with an export of the service: a verdict for each payment and row, and their sums. */
import { responseId } from '../delivery/http/response.js';
import type { Journal } from '../journal/journal.js';
import { chunksOf, pagesOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { PaymentId, Run, StoredPayment, TargetName } from '../journal/payment.js';
import { type Decimal, parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow, type Totals } from '../money/totals.js';
import { type RecordType, subjectIn } from '../records/types.js';
import type { ExportRow, ServiceExport } from './export-rows.js';
import { type MatchedRows, matchRows } from './match-rows.js';
import { findPerhapsListed } from './perhaps-listed.js';
import {
  type AbsenceRules,
  type Verdict,
  type VerdictKind,
  verdictOfAbsent,
  verdictOfListed,
  type VerdictRules,
  VERDICTS,
} from './verdict.js';

/** What is compared. */
export interface ReconcileScope {
  readonly journal: Journal;
  readonly target: TargetName;
  /** The runs that a person has named, one or all of a batch; null for what is in doubt, and what the list names. */
  readonly runs: readonly Run[] | null;
  /** The batch that a person has named; else null. */
  readonly batchId: string | null;
  /** The type of the list's rows; null if they may be of any. */
  readonly type: RecordType | null;
  /** Where an answer has the id. */
  readonly idPath: string;
}

/** What a person says of the list. */
export interface ReconcileRules extends Omit<VerdictRules, 'hasStatus' | 'requestMsOf'> {
  readonly isAbsenceTaken: boolean;
  /** How long the service may be at a request of a run, milliseconds. */
  readonly requestMsOf: (run: Run) => number;
}

export interface Reconciliation {
  /** Of all that is not simply equal: payments in the order of their runs, then rows that no payment meets. */
  readonly verdicts: readonly Verdict[];
  readonly counts: Readonly<Record<VerdictKind, number>>;
  /** By type, currency and verdict. The type of rows that no payment meets may be empty: not known. */
  readonly totals: readonly TotalRow[];
  /** The same for each run, in their order; null for rows that no payment meets. */
  readonly totalsByRun: ReadonlyMap<string | null, readonly TotalRow[]>;
  /** Statuses whose meaning no flag says, with the number of their rows. */
  readonly otherStatuses: ReadonlyMap<string, number>;
  /** The runs at the target, by number. */
  readonly runs: ReadonlyMap<number, Run>;
  /** Runs of the scope, or with a payment that is decided or in doubt. */
  readonly runsInScope: readonly Run[];
}

/** @throws JournalError; UsageError for rows whose type must be named */
export async function reconcile(
  list: ServiceExport,
  scope: ReconcileScope,
  { requestMsOf, ...said }: ReconcileRules,
): Promise<Reconciliation> {
  const { journal, target } = scope;
  const runs = new Map((await journal.runs({ target })).map((run) => [run.number, run]));
  const payments = await scopePayments(scope);
  const isInScope = (payment: StoredPayment): boolean => scope.runs === null || payments.has(payment.id);
  const doubtfulGigs = [...payments.values()].filter(({ type, state }) => type === 'gig' && state === 'unknown');
  const matched = await matchRows(list.rows, { ...scope, gigTitles: doubtfulGigs.map(({ title }) => title) });
  const rules: VerdictRules = {
    ...said,
    hasStatus: list.columns.has('status'),
    requestMsOf: (payment) => {
      const run = runs.get(payment.run.number);
      return run === undefined ? Infinity : requestMsOf(run);
    },
  };
  const listed = await listedVerdicts(matched, isInScope, list, rules, journal);
  const absent = [...payments.values()].filter(({ id }) => !matched.listed.has(id));
  const absence = await absentVerdicts(absent, matched, list, rules, said.isAbsenceTaken, scope);
  const verdicts = [...listed.map((verdict) => withoutKeyThere(verdict, absence.cut)), ...absence.verdicts];
  verdicts.sort((one, other) => (one.payment?.id ?? 0) - (other.payment?.id ?? 0));
  for (const row of matched.unknown) verdicts.push({ kind: 'unknown_here', why: 'not-here', payment: null, row });
  return {
    ...summed(verdicts, typeOfUnknown(list, matched, scope)),
    runs,
    runsInScope: runsInScopeOf(verdicts, scope, runs),
  };
}

/** What is the same here and there, but shows that the list is not whole. */
function withoutKeyThere(verdict: Verdict, cut: ReadonlySet<PaymentId>): Verdict {
  const isCut = verdict.why === null && verdict.payment !== null && cut.has(verdict.payment.id);
  return isCut ? { ...verdict, why: 'no-key-there' } : verdict;
}

/** The payments of the scope, whether the list has them or not. */
async function scopePayments(scope: ReconcileScope): Promise<Map<PaymentId, StoredPayment>> {
  const { journal, target, runs, batchId } = scope;
  const found = new Map<PaymentId, StoredPayment>();
  if (runs === null)
    for (const payment of await journal.unsettled(target))
      if (payment.state === 'unknown') found.set(payment.id, payment);
  for (const run of runs ?? [])
    for (const payment of await paymentsOfRun(run, journal))
      if (payment.replacedBy === null && (batchId === null || payment.batchId === batchId))
        found.set(payment.id, payment);
  return found;
}

/** The payments that a run lists, without records that it has left out. */
async function paymentsOfRun(run: Run, journal: Journal): Promise<StoredPayment[]> {
  const found: StoredPayment[] = [];
  for await (const page of pagesOf((from) => journal.states(run, from, ROWS_PER_QUERY))) {
    const own = page.filter(({ standsFor }) => standsFor === null).map(({ payment }) => payment);
    found.push(...(await journal.byId(own)));
  }
  return found;
}

async function listedVerdicts(
  { listed, isIdTaken }: MatchedRows,
  isInScope: (payment: StoredPayment) => boolean,
  { columns }: ServiceExport,
  rules: VerdictRules,
  journal: Journal,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const met = [...listed.values()].filter(({ payment }) => isInScope(payment));
  for (const page of chunksOf(met, ROWS_PER_QUERY)) {
    const bodies = columns.has('user_id') ? await journal.bodies(page.map(({ payment }) => payment.id)) : [];
    for (const [i, { payment, rows }] of page.entries()) {
      const { userId } = subjectIn(bodies[i] ?? null, payment.type);
      const [row] = rows as [ExportRow];
      verdicts.push(verdictOfListed({ payment, rows, userId, isIdTaken: isIdTaken(payment, row) }, rules));
    }
  }
  return verdicts;
}

interface AbsentVerdicts {
  readonly verdicts: readonly Verdict[];
  /** Created payments that the list lacks by their key, or gigs by their place: it is not whole. */
  readonly cut: ReadonlySet<PaymentId>;
}

async function absentVerdicts(
  absent: readonly StoredPayment[],
  { gigs, listed, unknown }: MatchedRows,
  list: ServiceExport,
  rules: VerdictRules,
  isAbsenceTaken: boolean,
  scope: ReconcileScope,
): Promise<AbsentVerdicts> {
  const keys = new Set(list.rows.map(({ key }) => key));
  const isInList = ({ id, type, key }: StoredPayment): boolean => (type === 'gig' ? gigs.isListed(id) : keys.has(key));
  const { columns } = list;
  const hasKeysOf = ({ type }: StoredPayment): boolean =>
    type === 'gig' ? columns.has('title') && columns.has('start_at') : columns.has('idempotency_key');
  const isTaken = isAbsenceTaken && absent.some((payment) => payment.state === 'unknown' && hasKeysOf(payment));
  const created = isTaken ? await createdByThen(absent, rules, scope) : [];
  const cut = created.filter((payment) => !isInList(payment));
  const typesListed = new Set(created.filter(isInList).map(({ type }) => type));
  const absenceRules: AbsenceRules = {
    ...rules,
    isAbsenceTaken,
    hasKeysOf,
    isListCut: cut.length > 0,
    perhapsListed: isTaken ? await findPerhapsListed(absent.filter(isInDoubt), unknown, scope.journal) : new Set(),
    hasListedOf: ({ type }) => typesListed.has(type),
    severalFit: gigs.severalFit,
    isCovered: ({ id }) => gigs.severalFit.has(id) && gigs.isListed(id),
  };
  // A created payment that shows that the list is not whole is named, also where the scope is only what is in doubt.
  const named = scope.runs === null ? cut.filter(({ id }) => !listed.has(id)) : [];
  const verdicts = [...absent, ...named].map((payment) => verdictOfAbsent(payment, absenceRules));
  return { verdicts: verdicts.filter((each) => each !== null), cut: new Set(cut.map(({ id }) => id)) };
}

function isInDoubt({ state }: StoredPayment): boolean {
  return state === 'unknown';
}

/** The payments that the runs of the scope had created when the list was made. */
async function createdByThen(
  absent: readonly StoredPayment[],
  { asOf }: VerdictRules,
  { journal, target, runs }: ReconcileScope,
): Promise<StoredPayment[]> {
  const numbers = new Set(absent.filter(({ state }) => state === 'unknown').map(({ run }) => run.number));
  const all = runs ?? (await journal.runs({ target })).filter(({ number }) => numbers.has(number));
  const created = new Map<PaymentId, StoredPayment>();
  for (const run of all)
    for (const payment of await paymentsOfRun(run, journal))
      if (payment.state === 'created' && payment.at <= asOf) created.set(payment.id, payment);
  return [...created.values()];
}

/** The type that a list of unknown rows most evidently has; empty if nothing shows it. */
function typeOfUnknown({ columns }: ServiceExport, { listed }: MatchedRows, { type }: ReconcileScope): string {
  if (type !== null) return type;
  if (columns.has('start_at')) return 'gig';
  const types = new Set([...listed.values()].map(({ payment }) => payment.type));
  return types.size === 1 ? ([...types][0] ?? '') : '';
}

function summed(all: readonly Verdict[], typeOfRows: string): Omit<Reconciliation, 'runs' | 'runsInScope'> {
  const counts = Object.fromEntries(VERDICTS.map((kind) => [kind, 0])) as Record<VerdictKind, number>;
  const totals = startTotals();
  const ofRuns = new Map<string | null, Totals>();
  const otherStatuses = new Map<string, number>();
  for (const { kind, why, payment, row } of all) {
    counts[kind]++;
    const { amount, currency } = payment === null ? moneyOfRow(row) : moneyOfPayment(payment);
    const group = { type: payment?.type ?? typeOfRows, currency, costCenter: null };
    totals.add(group, kind, amount);
    const run = payment?.run.name ?? null;
    const ofRun = ofRuns.get(run) ?? startTotals();
    ofRuns.set(run, ofRun);
    ofRun.add(group, kind, amount);
    if (why === 'other-status') {
      const status = row?.status ?? '';
      otherStatuses.set(status, (otherStatuses.get(status) ?? 0) + 1);
    }
  }
  const verdicts = all.filter(({ why }) => why !== null);
  const totalsByRun = new Map([...ofRuns].map(([run, sums]) => [run, sums.rows()]));
  return { verdicts, counts, totals: totals.rows(), totalsByRun, otherStatuses };
}

interface ComparedMoney {
  /** Null if it is not known. */
  readonly amount: Decimal | null;
  readonly currency: string | null;
}

function moneyOfPayment({ amount, currency }: StoredPayment): ComparedMoney {
  return { amount: amount === null ? null : parseDecimal(amount), currency };
}

function moneyOfRow(row: ExportRow | null): ComparedMoney {
  return { amount: row?.amount ?? null, currency: row?.currency ?? null };
}

function runsInScopeOf(verdicts: readonly Verdict[], { runs }: ReconcileScope, known: ReadonlyMap<number, Run>): Run[] {
  if (runs !== null) return [...runs];
  const numbers = new Set<number>();
  for (const { kind, payment } of verdicts)
    if (payment !== null && ['created', 'not_created', 'in_doubt'].includes(kind)) numbers.add(payment.run.number);
  return [...numbers].map((number) => known.get(number)).filter((run) => run !== undefined);
}

/** A verdict as people and programs are told it. */
export interface DescribedVerdict extends Verdict {
  /** The run that accepted the payment last; null for a row that no payment meets. */
  readonly run: string | null;
  /** Path of the payment's file, or of the row's. */
  readonly file: string;
  /** The place of the payment in its file; of a row that no payment meets, its own. */
  readonly record: number | null;
  readonly line: number | null;
  readonly key: string | null;
  readonly type: RecordType | null;
  readonly userId: string | null;
  readonly title: string | null;
  /** The id that the service gave it, as far as it is known now. */
  readonly id: string | null;
}

/** In the order of the verdicts. @throws JournalError */
export async function* describeVerdicts(
  verdicts: readonly Verdict[],
  { files }: ServiceExport,
  { journal, idPath }: ReconcileScope,
): AsyncGenerator<DescribedVerdict, void> {
  for (const page of chunksOf(verdicts, ROWS_PER_QUERY)) {
    const ids = page.map(({ payment }) => payment?.id).filter((id) => id !== undefined);
    const [places, bodies, outcomes] =
      ids.length === 0
        ? [[], [], []]
        : [await journal.places(ids), await journal.bodies(ids), await journal.outcomes(ids)];
    const at = new Map(ids.map((id, i) => [id, i]));
    for (const verdict of page) {
      const { payment, row, kind } = verdict;
      if (payment === null) {
        yield rowDescribed(verdict, row as ExportRow, files);
        continue;
      }
      const i = at.get(payment.id) ?? -1;
      const { userId, title } = subjectIn(bodies[i] ?? null, payment.type);
      const outcome = outcomes[i] ?? null;
      const stored = outcome === null ? null : responseId(outcome.response, idPath, outcome.state === 'created');
      yield {
        ...verdict,
        run: payment.run.name,
        file: places[i]?.file ?? '',
        record: places[i]?.record ?? null,
        line: places[i]?.line ?? null,
        key: payment.key,
        type: payment.type,
        userId,
        title,
        id: kind === 'created' ? (row?.id ?? stored) : stored,
      };
    }
  }
}

function rowDescribed(verdict: Verdict, row: ExportRow, files: ServiceExport['files']): DescribedVerdict {
  const { record, line, key, userId, title, id } = row;
  return { ...verdict, run: null, file: files[row.file]?.path ?? '', record, line, key, type: null, userId, title, id };
}
