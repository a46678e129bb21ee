/** Each rule by which a record resembles a payment, with what just does not. CONTRACT: `similar-record`, (a) to (d). */
import { describe, expect, test } from 'vitest';
import { csv, type PayoutRow, type Row } from '../support/builders.js';
import {
  correcting,
  type Desk,
  openDesk,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  issuesOf,
  own,
  paid,
  recordsOf,
  remedyOf,
  SECOND,
  sent,
  THIRD,
} from '../support/desk.js';

const ROW = { user_id: 'u1', amount: 100, title: 'Audit', cost_center_key: 'PP-1' };
const REF = { ...ROW, reference_id: 'INV-7' };
const DATED = { ...ROW, billing_date: '2026-11-03' };
const RETITLED = { ...REF, title: 'Shelf' };
/** Hours: a little more than 6 days. */
const OLD = 6 * 24 + 1;

interface Case {
  readonly before: readonly object[];
  readonly now: readonly object[];
  /** Of the first call, and of the second. */
  readonly flags?: readonly [first: string, second: string];
  readonly hours?: number;
}

/** How many records of the second input are similar ones. */
async function similar({ before, now, flags = ['', ''], hours = 0 }: Case): Promise<number> {
  const at = await sent('created', before, ...wordsOf(flags[0]));
  return similarNow(at.later(hours), now, flags[1]);
}

async function similarNow(at: Desk, now: readonly object[], flags = ''): Promise<number> {
  const result = await at.send(now, ...wordsOf(flags));
  const found = issues(result)['similar-record'] ?? 0;
  expect(issues(result)).toEqual(found === 0 ? {} : { 'similar-record': found });
  expect(result.summary.exit_code).toBe(found === 0 ? 0 : 3);
  return found;
}

function wordsOf(flags: string): string[] {
  return flags === '' ? [] : flags.split(' ');
}

test.each<[string, number, Case]>([
  ['(a) a reference with other punctuation', 1, { before: [REF], now: [{ ...REF, reference_id: 'inv 7', amount: 9 }] }],
  ['(a) another reference', 0, { before: [REF], now: [{ ...REF, reference_id: 'INV-8' }] }],
  ['(a) day and month exchanged', 1, { before: [DATED], now: [{ ...DATED, billing_date: '2026-03-11' }] }],
  ['(a) another day', 0, { before: [DATED], now: [{ ...DATED, billing_date: '2026-03-12' }] }],
  ['(b) another title', 1, { before: [REF], now: [RETITLED] }],
  ['(b) another title and amount', 0, { before: [REF], now: [{ ...RETITLED, amount: 101 }] }],
  ['(b) another currency', 0, { before: [REF], now: [{ ...RETITLED, currency: 'EUR' }] }],
  ['(b) another day', 0, { before: [{ ...REF, ...DATED }], now: [{ ...RETITLED, billing_date: '2026-11-04' }] }],
  [
    '(b) a reference of a flag',
    0,
    { before: [REF], now: [{ ...ROW, title: 'Shelf' }], flags: ['', '--set reference_id=INV-7'] },
  ],
  ['(b) an amount of a flag', 0, { before: [REF], now: [RETITLED], flags: ['', '--set amount=100'] }],
  ['own keys: letter case', 1, { before: [own(ROW, 'INV-1')], now: [own({ ...ROW, amount: 5 }, 'inv-1')] }],
  ['own keys: punctuation', 1, { before: [own(ROW, 'INV-1')], now: [own({ ...ROW, amount: 5 }, 'INV 1')] }],
  ['own keys: zeros', 1, { before: [own(ROW, '00777')], now: [own({ ...ROW, amount: 5 }, '777')] }],
  ['own keys: between digits', 0, { before: [own(ROW, '2026-11')], now: [own({ ...ROW, amount: 5 }, '202611')] }],
  ['own keys: another user', 0, { before: [own(ROW, 'INV-1')], now: [own({ ...ROW, user_id: 'u2' }, 'inv-1')] }],
  ['own keys: (b)', 0, { before: [own(REF, 'k1')], now: [own(RETITLED, 'k2')] }],
])('%s: %i', async (_what, count, given) => {
  expect(await similar(given)).toBe(count);
});

test('(b) not by a reference that all rows of a file share, of three or more', async () => {
  const rows = ['u1', 'u2', 'u3'].map((user_id) => ({ ...REF, user_id }));
  const retitled = rows.map((row) => ({ ...row, title: 'Shelf' }));
  expect(await similar({ before: rows.slice(0, 2), now: retitled.slice(0, 2) })).toBe(2);
  expect(await similar({ before: rows, now: retitled })).toBe(0);
  expect(await similar({ before: rows, now: retitled.slice(0, 2) })).toBe(0);
  expect(await similar({ before: rows.slice(0, 2), now: retitled })).toBe(0);
});

test('(b) of results: the same task, quantity and day under another title', async () => {
  const result = { gig_task_id: 't1', user_id: 'u1', title: 'A', quantity: 2, cost_center_key: 'PP' };
  const day = { delivery_date: '2026-11-03' };
  const at = await openDesk();
  expectDone(await at.create('result', [{ ...result, ...day }]), { created: 1 });
  const again = { ...result, ...day, title: 'B' };
  expectRefused(await at.create('result', [again]), 'repeats', { 'similar-record': 1 });
  for (const other of [{ quantity: 3 }, { gig_task_id: 't2' }, { delivery_date: '2026-11-04' }])
    expectDone(await at.create('result', [{ ...again, ...other }], '--dry-run'), { planned: 1 });
});

describe('(c) the same line of the same file, read in another way', () => {
  const title = (text: string): string[] => ['--set', `title=${text}`];

  test('another title for all rows, as of a nightly job', async () => {
    const at = await sent('created', [FIRST, SECOND], ...title('Nov-26'));
    expectRefused(await at.send([FIRST, SECOND], ...title('Nov-27')), 'repeats', { 'similar-record': 2 });
    expectDone(await at.later(OLD).send([FIRST, SECOND], ...title('Nov-27'), '--batch-id', 'y'), { created: 2 });
  });

  test('two columns exchanged', async () => {
    const at = await openDesk();
    at.work.file('x.csv', 'a,b,amount,cost_center_key\nu1,u2,100,PP\nu3,u4,200,PP\n');
    const maps = (a: string, b: string): string[] => ['--map', `a=${a}`, '--map', `b=${b}`];
    expectDone(await at.sendFiles(['x.csv'], ...maps('user_id', 'title')), { created: 2 });
    const again = await at.sendFiles(['x.csv'], ...maps('title', 'user_id'));
    expectRefused(again, 'repeats', { 'similar-record': 2 });
    expect(issuesOf(again, 'similar-record')[0].earlier).toMatchObject({ file: 'x.csv', line: 2 });
  });

  test('neither for another line, nor in a mended file', async () => {
    const at = await sent('created', [FIRST, SECOND], ...title('A'));
    expectDone(await at.send([FIRST, SECOND, THIRD], ...title('B')), { created: 3 });
  });
});

describe('(d) a file that was mended after it was paid', () => {
  const rows = [FIRST, { ...SECOND, user_id: 'u7' }, THIRD] as PayoutRow[];
  const [, middle] = rows as [PayoutRow, PayoutRow];

  test.each<[string, number, Row]>([
    ['another title, the same amount', 1, { ...middle, title: 'Written anew' }],
    ['another title and amount on the same line', 1, { ...middle, title: 'Written anew', amount: 3 }],
    ['another user', 0, { ...middle, title: 'Written anew', user_id: 'u8' }],
  ])('%s: %i', async (_what, count, row) => {
    const at = await sent('created', rows);
    const again = await at.send([rows[0]!, row, rows[2]!], '--skip-created');
    if (count === 0) expectDone(again, { skipped: 2, created: 1 });
    else expectRefused(again, 'repeats', { 'similar-record': 1 });
  });

  test('not where the input repeats nothing else, and not by the date of another day', async () => {
    const at = await sent('created', rows);
    expectDone(await at.send([{ ...middle, title: 'Written anew' }]), { created: 1 });
    const dated = { ...middle, billing_date: '2026-11-03' };
    const other = await sent('created', [FIRST, dated]);
    const moved = { ...dated, title: 'Written anew', billing_date: '2026-11-04' };
    expectDone(await other.send([FIRST, moved], '--skip-created'), { skipped: 1, created: 1 });
  });

  test('not a payment that a record of the input stands for', async () => {
    const at = await sent('created', rows);
    const extra = { ...middle, title: 'In addition' };
    expectDone(await at.send([...rows, extra], '--skip-created'), { skipped: 3, created: 1 });
  });
});

describe('at another account on the same host, in the same batch', () => {
  test.each<[string, number, object, string]>([
    ['the same content', 1, REF, ''],
    ['another title, the same reference', 1, RETITLED, ''],
    ['another amount', 0, { ...REF, amount: 9 }, ''],
    ['in another batch', 0, REF, '--batch-id y'],
  ])('%s: %i', async (_what, count, row, flags) => {
    const at = await sent('created', [REF]);
    expect(await similarNow(at, [row], `--account second ${flags}`.trim())).toBe(count);
  });

  test('the same line of the same file; a run that is resumed is asked about all of this, too', async () => {
    const at = await sent('open', [REF]);
    expectDone(await at.send([REF], '--account', 'main', '--set', 'title=B'), { created: 1 });
    for (const later of [at, at.later(25)])
      expectRefused(await later.resume(at.run), 'repeats', { 'similar-record': 1 });
    expect(paid(at, REF as PayoutRow)).toEqual([0]);
  });
});

describe('in another batch, long ago', () => {
  test.each<[string, number, Case]>([
    ['the same day', 1, { before: [DATED], now: [DATED], flags: ['--batch-id x', '--batch-id y'] }],
    ['no day', 0, { before: [ROW], now: [ROW], flags: ['--batch-id x', '--batch-id y'] }],
    ['the batch of no name', 1, { before: [ROW], now: [ROW], flags: ['', '--batch-id y'] }],
    ['no name now', 1, { before: [ROW], now: [ROW], flags: ['--batch-id x', ''] }],
    ['the same reference', 1, { before: [REF], now: [REF], flags: ['--batch-id x', '--batch-id y'] }],
    [
      'the same reference, another amount',
      0,
      { before: [REF], now: [{ ...REF, amount: 7 }], flags: ['--batch-id x', '--batch-id y'] },
    ],
  ])('%s: %i', async (_what, count, given) => {
    expect(await similar({ ...given, hours: OLD })).toBe(count);
  });

  test('not by the batch of no name or a reference where a second batch has paid it, too', async () => {
    const at = await sent('created', [REF]);
    const y = at.later(OLD);
    expectRefused(await y.send([REF], '--batch-id', 'x'), 'repeats', { 'similar-record': 1 });
    expectDone(await y.send([REF], '--batch-id', 'x', '--send-similar', '1'), { created: 1 });
    expectDone(await y.later(OLD).send([REF], '--batch-id', 'y'), { created: 1 });
  });
});

test('a refused and corrected payment is known again without its zeros, and in another letter case', async () => {
  const refused = { ...ROW, user_id: '00451', title: 'Wage' };
  for (const again of [
    { ...refused, user_id: '451' },
    { ...refused, title: 'WAGE' },
  ]) {
    const at = await sent('rejected', [refused], '--batch-id', 'x');
    expectDone(await at.send([correcting({ ...refused, user_id: '00452' }, at.key)]), { created: 1 });
    for (const batch of ['x', 'y'])
      expectRefused(await at.send([again], '--batch-id', batch), 'repeats', { 'similar-record': 1 });
  }
});

describe('a payment stands for one record', () => {
  const before = { ...ROW, title: 'Bonus' };
  const now = [
    { ...before, amount: 50 },
    { ...before, title: 'bonus' },
  ];

  test('the one with its amount; the other stays similar under --skip-similar, and goes into a file of its own', async () => {
    const at = await sent('created', [before]);
    const refused = await at.send(now, '--skip-similar');
    expectRefused(refused, 'repeats', { 'similar-record': 1 });
    expect(recordsOf(refused).map(({ status }) => status)).toEqual(['not_sent', 'not_sent']);
    expect(issuesOf(refused, 'similar-record')).toMatchObject([{ record: 1 }]);
    expect(refused.summary.remedies.map(({ code }: { code: string }) => code)).toContain('separate-file');
    expectDone(await at.send(now.slice(1), '--skip-similar'), { skipped: 1 });
    at.work.file('own.csv', csv([now[0]!]));
    const [, ...words] = remedyOf(refused, 'FILE').map((word) => (word === 'FILE' ? 'own.csv' : word));
    expectDone(await at.work.run([...words.filter((word) => word !== '--skip-similar'), '--send-similar', '1']), {
      created: 1,
    });
  });
});

describe('similar-rows: two records of one input that may be one payment', () => {
  test.each<[string, number, object[]]>([
    ['titles that differ in letter case', 2, [ROW, { ...ROW, title: 'AUDIT', amount: 7 }]],
    [
      'a user without its zeros',
      2,
      [
        { ...ROW, user_id: '0042' },
        { ...ROW, user_id: '42', amount: 7 },
      ],
    ],
    ['an invoice on each of its lines', 3, [1, 2, 3].map((n) => ({ ...REF, title: `Line ${n}`, amount: 300 }))],
    ['two days', 0, [DATED, { ...DATED, billing_date: '2026-11-04' }]],
    ['two references', 0, [REF, { ...REF, reference_id: 'INV-8' }]],
    ['own keys', 0, [own(ROW, 'k1'), own({ ...ROW, amount: 7 }, 'k2')]],
    ['the same rows', 0, [ROW, ROW]],
  ])('%s: %i', async (_what, count, rows) => {
    const at = await openDesk();
    const others = [
      { ...REF, user_id: 'u8', reference_id: 'R8' },
      { ...REF, user_id: 'u9', reference_id: 'R9' },
    ];
    const result = await at.send([...rows, ...others], '--dry-run');
    const found = issuesOf(result, 'similar-rows');
    expect(found.map((issue) => issue.count)).toEqual(count === 0 ? [] : [count]);
    expect((await at.send([...rows, ...others], '--dry-run', '--strict')).summary.exit_code).toBe(
      count > 0 || rows[0] === rows[1] ? 3 : 0,
    );
  });

  test('corrected rows that were filled down to one content are identical', async () => {
    const at = await openDesk(() => ({ status: 422 }));
    const refused = await at.send([FIRST, SECOND, THIRD]);
    at.service.responder(undefined);
    // The second content is that of a row which was not changed.
    for (const filled of [ROW, FIRST]) {
      const rows = recordsOf(refused).map(({ key }) => correcting(filled, key));
      expect(issues(await at.send(rows, '--dry-run'), 'warning')['identical-rows']).toBe(2);
    }
  });
});

describe('other content under the key of a refused payment', () => {
  test('of the same payee takes its place, and one line shows both; of another payee it is a key-conflict', async () => {
    const at = await sent('rejected', [own(FIRST, 'k')]);
    const { url } = at.service;
    const other = own({ ...FIRST, user_id: 'u9' }, 'k');
    const refused = await at.send([other]);
    expectRefused(refused, 'invalid_input', { 'key-conflict': 1 });
    expect(issuesOf(refused, 'key-conflict')[0].message).toContain(`the rejects file of run ${at.run}`);
    at.work.file('p.csv', csv([own({ ...FIRST, amount: 5 }, 'k')]));
    const told = await at.work.run(['payout', 'create', 'p.csv', '--base-url', url, '--yes']);
    expect(told.stderr).toMatch(
      /1 record takes the place of a refused payment .*\(line 2: u1, 5.*instead of u1, [\d,.]+/s,
    );
    expect(told.code).toBe(0);
  });
});

describe('batch names', () => {
  test.each(['2026/11', '2026.11', '202611', '2026 11', '2026_11'])('%s beside 2026-11 is exit 2', async (name) => {
    const at = await sent('created', [FIRST], '--batch-id', '2026-11');
    expect((await at.send([SECOND], '--batch-id', name)).summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expectDone(await at.send([SECOND], '--batch-id', '2026-11b'), { created: 1 });
  });

  test('an account has no #', async () => {
    const at = await openDesk();
    expect((await at.send([FIRST], '--account', 'a#b')).summary).toMatchObject({ exit_code: 2 });
  });

  test('no-batch: a call that names none, where the last run of this file name had one', async () => {
    const at = await sent('created', [FIRST], '--batch-id', '2026-11');
    const found = issuesOf(await at.send([SECOND], '--dry-run'), 'no-batch');
    expect(found).toMatchObject([{ severity: 'warning', value: '2026-11' }]);
    expectRefused(await at.send([SECOND], '--strict'), 'repeats', {});
    at.work.file('q.csv', csv([SECOND]));
    expect(issuesOf(await at.sendFiles(['q.csv'], '--dry-run'), 'no-batch')).toEqual([]);
  });
});

describe('open payments', () => {
  test('open-left: those that the input lacks, with payee and amount; and not those that are told as open-before', async () => {
    const at = await sent('open', [FIRST, SECOND]);
    const result = await at.send([{ ...FIRST, amount: 9 }, THIRD], '--dry-run');
    expectRefused(result, 'repeats', { 'open-before': 1 });
    expect(issuesOf(result, 'open-left')).toMatchObject([{ message: expect.stringContaining(`(${SECOND.user_id}, `) }]);
    const [first] = result.summary.remedies;
    // The changed row is to be paid: closing comes first.
    expect(first).toMatchObject({ code: 'close', placeholders: ['TEXT'] });
  });

  test('changed-since: a run that is resumed tells what it sends where its file is another one by now', async () => {
    const at = await sent('open', [FIRST, SECOND]);
    at.work.file('p.csv', csv([FIRST, THIRD]));
    const result = await at.resume(at.run, '--dry-run');
    expect(issuesOf(result, 'changed-since')).toMatchObject([{ message: expect.stringContaining(SECOND.user_id) }]);
    expectRefused(await at.resume(at.run, '--strict'), 'repeats', {});
    expect(paid(at, FIRST, SECOND)).toEqual([0, 0]);
  });
});
