/** Files of payouts for the bench: the same rows in every format, the same on every machine. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** The n-th payout; no two are alike. */
function payout(n) {
  return {
    user_id: `usr_${String(n).padStart(7, '0')}`,
    amount: (((n * 7919) % 1_000_000) + 100) / 100,
    title: 'Bonus November',
    cost_center_key: `PP-${n % 40}`,
    currency: 'EUR',
    billing_date: `2026-11-${String((n % 19) + 1).padStart(2, '0')}`,
    description: `Shift ${n}, store ${n % 300}`,
  };
}

/** What gigwork sends for it, in canonical order; also for peers that are given bodies. */
export function sentBody(n, key = '4e353669-d28d-8c9e-99b3-1e2c9de495dd') {
  const body = { ...payout(n), idempotency_key: key };
  return JSON.stringify(body, Object.keys(body).sort());
}

const FORMATS = {
  csv: {
    head: 'user_id,amount,title,cost_center_key,currency,billing_date,description\n',
    row: (p) =>
      `${p.user_id},${p.amount},${p.title},${p.cost_center_key},${p.currency},${p.billing_date},"${p.description}"\n`,
    tail: '',
  },
  ndjson: { head: '', row: (p) => `${JSON.stringify(p)}\n`, tail: '' },
  json: { head: '[\n', row: (p, n) => `${n === 0 ? '' : ',\n'}${JSON.stringify(p)}`, tail: '\n]\n' },
};

/** Writes `count` payouts to `path`. @param from number of the first one */
export async function writePayouts(path, format, count, from = 0) {
  const { head, row, tail } = FORMATS[format];
  const file = createWriteStream(path);
  file.write(head);
  for (let n = 0; n < count; n++) {
    if (!file.write(row(payout(from + n), n))) await once(file, 'drain');
  }
  file.end(tail);
  await once(file, 'close');
  return path;
}
