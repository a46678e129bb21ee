/**
 * Delivery alone, out of one ledger: `real` or `none`, which hands out the same bodies and writes nothing.
 * Arguments: which, run, base URL; the journal is the environment's. Prints the milliseconds that delivery took.
 */
import { secretsOf } from '../../dist/config/secrets.js';
import { sendRun } from '../../dist/delivery/target.js';
import { openJournal, world } from './open-journal.js';

const [which, name, baseUrl] = process.argv.slice(2);
const CONCURRENCY = 32;
const PAGE = 1000;
const ledger = await openJournal();
await ledger.recover();
const [run] = await ledger.runs({ name });

const records = [];
for (let page = await ledger.records(run, 0, PAGE); page.length > 0;) {
  records.push(...page);
  page = await ledger.records(run, records.length, PAGE);
}
const toSend = records.map(({ index, payment, type }) => ({ index, payment, type }));

/** The run goes on as it is. */
async function real() {
  return ledger.commit({
    version: await ledger.version(run),
    target: run,
    run,
    preparation: null,
    digest: run.digest,
    decisions: run.decisions,
    approval: null,
    list: null,
    givenUp: [],
    replaced: [],
    bodies: [],
    amounts: [],
    delivers: true,
  });
}

/** Hands out every record of the run, and takes outcomes without a word. */
function none() {
  const claimed = new Map(
    records.map(({ payment, type, key, body }) => [payment, { id: payment, type, key, body, claim: 1, earlier: null }]),
  );
  return {
    run,
    exchange: (_settled, wanted) =>
      Promise.resolve({ claimed: wanted.map((payment) => claimed.get(payment)), unclaimed: [] }),
    hasCreated: () => Promise.resolve(true),
    maySend: () => true,
    untilMaySend: () => null,
    leave: () => Promise.resolve(),
  };
}

const delivery = which === 'real' ? await real() : none();
const began = performance.now();
const stopped = await sendRun({
  delivery,
  toSend,
  baseUrl,
  send: { headers: {}, timeoutMs: 30_000, retries: 5, concurrency: CONCURRENCY, rate: null, tls: {}, proxy: null },
  response: { require: [], id: 'id', empty: false },
  secrets: secretsOf([]),
  stopAfter: null,
  createdBefore: true,
  inDoubtBefore: false,
  rules: { mayResend: () => true, isProtected: () => true },
  onTold: () => null,
  onOpen: () => undefined,
  onKnown: () => undefined,
  onWaiting: () => undefined,
  note: () => undefined,
  onAttempt: null,
  interrupted: new AbortController().signal,
  world,
});
process.stdout.write(`${performance.now() - began}\n`);
if (stopped !== null) throw new Error(`delivery was stopped: ${stopped.reason}`);
await ledger.leave();
process.exit(0);
