/** Storing the records of a run before it passes its gate. */
import { type Db, transaction } from './db.js';
import type { Decision, Gate, Outbox, PlannedRecord, PreparingRun } from './journal.js';
import { rangeOf } from './past.js';
import { recordId } from './rows.js';

/** Rows a transaction: enough to make the commit cheap, few enough to keep memory low and other processes moving. */
const ROWS_PER_COMMIT = 2000;

export function preparingRun(
  db: Db,
  run: { number: number; name: string; target: number },
  deliver: (run: number) => Outbox,
): PreparingRun {
  const insert = db.prepare(
    'INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertInvalid = db.prepare("INSERT INTO outcome VALUES (?, 'invalid', NULL, 0, NULL, ?, NULL, 0, 0)");
  const storeOne = (record: PlannedRecord): void => {
    const id = recordId(run.number, record.index);
    insert.run(
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
    if (record.key === null) insertInvalid.run(id, record.error);
  };
  return {
    number: run.number,
    run: run.name,
    store: (records) => {
      for (let i = 0; i < records.length; i += ROWS_PER_COMMIT) {
        transaction(db, () => records.slice(i, i + ROWS_PER_COMMIT).forEach(storeOne));
      }
    },
    bodyAt: (index) => {
      const row = db.prepare('SELECT body FROM record WHERE id = ?').get(recordId(run.number, index)) as { body: string };
      return row.body;
    },
    abandon: () => transaction(db, () => forgetRun(db, run.number)),
    pass: (gate) =>
      transaction(db, () => {
        if (!takeGate(db, run.target, gate.version)) return null;
        writeGate(db, run.number, gate);
        applyDecisions(db, run.number, gate.decisions);
        return deliver(run.number);
      }),
  };
}

/** False when another run has passed its gate at this target since `version`. */
export function takeGate(db: Db, target: number, version: number): boolean {
  const { changes } = db.prepare('UPDATE target SET gates = gates + 1 WHERE id = ? AND gates = ?').run(target, version);
  return changes === 1;
}

function writeGate(db: Db, run: number, { digest, payAgain, files }: Gate): void {
  db.prepare('UPDATE run SET passed = 1, digest = ?, pay_again = ? WHERE number = ?').run(digest, payAgain, run);
  const insert = db.prepare('INSERT INTO file VALUES (?, ?, ?, ?, ?, ?)');
  files.forEach((file, i) => insert.run(run, i, file.path, file.sha256, file.records, file.hasErrorColumn ? 1 : 0));
}

/** Writes down what was decided about repeats. Only records that were never sent change their key. */
export function applyDecisions(db: Db, run: number, decisions: readonly Decision[]): void {
  const leaveOut = db.prepare('INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, 0, ?, ?, ?, 0, 0)');
  const payAgain = db.prepare('UPDATE record SET key = ?, body = ?, body_hash = ? WHERE id = ?');
  const dropRecord = db.prepare('UPDATE record SET key = NULL, body = NULL, content = NULL, likeness = NULL, error = ? WHERE id = ?');
  const markInvalid = db.prepare("INSERT OR REPLACE INTO outcome VALUES (?, 'invalid', NULL, 0, NULL, ?, NULL, 0, 0)");
  for (const decision of decisions) {
    const id = recordId(run, decision.index);
    switch (decision.what) {
      case 'paid-again':
        payAgain.run(decision.key, decision.body, decision.bodyHash, id);
        break;
      case 'invalid':
        dropRecord.run(decision.error, id);
        markInvalid.run(id, decision.error);
        break;
      case 'left-out': {
        const { state, httpStatus, response, error, doubtSince } = decision.outcome;
        leaveOut.run(id, state, httpStatus, response, error, doubtSince);
      }
    }
  }
}

/** Deletes a run that never passed its gate: it is not history. */
export function forgetRun(db: Db, run: number): void {
  const [first, last] = rangeOf(run);
  db.prepare('DELETE FROM record WHERE id BETWEEN ? AND ?').run(first, last);
  db.prepare('DELETE FROM outcome WHERE record BETWEEN ? AND ?').run(first, last);
  db.prepare('DELETE FROM run WHERE number = ? AND passed = 0').run(run);
}
