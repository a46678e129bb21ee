// @ts-check
// One process that opens and closes the journal and the sandbox's file in each folder that it reads from standard
// input. Tests run several of them in step.
import { createInterface } from 'node:readline';
import { openSqliteJournal } from '../../dist/journal/sqlite.js';
import { openStore } from '../../dist/sandbox/store.js';

/** @param {string} folder */
function openBoth(folder) {
  const journal = openSqliteJournal({
    folder,
    readOnly: false,
    isKeyed: () => true,
    now: () => 0,
    platform: process.platform,
  });
  journal?.recover();
  journal?.close();
  openStore(`${folder}/sandbox.db`).close();
  return 'opened';
}

process.stdout.write('ready\n');
for await (const folder of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = openBoth(folder);
  } catch (cause) {
    said = /** @type {Error} */ (cause).message;
  }
  process.stdout.write(`${said}\n`);
}
