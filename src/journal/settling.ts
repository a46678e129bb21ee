/** Settling a record in doubt by a person's word. */
import { UsageError } from '../errors.js';
import { placeWords } from '../records/issue.js';
import { subjectOf } from '../records/subject.js';
import type { Db } from './db.js';
import type { PersonsWord } from './journal.js';
import type { Outcome, StoredRecord, StoredState } from './record.js';
import { isClaimed, type OpenIntent } from './under-way.js';
import { indexOf, type OutcomeRow, OUTCOME_COLUMNS, outcomeWriter, runOf, sqlRunOf, stamper } from './rows.js';

export interface Word {
  /** All but the attempts, which stay as they were. */
  readonly outcome: Outcome;
  readonly note: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Begins the error of a record that was settled as not created. */
export const NOT_CREATED = 'settled as not created: ';

/** Stands in front of the state in a decision that settles a record. */
const SETTLED = 'settled-';

/** In doubt; or settled as not created and not sent since: that word can still be corrected. */
function isOpen({ state, outcome_error: error }: OutcomeRow): boolean {
  return state === 'unknown' || (state === 'not_sent' && error?.startsWith(NOT_CREATED) === true);
}

/** SQL: the record, and the records of other runs at the target with the same key and body: one key is one payment. */
const IN_DOUBT = `SELECT r.id, ${OUTCOME_COLUMNS} FROM record own
  JOIN record r ON r.id = own.id OR (r.key = own.key AND r.body_hash = own.body_hash)
  JOIN run ON run.number = ${sqlRunOf('r.id')} AND run.passed > 0
    AND run.target = (SELECT target FROM run WHERE number = ${sqlRunOf('own.id')})
  LEFT JOIN outcome o ON o.record = r.id WHERE own.id = ?`;

/** `record 3 (line 4, usr_7)`: so a person who took the line for the record's number sees the mistake. */
function named(record: StoredRecord): string {
  const what = [...(record.line === null ? [] : [placeWords(record)]), subjectOf(record.body)];
  const shown = what.filter((text) => text !== '').join(', ');
  return `record ${record.record}${shown === '' ? '' : ` (${shown})`}`;
}

/**
 * To be called within a transaction, after the claims of dead processes have been taken over.
 * @throws UsageError when the record is under way, or no longer in doubt: the word was about an earlier state
 */
export function settleByHand(db: Db, record: StoredRecord, word: Word): void {
  const { note, at } = word;
  const outcome = { ...word.outcome, attempts: record.outcome?.attempts ?? 0 };
  const rows = db.prepare(IN_DOUBT).all(record.id) as unknown as (OutcomeRow & { id: number })[];
  const intents = db.prepare('SELECT id, first, last FROM intent').all() as unknown as OpenIntent[];
  if (rows.some((row) => isClaimed(row, intents))) {
    throw new UsageError(
      `${named(record)} is under way in another process; wait until that has ended, then look again`,
    );
  }
  const own = rows.find(({ id }) => id === record.id);
  const state = (own === undefined ? record.outcome?.state : own.state) ?? null;
  if (own === undefined || (state !== 'left_unknown' && !isOpen(own))) {
    const known = state === null ? 'was not sent' : `is ${state.replaceAll('_', ' ')}`;
    throw new UsageError(`${named(record)} ${known}, and only an unknown outcome can be settled; look again`);
  }
  const write = outcomeWriter(db);
  const intent = stamper(db)();
  // A left-out record stands for an earlier payment. The person's word is about this record only, so other records with
  // the same key are left alone; if it was created, the earlier run created it. It stays marked as left out.
  const isLeftOut = state === 'left_unknown' || (own.intent ?? 0) <= 0;
  const told = isLeftOut && outcome.state === 'created' ? { ...outcome, state: 'already_created' as const } : outcome;
  for (const row of rows) {
    if (isLeftOut && row.id === record.id) write(row.id, told, { intent: own.intent ?? 0, at });
    if (!isLeftOut && isOpen(row)) write(row.id, told, { intent, at });
  }
  // A run that is being compared with the history at this moment must be compared again.
  db.prepare('UPDATE target SET gates = gates + 1 WHERE id = (SELECT target FROM run WHERE number = ?)').run(
    runOf(record.id),
  );
  db.prepare('INSERT INTO decision VALUES (?, ?, ?, ?, ?)').run(
    at,
    runOf(record.id),
    record.id,
    `${SETTLED}${told.state}`,
    note,
  );
}

/** {@link Journal.decided} */
export function selectWords(db: Db, run: number): PersonsWord[] {
  const select = db.prepare(
    `SELECT at, record, what, note FROM decision WHERE run = ? AND what LIKE '${SETTLED}%' ORDER BY rowid`,
  );
  const rows = select.all(run) as { at: number; record: number; what: string; note: string | null }[];
  return rows.map(({ at, record, what, note }) => {
    return { at, index: indexOf(record), state: what.slice(SETTLED.length) as StoredState, note: note ?? '' };
  });
}
