/** Files of payouts for the bench: the same rows in every format, the same on every machine. */
import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { loadModule } from '../support/load.js';

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

/** The same rows in a workbook, with the formats that a spreadsheet gives to amounts and dates. */
export async function writeWorkbook(path, count) {
  const { module, close } = await loadModule('/test/support/workbook.ts');
  const rows = Array.from({ length: count }, (_, n) => {
    const { user_id, amount, title, cost_center_key, currency, billing_date, description } = payout(n);
    const day = { v: Date.parse(billing_date) / 86_400_000 + DAYS_TO_1970, format: 14 };
    return [user_id, { v: amount, format: '#,##0.00' }, title, cost_center_key, currency, day, description];
  });
  writeFileSync(path, module.sheet([FORMATS.csv.head.trim().split(','), ...rows]));
  await close();
  return path;
}

/** As spreadsheets count days. */
const DAYS_TO_1970 = 25_569;

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
