// @ts-check
// One process that opens and closes the journal and the sandbox's file in each folder that it reads from standard
// input. Tests run several of them in step.
import { createInterface } from 'node:readline';
import { openSqliteJournal } from '../../dist/journal/sqlite/sqlite.js';
import { openStore } from '../../dist/sandbox/store.js';

const caller = { by: { user: 'clerk', host: 'desk' }, version: '1.2.3', commandLine: 'gigwork' };

/** @param {string} folder */
async function openBoth(folder) {
  const opened = await openSqliteJournal({ folder, caller, now: () => 0, platform: process.platform });
  await opened?.journal.recover();
  await opened?.journal.detach();
  openStore(`${folder}/sandbox.db`).close();
  return 'opened';
}

process.stdout.write('ready\n');
for await (const folder of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = await openBoth(folder);
  } catch (cause) {
    said = /** @type {Error} */ (cause).message;
  }
  process.stdout.write(`${said}\n`);
}
