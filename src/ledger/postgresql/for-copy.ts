/** The shared journal, open to be copied from or to as a whole. */
import type { Caller } from '../event.js';
import type { PostgresqlPlace } from '../place.js';
import type { OpenJournal, Transaction } from '../store/driver.js';
import { FORM } from './dialect.js';
import type { Connection } from './connection.js';
import { explained } from './failures.js';
import { LOCK } from './lock.js';
import { makeSchema } from './schema.js';
import { connectTo } from './server.js';
import { transactionOn } from './session.js';

/** @throws JournalError */
export async function openSharedForCopy(place: PostgresqlPlace, caller: Caller): Promise<OpenJournal> {
  try {
    const server = { history: null, user: place.user };
    const connection = await connectTo(place, server, { name: 'gigwork', connectMs: 10_000, answerMs: 0 });
    await makeSchema(connection, place.schema, place.shown, true);
    // The other journal may take its time.
    await connection.several('SET idle_in_transaction_session_timeout = 0');
    return journalOn(connection, caller, place.shown);
  } catch (cause) {
    throw explained(cause, place.shown);
  }
}

function journalOn(connection: Connection, caller: Caller, place: string): OpenJournal {
  const tx = transactionOn(connection, { at: 0, opened: [] }, (answer) => answer);
  return {
    ...{ ...FORM, tx, caller, userColumn: 'copied_user' },
    doneBy: () => ({}),
    begin: async (alone) => {
      // Before what is seen is settled: then nobody is in the middle of a change.
      await tx.rows(`SELECT pg_advisory_lock(${LOCK})`);
      await connection.several('BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; SELECT 1 FROM journal');
      if (!alone) await tx.rows(`SELECT pg_advisory_unlock(${LOCK})`);
    },
    commit: async () => void (await connection.several('COMMIT; SELECT pg_advisory_unlock_all()')),
    leave: () => connection.end(),
    now: async () => {
      const now = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';
      return (await tx.rows<[number]>(now))[0]?.[0] ?? 0;
    },
    continueFrom: async (_tx, { target, run, event, claim }) => {
      for (const [table, column, number] of [
        ['target', 'id', target],
        ['run', 'number', run],
        ['event', 'id', event],
      ] as const)
        await setCounter(tx, `pg_get_serial_sequence('${table}', '${column}')`, number);
      await setCounter(tx, "'claim_number'", claim);
    },
    explained: (cause) => explained(cause, place),
  };
}

/** Of what was never counted, the first number is not given yet. */
async function setCounter(tx: Transaction, sequence: string, number: number): Promise<void> {
  if (number > 0) await tx.rows(`SELECT setval(${sequence}, $1::bigint)`, number);
}
