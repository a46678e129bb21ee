import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { failsAt } from '../support/crash.js';
import { startClerk, expectEnded, runsOf } from './clerk.js';
import { expectOnce } from './together.js';

const COUNT = 40;

describe('a fault of the program itself, after the gate', () => {
  test.each([
    ['when an answer has come', 'answer:read'],
    ['before an outcome is written down', 'outcome:before-commit'],
    ['after it was', 'outcome:after-commit'],
    ['before records are claimed', 'intent:before-commit'],
  ])('%s: all that is durable is told, and the same command finishes', async (_when, point) => {
    const { work, service, send } = await startClerk(COUNT);
    const flags = ['--concurrency', '2', '--report', 'r.csv'];
    const first = await send('payout', flags, { env: failsAt(point) });
    expectEnded(first, 1, {}, { stop_reason: 'internal', command: 'payout create' });
    const { summary } = first;
    expect(summary.run).not.toBeNull();
    expect(summary.digest).not.toBeNull();
    const { valid, created, already_created: durable, unknown, not_sent: notSent } = summary.records;
    expect([valid, created + durable + unknown + notSent]).toEqual([COUNT, COUNT]);
    expect(first.events.filter(({ event }) => event === 'record')).toHaveLength(COUNT);
    expect(notSent).toBeGreaterThan(0);
    expect(first.stderr).toContain('Internal error in gigwork');
    expect(first.stderr).toContain(`gigwork batch resume ${String(summary.run)}`);
    expect(work.read('r.csv').trimEnd().split('\r\n')).toHaveLength(COUNT + 1);
    const ended = { exit_code: 1, stop_reason: 'internal', records: { created: created + durable } };
    expect(await runsOf(work)).toMatchObject([ended]);

    expectEnded(await send('payout', ['--concurrency', '2']), 0, {}, { run: summary.run });
    expectOnce(service, COUNT);
  });

  test('its stack is shown with --debug alone', async () => {
    const { work, send } = await startClerk(1);
    const env = failsAt('answer:read');
    const { stderr } = await send('payout', ['--debug'], { env });
    expect(stderr).toMatch(/TypeError: a fault that the test has made\n\s+at /);
    work.file('q.csv', csv(payouts(2).slice(1)));
    expect((await send('payout', [], { file: 'q.csv', env })).stderr).not.toMatch(/^\s+at /m);
  });
});
