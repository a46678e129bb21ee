import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { failsAt, send } from '../support/crash.js';
import { testService } from '../support/fixtures.js';

const COUNT = 40;

describe('a fault of the program itself, after the gate', () => {
  test.each([
    ['when an answer has come', 'answer:read'],
    ['before an outcome is written down', 'outcome:before-commit'],
    ['after it was', 'outcome:after-commit'],
    ['before records are claimed', 'intent:before-commit'],
  ])('%s: all that is durable is told, and the same command finishes', async (_when, point) => {
    const work = workspace();
    const service = await testService();
    work.file('p.csv', csv(payouts(COUNT)));
    const flags = ['--concurrency', '2', '--report', 'r.csv'];
    const first = await send(work, 'payout create', 'p.csv', service, flags, { env: failsAt(point) });
    expect(first.code).toBe(1);
    const { summary } = first;
    expect(summary).toMatchObject({ exit_code: 1, stop_reason: 'internal', command: 'payout create' });
    expect(summary.run).not.toBeNull();
    expect(summary.digest).not.toBeNull();
    const { valid, created, already_created: durable, unknown, not_sent: notSent } = summary.records;
    expect([valid, created + durable + unknown + notSent]).toEqual([COUNT, COUNT]);
    expect(first.events.filter(({ event }) => event === 'record')).toHaveLength(COUNT);
    expect(notSent).toBeGreaterThan(0);
    expect(first.stderr).toContain('Internal error in gigwork');
    expect(first.stderr).toContain(`gigwork batch resume ${String(summary.run)}`);
    expect(work.read('r.csv').trimEnd().split('\r\n')).toHaveLength(COUNT + 1);
    const list = JSON.parse((await work.run(['batch', 'list', '--json'])).stdout) as { runs: unknown[] };
    expect(list.runs).toMatchObject([
      { exit_code: 1, stop_reason: 'internal', records: { created: created + durable } },
    ]);

    const second = await send(work, 'payout create', 'p.csv', service, ['--concurrency', '2']);
    expect(second.summary).toMatchObject({ exit_code: 0, run: summary.run });
    expect([service.ledgerTotal(), service.executions.size]).toEqual([COUNT, COUNT]);
  });

  test('its stack is shown with --debug alone', async () => {
    const work = workspace();
    const service = await testService();
    work.file('p.csv', csv(payouts(1)));
    const env = failsAt('answer:read');
    const { stderr } = await send(work, 'payout create', 'p.csv', service, ['--debug'], { env });
    expect(stderr).toMatch(/TypeError: a fault that the test has made\n\s+at /);
    work.file('q.csv', csv(payouts(2).slice(1)));
    expect((await send(work, 'payout create', 'q.csv', service, [], { env })).stderr).not.toMatch(/^\s+at /m);
  });
});
