/**
 * Looks up keys that {@link fill-history} has stored, scattered over all of them. Arguments: name of the target, how many
 * payments there are; the journal is the environment's. Prints microseconds for a key.
 */
import { computeKey } from '../../dist/keys/key.js';
import { openJournal } from './open-journal.js';
import { OTHER_PEOPLE, sentBody } from './inputs.js';

const [name, size] = process.argv.slice(2);
const AT_ONCE = 1000;
const ROUNDS = 40;
/** Shares no factor with any size. */
const STEP = 7_368_787;

const ledger = await openJournal();
const target = { target: name, scope: '' };
let place = 0;

function someKeys() {
  return Array.from({ length: AT_ONCE }, () => {
    place = (place + STEP) % Number(size);
    return computeKey('default', 'payout', 'content', sentBody(OTHER_PEOPLE + place), 1).text;
  });
}

let spent = 0;
for (let i = 0; i < ROUNDS; i++) {
  const keys = someKeys();
  const began = performance.now();
  const found = await ledger.find(target, keys);
  spent += performance.now() - began;
  if (found.length !== AT_ONCE) throw new Error(`${found.length} of ${AT_ONCE} keys are known`);
}
process.stdout.write(`${(spent * 1000) / (ROUNDS * AT_ONCE)}\n`);
await ledger.leave();
process.exit(0);
