/** What the events of a run tell of records and of the call. CONTRACT: "`--json`: NDJSON on standard output". */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, type Row } from '../support/builders.js';
import { type CliResult, type Workspace, workspace } from '../support/cli.js';
import { NO_WAITS } from '../support/crash.js';
import { ROOT } from '../support/documents.js';
import { testService } from '../support/fixtures.js';

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const ANNA = {
  ...{ user_id: 'usr_anna', amount: '12.50', title: 'Bonus', cost_center_key: 'PP-1', currency: 'EUR' },
  ...{ reference_id: 'INV-7', billing_date: new Date().toISOString().slice(0, 10) },
};
const BEN = { user_id: 'usr_ben', amount: '50', title: 'Travel', cost_center_key: 'PP-2' };

/** The record events in the order of the input, without what tests of keys are about. */
// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
function records({ events }: CliResult): any[] {
  return events
    .filter(({ event }) => event === 'record')
    .sort((one, other) => one.record - other.record)
    .map(({ key, ...event }) => {
      expect(key).toSatisfy((value: unknown) =>
        event.status === 'invalid' ? value === null : typeof value === 'string',
      );
      return event;
    });
}

/** What a record event of BEN's row has at least; the third line of the file. */
const OF_BEN = {
  ...{ event: 'record', file: 'p.csv', record: 2, line: 3, type: 'payout', response: null, error: null, request: null },
  ...{ user_id: 'usr_ben', title: 'Travel', amount: '50', currency: null, cost_center: 'PP-2', reference_id: null },
  ...{ http_status: null, attempts: 0, id: null, at: null, stands_for: null },
};
const OF_ANNA = {
  ...{ ...OF_BEN, record: 1, line: 2, user_id: 'usr_anna', title: 'Bonus', amount: '12.5', currency: 'EUR' },
  ...{ cost_center: 'PP-1', reference_id: 'INV-7' },
};

function desk(rows: readonly Row[] = [ANNA, BEN]): Workspace {
  const work = workspace();
  work.file('p.csv', csv(rows));
  return work;
}

const CREATE = ['payout', 'create', 'p.csv', '--yes', '--json'];

describe('a record event tells whom, what and how much', () => {
  test('of one that is created, and of one that is rejected', async () => {
    const service = await testService({
      respond: ({ json }) => {
        const isBen = (json as { user_id: string }).user_id === 'usr_ben';
        return isBen ? { status: 422, body: '{"error":"no"}' } : { status: 201, body: '{"id":17,"fee":0.10}' };
      },
    });
    const before = Date.now();
    const result = await desk().run([...CREATE, '--base-url', service.url]);
    const told = records(result);
    expect(told).toEqual([
      {
        ...OF_ANNA,
        ...{ status: 'created', http_status: 201, attempts: 1, response: { id: 17, fee: 0.1 }, id: '17' },
        at: expect.stringMatching(MOMENT),
      },
      {
        ...OF_BEN,
        ...{ status: 'rejected', http_status: 422, attempts: 1, response: { error: 'no' }, error: 'HTTP 422: no' },
        at: expect.stringMatching(MOMENT),
      },
    ]);
    for (const { at } of told) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    }
  });

  test.each([
    ['in a dry run', ['--dry-run', '--skip-invalid'], 'planned'],
    ['in a dry run that is refused for it', ['--dry-run'], 'not_sent'],
    ['in a run that is refused for it', ['--sandbox'], 'not_sent'],
    ['in a run that sends the others', ['--sandbox', '--skip-invalid'], 'created'],
  ])('of one that is invalid, as far as it can be read: %s', async (_when, flags, others) => {
    const carls = { user_id: 'usr_c', reference_id: 'R', amount: '-7.50', currency: 'EUR', cost_center_key: 'PP-9' };
    const rows = [ANNA, { ...BEN, amount: 'much' }, carls, { ...BEN, title: 'More' }];
    const result = await desk(rows).run([...CREATE, ...flags]);
    const [anna, ben, carl, last] = records(result);
    expect(ben).toEqual({ ...OF_BEN, status: 'invalid', amount: null, error: expect.any(String) });
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

describe('a report file has the same, and what it belongs to', () => {
  test('in columns', async () => {
    const service = await testService({ respond: ({ n }) => (n === 1 ? undefined : { status: 422, body: '{}' }) });
    const twice = { ...BEN, title: 'Twice', currency: 'EUR', idempotency_key: 'k' };
    const work = desk([ANNA, { ...BEN, title: '=1+1' }, { user_id: 'usr_c', amount: '7' }, twice, twice]);
    const flags = ['--base-url', service.url, '--batch-id', '2026-11', '--skip-invalid', '--concurrency', '1'];
    const reports = ['--report', 'r.csv', '--report', 'r.ndjson'];
    const result = await work.run([...CREATE, ...flags, ...reports]);
    const rows = work
      .read('r.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const names = ['user_id', 'title', 'currency', 'cost_center', 'reference_id', 'date', 'batch_id', 'run', 'at'];
    const run = result.summary.run;
    const expected = [
      ['usr_anna', 'Bonus', 'EUR', 'PP-1', 'INV-7', ANNA.billing_date, '2026-11', run, expect.stringMatching(MOMENT)],
      ['usr_ben', '=1+1', null, 'PP-2', null, null, '2026-11', run, expect.stringMatching(MOMENT)],
      ['usr_c', null, null, null, null, null, '2026-11', run, null],
      ...Array.from({ length: 2 }, () => ['usr_ben', 'Twice', 'EUR', 'PP-2', null, null, '2026-11', run, null]),
    ];
    expect(rows.map(({ status, amount }) => [status, amount])).toEqual([
      ...[
        ['created', '12.5'],
        ['rejected', '50'],
        ['invalid', '7'],
        ['invalid', '50'],
        ['invalid', '50'],
      ],
    ]);
    expect(rows.map((row) => names.map((name) => row[name]))).toEqual(expected);
    expect(Object.keys(rows[0]).slice(-names.length - 1)).toEqual([...names, 'stands_for']);
    const [header, ...lines] = work.read('r.csv').split('\r\n');
    expect(header?.split(',').slice(-names.length)).toEqual(names);
    expect(lines[0]).toContain(`usr_anna,Bonus,EUR,PP-1,INV-7,${ANNA.billing_date},2026-11,${run},${rows[0].at}`);
    // A spreadsheet must not run it.
    expect(lines[1]).toContain("usr_ben,'=1+1,,PP-2,,,2026-11,");
    expect(lines[2]).toMatch(new RegExp(`,usr_c,,,,,,2026-11,${run},$`));
    // Made later from the journal, it says the same, until the contents are removed.
    expect((await work.run(['batch', 'report', run, '--report', 'later.ndjson'])).code).toBe(0);
    const later = work
      .read('later.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(later).toEqual(rows);
    // A run that goes on from the journal alone keeps it.
    expect((await work.run(['batch', 'resume', run, '--retry-rejected', '--yes'])).code).toBe(4);
    const { outcomes } = JSON.parse((await work.run(['batch', 'show', run, '--json'])).stdout);
    expect(outcomes[3]).toMatchObject({ status: 'invalid', user_id: 'usr_ben', title: 'Twice', amount: '50' });
  });
});

describe('the summary', () => {
  test('has the program’s version, when the call began and how long it took', async () => {
    const before = Date.now();
    const { summary } = await desk().run([...CREATE, '--sandbox']);
    const began = Date.parse(summary.started_at);
    expect([summary.version, summary.reasons, summary.next, summary.held]).toEqual([version, [], null, 0]);
    expect(summary.started_at).toMatch(MOMENT);
    expect(began).toBeGreaterThanOrEqual(before);
    expect(began + summary.duration_ms).toBeLessThanOrEqual(Date.now());
    expect(summary.duration_ms).toBeGreaterThan(0);
  });

  test.each([
    ['usage', 2, ['payout', 'create', 'none.csv', '--dry-run'], /none\.csv/],
    ['usage', 2, ['payout', 'create', 'p.csv', '--dry-rum'], /--dry-rum.*--dry-run/s],
    ['control_total', 3, ['payout', 'create', 'p.csv', '--sandbox', '--expect-count', '3'], /3.*2|2.*3/],
    ['not_confirmed', 2, ['payout', 'create', 'p.csv', '--base-url', 'http://127.0.0.1:9'], /--yes/],
  ])('says why: %s, exit %i', async (reason, exitCode, words, said) => {
    const { code, summary, stderr } = await desk().run([...words, '--json']);
    expect([code, summary.stop_reason, summary.exit_code, summary.next]).toEqual([exitCode, reason, exitCode, null]);
    expect(summary.reasons).not.toEqual([]);
    expect(summary.reasons.join('\n')).toMatch(said);
    // A person is told the same sentences.
    const told = stderr.replace(/\s+/g, ' ');
    for (const sentence of summary.reasons) expect(told).toContain(sentence.replace(/\s+/g, ' '));
    expect([summary.version, summary.held]).toEqual([version, 0]);
    expect(summary.started_at).toMatch(MOMENT);
  });
});

describe('next are the words of a command that goes on as it stands', () => {
  /** Runs them as they stand, from another folder. */
  async function goOn(work: Workspace, { summary }: CliResult): Promise<CliResult> {
    const [program, ...words] = summary.next as string[];
    expect(program).toBe('gigwork');
    return work.run([...words, '--json'], { cwd: work.path('home'), env: NO_WAITS });
  }

  test('without --yes where the call had none, so that a person is asked again', async () => {
    const service = await testService({ respond: () => ({ status: 401 }) });
    const work = workspace();
    const one = ['payout', 'create', '--user-id', 'u', '--amount', '1', '--title', 't', '--cost-center-key', 'PP-1'];
    const first = await work.run([...one, '--base-url', service.url, '--json']);
    expect([first.code, first.summary.next]).toEqual([6, expect.not.arrayContaining(['--yes'])]);
    service.responder(undefined);
    expect((await goOn(work, first)).summary).toMatchObject({ exit_code: 2, stop_reason: 'not_confirmed' });
    expect(service.executions.size).toBe(0);
  });
});
