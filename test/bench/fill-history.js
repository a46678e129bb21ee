/**
 * Fills a journal with a history through the ledger itself: payments that were prepared, passed the gate and were created,
 * of other people and with other contents than {@link writePayouts} makes. Arguments: name of the target, how many
 * payments; the journal is the environment's. A month brings 20,000 of them.
 */
import { computeKey, sha256 } from '../../dist/keys/key.js';
import { hash64 } from '../../dist/keys/fingerprint.js';
import { idOf } from '../../dist/ledger/payment.js';
import { OTHER_PEOPLE, sentBody } from './inputs.js';
import { openJournal } from './open-journal.js';

const [name, size] = process.argv.slice(2);
const A_MONTH = 20_000;
const STORED_AT_ONCE = 1000;
const SETTLED_AT_ONCE = 500;

const now = () => Date.now();
const ledger = await openJournal();
const target = { target: name, scope: '' };
const HEAD = { command: 'batch import', ...target, batchId: 'default' };
const CREATED = {
  state: 'created',
  httpStatus: 201,
  attempts: 1,
  response: '{"id":"x"}',
  error: null,
  requestId: null,
  doubtSince: null,
};

function draft(index, n) {
  const text = sentBody(n);
  const key = computeKey('default', 'payout', 'content', text, 1).text;
  const body = sentBody(n, key);
  const { amount, currency, cost_center_key } = JSON.parse(body);
  return {
    index,
    type: 'payout',
    key,
    body,
    bodyHash: sha256(body),
    content: hash64(text),
    similarity: hash64(`similar ${text}`),
    reference: null,
    date: 20_000 + (n % 1000),
    measure: null,
    amount: String(amount),
    currency,
    costCenter: cost_center_key,
  };
}

async function fill(from, count) {
  const version = await ledger.version(target);
  const preparation = await ledger.prepare({ ...HEAD, startedAt: now() });
  for (let at = 0; at < count; at += STORED_AT_ONCE) {
    const length = Math.min(STORED_AT_ONCE, count - at);
    await preparation.store(Array.from({ length }, (_, i) => draft(at + i, from + at + i)));
  }
  const delivery = await ledger.commit({
    version,
    target,
    run: null,
    preparation,
    digest: sha256(`${from}`),
    decisions: { skipCreated: false, skipSimilar: false, sendSimilar: null },
    approval: null,
    list: {
      files: [{ path: 'history.csv', sha256: '', records: count }],
      records: listed(preparation, count),
      invalid: [],
    },
    givenUp: [],
    replaced: [],
    bodies: [],
    amounts: [],
    delivers: true,
  });
  await settle(
    delivery,
    Array.from({ length: count }, (_, index) => idOf(preparation.number, index)),
  );
  await delivery.leave();
  await ledger.end(delivery.run, { finishedAt: now(), exitCode: 0, stopReason: null });
}

function* listed({ number }, count) {
  for (let index = 0; index < count; index++)
    yield { index, file: 0, record: index + 1, line: index + 2, payment: idOf(number, index), leftOut: null };
}

/** Each exchange stores what the one before has claimed. */
async function settle(delivery, payments) {
  let settled = [];
  for (let at = 0; at < payments.length || settled.length > 0; at += SETTLED_AT_ONCE) {
    const { claimed } = await delivery.exchange(settled, payments.slice(at, at + SETTLED_AT_ONCE));
    settled = claimed.map(({ id, claim }) => ({ id, claim, outcome: CREATED }));
  }
}

for (let filled = 0; filled < Number(size); filled += A_MONTH)
  await fill(OTHER_PEOPLE + filled, Math.min(A_MONTH, Number(size) - filled));
await ledger.leave();
process.exit(0);
