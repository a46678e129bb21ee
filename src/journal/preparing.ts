/** A run before its gate and at it: stores its records, and what was decided about them. */
import { sha256 } from '../keys/key.js';
import { type Db, transaction, writeWith } from './db.js';
import type { Outbox } from './delivery.js';
import type { Decision, Gate, Placing, PreparingRun, RunFile } from './journal.js';
import type { PlannedRecord } from './record.js';
import type { Unsent } from './sqlite-outbox.js';
import { invalidOutcome, LEFT_OUT, NOWHERE, type Origin, outcomeWriter, rangeOf, recordId, stamper } from './rows.js';

/** @param deliver opens the outbox, within the transaction that lets the run through its gate */
export function preparingRun(
  db: Db,
  run: { number: number; name: string; target: number },
  deliver: (run: number, unsent: Unsent) => Outbox,
): PreparingRun {
  const insert = db.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const write = outcomeWriter(db);
  const storeOne = (record: PlannedRecord): void => {
    const id = recordId(run.number, record.index);
    writeWith(
      insert,
      id,
      record.file,
      record.record,
      record.line,
      record.type,
      record.key,
      record.body,
      record.bodyHash,
      record.content,
      record.likeness,
      record.amount,
      record.currency,
      record.costCenter,
      record.error,
    );
    if (record.key === null) write(id, invalidOutcome(record.error), NEVER_SENT);
  };
  return {
    run: run.name,
    store: (records) => transaction(db, () => records.forEach(storeOne)),
    bodyAt: (index) => {
      const row = db.prepare('SELECT body FROM record WHERE id = ?').get(recordId(run.number, index)) as {
        body: string;
      };
      return row.body;
    },
    abandon: () => transaction(db, () => forgetRun(db, run.number)),
    pass: (gate) =>
      transaction(db, () => {
        if (!takeGate(db, run.target, gate.version)) return null;
        writeGate(db, run.number, gate);
        return deliver(run.number, applyDecisions(db, run.number, gate.decisions, false));
      }),
  };
}

/** Counts one more gate at the target. False when the history has changed since `version`. */
export function takeGate(db: Db, target: number, version: number): boolean {
  const { changes } = db.prepare('UPDATE target SET gates = gates + 1 WHERE id = ? AND gates = ?').run(target, version);
  return changes === 1;
}

/** `passed` holds the moment of the gate, see {@link StoredRun.gate}; 0 before the gate. */
function writeGate(db: Db, run: number, { digest, payAgain, files }: Gate): void {
  const write = db.prepare('UPDATE run SET passed = ?, digest = ?, pay_again = ? WHERE number = ?');
  write.run(stamper(db)(), digest, payAgain, run);
  writeFiles(db, run, files);
}

/**
 * Writes down where the records of a run that goes on stand now, their amounts, and which records are invalid. Invalid
 * records that the run was stored with keep their rows, because row numbers identify records, but stand in no file.
 */
export function writePlaces(db: Db, run: number, { files, places, invalid }: Placing): void {
  const range = rangeOf(run);
  db.prepare('DELETE FROM file WHERE run = ?').run(run);
  writeFiles(db, run, files);
  db.prepare(`UPDATE record SET file = ${NOWHERE} WHERE id BETWEEN ? AND ? AND key IS NULL`).run(...range);
  db.prepare('DELETE FROM invalid_record WHERE id BETWEEN ? AND ?').run(...range);
  const insert = db.prepare('INSERT INTO invalid_record VALUES (?, ?, ?, ?, ?, ?)');
  let count = 0;
  for (const { file, record, line, type, error } of invalid) {
    insert.run(recordId(run, count++), file, record, line, type, error);
  }
  const update = db.prepare('UPDATE record SET file = ?, record = ?, line = ?, amount = ? WHERE id = ?');
  for (const { index, file, record, line, amount } of places) {
    update.run(file, record, line, amount, recordId(run, index));
  }
}

function writeFiles(db: Db, run: number, files: readonly RunFile[]): void {
  const insert = db.prepare('INSERT INTO file VALUES (?, ?, ?, ?, ?, ?)');
  files.forEach((file, i) => insert.run(run, i, file.path, file.sha256, file.records, file.hasErrorColumn ? 1 : 0));
}

/** The origin of an outcome that was written at the gate or before it, under no claim. */
const NEVER_SENT = { intent: 0, at: 0 };
/** The origin of a record that was left out when its run went on. */
const LEFT_OUT_SINCE = { intent: -1, at: 0 };

/** SQL that finds a record that is under way, may have been carried out, or was created. */
const TOUCHED = `SELECT 1 FROM record r LEFT JOIN outcome o ON o.record = r.id WHERE r.id = ?
  AND (o.doubt_since IS NOT NULL OR o.state = 'created'
    OR EXISTS (SELECT 1 FROM intent i WHERE r.id BETWEEN i.first AND i.last AND coalesce(o.intent, 0) < i.id))`;

/**
 * Writes down what was decided about records. A record that may have been carried out keeps its key, its content and
 * its doubt, whatever is decided: they protect from paying it twice.
 * @param isJoining the run has passed its gate before
 * @returns what this delivery must not send
 */
export function applyDecisions(db: Db, run: number, decisions: readonly Decision[], isJoining: boolean): Unsent {
  const write = outcomeWriter(db);
  const touched = db.prepare(TOUCHED);
  const payAgain = db.prepare('UPDATE record SET key = ?, body = ?, body_hash = ? WHERE id = ?');
  const dropRecord = db.prepare(
    `UPDATE record SET key = NULL, body = NULL, body_hash = '', content = NULL, likeness = NULL, amount = NULL, currency = NULL,
      cost_center = NULL, error = ? WHERE id = ?`,
  );
  // Only the body that was checked, by its hash: any other would be refused when it is claimed.
  const restore = db.prepare('UPDATE record SET body = ? WHERE id = ? AND body IS NULL AND body_hash = ?');
  const release = db.prepare(
    "UPDATE outcome SET state = 'not_sent', error = NULL WHERE record = ? AND state = 'left_unknown'",
  );
  const earlier = db.prepare(`SELECT intent, 0 AS at FROM outcome WHERE record = ? AND ${LEFT_OUT}`);
  // A record that was left out before keeps its origin: its counterpart is looked for where it was found at first.
  const leftOutAt = (id: number): Origin =>
    (earlier.get(id) as Origin | undefined) ?? (isJoining ? LEFT_OUT_SINCE : NEVER_SENT);
  const [held, withheld] = [new Set<number>(), new Set<number>()];
  for (const decision of decisions) {
    const id = recordId(run, decision.index);
    const isTouched = touched.get(id) !== undefined;
    switch (decision.what) {
      case 'paid-again':
        if (!isTouched) payAgain.run(decision.key, decision.body, decision.bodyHash, id);
        break;
      case 'left-out':
        if (isTouched) held.add(id);
        else write(id, { ...decision.outcome, attempts: 0 }, leftOutAt(id));
        break;
      case 'invalid':
        if (isTouched) held.add(id);
        else {
          dropRecord.run(decision.error, id);
          write(id, invalidOutcome(decision.error), NEVER_SENT);
        }
        break;
      case 'withheld':
        withheld.add(id);
        break;
      case 'restored':
        restore.run(decision.body, id, sha256(decision.body));
        break;
      case 'released':
        release.run(id);
    }
  }
  return { held, withheld };
}

/** Deletes a run that never passed its gate: it is not history. */
export function forgetRun(db: Db, run: number): void {
  // A run that has passed its gate is history for good.
  if (db.prepare('DELETE FROM run WHERE number = ? AND passed = 0').run(run).changes === 0) return;
  const [first, last] = rangeOf(run);
  db.prepare('DELETE FROM record WHERE id BETWEEN ? AND ?').run(first, last);
  db.prepare('DELETE FROM outcome WHERE record BETWEEN ? AND ?').run(first, last);
}
