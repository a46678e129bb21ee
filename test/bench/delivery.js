/**
 * Delivery alone, out of one journal: `real` or `none`, which hands out the same bodies and writes nothing.
 * Arguments: which, state directory, run, base URL. Prints the milliseconds that delivery took.
 */
import { openSqliteJournal } from '../../dist/journal/sqlite.js';
import { deliver } from '../../dist/delivery/deliver.js';
import { processWorld } from '../../dist/world.js';
import { openClient } from '../../dist/delivery/http/client.js';
import { startPace } from '../../dist/delivery/rate-limit.js';
import { startSender } from '../../dist/delivery/sender.js';
import { secretsOf } from '../../dist/config/secrets.js';

const [which, folder, name, baseUrl] = process.argv.slice(2);
const CONCURRENCY = 32;
const world = processWorld();
const journal = openSqliteJournal({
  folder,
  readOnly: false,
  isKeyed: (type) => type !== 'gig',
  now: world.now,
  platform: world.platform,
});
journal.recover();
const run = journal.runNamed(name);
const real = () =>
  journal.join(run, {
    version: journal.history(run.target, run.scope, run.number).version,
    decisions: [],
    placing: null,
  });

/** Hands out every record of the run, and takes outcomes without a word. */
function none() {
  const records = [...journal.records(run)].map(({ id, index, type, key, body }) => ({
    id,
    index,
    type,
    key,
    body,
    earlier: null,
    intent: 1,
  }));
  let at = 0;
  return {
    exchange: (_settled, claim) => {
      if (claim === null) return { claimed: [], unclaimed: [], end: false };
      const claimed = records.slice(at, (at += claim.free + claim.ahead));
      return { claimed, unclaimed: [], end: at >= records.length };
    },
    revisit: () => ({ claimed: [], unclaimed: [], end: true }),
    leave: () => undefined,
  };
}

const outbox = which === 'real' ? real() : none();
const watch = {
  seen: () => undefined,
  settled: () => undefined,
  stop: () => undefined,
  hasCreated: true,
  unreachable: () => undefined,
  waiting: () => undefined,
};
const client = await openClient({
  baseUrl,
  headers: {},
  timeoutMs: 30_000,
  connections: CONCURRENCY,
  tls: {},
  proxy: null,
  monotonic: world.monotonic,
  sent: () => undefined,
});
const stop = new AbortController().signal;
const sender = startSender({
  client,
  pace: startPace(null, world),
  retries: 5,
  rules: { mayResend: () => true, isProtected: () => true },
  response: { require: [], id: 'id', empty: false },
  watch,
  secrets: secretsOf([]),
  log: null,
  stop,
  world,
});
const began = performance.now();
await deliver({
  outbox,
  sender,
  concurrency: CONCURRENCY,
  rules: { mayResend: () => true, isProtected: () => true },
  stop,
  halt: () => undefined,
  onKnown: () => undefined,
  world,
});
process.stdout.write(`${performance.now() - began}\n`);
await client.close();
journal.close();
process.exit(0);
