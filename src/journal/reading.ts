/** Reading the records of runs. */
import type { RecordType } from '../records/kind.js';
import { type Db, inLists, type Statement } from './db.js';
import {
  type InvalidRecord,
  NO_CONTENT,
  NO_ROW,
  type Outcome,
  type RecordEnd,
  type RecordPlan,
  SHORT_HASH,
  type StoredPlace,
  type StoredRecord,
  type StoredState,
} from './record.js';
import { sqlNotFinal } from './under-way.js';
import {
  indexOf,
  invalidOutcome,
  NOWHERE,
  type OutcomeCells,
  type OutcomeRow,
  OUTCOME_COLUMNS,
  outcomeOf,
  outcomeRow,
  rangeOf,
  recordId,
} from './rows.js';

interface RecordRow extends OutcomeRow {
  id: number;
  file: number;
  record: number;
  line: number | null;
  type: RecordType;
  key: string | null;
  body: string | null;
  body_hash: string;
  content: Uint8Array | null;
  likeness: Uint8Array | null;
  amount: string | null;
  currency: string | null;
  cost_center: string | null;
  error: string | null;
  under_way: number | null;
}

/** SQL: when the claim began that has the record under way; null for a record that is not under way. */
const UNDER_WAY = `(SELECT min(i.at) FROM intent i WHERE r.id BETWEEN i.first AND i.last
  AND coalesce(o.intent, 0) < i.id AND ${sqlNotFinal('o.state')}) AS under_way`;

const RECORDS = `SELECT r.*, ${OUTCOME_COLUMNS}, ${UNDER_WAY} FROM record r LEFT JOIN outcome o ON o.record = r.id`;

/** The claimed records are looked up one by one, so that the bodies of all others are never read. */
const OUTCOMES = `SELECT o.record AS id, ${UNDER_WAY.replaceAll('r.id', 'o.record')}, ${OUTCOME_COLUMNS} FROM outcome o
  WHERE o.record > ?1 AND o.record <= ?2
  UNION ALL SELECT r.id, i.at, ${OUTCOME_COLUMNS} FROM intent i JOIN record r ON r.id BETWEEN i.first AND i.last
  LEFT JOIN outcome o ON o.record = r.id WHERE r.id > ?1 AND r.id <= ?2 AND o.record IS NULL AND r.key IS NOT NULL
  ORDER BY id LIMIT ?3`;

/** Rows that are read at once. */
const PAGE = 1000;

/**
 * The rows of a run, page by page. The package's own iterator does not keep its statement from being collected, and
 * then reads freed memory. Also, an iterator that stays open over a wait keeps the journal's log from being emptied.
 * @param select takes `?1`, the row number after which a page begins, `?2`, the run's last one, `?3`, how many rows
 */
function* pagesOf<Row>(select: Statement, run: number, idOf: (row: Row) => number): Iterable<Row> {
  const [first, last] = rangeOf(run);
  for (let after = first - 1; ;) {
    const rows = select.all(after, last, PAGE) as unknown as Row[];
    yield* rows;
    if (rows.length < PAGE) return;
    after = idOf(rows[PAGE - 1] as Row);
  }
}

type Known = readonly [id: number, underWay: number | null, ...OutcomeCells];

/** {@link Journal.records}. A record under way counts as `unknown`: it may be carried out at this moment. */
export function* selectRecords(db: Db, run: number): Iterable<StoredRecord> {
  const select = db.prepare(
    `${RECORDS} WHERE r.id > ?1 AND r.id <= ?2 AND r.file <> ${NOWHERE} ORDER BY r.id LIMIT ?3`,
  );
  // Valid records come in the order of their row numbers, wherever they stand: another order would be another digest.
  const invalid = selectInvalid(db, run)[Symbol.iterator]();
  let next = invalid.next();
  for (const row of pagesOf<RecordRow>(select, run, ({ id }) => id)) {
    for (; next.done !== true && isBefore(next.value, row); next = invalid.next()) yield next.value;
    yield storedRecord(row);
  }
  for (; next.done !== true; next = invalid.next()) yield next.value;
}

/** {@link Journal.ends} */
export function* selectEnds(db: Db, run: number): Iterable<RecordEnd> {
  const sql = `SELECT r.id, r.type, r.amount, r.currency, r.cost_center, o.state, o.doubt_since, ${UNDER_WAY}
    FROM record r LEFT JOIN outcome o ON o.record = r.id
    WHERE r.id > ?1 AND r.id <= ?2 AND r.file <> ${NOWHERE} ORDER BY r.id LIMIT ?3`;
  for (const cells of pagesOf<EndCells>(inLists(db.prepare(sql)), run, ([id]) => id)) {
    const [, type, amount, currency, costCenter, state, doubtSince, underWay] = cells;
    const end = { type, amount, currency, costCenter };
    yield underWay === null
      ? { ...end, state, doubtSince }
      : { ...end, state: 'unknown', doubtSince: doubtSince ?? underWay };
  }
  const invalid = db.prepare('SELECT type FROM invalid_record WHERE id BETWEEN ? AND ?');
  for (const { type } of invalid.all(...rangeOf(run)) as { type: RecordType }[]) {
    yield { type, amount: null, currency: null, costCenter: null, state: 'invalid', doubtSince: null };
  }
}

type EndCells = readonly [
  id: number,
  type: RecordType,
  amount: string | null,
  currency: string | null,
  cost_center: string | null,
  state: StoredState | null,
  doubt_since: number | null,
  under_way: number | null,
];

/** The invalid records of files that the run has gone on with. */
function* selectInvalid(db: Db, run: number): Iterable<StoredRecord> {
  const select = db.prepare('SELECT * FROM invalid_record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3');
  for (const row of pagesOf<InvalidRecord & { id: number }>(select, run, ({ id }) => id)) {
    const { file, record, line, type, error } = row;
    const place = { id: NO_ROW, index: NO_ROW, file, record, line };
    yield { ...place, type, ...NO_CONTENT, error, outcome: invalidOutcome(error) };
  }
}

function isBefore(one: InvalidRecord, other: Pick<StoredRecord, 'file' | 'record'>): boolean {
  return one.file < other.file || (one.file === other.file && one.record < other.record);
}

/** Only records with a known outcome. A record under way is `unknown` here too. */
export function* selectOutcomes(db: Db, run: number): Iterable<{ index: number; outcome: Outcome }> {
  const select = inLists(db.prepare(OUTCOMES));
  for (const [id, underWay, ...cells] of pagesOf<Known>(select, run, ([first]) => first)) {
    const outcome = knownOf(outcomeRow(cells), underWay);
    if (outcome !== null) yield { index: indexOf(id), outcome };
  }
}

/** {@link Journal.places} */
export function* selectPlaces(db: Db, run: number): Iterable<StoredPlace> {
  type Cells = readonly [id: number, file: number, record: number, line: number | null, amount: string | null];
  const sql =
    'SELECT id, file, record, line, amount FROM record WHERE id > ?1 AND id <= ?2 AND key IS NOT NULL ORDER BY id LIMIT ?3';
  for (const [id, file, record, line, amount] of pagesOf<Cells>(inLists(db.prepare(sql)), run, ([last]) => last)) {
    yield { index: indexOf(id), file, record, line, amount };
  }
}

/** {@link Journal.leftOutSince} */
export function selectLeftOutSince(db: Db, run: number): ReadonlySet<number> {
  const select = db.prepare('SELECT record FROM outcome WHERE record BETWEEN ? AND ? AND intent < 0');
  return new Set((select.all(...rangeOf(run)) as { record: number }[]).map(({ record }) => indexOf(record)));
}

/** Places of the records of a run that were created, in input order. */
export function* selectCreated(db: Db, run: number): Iterable<number> {
  const sql = `SELECT record FROM outcome
    WHERE record > ?1 AND record <= ?2 AND state IN ('created', 'already_created') ORDER BY record LIMIT ?3`;
  for (const [id] of pagesOf<readonly [id: number]>(inLists(db.prepare(sql)), run, ([last]) => last)) yield indexOf(id);
}

/** Places and keys of the valid records of a run, in input order. */
export function* selectKeys(db: Db, run: number): Iterable<{ index: number; key: string }> {
  const sql = 'SELECT id, key FROM record WHERE id > ?1 AND id <= ?2 AND key IS NOT NULL ORDER BY id LIMIT ?3';
  const select = inLists(db.prepare(sql));
  for (const [id, key] of pagesOf<readonly [id: number, key: string]>(select, run, ([first]) => first)) {
    yield { index: indexOf(id), key };
  }
}

/** {@link Journal.bodiless} */
export function selectBodiless(db: Db, run: number): number[] {
  const select = db.prepare('SELECT id FROM record WHERE id BETWEEN ? AND ? AND key IS NOT NULL AND body IS NULL');
  return (select.all(...rangeOf(run)) as { id: number }[]).map(({ id }) => indexOf(id));
}

/** {@link Journal.plan}, as the records are now: a record that was paid again may have another key. */
export function selectPlan(db: Db, run: number, from: number, count: number): RecordPlan[] {
  const rows = blockOf<[key: string | null, bodyHash: string]>(db, 'key, body_hash', run, from, count);
  return rows.map(([key, bodyHash]) => ({ key, bodyHash }));
}

/** SQL that gives a whole block as one row: with a row for each record, a second run would take a fifth longer. */
const BLOCK = `SELECT json_group_array(key), group_concat(body_hash),
  total(key IS NOT NULL AND (body IS NULL OR coalesce(length(content) + length(likeness), 0) <> ${2 * SHORT_HASH})),
  group_concat(CASE WHEN key IS NULL THEN '${'00'.repeat(2 * SHORT_HASH)}' ELSE hex(content) || hex(likeness) END, '')
  FROM (SELECT key, body, body_hash, content, likeness FROM record WHERE id BETWEEN ? AND ? ORDER BY id)`;

type BlockCells = [keys: string, bodyHashes: string | null, lacking: number, hashes: string | null];

/** {@link Journal.hashesOf} */
export function hashesOf(db: Db, run: number, from: number, records: readonly RecordPlan[]): Buffer | null {
  const select = inLists(db.prepare(BLOCK));
  const ends = [recordId(run, from), recordId(run, from + records.length) - 1];
  const [keys, bodyHashes, lacking, hashes] = select.get(...ends) as unknown as BlockCells;
  if (lacking > 0 || keys !== JSON.stringify(records.map(({ key }) => key))) return null;
  if (bodyHashes !== records.map(({ bodyHash }) => bodyHash).join(',')) return null;
  return Buffer.from(hashes ?? '', 'hex');
}

/** {@link Journal.bodies} */
export function selectBodies(db: Db, run: number, from: number, count: number): (string | null)[] {
  return blockOf<[body: string | null]>(db, 'body', run, from, count).map(([body]) => body);
}

function blockOf<Row>(db: Db, columns: string, run: number, from: number, count: number): Row[] {
  const select = inLists(db.prepare(`SELECT ${columns} FROM record WHERE id BETWEEN ? AND ? ORDER BY id`));
  return select.all(recordId(run, from), recordId(run, from + count) - 1) as Row[];
}

/** Reads single records, of which there may be very many. One statement for all: each holds memory until collected. */
export function recordSelector(db: Db): (id: number) => StoredRecord | null {
  const select = db.prepare(`${RECORDS} WHERE r.id = ?`);
  return (id) => {
    const row: unknown = select.get(id);
    return row === undefined ? null : storedRecord(row as RecordRow);
  };
}

function storedRecord(row: RecordRow): StoredRecord {
  return {
    id: row.id,
    index: indexOf(row.id),
    file: row.file,
    record: row.record,
    line: row.line,
    type: row.type,
    key: row.key,
    body: row.body,
    bodyHash: row.body_hash,
    content: row.content,
    likeness: row.likeness,
    amount: row.amount,
    currency: row.currency,
    costCenter: row.cost_center,
    error: row.error,
    outcome: knownOf(row, row.under_way),
  };
}

function knownOf(row: OutcomeRow, underWay: number | null): Outcome | null {
  const outcome = outcomeOf(row);
  if (underWay === null) return outcome;
  return {
    state: 'unknown',
    httpStatus: null,
    attempts: outcome?.attempts ?? 0,
    response: null,
    error: 'under way, or cut off while it was',
    doubtSince: outcome?.doubtSince ?? underWay,
  };
}
