/** What the events of a run tell of records and of the call. CONTRACT: "`--json`: NDJSON on standard output". */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, type Row } from '../support/builders.js';
import { type Workspace, workspace, workspaceWith } from '../support/cli.js';
import { recordsOf } from '../support/desk.js';
import { ROOT } from '../support/documents.js';
import { testService } from '../support/fixtures.js';

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const ANNA = {
  user_id: 'usr_anna',
  amount: '12.50',
  title: 'Bonus',
  cost_center_key: 'PP-1',
  currency: 'EUR',
  reference_id: 'INV-7',
  billing_date: new Date().toISOString().slice(0, 10),
};
const BEN = { user_id: 'usr_ben', amount: '50', title: 'Travel', cost_center_key: 'PP-2' };

/** What a record event of BEN's row has at least; the third line of the file. */
const OF_BEN = {
  event: 'record',
  file: 'p.csv',
  record: 2,
  line: 3,
  type: 'payout',
  response: null,
  error: null,
  request: null,
  user_id: 'usr_ben',
  title: 'Travel',
  amount: '50',
  unit: null,
  currency: null,
  cost_center: 'PP-2',
  reference_id: null,
  http_status: null,
  attempts: 0,
  id: null,
  at: null,
  stands_for: null,
};
const OF_ANNA = {
  ...OF_BEN,
  record: 1,
  line: 2,
  user_id: 'usr_anna',
  title: 'Bonus',
  amount: '12.5',
  unit: null,
  currency: 'EUR',
  cost_center: 'PP-1',
  reference_id: 'INV-7',
};

const desk = (rows: readonly Row[] = [ANNA, BEN]): Workspace => workspaceWith({ 'p.csv': csv(rows) });

const CREATE = 'payout create p.csv --yes --json';

describe('a record event tells whom, what and how much', () => {
  test('of one that is created, and of one that is rejected', async () => {
    const service = await testService({
      respond: ({ body }) =>
        body.includes('usr_ben')
          ? { status: 422, body: '{"error":"no"}' }
          : { status: 201, body: '{"id":17,"fee":0.10}' },
    });
    const before = Date.now();
    const told = recordsOf(await desk().run(`${CREATE} --base-url ${service.url}`));
    const common = { attempts: 1, key: expect.any(String), at: expect.stringMatching(MOMENT) };
    expect(told).toEqual([
      { ...OF_ANNA, ...common, status: 'created', http_status: 201, response: { id: 17, fee: 0.1 }, id: '17' },
      {
        ...OF_BEN,
        ...common,
        status: 'rejected',
        http_status: 422,
        response: { error: 'no' },
        error: 'HTTP 422: no',
      },
    ]);
    for (const { at } of told) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    }
  });

  test.each([
    ['in a dry run', '--dry-run --skip-invalid', 'planned'],
    ['in a dry run that is refused for it', '--dry-run', 'not_sent'],
    ['in a run that is refused for it', '--sandbox', 'not_sent'],
    ['in a run that sends the others', '--sandbox --skip-invalid', 'created'],
  ])('of one that is invalid, as far as it can be read: %s', async (_when, flags, others) => {
    const carls = { user_id: 'usr_c', reference_id: 'R', amount: '-7.50', currency: 'EUR', cost_center_key: 'PP-9' };
    const rows = [ANNA, { ...BEN, amount: 'much' }, carls, { ...BEN, title: 'More' }];
    const result = await desk(rows).run(`${CREATE} ${flags}`);
    const [anna, ben, carl, last] = recordsOf(result);
    expect(ben).toEqual({ ...OF_BEN, key: null, status: 'invalid', amount: null, error: expect.any(String) });
    const money = { amount: '-7.5', currency: 'EUR', cost_center: 'PP-9' };
    expect(carl).toMatchObject({ status: 'invalid', user_id: 'usr_c', title: null, reference_id: 'R', ...money });
    expect(JSON.stringify(result.summary.totals)).not.toContain('PP-9');
    // Those before it and those behind it are told in full.
    expect([anna, last]).toMatchObject([
      { status: others, user_id: 'usr_anna', title: 'Bonus', amount: '12.5', reference_id: 'INV-7' },
      { status: others, user_id: 'usr_ben', title: 'More', amount: '50' },
    ]);
  });
});

describe('the summary', () => {
  test('has the program’s version, when the call began and how long it took', async () => {
    const before = Date.now();
    const { summary } = await desk().run(`${CREATE} --sandbox`);
    const began = Date.parse(summary.started_at);
    expect([summary.version, summary.reasons, summary.next, summary.held]).toEqual([version, [], null, 0]);
    expect(summary.started_at).toMatch(MOMENT);
    expect(began).toBeGreaterThanOrEqual(before);
    expect(began + summary.duration_ms).toBeLessThanOrEqual(Date.now());
    expect(summary.duration_ms).toBeGreaterThan(0);
  });

  test.each([
    ['usage', 2, 'none.csv --dry-run', /none\.csv/],
    ['usage', 2, 'p.csv --dry-rum', /--dry-rum.*--dry-run/s],
    ['control_total', 3, 'p.csv --sandbox --expect-count 3', /3.*2|2.*3/],
    ['not_confirmed', 2, 'p.csv --base-url http://127.0.0.1:9', /--yes/],
  ])('says why: %s, exit %i', async (reason, exitCode, words, said) => {
    const { code, summary, stderr } = await desk().run(`payout create ${words} --json`);
    expect(code).toBe(exitCode);
    const common = { next: null, held: 0, version, started_at: expect.stringMatching(MOMENT) };
    expect(summary).toMatchObject({ stop_reason: reason, exit_code: exitCode, ...common });
    expect(summary.reasons.join('\n')).toMatch(said);
    // A person is told the same sentences.
    const told = stderr.replace(/\s+/g, ' ');
    for (const sentence of summary.reasons) expect(told).toContain(sentence.replace(/\s+/g, ' '));
  });

  test('has a next without --yes where the call had none, so that a person is asked again', async () => {
    const service = await testService({ respond: () => ({ status: 401 }) });
    const work = workspace();
    const one = 'payout create --user-id u --amount 1 --title t --cost-center-key PP-1 --json';
    const first = await work.run(`${one} --base-url ${service.url}`);
    expect([first.code, first.summary.next]).toEqual([6, expect.not.arrayContaining(['--yes'])]);
    service.responder(undefined);
    const [, ...words] = first.summary.next as string[];
    const again = await work.run([...words, '--json'], { cwd: work.path('home') });
    expect(again.summary).toMatchObject({ exit_code: 2, stop_reason: 'not_confirmed' });
    expect(service.executions.size).toBe(0);
  });
});

test.each([
  ['payout', null],
  ['result', 'cents'],
  ['gig', 'cents'],
])('the unit of each amount of a %s is said wherever a program reads it', async (type, unit) => {
  const work = workspace();
  const send = `batch import ${ROOT}samples/${type}s.json --type ${type} --sandbox --yes --json`;
  const first = await work.run(`${send} --report a.csv --report a.ndjson`);
  const [record] = recordsOf(first);
  const { runs } = JSON.parse((await work.run('batch list --json')).stdout);
  const sums = [first.summary.totals[type][0], runs[0].totals[type][0]];
  const report = JSON.parse(work.read('a.ndjson').split('\n')[0] ?? '');
  expect([record, ...sums, report].map((told) => told.unit)).toEqual([unit, unit, unit, unit]);
  expect(work.read('a.csv').split('\r\n')[0]).toMatch(/,at,unit$/);
});
