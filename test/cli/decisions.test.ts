/** What a person decides about repeats, and what becomes of the records. CONTRACT: "Keys and repeats", "Repeats". */
import { describe, expect, test } from 'vitest';
import { csv, gigs, type PayoutRow } from '../support/builders.js';
import type { CliResult } from '../support/cli.js';
import {
  DEARER,
  type Desk,
  desk,
  EDITED,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  issuesOf,
  own,
  ROWS,
  SECOND,
  statesOf,
  times,
  withKeys,
} from '../support/desk.js';

const [, , THIRD] = ROWS as [PayoutRow, PayoutRow, PayoutRow];

/** Answers 500, after it was carried out or not, to the requests of these numbers. */
const doubtful =
  (...numbers: number[]) =>
  (n: number) =>
    numbers.includes(n) ? ({ fault: 'reset-after' } as const) : ({ status: 201 } as const);
const ONCE = ['--retries', '0'];
/** The service is not trusted to remember a key: what is in doubt waits for a person. */
const FORGOTTEN = [...ONCE, '--key-lifetime', '0'];

function recordOf({ events }: CliResult, number: number) {
  return events.find(({ event, record }) => event === 'record' && record === number);
}

describe('they were paid already: --skip-created', () => {
  test('leaves out what was created before or has the same content, as skipped, and sends the others', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST, own(SECOND, 'a')]), { created: 2 });
    const result = await send([FIRST, SECOND, THIRD], '--skip-created');
    expectDone(result, { valid: 3, skipped: 2, already_created: 0, created: 1 });
    expect(statesOf(result)).toEqual(['skipped', 'skipped', 'created']);
    expect([FIRST, SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 1, 1]);
    // What was decided is still told, and is no error any more.
    expect(issues(result)).toEqual({});
    expect(issues(result, 'warning')).toEqual({ 'created-before': 1, 'same-content': 1 });
  });

  test('the money of what is skipped is a row of its own, and all rows add up to the file', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    const { summary } = await send([FIRST, { ...SECOND, cost_center_key: FIRST.cost_center_key }], '--skip-created');
    expect(summary.totals.payout).toEqual([
      expect.objectContaining({ status: 'created', count: 1, amount: String(SECOND.amount) }),
      expect.objectContaining({ status: 'skipped', count: 1, amount: String(FIRST.amount) }),
    ]);
  });

  test('shows the answer to the payment that stands for the record', async () => {
    const { service, send } = await desk();
    service.responder(() => ({ status: 201, body: '{"id":"pay_1"}' }));
    expectDone(await send([FIRST]), { created: 1 });
    const result = await send([FIRST, SECOND], '--skip-created');
    expect(recordOf(result, 1)).toMatchObject({ status: 'skipped', response: { id: 'pay_1' } });
  });

  test('counts skipped records among those that were expected', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    const total = String(FIRST.amount + SECOND.amount);
    const flags = ['--skip-created', '--expect-count', '2', '--expect-total', total];
    expectDone(await send([FIRST, SECOND], ...flags), { skipped: 1, created: 1 });
  });

  test('does not leave out what is only similar', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    const refused = await send(EDITED, '--skip-created');
    expectRefused(refused, 'repeats', { 'similar-record': 1 });
    expect(refused.stderr).toContain('--skip-similar');
    expect(service.requestCount).toBe(4);
  });

  test('where everything is left out nothing is sent, and it is done', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectDone(await send(ROWS.toReversed(), '--skip-created'), { skipped: 4 });
    expectDone(await send(ROWS.toReversed(), '--skip-created'), { skipped: 4 });
    expect(service.requestCount).toBe(4);
  });

  test('is planned as it will be done', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created', '--dry-run'), { skipped: 1, planned: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created'), { skipped: 1, created: 1 });
    expect(service.requestCount).toBe(2);
  });

  test('says nothing against a file without repeats', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST], '--skip-created'), { created: 1 });
  });
});

describe('they were paid already: --skip-similar', () => {
  test('leaves out the similar ones too', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectDone(await send([...EDITED, { ...FIRST, user_id: 'u9' }], '--skip-similar'), { skipped: 4, created: 1 });
    expect(times(service, DEARER)).toBe(0);
  });

  test('leaves out by itself what --skip-created leaves out', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-similar'), { skipped: 1, created: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('one that stands for a similar payment in doubt is unknown', async () => {
    const { service, send } = await desk(doubtful(1));
    expect((await send([SECOND], ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    const result = await send([DEARER, FIRST], '--skip-similar');
    expect(result.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, created: 1, skipped: 0 } });
    expect(times(service, DEARER)).toBe(0);
  });

  test('cannot be said together with --send-similar', async () => {
    const { service, send } = await desk();
    expectDone(await send([SECOND]), { created: 1 });
    const { summary } = await send([DEARER], '--skip-similar', '--send-similar', '1');
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(service.requestCount).toBe(1);
  });
});

describe('similar ones are payments of their own: --send-similar N', () => {
  test('sends them in addition', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectDone(await send(EDITED, '--skip-created', '--send-similar', '1'), { skipped: 3, created: 1 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([1, 1]);
  });

  test.each([0, 1, 3])('%i of them, where there are 2: nothing is sent', async (number) => {
    const { service, send } = await desk();
    expectDone(await send([FIRST, SECOND]), { created: 2 });
    const dearer = [FIRST, SECOND].map((row) => ({ ...row, amount: row.amount + 1 }));
    const refused = await send([...dearer, THIRD], '--send-similar', String(number));
    expectRefused(refused, 'repeats', { 'similar-record': 2 });
    expect(refused.stderr).toContain(`--send-similar says ${number}, but 2 records are similar`);
    expect(service.requestCount).toBe(2);
    expectDone(await send([...dearer, THIRD], '--send-similar', '2'), { created: 3 });
  });

  test('one of them, where there is none: the person thought of another file', async () => {
    const { service, send } = await desk();
    const refused = await send([FIRST], '--send-similar', '1');
    expectRefused(refused, 'repeats', {});
    expect(service.requestCount).toBe(0);
    expectDone(await send([FIRST], '--send-similar', '0'), { created: 1 });
  });

  test('is no word about what is the same', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    expectRefused(await send([FIRST, SECOND], '--send-similar', '1'), 'repeats', { 'created-before': 1 });
    expect(service.requestCount).toBe(1);
  });

  test.each(['x', '-1', '1.5', ''])('takes a whole number, not %j', async (number) => {
    const { service, send } = await desk();
    const { summary } = await send([FIRST], `--send-similar=${number}`);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(service.requestCount).toBe(0);
  });
});

describe('there is no way to pay the same content again in its batch', () => {
  test.each(['--pay-again', '--pay-again=1'])('%s is no flag', async (flag) => {
    const { service, send } = await desk();
    const { summary } = await send([FIRST], flag);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(service.requestCount).toBe(0);
  });
});

describe('a record that stands for a payment in doubt', () => {
  /** The first record was carried out under the key `a`, and no answer came. */
  async function inDoubt(): Promise<Desk & { lost: string }> {
    const at = await desk(doubtful(1));
    const { summary } = await at.send([own(FIRST, 'a')], ...ONCE);
    expect(summary.records).toMatchObject({ unknown: 1 });
    return { ...at, lost: summary.run };
  }

  test('is unknown, and is not sent, however often the command is repeated', async () => {
    const { service, send, resume } = await inDoubt();
    const left = await send([FIRST, SECOND], '--skip-created');
    expect(left.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, skipped: 0, created: 1 } });
    for (let i = 0; i < 3; i++) {
      const again = await send([FIRST, SECOND], '--skip-created');
      expect(again.summary).toMatchObject({ run: left.summary.run, records: { unknown: 1, already_created: 1 } });
    }
    const resumed = await resume(left.summary.run, '--resend-unknown');
    expect(resumed.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, already_created: 1 } });
    expect(times(service, FIRST)).toBe(1);
    expect(service.requestCount).toBe(2);
  });

  test('is planned as unknown, in a dry run too', async () => {
    const { send } = await inDoubt();
    const dry = await send([FIRST, SECOND], '--skip-created', '--dry-run');
    expect(dry.summary.records).toMatchObject({ unknown: 1, planned: 1 });
  });

  test('is skipped once the payment is settled as created, in any run', async () => {
    const { work, send, resume, lost } = await inDoubt();
    const left = await send([FIRST, SECOND], '--skip-created');
    expect((await work.run(['batch', 'settle', lost, '--record', '1', '--created', '--note', 'seen'])).code).toBe(0);
    expectDone(await resume(left.summary.run), { skipped: 1, already_created: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created'), { skipped: 1, already_created: 1 });
  });

  test('is skipped once the payment is sent again by its own run', async () => {
    const { service, send, resume, lost } = await inDoubt();
    const left = await send([FIRST, SECOND], '--skip-created');
    expectDone(await resume(lost), { created: 1 });
    expectDone(await resume(left.summary.run), { skipped: 1, already_created: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('is open again by itself once the payment is settled as not created, and is paid once', async () => {
    const { work, service, send, resume, lost } = await inDoubt();
    // In truth it was not carried out.
    service.responder(undefined);
    const left = await send([{ ...FIRST, amount: 5 }, SECOND], '--skip-created');
    expectRefused(left, 'repeats', { 'similar-record': 1 });
    const stands = await send([FIRST, SECOND], '--skip-created');
    expect(stands.summary.records).toMatchObject({ unknown: 1, created: 1 });
    const settle = ['batch', 'settle', lost, '--record', '1', '--not-created', '--note', 'asked'];
    expect((await work.run(settle)).code).toBe(0);
    const before = service.requestCount;
    expectDone(await resume(stands.summary.run), { created: 1, already_created: 1 });
    expect(service.requestCount).toBe(before + 1);
    // Its own run has nothing left to send.
    expectDone(await resume(lost), { already_created: 1 });
    expect(service.requestCount).toBe(before + 1);
  });

  test.each([['--created'], ['--not-created']])('can be settled through the run that left it out: %s', async (word) => {
    const { work, service, send, batch, lost } = await inDoubt();
    const left = await send([FIRST, SECOND], '--skip-created');
    const settle = ['batch', 'settle', left.summary.run, '--record', '1', word, '--note', 'asked'];
    expect((await work.run(settle)).code).toBe(0);
    // It is one payment, and both runs show what became of it.
    const [shown] = (await batch('show', lost)).outcomes;
    expect(shown).toMatchObject({ key: 'a', status: word === '--created' ? 'already_created' : 'not_sent' });
    const again = await send([FIRST, SECOND], '--skip-created');
    expectDone(again, word === '--created' ? { skipped: 1 } : { created: 1, already_created: 1 });
    expect(service.requests.filter(({ body }) => body.includes('"a"'))).toHaveLength(word === '--created' ? 1 : 2);
    expect(times(service, FIRST)).toBe(1);
  });

  test('once it is settled as created, a second record of the content is a payment of its own', async () => {
    const { work, service, send, lost } = await inDoubt();
    expect((await work.run(['batch', 'settle', lost, '--record', '1', '--created', '--note', 'seen'])).code).toBe(0);
    expectDone(await send([FIRST, FIRST], '--skip-created'), { skipped: 1, created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('two records never stand for one payment', async () => {
    const { service, send } = await inDoubt();
    const result = await send([FIRST, FIRST], '--skip-created');
    expect(result.summary.records).toMatchObject({ unknown: 1, created: 1 });
    expect(statesOf(result)).toEqual(['unknown', 'created']);
    expect(times(service, FIRST)).toBe(2);
  });

  test('stands for one that is created, where there is one of both', async () => {
    const { send } = await desk(doubtful(1));
    expect((await send([own(FIRST, 'a')], ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([own(FIRST, 'b')], '--batch-id', 'b'), { created: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created'), { skipped: 1, created: 1 });
    const twice = await send([FIRST, FIRST, THIRD], '--skip-created');
    expect(twice.summary.records).toMatchObject({ skipped: 1, unknown: 1, created: 1 });
  });

  test('is not sent by a run that is refused, and is told as not sent', async () => {
    const { send } = await inDoubt();
    const refused = await send([FIRST], '--skip-created', '--expect-count', '7');
    expect(refused.summary).toMatchObject({ stop_reason: 'control_total', records: { not_sent: 1, unknown: 0 } });
  });
});

describe('a record whose own key is in doubt', () => {
  test('is sent again under that key while it protects it', async () => {
    const { service, send } = await desk(doubtful(1));
    expect((await send([FIRST], ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created'), { created: 2 });
    const [lost, again] = service.requests;
    expect(again?.body).toBe(lost?.body);
    expect(times(service, FIRST)).toBe(1);
  });

  test('is unknown when it does not protect it any more', async () => {
    const { service, send } = await desk(doubtful(1));
    expect((await send([FIRST], ...FORGOTTEN)).summary.records).toMatchObject({ unknown: 1 });
    for (const flags of [['--dry-run'], []]) {
      const { summary } = await send([FIRST, SECOND], '--skip-created', ...FORGOTTEN, ...flags);
      expect(summary.records).toMatchObject({ unknown: 1, skipped: 0 });
    }
    expect(service.requestCount).toBe(2);
    expect(times(service, FIRST)).toBe(1);
  });

  test('is sent again, where a payment of the same content was created beside it: that settles the doubt', async () => {
    const { service, send } = await desk(doubtful(1));
    expect((await send([SECOND], ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([own(SECOND, 'b')], '--batch-id', 'b'), { created: 1 });
    expectDone(await send([SECOND, FIRST], '--skip-created'), { created: 2 });
    const [lost, , again] = service.requests;
    expect(again?.body).toBe(lost?.body);
    expect(times(service, SECOND)).toBe(2);
  });

  test('a gig has no key that could protect it: it is unknown', async () => {
    const { work, service } = await desk(doubtful(1));
    const [one, two] = gigs(2);
    const send = (rows: readonly object[], ...flags: string[]) => {
      work.file('g.json', JSON.stringify(rows));
      return work.run(['gig', 'create', 'g.json', '--base-url', service.url, '--yes', '--json', ...flags]);
    };
    expect((await send([one as object])).summary.records).toMatchObject({ unknown: 1 });
    const result = await send([one as object, two as object], '--skip-created');
    expect(result.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, created: 1 } });
    expect(service.requestCount).toBe(2);
  });
});

describe('a record that is open in another run', () => {
  test('is sent by this one, and that run then shows it as already created', async () => {
    const { service, send, resume, batch } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    const stopped = await send([FIRST, SECOND]);
    expect(stopped.summary.records).toMatchObject({ created: 1, not_sent: 1 });
    const result = await send([SECOND, FIRST], '--skip-created');
    expectDone(result, { created: 1, skipped: 1 });
    expect(result.summary.run).not.toBe(stopped.summary.run);
    const shown = await batch('show', stopped.summary.run);
    expect(shown.outcomes.map(({ status }: { status: string }) => status)).toEqual(['created', 'already_created']);
    expectDone(await resume(stopped.summary.run), { already_created: 2 });
    expect([FIRST, SECOND].map((row) => times(service, row))).toEqual([1, 1]);
  });

  test('and stays open there, when this one stops as well: whoever goes on sends it once', async () => {
    const { service, send, resume } = await desk((n) => ({ status: n === 2 || n === 3 ? 401 : 201 }));
    const one = await send([FIRST, SECOND]);
    const other = await send([SECOND, THIRD], '--skip-created');
    expect(other.summary.records).toMatchObject({ not_sent: 2 });
    expectDone(await resume(one.summary.run), { already_created: 1, created: 1 });
    expectDone(await resume(other.summary.run), { already_created: 1, created: 1 });
    expect([FIRST, SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 1, 1]);
  });
});

describe('keys of their own are given or taken away while the first run is unfinished', () => {
  test.each([
    ['given', ROWS, withKeys(ROWS)],
    ['taken away', withKeys(ROWS), ROWS],
  ])('%s', async (_what, before, after) => {
    // The first is created, the second in doubt, the others are not sent.
    const { service, send } = await desk((n) =>
      n === 1 ? { default: true } : n === 2 ? { fault: 'reset-after' } : { status: 401 },
    );
    const first = await send(before, ...ONCE);
    expect(first.summary.records).toMatchObject({ created: 1, unknown: 1, not_sent: 2 });
    service.responder(undefined);
    expectRefused(await send(after), 'repeats', { 'same-content': 2 });
    const rest = await send(after, '--skip-created');
    expect(rest.summary).toMatchObject({ exit_code: 5, records: { skipped: 1, unknown: 1, created: 2 } });
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1]);
    // The first run goes on with its own: what the other has sent since is named.
    expectRefused(await send(before), 'repeats', { 'same-content': 2 });
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1]);
  });
});

test('rows are reordered while some are not sent yet', async () => {
  const { service, send } = await desk((n) => (n > 2 ? { status: 401 } : { default: true }));
  const first = await send(ROWS);
  expect(first.summary).toMatchObject({ exit_code: 5, records: { created: 2, not_sent: 2 } });
  service.responder(undefined);
  expectRefused(await send(ROWS.toReversed()), 'repeats', { 'created-before': 2, 'open-before': 2 });
  expectDone(await send(ROWS.toReversed(), '--skip-created'), { skipped: 2, created: 2 });
  // The first run goes on: it is the same payments, and there is nothing left of them.
  expectDone(await send(ROWS), { already_created: 4 });
  expect(service.ledgerTotal()).toBe(4);
});

describe('what was decided when a run began, and what has come since', () => {
  test.each([
    ['in another batch', [DEARER], ['--batch-id', 'other'], 'same-content'],
    ['under a key of their own', [own(DEARER, 'own')], ['--skip-created', '--send-similar', '1'], 'same-content'],
    [
      'with another amount',
      [{ ...DEARER, amount: DEARER.amount + 1 }],
      ['--skip-created', '--send-similar', '1'],
      'similar-record',
    ],
  ] as const)('a run that sends similar ones asks again, when others have sent them since: %s', async (...args) => {
    const [, rows, flags, code] = args;
    const { service, send, resume } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    expectDone(await send([SECOND]), { created: 1 });
    const stopped = await send([DEARER], '--send-similar', '1');
    expect(stopped.summary).toMatchObject({ exit_code: 5, records: { not_sent: 1 } });
    expectDone(await send(rows, ...flags), { created: 1 });
    const before = service.ledgerTotal();
    expectRefused(await resume(stopped.summary.run), 'repeats', { [code]: 1 });
    expectRefused(await send([DEARER], '--send-similar', '1'), 'repeats', { [code]: 1 });
    expect(service.ledgerTotal()).toBe(before);
  });

  test('it goes on where nobody has, resumed too', async () => {
    for (const way of ['resumed', 'sent again']) {
      const { service, send, resume } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
      expectDone(await send([SECOND]), { created: 1 });
      const stopped = await send([DEARER], '--send-similar', '1');
      const again = way === 'resumed' ? await resume(stopped.summary.run) : await send([DEARER], '--send-similar', '1');
      expectDone(again, { created: 1 });
      expect(again.summary.run).toBe(stopped.summary.run);
      expect(times(service, DEARER)).toBe(1);
    }
  });

  test('a record that was rejected by a run that sends similar ones is sent again after its body was pruned', async () => {
    const { work, service, send } = await desk((n) => ({ status: n === 2 ? 422 : 201 }));
    expectDone(await send([SECOND]), { created: 1 });
    const { summary } = await send([DEARER], '--send-similar', '1');
    expect(summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    expect((await work.run(['batch', 'prune', '--before', '2100-01-01'])).code).toBe(0);
    expectDone(await send([DEARER], '--send-similar', '1', '--retry-rejected'), { created: 1 });
    expect(times(service, DEARER)).toBe(1);
  });

  test('a dry run of a run that goes on shows the very bodies', async () => {
    const { service, send } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    expectDone(await send([SECOND]), { created: 1 });
    expect((await send([DEARER], '--send-similar', '1')).summary.records).toMatchObject({ not_sent: 1 });
    const dry = await send([DEARER], '--send-similar', '1', '--dry-run');
    const { key, request } = recordOf(dry, 1);
    expect(request.idempotency_key).toBe(key);
    expectDone(await send([DEARER], '--send-similar', '1'), { created: 1 });
    expect(service.requests.at(-1)?.json).toEqual(request);
  });
});

test('decisions about several files of one run', async () => {
  const { work, service, sendFiles } = await desk();
  work.file('a.csv', csv([FIRST, SECOND]));
  work.file('b.csv', csv([DEARER, THIRD]));
  expectDone(await sendFiles(['a.csv']), { created: 2 });
  work.file('c.csv', csv([FIRST]));
  const refused = await sendFiles(['b.csv', 'c.csv']);
  expectRefused(refused, 'repeats', { 'created-before': 1, 'similar-record': 1 });
  expect(issuesOf(refused, 'similar-record')[0]).toMatchObject({ file: 'b.csv', record: 1 });
  expectDone(await sendFiles(['b.csv', 'c.csv'], '--skip-similar'), { skipped: 2, created: 1 });
  expect(times(service, DEARER)).toBe(0);
});
