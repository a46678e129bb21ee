// @ts-check
// One process on a journal: one JSON command a line on standard input, one JSON answer a line on standard output.
import { createInterface } from 'node:readline';
import { openSqliteJournal } from '../../../dist/journal/sqlite.js';
/** @import { Outbox } from '../../../src/journal/delivery.js' */
/** @import { Journal, PreparingRun, StoredRun } from '../../../src/journal/journal.js' */
/** @import { PlannedRecord } from '../../../src/journal/record.js' */

const now = () => Date.parse('2026-11-01T08:00:00Z');
/** @type {Journal | undefined} */
let journal;
/** @type {PreparingRun | undefined} */
let preparing;
/** @type {Outbox | undefined | null} */
let outbox;

/** Hashes have become lists of numbers on their way. @param {any} record @returns {PlannedRecord} */
function revived(record) {
  const bytes = (/** @type {number[] | null} */ list) => (list === null ? null : Uint8Array.from(list));
  return { ...record, content: bytes(record.content), likeness: bytes(record.likeness) };
}

/** @type {Record<string, (values: any) => unknown>} */
const commands = {
  open({ folder }) {
    journal =
      openSqliteJournal({
        folder,
        readOnly: false,
        isKeyed: (type) => type !== 'gig',
        now,
        platform: process.platform,
      }) ?? undefined;
    journal?.recover();
  },
  prepare({ head, records }) {
    preparing = journal?.prepare(head);
    preparing?.store(records.map(revived));
    return preparing?.run;
  },
  pass({ gate }) {
    outbox = preparing?.pass(gate);
    return outbox !== null;
  },
  join({ run, version }) {
    outbox = journal?.join(run, version, []);
    return outbox !== null;
  },
  exchange({ settled, free, ahead }) {
    return outbox?.exchange(settled, { free, ahead, rules: { mayResend: ({ type }) => type !== 'gig' } });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...values } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ answer: commands[name]?.(values) ?? null })}\n`);
}
