import { describe, expect, test } from 'vitest';
import { payouts } from '../support/builders.js';
import { type CliResult, type Workspace, workspace } from '../support/cli.js';

const DRY = ['--dry-run', '--json'];

async function dry(input: string | Uint8Array, ...args: string[]): Promise<CliResult> {
  return workspace().run(['payout', 'create', '-', ...DRY, ...args], { input });
}

function issues({
  events,
}: CliResult): { code: string; line: number | null; record: number | null; field: string | null; message: string }[] {
  return events.filter(({ event }) => event === 'issue');
}

describe.each([
  ['json', (record: string) => `[${record}]`],
  ['ndjson', (record: string) => `${record}\n`],
] as const)('a record in %s', (format, wrap) => {
  test('keeps exactly what it says, or is refused: a fault of a record, and one of the file, each with its place', async () => {
    const record = (rest: string): string => wrap(`{"user_id":"u1","title":"Bonus","cost_center_key":"PP-7",${rest}}`);
    expect((await dry(record('"amount":0.1'), '--format', format)).code).toBe(0);
    const inexact = await dry(record('"amount":9007199254740993'), '--format', format);
    expect([inexact.code, issues(inexact).map(({ code }) => code)]).toEqual([3, ['inexact-number']]);
    const broken = await dry(record('"amount":abc'), '--format', format);
    expect([broken.code, issues(broken)]).toEqual([
      3,
      [expect.objectContaining({ code: 'bad-json', line: 1, message: expect.stringMatching(/column \d+:/) })],
    ]);
  });

  test('may have null for a field, which is absent then, and stays inside a payload', async () => {
    const gig = {
      title: 'a',
      description: 'b',
      url: 'https://gigs.example/1',
      start_at: 1,
      end_at: 2,
      filter_query: {},
    };
    const input = wrap(JSON.stringify({ ...gig, notification_payload: { a: null }, sort_query: null }));
    const { events } = await workspace().run(['gig', 'create', '-', '--format', format, ...DRY], { input });
    const { request } = events.find(({ event }) => event === 'record');
    expect(request.notification_payload).toEqual({ a: null });
    expect(request).not.toHaveProperty('sort_query');
  });
});

test('a list is read as a stream: records are known before it ends', async () => {
  const space = workspace();
  const { child, result } = space.start(['payout', 'create', '-', '--dry-run', '--json'], { keepInputOpen: true });
  const seen = new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  child.stdin.write(`[{"amount":"x"},\n${JSON.stringify(payouts(2000)).slice(1, -1)},\n`);
  expect(JSON.parse((await seen).split('\n')[0] ?? '')).toMatchObject({ event: 'issue', record: 1 });
  child.stdin.end(`${JSON.stringify(payouts(1, 2)[0])}]`);
  expect((await result).summary).toMatchObject({ exit_code: 3, records: { read: 2002, invalid: 1 } });
});

describe('one record without a file', () => {
  const PAYOUT = 'payout create --user-id u1 --amount 1200 --title Bonus --cost-center-key PP-7'.split(' ');

  async function request(space: Workspace, args: string[], input = ''): Promise<Record<string, unknown>> {
    const { code, events, stderr } = await space.run([...args, ...DRY], { input });
    expect([code, events.filter(({ event }) => event === 'issue'), stderr.includes('fault')]).toEqual([0, [], false]);
    return events.find(({ event }) => event === 'record').request;
  }

  test('each field is a flag, with help from its definition', async () => {
    expect(await request(workspace(), PAYOUT)).toMatchObject({
      user_id: 'u1',
      amount: 1200,
      title: 'Bonus',
      cost_center_key: 'PP-7',
    });
    const { stdout } = await workspace().run(['payout', 'create', '--help-all']);
    expect(stdout).toMatch(/--cost-center-key <value> +partner project code for finance bookkeeping/);
    expect(stdout).toMatch(/--billing-date <value> +when the worker performed the work/);
  });

  test('gets the known key', async () => {
    const { events } = await workspace().run([...PAYOUT, ...DRY]);
    expect(events[0].key).toBe('4e353669-d28d-8c9e-99b3-1e2c9de495dd');
  });

  test('nested fields are set by dot paths, objects as JSON text or from a file', async () => {
    const space = workspace();
    space.file('center.json', '\ufeff{"legal_entity": "Acme GmbH", "inhouse": "no", "partner_project_code": "PP-7"}');
    const base = ['payout', 'create', '--user-id', 'u1', '--amount', '5', '--title', 'x'];
    const center = { legal_entity: 'Acme GmbH', inhouse: 'No', partner_project_code: 'PP-7' };
    expect(await request(space, [...base, '--cost-center-data', '@center.json'])).toMatchObject({
      cost_center_data: center,
    });
    const text = JSON.stringify(center);
    expect(await request(space, [...base, '--cost-center-data', text])).toMatchObject({ cost_center_data: center });
    const set = Object.entries(center).flatMap(([name, value]) => ['--set', `cost_center_data.${name}=${value}`]);
    expect(await request(space, [...base, ...set])).toMatchObject({ cost_center_data: center });
    const over = ['--cost-center-data', '@center.json', '--set', 'cost_center_data.inhouse=Yes'];
    const changed = await request(space, [...base, ...over]);
    expect(changed).toMatchObject({ cost_center_data: { ...center, inhouse: 'Yes' } });
  });

  const GIG = {
    ...{
      title: 'Audit',
      description: 'Count',
      url: 'https://gigs.example/1',
      start_at: 1_796_000_000,
      end_at: 1_796_140_800,
    },
    filter_query: { city: { $in: ['Berlin'] } },
  };

  test('a file may have single fields set over it', async () => {
    const space = workspace();
    const tasks = [
      { title: 'a', base_price: 100 },
      { title: 'b', base_price: 200 },
    ];
    space.file('gig.json', JSON.stringify({ ...GIG, tasks }));
    const set = ['--set', 'start_at=2026-12-01T08:00:00+01:00', '--set', 'tasks.1.base_price=250'];
    const sent = await request(space, ['gig', 'create', 'gig.json', ...set]);
    expect(sent).toMatchObject({
      start_at: 1_796_108_400,
      tasks: [{ base_price: 100 }, { title: 'b', base_price: 250 }],
      invitation_mode: 'manual',
    });
  });

  test('a topic of digits is a number from a flag, and what it is in JSON', async () => {
    const flags = ['title', 'description', 'url', 'start_at', 'end_at'] as const;
    const given = flags.flatMap((name) => [`--${name.replace('_', '-')}`, String(GIG[name])]);
    const args = ['gig', 'create', ...given, '--filter-query', '{}', '--invitation-notification-topic', '4711'];
    expect(await request(workspace(), args)).toMatchObject({ invitation_notification_topic: 4711 });
    const input = JSON.stringify({ ...GIG, invitation_notification_topic: '4711' });
    expect(await request(workspace(), ['gig', 'create', '-'], input)).toMatchObject({
      invitation_notification_topic: '4711',
    });
  });

  test.each([
    [[...PAYOUT, '--set', 'title=x'], /--set title: this is given twice/],
    [[...PAYOUT, '--set', 'currency=EUR', '--set', 'currency=CHF'], /--set currency: this is given twice/],
    [[...PAYOUT, '--set', 'curency=EUR'], /there is no field "curency".*Did you mean "currency"\?/s],
    [[...PAYOUT, '--set', 'currency'], /--set takes NAME=VALUE/],
    [[...PAYOUT, 'file.csv'], /makes one record without a file/],
    [
      ['payout', 'create', '--user-id', 'u1', '--cost-center-data', '@none.json'],
      /^--cost-center-data: cannot read the file none\.json/,
    ],
    [[...PAYOUT, '--set', 'cost_center_data=@none.json'], /^--set cost_center_data: cannot read the file none\.json/],
    [['payout', 'create', '--amuont', '5'], /--amuont.*--amount/s],
    [['payout', 'create'], /nothing to read/],
  ])('%j is refused', async (args, message) => {
    const { code, stderr, summary } = await workspace().run([...args, ...DRY]);
    expect([code, summary.stop_reason, summary.records.read]).toEqual([2, 'usage', 0]);
    expect(stderr).toMatch(message);
  });

  test('what a flag says wrong is found like what a file says wrong', async () => {
    const fields = ['--user-id', ' ', '--amount', '1.234', '--title', 'x'];
    const { code, events } = await workspace().run(['payout', 'create', ...fields, ...DRY]);
    const found = events.filter(({ event }) => event === 'issue').map((issue) => `${issue.code} ${issue.field}`);
    expect([code, found.toSorted()]).toEqual([
      3,
      ['ambiguous-number amount', 'blank user_id', 'missing-one-of cost_center_key'],
    ]);
  });
});
