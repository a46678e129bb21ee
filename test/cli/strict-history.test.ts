/** `--strict` and what the history knows: it refuses the run, and makes no record invalid. */
import { describe, expect, test } from 'vitest';
import { hoursAhead } from '../support/crash.js';
import { type Desk, desk, expectDone, FIRST, issues, ROWS, SECOND } from '../support/desk.js';

const [, , THIRD] = ROWS as [typeof FIRST, typeof FIRST, typeof FIRST];
const NAMED = ['--batch-id', 'other'];

/** Two rows are paid; then the file has a third. */
async function paid(): Promise<
  Omit<Desk, 'later'> & { later: (days: number, ...flags: string[]) => ReturnType<Desk['send']> }
> {
  const at = await desk();
  expectDone(await at.send([FIRST, SECOND]), { created: 2 });
  const later = (days: number, ...flags: string[]) => at.later(days * 24).send([FIRST, SECOND, THIRD], ...flags);
  return { ...at, later };
}

describe('payments of another batch', () => {
  test('refuse the run where they were paid less than 6 days ago', async () => {
    const { later, service } = await paid();
    const strict = await later(5.9, ...NAMED, '--strict', '--skip-invalid');
    expect(strict.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats', run: null });
    expect(strict.summary.records).toMatchObject({ valid: 3, invalid: 0, not_sent: 3 });
    expect(issues(strict, 'warning')).toEqual({ 'same-content': 2 });
    expect(strict.stderr).toContain('--strict: 2 warnings about earlier payments (above), so nothing is sent;');
    expect(strict.stderr).not.toContain('they are sent');
    expect(service.requestCount).toBe(2);
  });

  test('do not where they were paid before, nor without the flag', async () => {
    const { later } = await paid();
    expect((await later(6.1, ...NAMED, '--strict', '--dry-run')).summary).toMatchObject({ exit_code: 0 });
    const lax = await later(0, ...NAMED);
    expectDone(lax, { created: 3 });
    expect(lax.stderr).toMatch(
      /^2 records were paid, or some like them, in batch default, the last on \d{4}-\d\d-\d\d: under the name of this batch, they are payments of their own$/m,
    );
  });
});

test('a payment in doubt that is not in the input refuses the run, of any age', async () => {
  const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  await send([FIRST], '--retries', '0');
  const strict = await send([SECOND], '--strict');
  expect(strict.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats', records: { valid: 1, not_sent: 1 } });
  expect(issues(strict, 'warning')).toEqual({ 'open-unknown': 1 });
  const words = ['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json', '--strict'];
  const old = await work.run(words, { env: hoursAhead(24 * 30) });
  expect(old.summary.stop_reason).toBe('repeats');
  expectDone(await send([SECOND]), { created: 1 });
});

test('a record that was created at another target refuses the run', async () => {
  const { send } = await desk();
  expectDone(await send([FIRST]), { created: 1 });
  const strict = await send([FIRST], '--strict', '--account', 'desk');
  expect(strict.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats', records: { invalid: 0 } });
  expect(issues(strict, 'warning')).toEqual({ 'known-elsewhere': 1 });
});
