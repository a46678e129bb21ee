/** The journal in a file, open to be copied from or to as a whole. */
import { join } from 'node:path';
import type { World } from '../../world.js';
import { emptyLog } from '../../util/sqlite.js';
import type { Caller } from '../event.js';
import type { OpenJournal } from '../store/driver.js';
import { FORM } from './compact.js';
import { explained } from './failures.js';
import { JOURNAL_FILE, openForWriting } from './file.js';
import { keptStatements, transactionOn } from './session.js';

/** @throws JournalError */
export function openFileForCopy(folder: string, caller: Caller, { platform, now }: World): OpenJournal {
  const file = join(folder, JOURNAL_FILE);
  const { db } = openForWriting(folder, platform);
  const execute = (text: string): Promise<void> => Promise.resolve(text).then((words) => db.exec(words));
  return {
    ...{ ...FORM, caller, userColumn: 'user' },
    tx: transactionOn(keptStatements(db), [], now()),
    doneBy: (_tx, { by }, at) => ({ at: at ?? now(), user: by.user }),
    begin: (alone) => execute(alone ? 'BEGIN IMMEDIATE' : 'BEGIN'),
    commit: () => execute('COMMIT'),
    leave: async () => {
      try {
        if (db.isTransaction) await execute('ROLLBACK');
        // All in one file, so that it can be carried away as it is.
        emptyLog(db);
      } finally {
        db.close();
      }
    },
    now: () => Promise.resolve(now()),
    continueFrom: async (tx, { run, claim }) => {
      for (const [name, number] of Object.entries({ run, claim }))
        await tx.change('UPDATE sqlite_sequence SET seq = $1 WHERE name = $2', number, name);
    },
    explained: (cause) => explained(cause, file),
  };
}
