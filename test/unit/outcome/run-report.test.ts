import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/config/secrets.js';
import type { Stopped } from '../../../src/delivery/circuit-breaker.js';
import type { Outcome } from '../../../src/ledger/payment.js';
import type { RunOptions } from '../../../src/options.js';
import { RunReport } from '../../../src/outcome/run-report.js';
import { Issues } from '../../../src/preflight/issues.js';
import type { RecordReport, Reporter, SummaryReport } from '../../../src/report/reporter.js';
import { benchOn, DAY, outcome, type Process, rules, START, TARGET } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { type Call, look, pass, run } from '../preflight/desk.js';
import { type Row, SKIP } from '../preflight/kit.js';

const OPTIONS = {
  ...{
    command: 'payout create',
    argv: [],
    place: [],
    platform: 'linux',
    resume: null,
    now: () => START,
    startedAt: START,
    caller: { by: { user: 'clerk', host: 'desk' }, version: '1.2.3', commandLine: 'gigwork' },
  },
  ...{
    onward: { resume: ['--yes'], again: ['gigwork', 'payout', 'create'] },
    response: { id: 'id' },
    secrets: secretsOf([]),
  },
  safety: { dryRun: false, batchId: 'default', strict: false },
  target: { kind: 'url', name: TARGET, baseUrl: TARGET },
  send: { proxy: null },
} as unknown as RunOptions;

interface Told {
  /** `key status` of each record that was told, in order, with its error. */
  readonly records: string[];
  summary: SummaryReport | null;
}

/** A report of what a call has looked at, and what it tells. */
async function reporting(process: Process, call: Call) {
  const looked = await look(process, call);
  const told: Told = { records: [], summary: null };
  const record = ({ key, status, error }: RecordReport): void =>
    void told.records.push([key ?? 'invalid', status, error ?? ''].join(' ').trim());
  const reporter = {
    ...{ record, issue: () => undefined, note: () => undefined, progress: () => undefined },
    ready: () => Promise.resolve(),
    summary: (summary: SummaryReport) => void (told.summary = summary),
  } as unknown as Reporter;
  const outputs = { log: null, write: () => Promise.resolve(null) };
  const { prepared } = looked;
  const issues = new Issues(OPTIONS, reporter);
  const report = new RunReport({
    ...{ options: OPTIONS, prepared, issues, reporter, outputs, rules: rules() },
    ...{ ledger: process.ledger, drafts: null },
  });
  return { looked: { ...looked, placeOf: () => null }, report, told };
}

const ROWS: readonly Row[] = ['a', 'b', 'c', 'd'].map((key) => ({ key, says: key.toUpperCase(), source: 'own' }));
const OUTCOMES = { a: 'created', b: 'rejected', c: 'unknown', d: 'not_sent' } as const;

/** A run of which a was created, b rejected, c is in doubt, and d is open. */
function mixed(process: Process) {
  return run(process, { rows: ROWS }, ({ key }) => outcome(OUTCOMES[key as 'a']));
}

/** Every valid record is in exactly one state, and the states add up. */
function expectSum({ summary }: Told): void {
  const { read, valid, invalid, ...states } = summary!.records as Record<string, number>;
  expect(valid! + invalid!).toBe(read);
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(valid);
  expect(summary!.totals.reduce((sum, { count }) => sum + count, 0)).toBe(valid);
}

describe.each(STORES)('a refused run, in $name', (store) => {
  it('tells what it would have gone on with as already_created, and all else as not_sent', async () => {
    const process = await benchOn(store).process();
    await mixed(process);
    const { report, looked, told } = await reporting(process, { rows: ROWS });
    expect(await report.refused({ reason: 'control_total', words: ['wrong'] }, looked)).toBe(3);
    expect(told.records).toEqual(['a already_created', 'b not_sent', 'c not_sent', 'd not_sent']);
    expect(told.summary).toMatchObject({ exitCode: 3, stopReason: 'control_total', run: null, next: null });
    expect(told.summary?.reasons[1]).toMatch(/^1 record that was not sent now may have been carried out in run/);
    expectSum(told);
  });

  it('that is a new one has sent nothing, whatever was created before', async () => {
    const process = await benchOn(store).process();
    await mixed(process);
    const { report, looked, told } = await reporting(process, { rows: ROWS.slice(0, 1) });
    expect(looked.known.run).toBe(null);
    await report.refused({ reason: 'control_total', words: [] }, looked);
    expect(told.records).toEqual(['a not_sent']);
  });

  it('is exit 2 without a confirmation', async () => {
    const process = await benchOn(store).process();
    const { report, looked, told } = await reporting(process, { rows: ROWS });
    expect(await report.refused({ reason: 'not_confirmed', words: [] }, looked)).toBe(2);
    expect(told.summary?.records).toMatchObject({ not_sent: 4 });
  });

  it('says of a repeat what it repeats', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'q' }] });
    const { report, looked, told } = await reporting(process, { rows: [{ key: 'k' }] });
    await report.refused({ reason: 'repeats', words: [] }, looked);
    expect(told.records[0]).toMatch(/^k not_sent a record of the same content was sent before/);
  });
});

describe.each(STORES)('a call that has nothing left to send, in $name', (store) => {
  it('tells each record as its payment is', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: ROWS.slice(0, 2) }, ({ key }) => outcome(OUTCOMES[key as 'a']));
    const { report, looked, told } = await reporting(process, { rows: ROWS.slice(0, 2) });
    expect(await report.nothingLeft(looked)).toBe(4);
    expect(told.records).toEqual(['a already_created', 'b rejected HTTP 422: no']);
    expectSum(told);
  });

  it('ends the run whose call was cut off before it could', async () => {
    const process = await benchOn(store).process();
    const first = await run(process, { rows: ROWS.slice(0, 1) });
    const { report, looked } = await reporting(process, { rows: ROWS.slice(0, 1) });
    expect(await report.nothingLeft(looked)).toBe(0);
    expect((await process.ledger.runs({ name: first.run.name }))[0]?.end?.exitCode).toBe(0);
  });

  it('has skipped what was left out, and left-out records beside doubt are of unknown outcome', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'q', says: 'A' }] });
    await run(process, { rows: [{ key: 'r', says: 'B' }] }, 'unknown');
    const call: Call = {
      rows: [
        { key: 'k', says: 'A' },
        { key: 'l', says: 'B' },
      ],
      decisions: SKIP,
    };
    await run(process, call);
    const { report, looked, told } = await reporting(process, call);
    expect(await report.nothingLeft(looked)).toBe(5);
    expect(told.records).toEqual([
      'k skipped',
      'l unknown left out: the earlier payment that it stands for may have been created',
    ]);
    expect(told.summary).toMatchObject({
      held: 1,
      next: ['gigwork', 'batch', 'resume', looked.known.run?.name, '--yes'],
    });
    expectSum(told);
  });

  const corrected: readonly (readonly [says: string, row: Row])[] = [
    ['by a row that names it', { key: 'm', says: 'corrected', corrects: 'a' }],
    ['by other content under its key', { key: 'a', says: 'corrected', source: 'own' }],
  ];
  it.each(corrected)('says of a rejected payment that was replaced: replaced by …, %s', async (_, row) => {
    const process = await benchOn(store).process();
    await run(process, { rows: ROWS.slice(0, 1) }, 'rejected');
    const second = await run(process, { rows: [row] });
    const { report, looked, told } = await reporting(process, {
      rows: ROWS.slice(0, 1),
      rules: { retryRejected: true },
    });
    await report.nothingLeft(looked);
    expect(told.records).toEqual([
      `a rejected HTTP 422: no; replaced by a corrected record, in run ${second.run.name}; it is never sent again`,
    ]);
  });
});

describe.each(STORES)('a run that was sent, in $name', (store) => {
  /** Passes the gate; the first records are told with these outcomes, and the run ends. */
  async function sent(
    process: Process,
    call: Call,
    of: readonly (readonly [Outcome, fresh: boolean])[],
    stopped: Stopped = null,
  ) {
    const { report, looked, told } = await reporting(process, call);
    const delivery = await pass(process, looked, call.decisions);
    await report.begin(delivery.run, looked);
    for (const [index, [known, fresh]] of of.entries()) report.known(index, known, fresh);
    const exitCode = await report.delivered(stopped, stopped?.reason === 'interrupted' ? 130 : null);
    expectSum(told);
    return { exitCode, told, run: delivery.run };
  }

  const created = outcome('created');
  const ends: readonly (readonly [
    says: string,
    of: readonly (readonly [Outcome, boolean])[],
    stopped: Stopped,
    exitCode: number,
    states: string,
  ])[] = [
    [
      'all created',
      [
        [created, true],
        [created, true],
      ],
      null,
      0,
      'created created',
    ],
    [
      'created by another process',
      [
        [created, false],
        [created, true],
      ],
      null,
      0,
      'already_created created',
    ],
    [
      'one rejected',
      [
        [created, true],
        [outcome('rejected'), true],
      ],
      null,
      4,
      'created rejected',
    ],
    [
      'one in doubt: 5 before 4',
      [
        [outcome('unknown'), true],
        [outcome('rejected'), true],
      ],
      null,
      5,
      'unknown rejected',
    ],
    ['one that was not reached', [[created, true]], null, 5, 'created not_sent'],
    ['interrupted', [[created, true]], { reason: 'interrupted', detail: null }, 130, 'created not_sent'],
    [
      'interrupted after the last record',
      [
        [created, true],
        [created, true],
      ],
      { reason: 'interrupted', detail: null },
      0,
      'created created',
    ],
    ['a fault of its own', [[created, true]], { reason: 'internal', detail: 'x' }, 1, 'created not_sent'],
  ];
  it.each(ends)('%s', async (_, of, stopped, exitCode, states) => {
    const process = await benchOn(store).process();
    const { told, ...end } = await sent(process, { rows: ROWS.slice(0, 2) }, of, stopped);
    expect(told.records.map((words) => words.split(' ')[1]).join(' ')).toBe(states);
    expect(end.exitCode).toBe(exitCode);
    const goesOn = exitCode === 0 || exitCode === 4 ? null : ['gigwork', 'batch', 'resume', end.run.name, '--yes'];
    expect(told.summary).toMatchObject({ exitCode, next: goesOn, run: end.run.name });
    expect((await process.ledger.runs({ name: end.run.name }))[0]?.end?.exitCode).toBe(exitCode);
  });

  it('tells what another process has done with records that this one did not come to', async () => {
    const bench = benchOn(store);
    const [process, other] = [await bench.process(), await bench.process()];
    const { report, looked, told } = await reporting(process, { rows: ROWS });
    const delivery = await pass(process, looked);
    await report.begin(delivery.run, looked);
    const joined = await other.join(delivery.run);
    const { claimed } = await joined.delivery.exchange([], joined.ids.slice(0, 2), rules());
    const done = claimed.map(({ id, claim }, i) => ({ id, claim, outcome: i === 0 ? created : outcome('unknown') }));
    await joined.delivery.exchange(done, [], rules());
    expect(await report.delivered({ reason: 'unreachable', detail: null }, null)).toBe(5);
    expect(told.records.map((words) => words.split(' ').slice(0, 2).join(' '))).toEqual([
      'a already_created',
      'b unknown',
      'c not_sent',
      'd not_sent',
    ]);
  });

  it('held are those that only a person can settle', async () => {
    const process = await benchOn(store).process();
    const rows: readonly Row[] = [ROWS[0]!, { key: 'g', says: 'G', type: 'gig' }];
    await run(process, { rows }, 'unknown');
    const { report, looked, told } = await reporting(process, { rows, now: START + DAY - 1 });
    const delivery = await pass(process, looked);
    await report.begin(delivery.run, looked);
    await report.delivered(null, null);
    expect(told.summary).toMatchObject({ held: 1, records: { unknown: 2 }, doubts: [{ count: 1, areGigs: true }] });
  });
});
