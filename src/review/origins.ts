/** The places of records and payments that messages name. Payments are looked up only if a message needs them. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { Journal } from '../journal/journal.js';
import type { StoredPayment, PaymentId, Run } from '../journal/payment.js';
import type { HomePlace } from '../journal/plan.js';
import { positionText } from '../records/issue.js';
import { subjectOf } from '../records/types.js';
import { printable } from '../report/printable.js';
import { recordMoneyText } from '../report/record-report.js';
import { reportedRecords } from '../report/stored-records.js';
import { pluralize } from '../report/table.js';
import type { Person } from '../world.js';
import type { Conclusions } from './assess.js';
import type { Repeat } from './disposition.js';
import type { PaymentHistory } from './history.js';

/** A payment's place in the run that accepted it. */
export interface Place extends HomePlace {
  readonly run: Run;
  /** Another person than the present caller had it sent. */
  readonly isOther: boolean;
  /** Its payee or title; empty if not known. Only of payments that the input lacks. */
  readonly subject: string;
}

/** Null if not known. */
export type PaymentOrigins = (payment: StoredPayment) => Place | null;

/** The place of a record of the input. */
export function placeIn({ entries, files }: PreparedRecords, index: number) {
  const { file, ...place } = entries.placeOf(index);
  return { ...place, file: files[file]?.path ?? '' };
}

const PLACES_AT_ONCE = 1000;

/** @param caller who runs the program, according to the machine. @throws JournalError */
export async function findOrigins(
  { exceptions }: Conclusions,
  { records, unsettled, results }: PaymentHistory,
  { batchId: here }: PreparedRecords,
  journal: Journal | null,
  caller: Person,
): Promise<PaymentOrigins> {
  if (journal === null) return () => null;
  const left = unsettled.filter(({ batchId }) => batchId === here);
  const elsewhere = [...records.values()].flatMap((each) => each.elsewhere);
  const named: StoredPayment[] = [...left, ...elsewhere, ...[...results.values()].map(({ payment }) => payment)];
  for (const disposition of exceptions.values()) {
    if (disposition.kind === 'repeat') named.push(disposition.newest);
    if (disposition.kind === 'conflict') named.push(disposition.payment);
  }
  const runs = new Map((await runsNamed(named, journal)).map((run) => [run.number, run]));
  const places = new Map<PaymentId, Place>();
  const subjects = await subjectsOf(left, journal);
  const once = [...new Map(named.map((payment) => [payment.id, payment])).values()];
  for (let from = 0; from < once.length; from += PLACES_AT_ONCE) {
    const page = once.slice(from, from + PLACES_AT_ONCE);
    const found = await journal.places(page.map(({ id }) => id));
    for (const [i, { id, run }] of page.entries()) {
      const place = found[i];
      const home = runs.get(run.number);
      if (place === undefined || place === null || home === undefined) continue;
      const isOther = home.by.user !== (journal.user ?? caller.user) || home.by.host !== caller.host;
      places.set(id, { ...place, run: home, isOther, subject: subjects.get(id) ?? '' });
    }
  }
  return ({ id }) => places.get(id) ?? null;
}

async function subjectsOf(payments: readonly StoredPayment[], journal: Journal): Promise<Map<PaymentId, string>> {
  const subjects = new Map<PaymentId, string>();
  for (let from = 0; from < payments.length; from += PLACES_AT_ONCE) {
    const ids = payments.slice(from, from + PLACES_AT_ONCE).map(({ id }) => id);
    const bodies = await journal.bodies(ids);
    for (const [i, id] of ids.entries()) subjects.set(id, subjectOf(bodies[i] ?? null));
  }
  return subjects;
}

async function runsNamed(payments: readonly StoredPayment[], journal: Journal): Promise<Run[]> {
  const runs: Run[] = [];
  for (const name of new Set(payments.map(({ run }) => run.name))) runs.push(...(await journal.runs({ name })));
  return runs;
}

/** Further ones are only counted. */
const MOST_SHOWN = 10;

/**
 * Open records of unfinished runs. A person who is to resume or close such a run sees whom it would pay, including
 * records that the input lacks.
 * @throws JournalError
 */
export async function describeOpenRecords(repeats: readonly Repeat[], journal: Journal | null): Promise<string[]> {
  const open = repeats.flatMap(({ code, standsFor }) => (code === 'open-before' ? standsFor : []));
  const words: string[] = [];
  for (const run of journal === null ? [] : await runsNamed(open, journal))
    words.push(await openIn(run, journal as Journal));
  return words.map((line) => printable(line));
}

/** The open records of a run, in a sentence. @throws JournalError */
export async function openIn(run: Run, journal: Journal): Promise<string> {
  const lines: string[] = [];
  let count = 0;
  for await (const report of reportedRecords({ runs: [run], isBatch: false }, journal, '')) {
    if (report.status !== 'not_sent' || report.standsFor !== null || ++count > MOST_SHOWN) continue;
    const whom = report.userId ?? report.title ?? '';
    const money = report.amount === null ? '' : `, ${recordMoneyText(report)}`;
    lines.push(`${report.file}, ${positionText(report)} (${whom}${money})`);
  }
  if (count === 0)
    return `Run ${run.name} has no open records. Records in doubt are sent again as they were, if you resume it. Before you import the file again, settle them`;
  const more = count - lines.length;
  return `Run ${run.name} has ${pluralize(count, 'open record')}: ${lines.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}
