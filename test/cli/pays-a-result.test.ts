/** Payouts that name a created gig result. CONTRACT: "Money". */
import { describe, expect, test } from 'vitest';
import { csv, ndjson, type Row } from '../support/builders.js';
import { CONFIG, workspaceWith } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

const RESULTS = [
  { gig_task_id: 't1', user_id: 'anna', title: 'Photo', quantity: 12, cost_center_key: 'PP-1', base_price: 450 },
  { gig_task_id: 't2', user_id: 'ben', title: 'Report', quantity: 3, cost_center_key: 'PP-1' },
];
const [FIRST, SECOND] = ['gig_result_000001', 'gig_result_000002'];
const payout = (change: object): Row => ({
  user_id: 'anna',
  amount: 54,
  title: 'Photo',
  cost_center_key: 'PP-1',
  ...change,
});

/** A folder with two created results. */
async function paidResults(response: object = {}) {
  const work = workspaceWith({ [CONFIG]: { response }, 'results.ndjson': ndjson(RESULTS) });
  expect((await work.run('result create results.ndjson --sandbox --yes --json')).summary.records.created).toBe(2);
  const send = async (rows: readonly Row[], flags = '') => {
    work.file('pay.csv', csv(rows));
    const result = await work.run(`payout create pay.csv --sandbox --yes --json ${flags}`);
    return { ...result, named: result.events.filter(({ code }) => code === 'pays-a-result') };
  };
  return { work, send };
}

describe('pays-a-result', () => {
  test('is a payout that names a result by its id, and no other type: with run, line and amount', async () => {
    const { send } = await paidResults();
    const rows = [
      { reference_id: FIRST, reference_type: '' },
      { reference_id: SECOND, reference_type: 'GigResult', user_id: 'ben' },
      { reference_id: SECOND, reference_type: 'Gig', user_id: 'carl' },
      { reference_id: SECOND, reference_type: 'payouts', user_id: 'dora' },
      { reference_id: `${SECOND}0`, reference_type: '', user_id: 'emil' },
      { reference_id: '', reference_type: '', user_id: 'fay' },
    ];
    const { summary, named } = await send(
      rows.map((row) => payout(row)),
      '--dry-run',
    );
    expect(summary).toMatchObject({ exit_code: 0, warnings: 2, records: { planned: 6 } });
    expect(named).toMatchObject([
      { severity: 'warning', field: 'reference_id', file: 'pay.csv', line: 2, value: FIRST },
      { severity: 'warning', field: 'reference_id', file: 'pay.csv', line: 3, value: SECOND },
    ]);
    expect(named[0]?.['message']).toMatch(
      /^reference_id gig_result_000001 is a gig result that was created: 5,400 cents \(run \S+ of \S+, results\.ndjson, line 1\)\. If the service pays results by itself, /,
    );
    // Its price is not known.
    expect(named[1]?.['message']).toContain('gig result that was created (run ');
  });

  test('refuses the run under --strict, and makes no record invalid', async () => {
    const { send } = await paidResults();
    const { summary } = await send([payout({ reference_id: FIRST })], '--strict');
    expect(summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats', records: { valid: 1, not_sent: 1 } });
  });

  test('is told again as long as the payout is not paid, and not after that', async () => {
    const { send } = await paidResults();
    const rows = [payout({ reference_id: FIRST, idempotency_key: 'own-1' })];
    const first = await send(rows);
    expect([first.summary.records.created, first.named.length]).toEqual([1, 1]);
    const second = await send(rows, '--strict');
    expect([second.summary.exit_code, second.summary.records.already_created, second.named]).toEqual([0, 1, []]);
  });

  test('is found by flags and --set, at the path that response.id names, with the digits of a number', async () => {
    const config = { response: { id: 'data.number' } };
    const work = workspaceWith({ [CONFIG]: config, 'results.ndjson': ndjson(RESULTS), 'pay.csv': csv([payout({})]) });
    const respond = ({ n, json }: { n: number; json: unknown }) => {
      const user = JSON.stringify((json as Row)['user_id']);
      return { status: 201, body: `{"user_id":${user},"data":{"id":"task","number": 900719925474099${n}}}` };
    };
    const to = `--base-url ${(await testService({ respond })).url}`;
    await work.run(`result create results.ndjson ${to} --concurrency 1 --yes`);
    const found = async (call: string) =>
      (await work.run(`payout create ${call} ${to} --dry-run --json`)).events.filter(
        ({ code }) => code === 'pays-a-result',
      ).length;
    const flags = '--user-id u --amount 5 --title x --cost-center-key PP-1';
    expect(await found(`${flags} --reference-id 9007199254740992`)).toBe(1);
    expect(await found(`${flags} --reference-id 9007199254740993`)).toBe(0);
    expect(await found(`${flags} --reference-id task`)).toBe(0);
    expect(await found('pay.csv --set reference_id=9007199254740991')).toBe(1);
  });

  test('is told by batch resume', async () => {
    const { work } = await paidResults();
    work.file('pay.csv', csv([payout({ reference_id: FIRST })]));
    const cut = await work.run('payout create pay.csv --sandbox --drop-rate 1 --retries 0 --yes --json');
    expect(cut.summary.records.unknown).toBe(1);
    const resumed = await work.run(`batch resume ${cut.summary.run} --yes --json`);
    expect(resumed.summary.records.created).toBe(1);
    expect(resumed.events.filter(({ code }) => code === 'pays-a-result')).toMatchObject([{ line: 2, value: FIRST }]);
  });

  test('knows nothing of other targets, nor of results that were not created', async () => {
    const { work, send } = await paidResults();
    work.file('pay.csv', csv([payout({ reference_id: FIRST })]));
    const other = await work.run('payout create pay.csv --base-url https://gigs.example --dry-run --json');
    expect(other.events.filter(({ code }) => code === 'pays-a-result')).toEqual([]);
    expect((await send([payout({ reference_id: 'gig_result_000003' })], '--dry-run')).named).toEqual([]);
  });
});
