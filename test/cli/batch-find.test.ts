/** `batch find`: payments, whichever run has them. CONTRACT: "`--json`: NDJSON on standard output". */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csv, payouts, type Row } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
import { openDesk, own, sent } from '../support/desk.js';
import { type Service, startService } from '../support/service.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
type Found = any;

const ANNA = { user_id: 'usr_anna', amount: 1200, title: 'Bonus “Nürnberg”', cost_center_key: 'PP-1', currency: 'EUR' };
const BEN = { user_id: 'usr_ben', amount: 50, title: 'Travel', cost_center_key: 'PP-2', reference_id: 'INV-2026/7' };
const CARL = { user_id: 'usr_carl', amount: 7, title: 'Bonus', cost_center_key: 'PP-2', idempotency_key: 'carl-key-1' };
const DORA = { user_id: 'usr_dora', amount: 1, title: 'no', cost_center_key: 'PP-2' };

let work: Workspace;
let service: Service;
const runs: string[] = [];

async function found(...words: string[]): Promise<Found[]> {
  const { code, events } = await work.run(['batch', 'find', '--json', ...words]);
  expect(code).toBe(0);
  return events[0].payments;
}

const users = async (...words: string[]): Promise<string[]> => (await found(...words)).map(({ user_id: user }) => user);

async function send(rows: readonly Row[], hours: number, flags: string): Promise<void> {
  work.file('p.csv', csv(rows));
  const env = hoursAhead(hours);
  const { summary } = await work.run(`payout create p.csv --yes --json --concurrency 1 ${flags}`, { env });
  runs.push(summary.run);
}

beforeAll(async () => {
  work = workspace(afterAll);
  service = await startService({
    respond: ({ json }) => {
      const { user_id: user } = json as { user_id: string };
      return user === DORA.user_id ? { status: 422 } : { status: 201, body: `{"id":"pay\\/${user}"}` };
    },
  });
  afterAll(() => service.close());
  const target = `--base-url ${service.url}`;
  await send([ANNA, BEN], 0, `${target} --batch-id 2026-10`);
  await send([CARL, DORA], 1, `${target} --batch-id 2026-11`);
  // Lists a payment that another run has created.
  await send([CARL, { ...BEN, reference_id: 'INV-8' }], 2, `${target} --batch-id 2026-11`);
  await send([ANNA], 3, '--sandbox');
});

describe('batch find', () => {
  test.each([
    ['a user', 'usr_ben', ['usr_ben', 'usr_ben']],
    ['a part of a user', 'anna', ['usr_anna', 'usr_anna']],
    ['a part of a title, in other letter case', 'bonus', ['usr_anna', 'usr_carl', 'usr_anna']],
    ['a title with quotes and umlauts, in other letter case', '“NÜRNBERG”', ['usr_anna', 'usr_anna']],
    ['the same, its accents composed otherwise', 'nu\u0308rnberg', ['usr_anna', 'usr_anna']],
    ['a part of a reference', 'inv-2026/', ['usr_ben']],
    ['a key', 'carl-key-1', ['usr_carl']],
    ['an id, which the service has escaped', 'pay/usr_carl', ['usr_carl']],
    ['a record that was rejected', 'dora', ['usr_dora']],
  ])('finds by %s, the newest first', async (_what, text, expected) => {
    expect(await users(text)).toEqual(expected);
  });

  test.each([
    ['a part of a key', 'carl-key'],
    ['a part of an id', 'pay/usr'],
    ['what stands in another field', 'PP-1'],
    ['a name of a field', 'user_id'],
    ['nobody', 'usr_nobody'],
  ])('does not find by %s', async (_what, text) => {
    expect(await found(text)).toEqual([]);
  });

  test.each([
    [['--key', 'carl-key-1'], ['usr_carl']],
    [['bonus', '--key', 'carl-key-1'], ['usr_carl']],
    [['travel', '--key', 'carl-key-1'], []],
    [['--key', 'usr_carl'], []],
    [
      ['bonus', '--limit', '2'],
      ['usr_anna', 'usr_carl'],
    ],
  ])('by key alone, or with a text that must hold too; at most --limit, the newest: %j', async (words, expected) => {
    expect(await users(...words)).toEqual(expected);
  });

  test.each(['bonus --limit 0', '--limit 1', "'' --key ''"])('nothing by %s', async (words) => {
    expect(await work.run(`batch find --json ${words}`)).toMatchObject({ code: 2, stdout: '' });
  });

  test('tells each as a record event, with its run, batch and target', async () => {
    expect(await found('INV-2026/7')).toEqual([
      {
        event: 'record',
        file: 'p.csv',
        record: 2,
        line: 3,
        type: 'payout',
        key: expect.stringMatching(/^[\w-]{36}$/),
        status: 'created',
        http_status: 201,
        attempts: 1,
        response: { id: 'pay/usr_ben' },
        error: null,
        request: null,
        user_id: 'usr_ben',
        title: 'Travel',
        amount: '50',
        unit: null,
        currency: null,
        cost_center: 'PP-2',
        reference_id: 'INV-2026/7',
        id: 'pay/usr_ben',
        at: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/),
        run: runs[0],
        batch_id: '2026-10',
        target: service.url,
        stands_for: null,
      },
    ]);
    expect((await found('anna')).map(({ target }) => target)).toEqual(['sandbox', service.url]);
  });
});

test('the newest payment comes first, also where its run began before others', async () => {
  const at = await openDesk((n) => (n === 1 ? { status: 401 } : { status: 201 }));
  const named = payouts(3).map((row) => ({ ...row, title: `Prize ${row.user_id}` }));
  const first = await at.send(named);
  expect(first.summary.records).toMatchObject({ not_sent: 3 });
  await at.send([{ ...named[0], title: 'Prize of another run' }], '--batch-id', 'other');
  await at.later(1).resume(first.summary.run as string);
  const told = (await at.batch('find', 'prize')).payments as { at: string; title: string }[];
  expect(told.map(({ title }) => title).at(-1)).toBe('Prize of another run');
  const times = told.map(({ at: time }) => time);
  expect(times).toHaveLength(4);
  expect(times).toEqual(times.toSorted().reverse());
});

test('a payment whose body and answer were pruned is found by its key', async () => {
  const at = await openDesk();
  await at.send([CARL]);
  expect((await at.work.run('batch prune --before 2999-01-01')).code).toBe(0);
  expect((await at.batch('find', 'usr_carl')).payments).toEqual([]);
  expect((await at.work.run('batch find usr_carl')).stderr).toContain('removed the contents of 1 payment,');
  expect((await at.work.run('batch find carl-key-1')).stderr).toBe('');
  const pruned = { user_id: null, title: null, id: null, amount: '7', status: 'created' };
  expect((await at.batch('find', 'carl-key-1')).payments).toMatchObject([pruned]);
});

test('a name that was not sent finds nothing, and the answer says what does', async () => {
  const at = await openDesk();
  await at.send([{ ...CARL, name: 'Weiß' }], '--ignore-column', 'name');
  const { code, stdout } = await at.work.run(['batch', 'find', 'Weiß']);
  expect(code).toBe(0);
  expect(stdout).toContain('No payment has "Weiß" in its user, title or reference, or as its key or id.');
  expect(stdout).toContain("if your file's names are not sent, look for the user ID");
});

test('a payment is of the batch of the run that first accepted it, whichever run sent it', async () => {
  const at = await sent('open', [own(CARL, 'k')], '--batch-id', 'first');
  const { summary } = await at.send([own(CARL, 'k')], '--batch-id', 'second');
  expect((await at.batch('find', 'k')).payments).toMatchObject([{ run: summary.run, batch_id: 'first' }]);
});
