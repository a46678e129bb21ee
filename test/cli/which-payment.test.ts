/** Which payment a record is, and what becomes of it. CONTRACT: "Keys and repeats", "Record states". */
import { describe, expect, test } from 'vitest';
import { csv, type PayoutRow } from '../support/builders.js';
import { hoursAhead } from '../support/crash.js';
import {
  type ANSWERS,
  correcting,
  DEARER,
  type Desk,
  openDesk,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  issuesOf,
  own,
  paid,
  recordsOf,
  SECOND,
  sent,
  sentAt,
  statesOf,
  THIRD as OTHER,
} from '../support/desk.js';

/** How a key identifies its payment, and one that does not: what the row is, and the flags of every call. */
const IDENTIFYING: [string, (row: PayoutRow) => object, string[]][] = [
  ['its own key', (row) => own(row, `k-${row.user_id}`), []],
  ['a key of columns', (row) => row, ['--key-columns', 'user_id,title']],
];
const KEYS: typeof IDENTIFYING = [IDENTIFYING[0]!, ['a key of content', (row) => row, []]];

/** Exit code, states of SECOND and OTHER, how often they were paid, and the repeat that refuses the run. */
type Ends = readonly [exit: number, states: readonly [string, string], paid: readonly [number, number], code?: string];
interface Line {
  readonly what: string;
  /** Of SECOND's payment. */
  readonly state?: keyof typeof ANSWERS;
  readonly hours?: number;
  /** For a key that identifies, and for another one where that differs. */
  readonly ends: Ends;
  readonly other?: Ends;
}
const before = (state: string): Ends => [3, [state, 'not_sent'], [1, 0], 'created-before'];
const UNKNOWN: Pick<Line, 'state' | 'other'> = { state: 'unknown', other: before('unknown') };

const TABLE: readonly Line[] = [
  { what: 'none', ends: [0, ['created', 'created'], [1, 1]] },
  {
    what: 'open',
    state: 'open',
    ends: [0, ['created', 'created'], [1, 1]],
    other: [3, ['not_sent', 'not_sent'], [0, 0], 'open-before'],
  },
  {
    what: 'created',
    state: 'created',
    ends: [0, ['already_created', 'created'], [1, 1]],
    other: before('already_created'),
  },
  { what: 'unknown, while its key protects it', ...UNKNOWN, ends: [0, ['created', 'created'], [1, 1]] },
  { what: 'unknown, once it does not', ...UNKNOWN, hours: 25, ends: [6, ['unknown', 'created'], [1, 1]] },
  { what: 'rejected', state: 'rejected', ends: [4, ['rejected', 'created'], [0, 1]] },
];

// A key of columns identifies as one of its own does: the next group says so, and unit/preflight/disposition.test.ts.
describe.each(KEYS)('%s, in another input', (kind, as, flags) => {
  const identifies = kind !== 'a key of content';
  const input = [as(SECOND), as(OTHER)];

  test.each(TABLE)('its payment is $what', async ({ state, hours = 0, ends, other = ends }) => {
    const at = state === undefined ? await openDesk() : (await sent(state, [as(SECOND)], ...flags)).later(hours);
    const [exitCode, states, counts, code] = identifies ? ends : other;
    const result = await at.send(input, ...flags);
    expect(result.summary).toMatchObject({ exit_code: exitCode, stop_reason: code === undefined ? null : 'repeats' });
    expect(issues(result)).toEqual(code === undefined ? {} : { [code]: 1 });
    expect(statesOf(result)).toEqual(states);
    expect(result.summary.held).toBe(hours > 0 ? 1 : 0);
    expect(paid(at, SECOND, OTHER)).toEqual(counts);
  });

  test('rejected, it tells its day and run; --retry-rejected sends it again', async () => {
    const at = await sent('rejected', [as(SECOND)], ...flags);
    const [first] = recordsOf(await at.send(input, ...flags));
    expect(first.error).toContain(at.run);
    expect(first.error).toContain(first.at.slice(0, 10));
    expectDone(await at.send([as(SECOND)], '--retry-rejected', ...flags), { created: 1 });
    expect(paid(at, SECOND, OTHER)).toEqual([1, 1]);
  });

  test.each([
    ['created', 0, { status: 'skipped', stands_for: { amount: String(DEARER.amount), status: 'created' } }],
    ['rejected', 4, { status: 'rejected', error: expect.stringContaining('replaced by') }],
  ] as const)('replaced by a correction that is %s: nothing sends it again', async (state, exitCode, record) => {
    const first = await sent('rejected', [as(SECOND)], ...flags);
    const at = await sentAt(first, state, [correcting(DEARER, first.key)]);
    for (const [rows, more] of [
      [input, []],
      [[as(SECOND)], ['--retry-rejected', '--resend-unknown']],
    ] as const) {
      const result = await at.send(rows, ...flags, ...more);
      expect(result.summary.exit_code).toBe(exitCode);
      expect(recordsOf(result)[0]).toMatchObject({ amount: String(SECOND.amount), ...record });
    }
    // The run that had it rejected tells the same of it from then on.
    const { outcomes, records } = await at.batch('show', first.run);
    expect(outcomes[0]).toMatchObject({ amount: String(SECOND.amount), ...record });
    expect(records).toMatchObject({ valid: 1, [record.status]: 1 });
    expect(paid(at, SECOND, DEARER, OTHER)).toEqual([0, state === 'created' ? 1 : 0, 1]);
  });
});

describe.each(IDENTIFYING)('%s, with other content', (_kind, as, flags) => {
  test('takes the place of a rejected payment, which the first input then conflicts with', async () => {
    const at = await sent('rejected', [as(SECOND)], ...flags);
    expectDone(await at.send([as(DEARER)], ...flags), { created: 1 });
    expectRefused(await at.send([as(SECOND)], ...flags), 'invalid_input', { 'key-conflict': 1 });
    expect((await at.resume(at.run, '--retry-rejected')).summary.records).toMatchObject({ created: 0 });
    expect(paid(at, SECOND, DEARER)).toEqual([0, 1]);
  });

  test.each(['open', 'created', 'unknown'] as const)('is a conflict over one that is %s', async (state) => {
    const at = await sent(state, [as(SECOND)], ...flags);
    const count = at.service.requestCount;
    const result = await at.send([as(DEARER), as(OTHER)], ...flags);
    expectRefused(result, 'invalid_input', { 'key-conflict': 1 });
    expect(statesOf(result)).toEqual(['invalid', 'not_sent']);
    expect(at.service.requestCount).toBe(count);
    // Another key pays in addition: only where it was paid, and after the other case.
    const [{ message }] = issuesOf(result, 'key-conflict');
    expect(message).toContain(SECOND.amount.toLocaleString('en'));
    expect(message).toContain(at.run);
    const advice = /leave this row out.*in addition: give it an(?:other)? idempotency_key/;
    expect(advice.test(message)).toBe(state === 'created');
    // Another value there would pay another person.
    expect(message).not.toContain('user_id');
    const commands = result.summary.remedies.map(({ command }: { command: string[] }) => command[2]);
    const first = { created: [], open: ['close', 'resume'], unknown: ['resume', 'settle', 'settle'] }[state];
    expect(commands.slice(0, -1)).toEqual(first);
    const rest = await at.send([as(DEARER), as(OTHER)], '--skip-invalid', ...flags);
    expect(rest.summary).toMatchObject({ exit_code: 4, records: { invalid: 1, created: 1 } });
    if (first[0] !== 'resume') return;
    await at.runPrinted(result.summary.remedies[0].command);
    expect(paid(at, SECOND, DEARER)).toEqual([1, 0]);
  });
});

test('rejected, and pruned: the journal alone cannot send it again, and says so; its file can', async () => {
  const at = (await sent('rejected', [SECOND])).later(24 * 60);
  const until = new Date(Date.now() + 50 * 24 * 3_600_000).toISOString().slice(0, 10);
  await at.work.run(['batch', 'prune', '--before', until], { env: hoursAhead(24 * 60) });
  const [{ run }] = (await at.batch('list')).runs;
  const resumed = await at.resume(run, '--retry-rejected');
  expect(resumed.summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
  expect(resumed.summary.reasons.join()).toContain('batch prune');
  expectDone(await at.send([SECOND, OTHER], '--retry-rejected'), { created: 2 });
  expect(paid(at, SECOND, OTHER)).toEqual([1, 1]);
});

describe('keys', () => {
  test.each([
    ['that the service requires is missing once', 'user_id,title', { user_id: undefined }, ['missing-field user_id']],
    ['of a cost center, too', 'cost_center_key', { cost_center_key: undefined }, ['missing-one-of cost_center_key']],
    [
      'is named, each of several that are missing',
      'reference_id,user_id,billing_date,cost_center_data.customer_id',
      {},
      ['missing-field reference_id', 'missing-field billing_date', 'missing-field cost_center_data.customer_id'],
    ],
    ['is not asked for where a record has a key of its own', 'reference_id', { idempotency_key: 'k' }, []],
  ])('a key column %s', async (_what, columns, change, expected) => {
    const at = await openDesk();
    at.work.file('p.json', JSON.stringify([{ ...FIRST, ...change }]));
    const result = await at.sendFiles(['p.json'], '--key-columns', columns, '--dry-run');
    expect(issuesOf(result).map(({ code, field }) => `${code} ${field}`)).toEqual(expected);
    expect(result.code).toBe(expected.length === 0 ? 0 : 3);
  });

  test('two identical rows of a file are two records', async () => {
    const at = await openDesk();
    expectDone(await at.send([SECOND, SECOND]), { created: 2 });
    expect(paid(at, SECOND)).toEqual([2]);
  });

  test('so identical rows in two files of one run are refused, and equal files are a mistake in the call', async () => {
    const { work, service, sendFiles } = await openDesk();
    work.file('a.csv', csv([FIRST, SECOND]));
    work.file('b.csv', csv([SECOND, OTHER]));
    work.file('c.csv', csv([FIRST, SECOND]));
    const refused = await sendFiles(['a.csv', 'b.csv']);
    expectRefused(refused, 'invalid_input', { 'duplicate-key': 2 });
    // Only rows of one file are called identical: of those, both are sent.
    expect(issuesOf(refused, 'identical-rows')).toEqual([]);
    expect((await sendFiles(['a.csv', 'c.csv'])).summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect((await sendFiles(['a.csv', './a.csv'])).summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(service.requestCount).toBe(0);
  });

  test('a payment that is known by its key is told once: how many, which amount, when last, where', async () => {
    const at = await sent('created', [own(FIRST, 'k')], '--batch-id', 'x');
    expectRefused(await at.send([own(FIRST, 'k')], '--batch-id', 'y'), 'repeats', { 'other-batch': 1 });
    expectDone(await at.send([own(FIRST, 'k')], '--batch-id', 'y', '--skip-created'), { skipped: 1 });
    const again = await at.send([own(FIRST, 'k')]);
    expectDone(again, { already_created: 1 });
    expect(again.summary.notices).toMatchObject([
      { code: 'already-created', count: 1, batch_id: 'x', totals: { payout: [{ amount: String(FIRST.amount) }] } },
    ]);
    const { url } = at.service;
    const words = ['payout', 'create', 'p.csv', '--base-url', url, '--yes'];
    const told =
      /^(?:Nothing was sent\. )?1 payout \([\d,.]+\) was paid already, (?:today|on \d{4}-\d\d-\d\d), in batch x \(p\.csv\)\. It was not/;
    const quiet = await at.work.run([...words, '--quiet']);
    // Nothing was sent, so it is the first line; also where a refused record stays so.
    expect(quiet.stdout).toMatch(told);
    at.service.responder(() => ({ status: 422 }));
    await at.send([own(FIRST, 'k'), own(SECOND, 'k2')], '--batch-id', 'x');
    expect((await at.work.run([...words, '--batch-id', 'x'])).stdout).toMatch(told);
    expect(at.service.requestCount).toBe(2);
  });
});

test('a payment that the run itself sent is told with the batch that accepted it first', async () => {
  const at = await sent('open', [own(FIRST, 'k')], '--batch-id', 'x');
  const rows = [own(FIRST, 'k'), own(SECOND, 'k2')];
  expectDone(await at.send(rows, '--batch-id', 'y'), { created: 2 });
  const { summary } = await at.send(rows, '--batch-id', 'y');
  expect(summary.notices).toMatchObject(['x', 'y'].map((batch_id) => ({ batch_id, count: 1 })));
});

describe('a run that was refused, and a dry run', () => {
  const input = [FIRST, SECOND, OTHER];

  /** FIRST is created, SECOND in doubt; the input has one more. */
  const mixed = async (): Promise<Desk> => sentAt(await sent('created', [FIRST]), 'unknown', [SECOND]);

  test('tell each record by its payment, and leave no run', async () => {
    const at = await mixed();
    for (const flags of [[], ['--dry-run']]) {
      const result = await at.send(input, ...flags);
      expectRefused(result, 'repeats', { 'created-before': 2 });
      expect(statesOf(result).slice(0, 2)).toEqual(['already_created', 'unknown']);
    }
    expect(statesOf(await at.send(input))[2]).toBe('not_sent');
    const dry = await at.later(25).send(input, '--dry-run', '--skip-created');
    expect(dry.summary).toMatchObject({ run: null, records: { skipped: 1, unknown: 1, planned: 1 } });
    expect((await at.batch('list')).runs).toHaveLength(2);
    expect(at.service.requestCount).toBe(2);
  });
});

test('what took the place of a record twice, and is the same again, is that record wherever its run tells of it', async () => {
  const at = await sent('rejected', [own(SECOND, 'k')]);
  await sentAt(at, 'rejected', [own(DEARER, 'k')]);
  expectDone(await at.send([own(SECOND, 'k')], '--batch-id', 'again'), { created: 1 });
  const [told] = recordsOf(await at.resume(at.run));
  expect(told).toMatchObject({ status: 'already_created', key: 'k' });
  expect((await at.batch('show', at.run)).outcomes).toMatchObject([told]);
});
