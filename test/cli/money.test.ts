import { describe, expect, it } from 'vitest';
import { csv } from '../support/builders.js';
import { workspace } from '../support/cli.js';

const RESULTS = csv([
  {
    gig_task_id: 't1',
    user_id: 'u1',
    title: 'A',
    quantity: '7.5',
    multiplier: '1.3333',
    cost_center_key: 'PP-1',
    currency: 'EUR',
  },
  { gig_task_id: 't2', user_id: 'u2', title: 'B', quantity: '1000', cost_center_key: 'PP-1', currency: 'CHF' },
  { gig_task_id: 't3', user_id: 'u3', title: 'C', quantity: '2', cost_center_key: 'PP-1', currency: 'EUR' },
]);
const PRICES = 'gig_task_id,base_price\nt1,187.5\nt2,24000\n';
/** Sums that binary floating point gets wrong. */
const TENTHS = csv(
  ['0.1', '0.2', '1234567.3', '-0.55'].map((amount, i) => ({
    user_id: `u${i}`,
    amount,
    title: 'T',
    cost_center_key: 'PP-1',
    currency: 'EUR',
  })),
);

const EXPLAINED = [
  'gig results: amounts in cents: quantity × base price × multiplier',
  'in.csv, line 2: 7.5 × 187.5 × 1.3333 = 1,874.953125 EUR cents',
  'in.csv, line 3: 1000 × 24000 × 1.0 = 24,000,000 CHF cents',
  'in.csv, line 4: 2 × unknown price × 1.0 = not known',
];

describe('money as people see it', () => {
  it('is explained record by record', async () => {
    const ws = workspace();
    ws.file('in.csv', RESULTS);
    ws.file('prices.csv', PRICES);
    const { stdout } = await ws.run(['result', 'create', 'in.csv', '--prices', 'prices.csv', '--dry-run', '--explain']);
    expect(stdout.split('\n').slice(0, 4)).toEqual(EXPLAINED);
  });

  it('is grouped and exact, with a sum for each currency and unpriced results apart', async () => {
    const ws = workspace();
    ws.file('in.csv', RESULTS);
    ws.file('prices.csv', PRICES);
    const { stdout } = await ws.run(['result', 'create', 'in.csv', '--prices', 'prices.csv', '--dry-run']);
    expect(stdout).toMatch(/^ {2}CHF +all +1 +24,000,000 +0$/m);
    expect(stdout).toMatch(/^ {2}EUR +all +2 +1,874\.953125 +1$/m);
    expect(stdout.match(/\ball\b/g)).toHaveLength(2);
  });
});

describe('prices in a result file', () => {
  const row = (user_id: string, base_price: string): Record<string, string> => ({
    gig_task_id: 't1',
    user_id,
    title: 'A',
    quantity: '2',
    cost_center_key: 'PP-1',
    currency: 'EUR',
    base_price,
  });

  it('must agree with one another: no flag leaves one of two out, and with it a total', async () => {
    const ws = workspace();
    for (const rows of [
      [row('u1', '250'), row('u2', '25')],
      [row('u2', '25'), row('u1', '250')],
    ]) {
      ws.file('in.csv', csv(rows));
      const { code, stderr } = await ws.run(['result', 'create', 'in.csv', '--dry-run', '--skip-invalid']);
      expect([code, stderr]).toMatchObject([3, expect.stringMatching(/line 3: The task \S+ has two prices/)]);
    }
  });

  it('come from the list where a row has none, and must agree with it', async () => {
    const ws = workspace();
    ws.file('in.csv', csv([row('u1', ''), row('u2', '187.5')]));
    ws.file('other.csv', csv([row('u1', ''), row('u2', '250')]));
    ws.file('prices.csv', PRICES);
    const args = ['--prices', 'prices.csv', '--dry-run', '--json'];
    const { summary } = await ws.run(['result', 'create', 'in.csv', ...args]);
    expect(summary?.totals).toMatchObject({ result: [{ count: 2, amount: '750', unpriced: 0 }] });
    const { code, events } = await ws.run(['result', 'create', 'other.csv', ...args]);
    expect([code, events.find(({ code: issue }) => issue === 'price-conflict')]).toMatchObject([3, { record: 2 }]);
  });
});

describe('a control total that is missed', () => {
  it.each([[[]], [['--json']], [['--json', '--quiet']]])('is told on standard error with %j', async (flags) => {
    const ws = workspace();
    ws.file('in.csv', TENTHS);
    const args = [
      'payout',
      'create',
      'in.csv',
      '--dry-run',
      '--allow-negative',
      '--expect-total',
      'EUR=1234567',
      ...flags,
    ];
    const { code, stderr, summary } = await ws.run(args);
    expect([code, summary?.stop_reason]).toEqual([3, flags.length === 0 ? undefined : 'control_total']);
    expect(stderr).toMatch(/--expect-total EUR=1234567\b.*1,?234,?567\.05/);
  });
});
