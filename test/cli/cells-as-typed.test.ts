/** Cells as people type them, from the file to the total of a dry run. CONTRACT: "Input flags". */
import { expect, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { bodiesOf, dry } from '../support/dry.js';

/** Cents from -99,999,999 to 99,999,999, always the same ones. */
function someCents(count: number): number[] {
  let state = 43;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state % 200_000_000) - 99_999_999;
  });
}

const CENTS = someCents(300);
const STYLE = { minimumFractionDigits: 2 } as const;
const PLAIN = new Intl.NumberFormat('de-DE', STYLE);
const FORMATS: readonly ((euros: number) => string)[] = [
  (euros) => PLAIN.format(euros),
  (euros) => (euros < 0 ? `${PLAIN.format(-euros)}-` : PLAIN.format(euros)),
  (euros) => (euros < 0 ? `(${PLAIN.format(-euros)} €)` : `${PLAIN.format(euros)} €`),
  (euros) => new Intl.NumberFormat('sv-SE', STYLE).format(euros),
  (euros) =>
    new Intl.NumberFormat('fr-FR', { style: 'currency', currency: 'EUR', currencySign: 'accounting' }).format(euros),
  (euros) => `EUR ${new Intl.NumberFormat('nl-NL', STYLE).format(euros)}`,
];
const DATES = ['03.11.2026', '3.11.26 14:22', '2026-11-03T23:59:59-08:00', '03-Nov-2026', '2026-11-03 00:30'];

test('the total of numbers in six notations is exact, and dates with times and spaced IDs are read', async () => {
  const rows = CENTS.map((cents, i) =>
    [` u${i} `, FORMATS[i % FORMATS.length]?.(cents / 100), 'Bonus', 'PP-1 ', 'EUR', DATES[i % DATES.length]].join(';'),
  );
  const file = `user_id;amount;title;cost_center_key;currency;billing_date\n${rows.join('\n')}\n`;
  const flags = ['--decimal', 'comma', '--currency-signs', '--date-format', 'dmy', '--trim', '--allow-negative'];
  const { code, events, summary } = await dry({ 'b.csv': file }, ...flags);
  expect(code).toBe(0);
  expect(issuesOf({ events } as never).filter((issue: { code: string }) => issue.code === 'surrounding-space')).toEqual(
    [],
  );
  const sum = CENTS.reduce((total, cents) => total + BigInt(cents), 0n);
  const found = summary?.totals as { payout: { amount: string; cost_center: string; count: number }[] };
  expect(found.payout).toMatchObject([{ cost_center: 'PP-1', count: CENTS.length }]);
  const [whole = '', fraction = ''] = (found.payout[0]?.amount ?? '').split('.');
  expect(BigInt(`${whole}${fraction.padEnd(2, '0')}`)).toBe(sum);
  const bodies = bodiesOf(events, 'b.csv') as { user_id: string; amount: number; billing_date: string }[];
  expect(bodies.map(({ user_id, amount }) => [user_id, amount])).toEqual(
    CENTS.map((cents, i) => [`u${i}`, cents / 100]),
  );
  expect(new Set(bodies.map(({ billing_date }) => billing_date))).toEqual(new Set(['2026-11-03']));
});

const SPACED =
  'user_id,amount,title,cost_center_data.inhouse,cost_center_data.legal_entity,cost_center_data.partner_project_code\n u1,5,Bonus,Yes ,Acme,PP-1\n';

test('spaces: a warning in an ID, not allowed in a choice, and gone under --trim, in a profile too', async () => {
  const undeclared = await dry({ 's.csv': SPACED });
  const message = expect.stringContaining('--trim drops them');
  expect(issuesOf(undeclared)).toMatchObject([
    { code: 'not-allowed', field: 'cost_center_data.inhouse', message },
    { code: 'surrounding-space', field: 'user_id', severity: 'warning', message },
  ]);
  const work = workspace();
  work.file('s.csv', SPACED);
  work.file('c.json', JSON.stringify({ profiles: { p: { trim: true } } }));
  for (const flags of [['--trim'], ['--config', 'c.json', '--profile', 'p']]) {
    const { code, events } = await work.run(['payout', 'create', 's.csv', '--dry-run', '--json', ...flags]);
    expect([code, bodiesOf(events, 's.csv')]).toMatchObject([
      0,
      [{ user_id: 'u1', cost_center_data: { inhouse: 'Yes' } }],
    ]);
  }
});
