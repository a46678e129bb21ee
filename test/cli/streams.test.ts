/** Records from JSON streams and from flags. CONTRACT: "Commands", "Input flags". */
import { describe, expect, test } from 'vitest';
import { payouts } from '../support/builders.js';
import { type Content, workspace, workspaceWith } from '../support/cli.js';
import { issuesOf, recordsOf } from '../support/desk.js';

const DRY = '--dry-run --json';

const GIG = {
  title: 'Audit',
  description: 'Count',
  url: 'https://gigs.example/1',
  start_at: 1796e6,
  end_at: 1796140800,
  filter_query: { city: { $in: ['Berlin'] } },
};

/** What is sent of the one record that a call is about, and that has no fault; its dates may be far away. */
async function request(words: string, files: Readonly<Record<string, Content>> = {}, input = '') {
  const result = await workspaceWith(files).run(`${words} ${DRY}`, { input });
  const errors = issuesOf(result).filter(({ severity }) => severity === 'error');
  expect([result.code, errors, result.stderr.includes('fault')]).toEqual([0, [], false]);
  return recordsOf(result)[0].request as Record<string, unknown>;
}

describe.each([
  ['json', (record: string) => `[${record}]`],
  ['ndjson', (record: string) => `${record}\n`],
] as const)('a record in %s', (format, wrap) => {
  test.each([
    ['0.1', 0, []],
    ['9007199254740993', 3, [{ code: 'inexact-number' }]],
    ['abc', 3, [{ code: 'bad-json', line: 1, message: expect.stringMatching(/column \d+:/) }]],
  ])('keeps exactly what it says, or is refused with its place: %s', async (amount, code, issues) => {
    const input = wrap(`{"user_id":"u1","title":"Bonus","cost_center_key":"PP-7","amount":${amount}}`);
    const result = await workspace().run(`payout create - --format ${format} ${DRY}`, { input });
    expect([result.code, issuesOf(result)]).toMatchObject([code, issues]);
  });

  test('may have null for a field, which is absent then, and stays inside a payload', async () => {
    const input = wrap(JSON.stringify({ ...GIG, notification_payload: { a: null }, sort_query: null }));
    const sent = await request(`gig create - --format ${format}`, {}, input);
    expect(sent['notification_payload']).toEqual({ a: null });
    expect(sent).not.toHaveProperty('sort_query');
  });
});

test('a list is read as a stream: records are known before it ends', async () => {
  const { child, result } = workspace().start(`payout create - ${DRY}`, { keepInputOpen: true });
  const seen = new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  child.stdin.write(`[{"amount":"x"},\n${JSON.stringify(payouts(2000)).slice(1, -1)},\n`);
  expect(JSON.parse((await seen).split('\n')[0] ?? '')).toMatchObject({ event: 'issue', record: 1 });
  child.stdin.end(`${JSON.stringify(payouts(1, 2)[0])}]`);
  expect((await result).summary).toMatchObject({ exit_code: 3, records: { read: 2002, invalid: 1 } });
});

describe('one record without a file', () => {
  const PAYOUT = 'payout create --user-id u1 --amount 1200 --title Bonus --cost-center-key PP-7';

  test('each field is a flag, with help from its definition; and it gets the known key', async () => {
    const body = { user_id: 'u1', amount: 1200, title: 'Bonus', cost_center_key: 'PP-7' };
    const key = '4e353669-d28d-8c9e-99b3-1e2c9de495dd';
    expect(await request(PAYOUT)).toEqual({ ...body, idempotency_key: key });
    const { stdout } = await workspace().run('payout create --help-all');
    expect(stdout).toMatch(/--cost-center-key <value> +partner project code for finance bookkeeping/);
    expect(stdout).toMatch(/--billing-date <value> +when the worker performed the work/);
  });

  const CENTER = { legal_entity: 'Acme GmbH', inhouse: 'No', partner_project_code: 'PP-7' };
  const SET = Object.entries(CENTER).map(([name, value]) => `--set 'cost_center_data.${name}=${value}'`);

  test.each([
    ['--cost-center-data @center.json', CENTER],
    [`--cost-center-data '${JSON.stringify(CENTER)}'`, CENTER],
    [SET.join(' '), CENTER],
    ['--cost-center-data @center.json --set cost_center_data.inhouse=Yes', { ...CENTER, inhouse: 'Yes' }],
  ])('nested fields are set by dot paths, objects as JSON text or from a file: %s', async (flags, expected) => {
    const files = { 'center.json': `\ufeff${JSON.stringify({ ...CENTER, inhouse: 'no' })}` };
    const sent = await request(`payout create --user-id u1 --amount 5 --title x ${flags}`, files);
    expect(sent['cost_center_data']).toEqual(expected);
  });

  test('a file may have single fields set over it', async () => {
    const tasks = [1, 2].map((n) => ({ title: `task ${n}`, base_price: 100 * n }));
    const set = '--set start_at=2026-12-01T08:00:00+01:00 --set tasks.1.base_price=250';
    expect(await request(`gig create gig.json ${set}`, { 'gig.json': { ...GIG, tasks } })).toMatchObject({
      start_at: 1796108400,
      invitation_mode: 'manual',
      tasks: [
        { base_price: 100 },
        {
          title: 'task 2',
          base_price: 250,
        },
      ],
    });
  });

  test('a topic of digits is a number from a flag, and what it is in JSON', async () => {
    const { filter_query: _query, ...fields } = GIG;
    const given = Object.entries(fields).map(([name, value]) => `--${name.replace('_', '-')} ${value}`);
    const flags = `${given.join(' ')} --filter-query {} --invitation-notification-topic 4711`;
    expect(await request(`gig create ${flags}`)).toMatchObject({ invitation_notification_topic: 4711 });
    const input = { ...GIG, invitation_notification_topic: '4711' };
    expect(await request('gig create g.json', { 'g.json': input })).toMatchObject({
      invitation_notification_topic: '4711',
    });
  });

  test.each([
    [`${PAYOUT} --set title=x`, /--set title: this is given twice/],
    [`${PAYOUT} --set curency=EUR`, /there is no field "curency".*Did you mean "currency"\?/s],
    [`${PAYOUT} --set currency`, /--set takes NAME=VALUE/],
    [`${PAYOUT} file.csv`, /makes one record without a file/],
    [
      `payout create --user-id u1 --cost-center-data @none.json`,
      /^--cost-center-data: cannot read the file none\.json/,
    ],
    [`${PAYOUT} --set cost_center_data=@none.json`, /^--set cost_center_data: cannot read the file none\.json/],
    ["payout create --user-id ' ' --amount 5", /^--user-id has no value/],
    ['payout create --amuont 5', /--amuont.*--amount/s],
    ['payout create', /nothing to read/],
  ])('%s is refused', async (words, message) => {
    const { code, stderr, summary } = await workspace().run(`${words} ${DRY}`);
    expect([code, summary.stop_reason, summary.records.read]).toEqual([2, 'usage', 0]);
    expect(stderr).toMatch(message);
  });

  test('what a flag says wrong is found like what a file says wrong', async () => {
    const result = await workspace().run(`payout create --user-id #N/A --amount 1.234 --title x ${DRY}`);
    expect([
      result.code,
      issuesOf(result)
        .map(({ code, field }) => `${code} ${field}`)
        .toSorted(),
    ]).toEqual([3, ['ambiguous-number amount', 'missing-one-of cost_center_key', 'spreadsheet-error user_id']]);
  });
});
