/** Which flag would read a date: only one that reads the whole column. CONTRACT: `--date-format`. */
import { expect, test } from 'vitest';
import { openDesk, issuesOf } from '../support/desk.js';
import { sheet } from '../support/workbook.js';

const HEAD = 'user_id,amount,title,cost_center_key,billing_date\n';
const rows = (dates: readonly string[]): string =>
  HEAD + dates.map((date, i) => `u${i},${i + 1}00,Bonus,PP-1,${date}\n`).join('');

test.each<[string, readonly string[], RegExp, RegExp]>([
  ['the day first', ['13.11.2026', '11.12.2026'], /--date-format dmy reads it as 2026-11-13/, /mdy/],
  [
    'two orders fit',
    ['03.11.2026', '04.11.2026'],
    /dmy reads it as 2026-11-03.*mdy reads it as 2026-03-11/,
    /no --date/,
  ],
  [
    'neither fits all, the proof below',
    ['03.11.2026', '13.11.2026', '11/25/2026'],
    /no --date-format reads all/,
    /reads it as/,
  ],
])('%s', async (_what, dates, has, lacks) => {
  const at = await openDesk();
  at.work.file('d.csv', rows(dates));
  const found = issuesOf(await at.sendFiles(['d.csv'], '--dry-run'), 'bad-date');
  expect(found).toHaveLength(dates.length);
  expect(found[0].message).toMatch(has);
  expect(found[0].message).not.toMatch(lacks);
});

test('under another order, dates that were read count, too', async () => {
  const at = await openDesk();
  at.work.file('d.csv', rows(['11/25/2026', '25/11/2026', '01/02/2026']));
  const [issue] = issuesOf(await at.sendFiles(['d.csv'], '--dry-run', '--date-format', 'mdy'), 'bad-date');
  expect(issue).toMatchObject({ line: 3, value: '25/11/2026' });
  expect(issue.message).toContain('no --date-format reads all dates of this column');
});

test('the day of a date with a time is sent only where an order is declared', async () => {
  const at = await openDesk();
  at.work.file('t.csv', rows(['2026-11-03 14:22', '2026-11-04T00:00:00']));
  const undeclared = await at.sendFiles(['t.csv'], '--dry-run');
  const found = issuesOf(undeclared, 'bad-date');
  expect(found).toHaveLength(1);
  expect(found[0].message).toMatch(/has a time of day; --date-format ymd reads it as 2026-11-03$/);
  const HEADER = ['user_id', 'amount', 'title', 'cost_center_key', 'billing_date'];
  const cell = { v: 46329.6, format: 'dd.mm.yyyy hh:mm' };
  at.work.file('t.xlsx', sheet([HEADER, ['u9', 900, 'Bonus', 'PP-1', cell]]));
  expect(issuesOf(await at.sendFiles(['t.xlsx'], '--dry-run'), 'bad-date')).toMatchObject([
    { message: expect.stringContaining('--date-format ymd reads it as 2026-11-03') },
  ]);
  const { code, events } = await at.sendFiles(['t.csv', 't.xlsx'], '--dry-run', '--date-format', 'ymd');
  const days = events.filter(({ event }) => event === 'record').map(({ request }) => request.billing_date);
  expect([code, days]).toEqual([0, ['2026-11-03', '2026-11-04', '2026-11-03']]);
});

test.each([
  ['ymd', '20261103'],
  ['mdy', 'Nov 03, 2026'],
])('%s is named for %s, and reads it', async (order, date) => {
  const at = await openDesk();
  at.work.file('d.csv', rows([`"${date}"`]));
  const [issue] = issuesOf(await at.sendFiles(['d.csv'], '--dry-run'), 'bad-date');
  expect(issue.message).toContain(`--date-format ${order} reads it as 2026-11-03`);
  expect(issue.message.match(/--date-format/g)).toHaveLength(1);
  expect((await at.sendFiles(['d.csv'], '--dry-run', '--date-format', order)).code).toBe(0);
});
