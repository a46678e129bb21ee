/** Row numbers, and outcomes as rows. */
import { type Db, writeWith } from './db.js';
import type { Outcome, StoredState } from './record.js';

/** A record's row number holds its run and its index: records of a run are one range. */
const RECORDS_PER_RUN = 2 ** 31;

/** The row number of a record. @param index its position in the run's first input, from 0 */
export function recordId(run: number, index: number): number {
  return run * RECORDS_PER_RUN + index;
}

/** The number of the run that a row number belongs to. */
export function runOf(id: number): number {
  return Math.floor(id / RECORDS_PER_RUN);
}

/** The index within its run that a row number stands for. */
export function indexOf(id: number): number {
  return id % RECORDS_PER_RUN;
}

/** First and last row number of a run's records. */
export function rangeOf(run: number): [number, number] {
  return [recordId(run, 0), recordId(run + 1, 0) - 1];
}

/**
 * SQL for the run of a row number. A number beyond 32 bits is bound as a floating-point parameter, and dividing that
 * leaves a fraction.
 * @param column a column; a parameter only if it is cast to an integer
 */
export function sqlRunOf(column: string): string {
  return `${column} / ${RECORDS_PER_RUN}`;
}

/** SQL for the index of a row number in its run. @param column as for {@link sqlRunOf} */
export function sqlIndexOf(column: string): string {
  return `${column} % ${RECORDS_PER_RUN}`;
}

/** SQL: the row number belongs to the run. @param run a column that holds the run's number */
export function sqlInRun(column: string, run: string): string {
  return `${column} BETWEEN ${run} * ${RECORDS_PER_RUN} AND ${run} * ${RECORDS_PER_RUN} + ${RECORDS_PER_RUN - 1}`;
}

/** SQL: the record was left out of its run, at the gate or later. Outcomes of a delivery have a higher `intent`. */
export const LEFT_OUT = "intent <= 0 AND state IN ('already_created', 'left_unknown')";

/** The file of a record that stands in none of the files that its run read last. */
export const NOWHERE = -1;

export interface OutcomeRow {
  /** Null where there is no outcome. */
  state: StoredState | null;
  http_status: number | null;
  attempts: number;
  response: string | null;
  outcome_error: string | null;
  doubt_since: number | null;
  /** When it was settled, as a number in the order of the claims: claims with a higher number are later. */
  intent: number | null;
  /** 1 when nobody settled it: its process died, or the doubt comes from the same key in another run. */
  cut_off: number | null;
}

export const OUTCOME_COLUMNS =
  'o.state, o.http_status, o.attempts, o.response, o.error AS outcome_error, o.doubt_since, o.intent, o.cut_off';

/** The same columns of a row that is read as a list. */
export type OutcomeCells = readonly [
  state: StoredState | null,
  http_status: number | null,
  attempts: number,
  response: string | null,
  outcome_error: string | null,
  doubt_since: number | null,
  intent: number | null,
  cut_off: number | null,
];

/** A row that was read as a list. */
export function outcomeRow(cells: OutcomeCells): OutcomeRow {
  const [state, http_status, attempts, response, outcome_error, doubt_since, intent, cut_off] = cells;
  return { state, http_status, attempts, response, outcome_error, doubt_since, intent, cut_off };
}

/** Null where nothing is known. */
export function outcomeOf(row: OutcomeRow): Outcome | null {
  if (row.state === null) return null;
  return {
    state: row.state,
    httpStatus: row.http_status,
    attempts: row.attempts,
    response: row.response,
    error: row.outcome_error,
    doubtSince: row.doubt_since,
  };
}

/** The outcome of an invalid record. @param error why it is invalid */
export function invalidOutcome(error: string | null): Outcome {
  return { state: 'invalid', httpStatus: null, attempts: 0, response: null, error, doubtSince: null };
}

/** Where a written outcome comes from. */
export interface Origin {
  /** See {@link OutcomeRow.intent}. */
  readonly intent: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly cutOff?: boolean;
}

/** Writes outcomes over what was known before. What was created stays created, whatever comes after. */
export function outcomeWriter(db: Db): (id: number, outcome: Outcome, origin: Origin) => void {
  const write = db.prepare(`INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (record) DO UPDATE SET state = excluded.state, http_status = excluded.http_status,
      attempts = excluded.attempts, response = excluded.response, error = excluded.error,
      doubt_since = excluded.doubt_since, intent = excluded.intent, at = excluded.at, cut_off = excluded.cut_off
    WHERE outcome.state <> 'created' OR excluded.state = 'created'`);
  // `created` is the most frequent outcome, and each bound value costs: so it has a statement with fewer values.
  const create = db.prepare(`INSERT INTO outcome VALUES (?, 'created', ?, ?, ?, NULL, NULL, ?, ?, 0)
    ON CONFLICT (record) DO UPDATE SET state = 'created', http_status = excluded.http_status,
      attempts = excluded.attempts, response = excluded.response, error = NULL, doubt_since = NULL,
      intent = excluded.intent, at = excluded.at, cut_off = 0`);
  return (id, { state, httpStatus, attempts, response, error, doubtSince }, { intent, at, cutOff = false }) => {
    if (state === 'created' && error === null && doubtSince === null && !cutOff)
      writeWith(create, id, httpStatus, attempts, response, intent, at);
    else writeWith(write, id, state, httpStatus, attempts, response, error, doubtSince, intent, at, cutOff ? 1 : 0);
  };
}

/** The highest number of a claim so far. */
export function lastIntent(db: Db): number {
  return (
    db.prepare("SELECT coalesce(max(seq), 0) AS id FROM sqlite_sequence WHERE name = 'intent'").get() as { id: number }
  ).id;
}

/** Gives numbers that come after those of all claims so far. To be called within a transaction. */
export function stamper(db: Db): () => number {
  const insert = db.prepare("INSERT INTO intent (run, first, last, process, at) VALUES (0, 0, -1, '', 0)");
  const remove = db.prepare('DELETE FROM intent WHERE id = ?');
  return () => {
    const { lastInsertRowid } = insert.run();
    remove.run(lastInsertRowid);
    return Number(lastInsertRowid);
  };
}
