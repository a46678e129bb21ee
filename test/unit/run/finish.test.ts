import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/config/secrets.js';
import type { StopCause } from '../../../src/delivery/circuit-breaker.js';
import { startConfirmedAnswers } from '../../../src/delivery/confirmed-answers.js';
import type { Outcome } from '../../../src/journal/payment.js';
import { NO_SETTINGS } from '../../../src/config/resolve.js';
import { newCommandLine } from '../../../src/follow-up/command-line.js';
import type { RunOptions } from '../../../src/options.js';
import { IssueLog } from '../../../src/review/issue-log.js';
import type { RecordReport } from '../../../src/report/record-report.js';
import type { Reporter, RunSummary } from '../../../src/report/reporter.js';
import type { RunSession } from '../../../src/run/run-session.js';
import { beginReport, finishCall } from '../../../src/run/finish.js';
import { benchOn, DAY, outcome, type Process, rules, START, TARGET } from '../journal/journal-fixtures.js';
import { SQLITE } from '../journal/stores.js';
import { type Call as Asked, look, pass, run } from '../review/desk.js';
import { computed, type Row } from '../review/review-fixtures.js';

const OPTIONS = {
  command: 'payout create',
  platform: 'linux',
  resume: null,
  caller: {
    by: {
      user: 'clerk',
      host: 'desk',
    },
    version: '1.2.3',
    commandLine: 'gigwork',
  },
  commandLine: newCommandLine('gigwork', 'payout create', [], []),
  settings: { ...NO_SETTINGS, flags: { yes: true } },
  response: { id: 'id' },
  redactor: createRedactor([]),
  input: { files: [] },
  output: { report: [], json: false },
  safety: {
    dryRun: false,
    batchId: 'may',
    strict: false,
  },
  target: {
    kind: 'url',
    name: TARGET,
    baseUrl: TARGET,
  },
  send: { proxy: null },
} as unknown as RunOptions;

const NO_ANSWERS = startConfirmedAnswers(OPTIONS.response);

interface Told {
  /** `key status` of each record that was told, in order, with its error. */
  readonly records: string[];
  summary: RunSummary | null;
}

/** A report of what a call has looked at, and what it tells. */
async function reporting(process: Process, asked: Asked, signalExit: number | null = null) {
  const assessment = await look(process, asked);
  const told: Told = { records: [], summary: null };
  const record = ({ key, status, error }: RecordReport): void =>
    void told.records.push([key ?? 'invalid', status, error ?? ''].join(' ').trim());
  const reporter = {
    record,
    issue: () => undefined,
    note: () => undefined,
    progress: () => undefined,
    ready: () => Promise.resolve(),
    summary: (summary: RunSummary) => void (told.summary = summary),
  } as unknown as Reporter;
  const outputs = {
    log: null,
    write: () => Promise.resolve({ written: [], notes: [], failure: null, later: [], rejects: [] }),
  };
  const session = {
    options: OPTIONS,
    issues: new IssueLog(OPTIONS, reporter),
    before: { begins: false, lastPaymentAt: null },
    reporter,
    outputs,
    rules: rules(),
    world: { now: () => START },
    startedAt: START,
    interruption: { exitCode: signalExit, end: () => undefined },
    journal: process.journal,
    remarks: [],
    paidBefore: () => Promise.resolve(null),
  } as unknown as RunSession;
  return { assessment: { ...assessment, placeOf: () => null }, session, told };
}

/** Passes the gate, so that outcomes can be told. */
async function beginning(process: Process, asked: Asked, signalExit: number | null = null) {
  const { assessment, session, told } = await reporting(process, asked, signalExit);
  const delivery = await pass(process, assessment);
  const recorder = beginReport(session, assessment, delivery.run, false);
  const end = (stop: StopCause): Promise<number> =>
    finishCall(session, {
      kind: 'delivered',
      assessment,
      notices: [],
      changes: null,
      run: delivery.run,
      stop,
      confirmed: NO_ANSWERS,
      recorder,
    });
  return { delivery, recorder, told, end };
}

const ROWS: readonly Row[] = ['a', 'b', 'c', 'd'].map((key) => ({ key, says: key.toUpperCase(), source: 'own' }));
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

describe('a refused run', () => {
  it('says of a repeat what it repeats', async () => {
    const process = await benchOn(SQLITE).process();
    await run(process, { rows: [{ key: computed('q') }] });
    const { session, assessment, told } = await reporting(process, { rows: [{ key: computed('k') }] });
    await finishCall(session, {
      kind: 'refused',
      assessment,
      refusal: { reason: 'repeats', reasons: [] },
    });
    expect(told.records[0]).toMatch(/^\S+ not_sent .*was paid/);
  });
});

describe('a call that has nothing left to send', () => {
  it('ends the run whose call was cut off before it could', async () => {
    const process = await benchOn(SQLITE).process();
    const first = await run(process, { rows: ROWS.slice(0, 1) });
    const { session, assessment } = await reporting(process, { rows: ROWS.slice(0, 1) });
    expect(await finishCall(session, { kind: 'nothing-left', assessment })).toBe(0);
    expect((await process.journal.runs({ name: first.run.name }))[0]?.end?.exitCode).toBe(0);
  });
});

describe('a run that was sent', () => {
  /** Passes the gate; the first records are told with these outcomes, and the run ends. */
  async function sent(
    process: Process,
    asked: Asked,
    of: readonly (readonly [Outcome, fresh: boolean])[],
    stopped: StopCause = null,
  ) {
    const signalExit = stopped?.reason === 'interrupted' ? 130 : null;
    const { delivery, recorder, told, end } = await beginning(process, asked, signalExit);
    for (const [index, [known, fresh]] of of.entries())
      recorder.addOutcome(index, { ...known, run: delivery.run.number, at: START }, fresh);
    const exitCode = await end(stopped);
    expectSum(told);
    return { exitCode, told, run: delivery.run };
  }

  const created = outcome('created');
  const [interrupted, internal] = [
    { reason: 'interrupted', detail: null },
    { reason: 'internal', detail: 'x' },
  ] as const;
  /** The records as they are told: all but those that were already created, or not sent, were sent by this call. */
  const ends: readonly (readonly [says: string, states: string, exitCode: number, stopped: StopCause])[] = [
    ['all created', 'created created', 0, null],
    ['created by another process', 'already_created created', 0, null],
    ['one rejected', 'created rejected', 4, null],
    ['one in doubt: 5 before 4', 'unknown rejected', 5, null],
    ['one that was not reached', 'created not_sent', 5, null],
    ['interrupted', 'created not_sent', 130, interrupted],
    ['interrupted after the last record', 'created created', 0, interrupted],
    ['a fault of its own', 'created not_sent', 1, internal],
  ];
  it.each(ends)('%s', async (_, states, exitCode, stopped) => {
    const process = await benchOn(SQLITE).process();
    const of = states.split(' ').flatMap((state): [Outcome, boolean][] => {
      const isOld = state === 'already_created';
      return state === 'not_sent' ? [] : [[isOld ? created : outcome(state as 'created'), !isOld]];
    });
    const { told, ...end } = await sent(process, { rows: ROWS.slice(0, 2) }, of, stopped);
    expect(told.records.map((words) => words.split(' ')[1]).join(' ')).toBe(states);
    expect(end.exitCode).toBe(exitCode);
    const goesOn = exitCode === 0 || exitCode === 4 ? null : ['gigwork', 'batch', 'resume', end.run.name, '--yes'];
    expect(told.summary).toMatchObject({ exitCode, next: goesOn, run: end.run.name });
    expect((await process.journal.runs({ name: end.run.name }))[0]?.end?.exitCode).toBe(exitCode);
  });

  it('tells what another process has done with records that this one did not come to', async () => {
    const bench = benchOn(SQLITE);
    const process = await bench.process();
    const other = await bench.process();
    const { delivery, told, end } = await beginning(process, { rows: ROWS });
    const joined = await other.join(delivery.run);
    const { claimed } = await joined.delivery.storeAndClaim([], joined.ids.slice(0, 2));
    const done = claimed.map(({ id, claim }, i) => ({ id, claim, outcome: i === 0 ? created : outcome('unknown') }));
    await joined.delivery.storeAndClaim(done, []);
    expect(await end({ reason: 'unreachable', detail: null })).toBe(5);
    expect(statesOf(told)).toEqual(['a already_created', 'b unknown', 'c not_sent', 'd not_sent']);
  });

  it('held are those that only a person can settle', async () => {
    const process = await benchOn(SQLITE).process();
    const rows: readonly Row[] = [ROWS[0]!, { key: 'g', says: 'G', type: 'gig', source: 'own' }];
    await run(process, { rows }, 'unknown');
    const { told, end } = await beginning(process, { rows, now: START + DAY - 1 });
    await end(null);
    expect(told.summary).toMatchObject({ records: { unknown: 2 }, people: { doubts: [{ count: 1, areGigs: true }] } });
  });
});
