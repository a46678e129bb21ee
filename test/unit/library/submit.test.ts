import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { collect, type Event, type Options, resume, submit, UsageError } from '../../../src/library/library.js';
import { gigs, payouts, results } from '../../support/builders.js';
import { workspace } from '../../support/cli.js';
import { testService } from '../../support/fixtures.js';
import { checkEvent } from '../../support/schemas.js';

const ROWS = payouts(3);
const TOTAL = ROWS.reduce((sum, { amount }) => sum + amount, 0);

/** A call at a service of its own, with a state folder of its own. */
async function desk() {
  const service = await testService();
  const work = workspace();
  const options: Options = { baseUrl: service.url, stateDir: work.stateDir, batchId: '2026-11' };
  return { service, work, options };
}

/** An event without what differs between two calls. */
function comparable(event: object): object {
  const {
    at: _at,
    started_at: _started,
    duration_ms: _duration,
    file: _file,
    run: _run,
    remedies: _remedies,
    ...rest
  } = event as Record<string, unknown>;
  return rest;
}

async function failureOf(events: AsyncIterable<Event>): Promise<UsageError> {
  const failure = await collect(events).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(failure).toBeInstanceOf(UsageError);
  return failure as UsageError;
}

describe('the same records as in a file', () => {
  test.each([
    ['payout', ROWS],
    ['result', results(3)],
    ['gig', gigs(3)],
    ['payout', [...ROWS, ROWS[0], { ...ROWS[1], amount: '12' }, 5, { ...ROWS[2], colour: null }]],
  ] as const)('of type %s have the same events, keys and digest', async (type, records) => {
    const { work, options } = await desk();
    const file = work.file('r.json', JSON.stringify(records));
    const words = [type, 'create', file, '--dry-run', '--json', '--batch-id', '2026-11'];
    const { events } = await work.run([...words, '--base-url', options.baseUrl ?? '']);
    const own: Event[] = [];
    for await (const event of submit(type, records as object[], { ...options, dryRun: true })) own.push(event);
    for (const event of own) checkEvent(event);
    expect(own.map(comparable)).toEqual(events.map(comparable));
  });

  test('whose times are text are read in the time zone of the call', async () => {
    const { options } = await desk();
    const local = gigs(1).map((each) => ({ ...each, start_at: '2026-12-05 08:00', end_at: '2026-12-05T16:00+01:00' }));
    const call = { ...options, dryRun: true, timeZone: 'Europe/Berlin' };
    const { records, issues } = await collect(submit('gig', local, call));
    expect(issues).toEqual([]);
    expect(records).toMatchObject([{ request: { start_at: 1_796_454_000, end_at: 1_796_482_800 } }]);
  });

  test('are the same input: a file goes on with what a program has sent', async () => {
    const { work, options, service } = await desk();
    const { summary } = await collect(submit('payout', ROWS, { ...options, yes: true }));
    expect(summary).toMatchObject({ exit_code: 0, records: { created: 3 }, command: 'payout create' });
    const file = work.file('r.json', JSON.stringify(ROWS));
    const words = ['payout', 'create', file, '--yes', '--json', '--batch-id', '2026-11'];
    const again = await work.run([...words, '--base-url', options.baseUrl ?? '']);
    expect(again.summary).toMatchObject({ run: summary.run, digest: summary.digest, records: { already_created: 3 } });
    expect(service.ledgerTotal()).toBe(3);
  });

  test('have fields of their own, which tell repeats', async () => {
    const { options } = await desk();
    await collect(submit('payout', [{ ...ROWS[0], reference_id: 'R1' }], options));
    const changed = { ...ROWS[0], title: 'Another', reference_id: 'R1' };
    const { summary, issues } = await collect(submit('payout', [changed], options));
    expect([summary.exit_code, summary.stop_reason, issues.map(({ code }) => code)]).toEqual([
      3,
      'repeats',
      ['similar-record'],
    ]);
    // No command reads the records again: a person puts a file in their place.
    for (const { command, placeholders } of summary.remedies) {
      expect(command.slice(1, 4)).toEqual(['payout', 'create', 'RECORDS']);
      expect(placeholders).toContain('RECORDS');
    }
    expect(summary.remedies.map(({ code }) => code)).toContain('skip-similar');
  });
});

describe('nobody is asked', () => {
  const several = { message: /needs a confirmation.*expectTotal.*expectCount.*yes: true/ };

  test('one record needs no answer, and several need their total', async () => {
    const { options, service } = await desk();
    expect(await failureOf(submit('payout', ROWS, options))).toMatchObject(several);
    expect(await failureOf(submit('payout', ROWS, { ...options, expectCount: 3 }))).toMatchObject(several);
    expect(service.requestCount).toBe(0);
    const one = await collect(submit('payout', ROWS.slice(0, 1), options));
    expect(one.summary.records.created).toBe(1);
    const all = await collect(
      submit('payout', ROWS.slice(1), { ...options, expectTotal: TOTAL - (ROWS[0]?.amount ?? 0) }),
    );
    expect(all.summary.records.created).toBe(2);
  });

  test('every currency needs its total', async () => {
    const { options } = await desk();
    const mixed = ROWS.map((row, i) => ({ ...row, amount: 10, currency: i === 0 ? 'EUR' : 'CHF' }));
    expect(await failureOf(submit('payout', mixed, { ...options, expectTotal: ['CHF=20'] }))).toMatchObject({
      message:
        /needs a confirmation.*give expectTotal for the payouts in EUR too \(for gigs, expectCount\), or yes: true/,
    });
    const wrong = await collect(submit('payout', mixed, { ...options, expectTotal: ['CHF=20', 'EUR=11'] }));
    expect([wrong.summary.exit_code, wrong.summary.stop_reason]).toEqual([3, 'control_total']);
    const { summary } = await collect(submit('payout', mixed, { ...options, expectTotal: ['CHF=20', 'EUR=10'] }));
    expect(summary.records.created).toBe(3);
  });

  test('gigs need their number, in the sandbox too', async () => {
    const { stateDir } = workspace();
    expect(await failureOf(submit('gig', gigs(2), { sandbox: true, stateDir }))).toMatchObject(several);
    const { summary } = await collect(submit('gig', gigs(2), { sandbox: true, stateDir, expectCount: 2 }));
    expect(summary.records.created).toBe(2);
  });
});

describe('what would be exit 2 is thrown', () => {
  const place = { stateDir: 'state' };

  test.each([
    ['an unknown name', { ...place, batchID: 'x' }, 'there is no option "batchID". Did you mean "batchId"?'],
    ['a setting of files', { ...place, delimiter: ';' }, 'there is no option "delimiter".'],
    ['another type of value', { ...place, retries: '3' }, 'retries takes a number; found "3"'],
    ['a list for a text', { ...place, batchId: ['a'] }, 'batchId takes text; found ["a"]'],
    [
      'standard input',
      { ...place, prices: '-' },
      'prices takes the path of a file: the streams of the process belong to the program that calls',
    ],
    ['no journal', { sandbox: true }, /^stateDir or journal is required/],
    ['no target', place, /^no target: give the service’s address/],
    ['a value out of bounds', { ...place, sandbox: true, retries: -1 }, /--retries takes a whole number/],
    ['an unknown rule', { ...place, response: { idd: 'x' } }, /response\.idd.*Did you mean "id"/],
    ['an unknown profile', { ...place, profile: 'x', env: {} }, /there is no profile "x"/],
  ])('%s', async (_name, options, message) => {
    expect((await failureOf(submit('payout', ROWS, options as Options))).message).toMatch(message);
  });

  test('with the words of the command', async () => {
    const work = workspace();
    const options = { stateDir: work.stateDir, baseUrl: 'http://gigs.example' };
    const { stderr } = await work.run('payout create --user-id u --base-url http://gigs.example');
    const { message } = await failureOf(submit('payout', ROWS, options));
    expect(stderr.replace(/\s+/g, ' ').trim()).toBe(message);
  });

  test.each([null, undefined, 5, 'abc', {}])('%j, which gives no records', async (records) => {
    const { options } = await desk();
    const failure = await failureOf(submit('payout', records as object[], { ...options, yes: true }));
    expect(failure.message).toMatch(/^the records must be a list of objects/);
  });

  test('records that cannot be read, or that JSON cannot say', async () => {
    const { options, service } = await desk();
    const cause = new Error('the database is gone');
    function* broken() {
      yield ROWS[0] as object;
      throw cause;
    }
    const failure = await failureOf(submit('payout', broken(), { ...options, yes: true }));
    expect([failure.message, failure.cause]).toEqual([
      'the records cannot be read, after record 1: the database is gone',
      cause,
    ]);
    for (const [amount, word] of [
      [Number.NaN, /^record 2 cannot be sent: amount is NaN/],
      [10n, /amount is a bigint/],
      [() => 1, /amount is a function/],
    ] as const) {
      const rows = [ROWS[0] as object, { ...ROWS[1], amount }];
      expect((await failureOf(submit('payout', rows, { ...options, yes: true }))).message).toMatch(word);
    }
    expect(service.requestCount).toBe(0);
  });

  test('a variable that turns off the checks of certificates is seen, whatever may be read', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const options = { baseUrl: 'https://gigs.example', stateDir: workspace().stateDir, dryRun: true };
      expect((await failureOf(submit('payout', ROWS, options))).message).toMatch(/certificates are not checked/);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

describe('settings', () => {
  test('come from a config file, a profile and variables only where these are named', async () => {
    const { work, service } = await desk();
    const config = work.file(
      'c.json',
      JSON.stringify({ profiles: { p: { base_url: service.url, token: { env: 'PAY_TOKEN' } } } }),
    );
    const env = { PAY_TOKEN: 'from-env', GIGWORK_STATE_DIR: work.stateDir };
    await collect(submit('payout', ROWS.slice(0, 1), { config, profile: 'p', env }));
    expect(service.requests.at(-1)?.headers['authorization']).toBe('Bearer from-env');
    await collect(
      submit('payout', ROWS.slice(1, 2), { config, profile: 'p', env: { ...env, GIGWORK_TOKEN: 'b' }, token: 'mine' }),
    );
    expect(service.requests.at(-1)?.headers['authorization']).toBe('Bearer mine');
  });

  test('may have a template, which the records fill in', async () => {
    const { work, options } = await desk();
    const template = work.file('t.json', JSON.stringify({ ...ROWS[0], user_id: '${who}', amount: '${what}' }));
    const given = [{ who: 'u7', what: 5, more: true }];
    const { records } = await collect(submit('payout', given, { ...options, template, dryRun: true }));
    const wanted = await collect(
      submit('payout', [{ ...ROWS[0], user_id: 'u7', amount: 5 }], { ...options, dryRun: true }),
    );
    expect(records.map(({ key, request }) => [key, request])).toEqual(
      wanted.records.map(({ key, request }) => [key, request]),
    );
    const mapped = await failureOf(submit('payout', given, { ...options, template, map: { who: 'user_id' } }));
    expect(mapped.message).toContain('columns are variables');
    const lost = await failureOf(submit('payout', [{ whom: 'u7', what: 5 }], { ...options, template, dryRun: true }));
    expect(lost.message).toContain('Did you mean ${whom}?');
  });

  test('of nested values', async () => {
    const { options, service } = await desk();
    service.responder(() => ({ status: 201, body: '{"data":{"nr":7}}' }));
    const { records } = await collect(
      submit('payout', [{ user_id: 'u1', betrag: 5, title: 'x', note: 'y' }], {
        ...options,
        headers: { 'X-Tenant': 'a' },
        map: { betrag: 'amount' },
        ignoreColumns: 'note',
        set: { cost_center_data: { legal_entity: 'A', inhouse: 'no', partner_project_code: 'P' } },
        response: { require: ['data.nr'], id: 'data.nr' },
      }),
    );
    expect(records.map(({ id, status }) => [id, status])).toEqual([['7', 'created']]);
    expect(service.requests[0]?.headers['x-tenant']).toBe('a');
    expect(service.requests[0]?.json).toMatchObject({ amount: 5, cost_center_data: { inhouse: 'No' } });
  });
});

describe('a call', () => {
  test('reads a record only when it is needed, and waits for its reader', async () => {
    const { options } = await desk();
    let made = 0;
    async function* many() {
      for (const row of payouts(20_000)) {
        made++;
        yield { ...row, amount: 'wrong' };
      }
    }
    const events = submit('payout', many(), { ...options, dryRun: true });
    expect(made).toBe(0);
    await events.next();
    // A reader that takes nothing more: whatever has been made by now waits in the call.
    for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(8000);
    let seen = 1;
    for await (const _event of events) seen++;
    expect([made, seen]).toEqual([20_000, 40_001]);
  });

  test('that is left goes on to its end', async () => {
    const { options, work, service } = await desk();
    for await (const event of submit('payout', payouts(200), { ...options, yes: true, concurrency: 1 }))
      if (event.event === 'record') break;
    const ended = async (): Promise<boolean> => {
      const { stdout } = await work.run('batch list --json');
      return (JSON.parse(stdout) as { runs: { exit_code: number | null }[] }).runs[0]?.exit_code === 0;
    };
    while (service.ledgerTotal() < 200) await new Promise((resolve) => setImmediate(resolve));
    while (!(await ended())) await new Promise((resolve) => setImmediate(resolve));
    expect(service.ledgerTotal()).toBe(200);
  });

  test('stops in order at its signal, and goes on from the journal', async () => {
    const { options, service } = await desk();
    const stop = new AbortController();
    service.responder(({ n }) => {
      if (n === 5) stop.abort();
      return undefined;
    });
    const rows = payouts(50);
    const { summary } = await collect(
      submit('payout', rows, { ...options, yes: true, concurrency: 2, signal: stop.signal }),
    );
    expect([summary.exit_code, summary.stop_reason]).toEqual([130, 'interrupted']);
    expect(summary.records.created).toBeLessThan(50);
    expect(summary.next?.slice(1, 4)).toEqual(['batch', 'resume', summary.run]);
    const { batchId: _batch, ...target } = options;
    expect(await failureOf(resume(summary.run ?? '', { ...options, yes: true }))).toMatchObject({
      message: /no option "batchId"/,
    });
    const rest = await collect(resume(summary.run ?? '', { ...target, yes: true }));
    expect(rest.summary).toMatchObject({ exit_code: 0, run: summary.run });
    expect([service.ledgerTotal(), service.executions.size]).toEqual([50, 50]);
    // With the place of the journal: the usual one has other runs.
    expect((await failureOf(resume('nope', target))).message).toBe(
      `there is no run "nope"; see: ${summary.next?.[0]} batch list --state-dir ${options.stateDir}`,
    );
  });

  test('stops while its source is still waiting, and leaves the signals of the process alone', async () => {
    const { options, service } = await desk();
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const before = signals.map((name) => process.listenerCount(name));
    const stop = new AbortController();
    async function* waiting() {
      yield ROWS[0] as object;
      expect(signals.map((name) => process.listenerCount(name))).toEqual(before);
      stop.abort();
      await new Promise(() => {});
    }
    const { summary } = await collect(submit('payout', waiting(), { ...options, yes: true, signal: stop.signal }));
    expect([summary.exit_code, summary.stop_reason, service.requestCount]).toEqual([130, 'interrupted', 0]);
    expect([summary.next, summary.reasons]).toEqual([null, [expect.stringMatching(/Nothing was sent/)]]);
  });

  test('whose signal came before sends nothing', async () => {
    const { options, service } = await desk();
    const { summary } = await collect(submit('payout', ROWS, { ...options, yes: true, signal: AbortSignal.abort() }));
    expect([summary.exit_code, summary.stop_reason, service.requestCount]).toEqual([130, 'interrupted', 0]);
  });

  test('tells its summary to a reader that is late', async () => {
    const { options } = await desk();
    const stop = new AbortController();
    const rows = payouts(2000).map((row) => ({ ...row, amount: 'wrong' }));
    const events = submit('payout', rows, { ...options, dryRun: true, signal: stop.signal });
    await events.next();
    stop.abort();
    let last: Event | null = null;
    for await (const event of events) last = event;
    expect(last).toMatchObject({ event: 'summary', exit_code: 130 });
  });

  test('may overlap with others in one process', async () => {
    const { options, service } = await desk();
    const batches = Array.from({ length: 4 }, (_, i) => `b${i}`);
    const done = await Promise.all(
      batches.map((batchId, i) => collect(submit('payout', payouts(30, i + 2), { ...options, yes: true, batchId }))),
    );
    expect(done.map(({ summary }) => [summary.exit_code, summary.batch_id])).toEqual(batches.map((each) => [0, each]));
    expect(service.ledgerTotal()).toBe(120);
  });

  test('of the same records at once pays each once', async () => {
    const { options, service } = await desk();
    const rows = payouts(20);
    const call = () => collect(submit('payout', rows, { ...options, yes: true }));
    const [one, other] = await Promise.all([call(), call()]);
    expect([one.summary.exit_code, other.summary.exit_code]).toEqual([0, 0]);
    expect(service.ledgerTotal()).toBe(20);
  });

  test('ends with its summary where the service cannot be reached', async () => {
    const { options, service } = await desk();
    await service.refuse();
    const { summary } = await collect(submit('payout', ROWS, { ...options, yes: true, retries: 0 }));
    expect(summary).toMatchObject({ exit_code: 5, retry: true, records: { not_sent: 3 } });
  });

  test('writes rejects and results as they were given', async () => {
    const { options, service, work } = await desk();
    service.responder(({ n }) => (n === 1 ? { status: 422 } : undefined));
    const files = { rejects: work.path('rejects.ndjson'), results: work.path('results.ndjson') };
    const { summary } = await collect(submit('payout', ROWS, { ...options, ...files, yes: true, concurrency: 1 }));
    expect(summary.exit_code).toBe(4);
    const [rejected, ...none] = work.read('rejects.ndjson').trim().split('\n');
    expect([JSON.parse(rejected ?? ''), none]).toEqual([expect.objectContaining(ROWS[0] as object), []]);
    expect(work.read('results.ndjson').trim().split('\n')).toHaveLength(3);
    expect(summary.remedies.find(({ code }) => code === 'import-rejects')?.command).toContain(files.rejects);
  });

  test('never writes over a file, and takes the report where it is asked for', async () => {
    const { options, work } = await desk();
    const report = work.path('r.csv');
    writeFileSync(work.path('p.json'), '[]');
    await collect(submit('payout', ROWS, { ...options, yes: true, report }));
    expect(work.read('r.csv').split('\n')[0]).toMatch(/^file,record,line,type,key,status/);
    expect(work.read('r.csv')).toContain('(records),1,,payout');
  });
});
