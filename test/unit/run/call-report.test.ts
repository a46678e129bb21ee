import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/config/secrets.js';
import type { Stopped } from '../../../src/delivery/circuit-breaker.js';
import type { Outcome } from '../../../src/ledger/payment.js';
import type { RunOptions } from '../../../src/options.js';
import { Issues } from '../../../src/preflight/issues.js';
import type { RecordReport } from '../../../src/report/record-report.js';
import type { Reporter, SummaryReport } from '../../../src/report/reporter.js';
import { CallReport } from '../../../src/run/call-report.js';
import { benchOn, DAY, outcome, type Process, rules, START, TARGET } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { type Call, look, pass, run } from '../preflight/desk.js';
import { computed, type Row } from '../preflight/kit.js';

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
  safety: { dryRun: false, batchId: 'may', strict: false },
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
  const report = new CallReport({
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

/** `key state` of each record that was told. */
function statesOf({ records }: Told): string[] {
  return records.map((words) => words.split(' ').slice(0, 2).join(' '));
}

/** Every valid record is in exactly one state, and the states add up. */
function expectSum({ summary }: Told): void {
  const { read, valid, invalid, ...states } = summary!.records as Record<string, number>;
  expect(valid! + invalid!).toBe(read);
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(valid);
  expect(summary!.totals.reduce((sum, { count }) => sum + count, 0)).toBe(valid);
}

describe.each(STORES)('a refused run, in $name', (store) => {
  it('tells each record as its payment is', async () => {
    const process = await benchOn(store).process();
    await mixed(process);
    const { report, looked, told } = await reporting(process, { rows: ROWS });
    expect(await report.refused({ reason: 'control_total', words: ['wrong'] }, looked)).toBe(3);
    expect(statesOf(told)).toEqual(['a already_created', 'b rejected', 'c unknown', 'd not_sent']);
    expect(told.summary).toMatchObject({ exitCode: 3, stopReason: 'control_total', run: null, next: null });
    expectSum(told);
  });

  it('tells so of other inputs, too', async () => {
    const process = await benchOn(store).process();
    await mixed(process);
    const { report, looked, told } = await reporting(process, { rows: ROWS.slice(0, 1) });
    expect(looked.known.run).toBe(null);
    await report.refused({ reason: 'control_total', words: [] }, looked);
    expect(statesOf(told)).toEqual(['a already_created']);
  });

  it('is exit 2 without a confirmation', async () => {
    const process = await benchOn(store).process();
    const { report, looked, told } = await reporting(process, { rows: ROWS });
    expect(await report.refused({ reason: 'not_confirmed', words: [] }, looked)).toBe(2);
    expect(told.summary?.records).toMatchObject({ not_sent: 4 });
  });

  it('says of a repeat what it repeats', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: computed('q') }] });
    const { report, looked, told } = await reporting(process, { rows: [{ key: computed('k') }] });
    await report.refused({ reason: 'repeats', words: [] }, looked);
    expect(told.records[0]).toMatch(/^\S+ not_sent .*was paid/);
  });
});

describe.each(STORES)('a call that has nothing left to send, in $name', (store) => {
  it('tells each record as its payment is', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: ROWS.slice(0, 2) }, ({ key }) => outcome(OUTCOMES[key as 'a']));
    const { report, looked, told } = await reporting(process, { rows: ROWS.slice(0, 2) });
    expect(await report.nothingLeft(looked)).toBe(4);
    expect(statesOf(told)).toEqual(['a already_created', 'b rejected']);
    expect(told.records[1]).toMatch(/HTTP 422.*--retry-rejected/);
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
    await run(process, { rows: [{ key: computed('q'), says: 'A' }] });
    await run(process, { rows: [{ key: computed('r'), says: 'B', like: 'M' }] }, 'unknown');
    const call: Call = {
      rows: [
        { key: computed('k'), says: 'A' },
        { key: computed('l'), says: 'B', like: 'M' },
      ],
      decisions: { skipCreated: true },
    };
    await run(process, call);
    const { report, looked, told } = await reporting(process, call);
    expect(await report.nothingLeft(looked)).toBe(6);
    expect(statesOf(told)).toEqual([`${computed('k')} skipped`, `${computed('l')} unknown`]);
    expect(told.summary).toMatchObject({
      held: 1,
      next: ['gigwork', 'batch', 'resume', looked.known.run?.name, '--yes'],
    });
    expectSum(told);
  });

  it.each([
    ['created', 'a skipped'],
    ['rejected', 'a rejected'],
  ] as const)('says of a rejected payment whose correction was %s: %s', async (state, expected) => {
    const process = await benchOn(store).process();
    await run(process, { rows: ROWS.slice(0, 1) }, 'rejected');
    await run(process, { rows: [{ key: 'm', says: 'corrected', source: 'replaces', corrects: 'a' }] }, state);
    const { report, looked, told } = await reporting(process, {
      rows: ROWS.slice(0, 1),
      rules: { retryRejected: true },
    });
    await report.nothingLeft(looked);
    expect(statesOf(told)).toEqual([expected]);
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
    const delivery = await pass(process, looked);
    await report.begin(delivery.run, looked, []);
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
    await report.begin(delivery.run, looked, []);
    const joined = await other.join(delivery.run);
    const { claimed } = await joined.delivery.exchange([], joined.ids.slice(0, 2));
    const done = claimed.map(({ id, claim }, i) => ({ id, claim, outcome: i === 0 ? created : outcome('unknown') }));
    await joined.delivery.exchange(done, []);
    expect(await report.delivered({ reason: 'unreachable', detail: null }, null)).toBe(5);
    expect(statesOf(told)).toEqual(['a already_created', 'b unknown', 'c not_sent', 'd not_sent']);
  });

  it('held are those that only a person can settle', async () => {
    const process = await benchOn(store).process();
    const rows: readonly Row[] = [ROWS[0]!, { key: 'g', says: 'G', type: 'gig', source: 'own' }];
    await run(process, { rows }, 'unknown');
    const { report, looked, told } = await reporting(process, { rows, now: START + DAY - 1 });
    const delivery = await pass(process, looked);
    await report.begin(delivery.run, looked, []);
    await report.delivered(null, null);
    expect(told.summary).toMatchObject({ held: 1, records: { unknown: 2 }, doubts: [{ count: 1, areGigs: true }] });
  });
});
