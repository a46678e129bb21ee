import { describe, expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { hoursAhead, NO_WAITS } from '../support/crash.js';
import { DEARER, desk, expectDone, expectRefused, FIRST, ROWS, SECOND, times } from '../support/desk.js';

// Much may have happened at the target between the first call of a run and the one that goes on with it: what others
// have paid since is news, whatever was decided before, and whichever record of the history comes first.

/** The second request is refused by a redirect, which stops the run. */
const STOPS_AT = (stop: number) => (n: number) => (n === stop ? { status: 307 } : { status: 201 });
const DEAREST = { ...SECOND, amount: SECOND.amount + 2 };

describe('a run that sends repeats again, when others have sent them since', () => {
  test.each([
    ['in another batch', [SECOND], ['--batch-id', 'other'], 'same-content'],
    ['under a key of their own', [{ ...SECOND, idempotency_key: 'own' }], ['--pay-again', '1'], 'same-content'],
    ['with another amount', [DEARER], ['--pay-again', '1'], 'similar-record'],
  ] as const)('%s', async (_how, rows, flags, code) => {
    const { work, service, send } = await desk(STOPS_AT(2));
    expectDone(await send([SECOND]), { created: 1 });
    const stopped = await send([SECOND], '--pay-again', '1');
    expect(stopped.summary).toMatchObject({ exit_code: 5, records: { not_sent: 1 } });
    expectDone(await send(rows, ...flags), { created: 1 });
    const before = service.ledgerTotal();
    const resumed = await work.run(['batch', 'resume', stopped.summary.run, '--json']);
    expectRefused(resumed, 'repeats', { [code]: 1 });
    expectRefused(await send([SECOND], '--pay-again', '1'), 'repeats', { [code]: 1 });
    const since = code === 'similar-record' ? 'something similar' : 'it';
    expect(resumed.stderr).toContain(`since this run was allowed to send it, ${since} was sent or settled elsewhere`);
    expect(service.ledgerTotal()).toBe(before);
  });

  test('goes on where nobody has, resumed too', async () => {
    const { work, service, send } = await desk(STOPS_AT(2));
    expectDone(await send([SECOND]), { created: 1 });
    const stopped = await send([SECOND], '--pay-again', '1');
    expectDone(await work.run(['batch', 'resume', stopped.summary.run, '--json']), { created: 1 });
    expect(times(service, SECOND)).toBe(2);
  });

  test('by the journal, not by the clock', async () => {
    const { work, service, send } = await desk(STOPS_AT(2));
    expectDone(await send([FIRST]), { created: 1 });
    const early = await work.run(
      ['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json', '--pay-again', '1'],
      { env: { ...NO_WAITS, ...hoursAhead(48) } },
    );
    expect(early.summary.records).toMatchObject({ not_sent: 1 });
    expectDone(await send([FIRST], '--batch-id', 'other'), { created: 1 });
    expectRefused(await work.run(['batch', 'resume', early.summary.run, '--json']), 'repeats', { 'same-content': 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('names the number that it takes, and says when it has sent everything', async () => {
    const { service, send } = await desk(STOPS_AT(5));
    expectDone(await send(ROWS.slice(0, 3)), { created: 3 });
    expect((await send(ROWS.slice(0, 3), '--pay-again', '3')).summary.records).toMatchObject({
      created: 1,
      not_sent: 2,
    });
    const plain = await send(ROWS.slice(0, 3));
    expect(plain.summary.stop_reason).toBe('repeats');
    expect(plain.stderr).toContain('--pay-again 3 goes on with it');
    expect((await send(ROWS.slice(0, 3), '--pay-again', '2')).stderr).toContain('--pay-again 3 goes on with it');
    expectDone(await send(ROWS.slice(0, 3), '--pay-again', '3'), { created: 2, already_created: 1 });
    const third = await send(ROWS.slice(0, 3), '--pay-again', '3');
    expectDone(third, { already_created: 3 });
    expect(third.stderr).toContain('For another payment give the records a batch of their own');
    expect(service.ledgerTotal()).toBe(6);
  });
});

test('what a run that stopped would still send, and another has sent: the words name what takes it', async () => {
  const { work, service, send, sendFiles } = await desk(STOPS_AT(2));
  const stopped = await send([FIRST, SECOND]);
  expect(stopped.summary.records).toMatchObject({ created: 1, not_sent: 1 });
  work.file('edited.csv', csv([DEARER]));
  expectDone(await sendFiles(['edited.csv']), { created: 1 });
  const refused = await send([FIRST, SECOND]);
  const resumed = await work.run(['batch', 'resume', stopped.summary.run, '--json']);
  for (const each of [refused, resumed]) {
    expectRefused(each, 'repeats', { 'similar-record': 1 });
    expect(each.stderr).toMatch(/--skip-created --pay-again 1( sends it in addition)?$/m);
  }
  expectDone(await send([FIRST, SECOND], '--skip-created', '--pay-again', '1'), { already_created: 1, created: 1 });
  expect([FIRST, SECOND].map((row) => times(service, row))).toEqual([1, 1]);
});

describe('a record in doubt, in a file that has grown', () => {
  test('is not hidden by another one in doubt', async () => {
    const { service, send } = await desk((n) => (n < 3 ? { fault: 'reset-before' } : { status: 201 }));
    for (const batch of ['default', 'other'])
      expect((await send([SECOND], '--batch-id', batch, '--retries', '0')).summary.records).toMatchObject({
        unknown: 1,
      });
    expectDone(await send([SECOND], '--batch-id', 'third'), { created: 1 });
    expectRefused(await send([SECOND, FIRST]), 'repeats', { 'same-content': 1 });
    expect(times(service, SECOND)).toBe(1);
  });

  test('is not hidden by a similar one that is in the input itself', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-before' } : { status: 201 }));
    expectDone(await send([DEARER]), { created: 1 });
    const doubt = await send([SECOND], '--retries', '0', '--pay-again', '1');
    expect(doubt.summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([DEAREST], '--pay-again', '1'), { created: 1 });
    expectRefused(await send([DEARER, SECOND, FIRST], '--skip-created'), 'repeats', { 'similar-record': 1 });
    expect(times(service, SECOND)).toBe(0);
  });

  test('is not hidden by an older payment of another batch', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-before' } : { status: 201 }));
    const november = ['--batch-id', 'november'];
    expectDone(await send([SECOND]), { created: 1 });
    expect((await send([SECOND], ...november, '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([{ ...SECOND, idempotency_key: 'own' }], ...november, '--pay-again', '1'), { created: 1 });
    expectRefused(await send([SECOND, FIRST], ...november), 'repeats', { 'same-content': 1 });
    expect(times(service, SECOND)).toBe(2);
  });
});

describe('a word about a record that was left out', () => {
  /** K1 in doubt in batch x, K2 left out for it, and then K2 carried out without an answer by a third run. */
  async function leftOut() {
    const { work, service, send } = await desk((n) => (n < 3 ? { fault: 'reset-after' } : { status: 201 }));
    const first = await send([FIRST], '--batch-id', 'x', '--retries', '0');
    const left = await send([FIRST], '--skip-created');
    expect(left.summary.records).toMatchObject({ unknown: 1 });
    const third = await send([FIRST, SECOND], '--pay-again', '1', '--retries', '0', '--stop-after', '1');
    expect(third.events.find(({ event, record }) => event === 'record' && record === 1)).toMatchObject({
      status: 'unknown',
    });
    const settle = (run: string, ...word: string[]) => work.run(['batch', 'settle', run, '--record', '1', ...word]);
    return { work, service, send, first, left, third, settle };
  }

  test.each([[['--created']], [['--not-created', '--note', 'asked']]])(
    'settles no doubt of another run under its key: %s',
    async (word) => {
      const { work, left, third, settle } = await leftOut();
      expect((await settle(left.summary.run, ...word)).code).toBe(0);
      const shown = JSON.parse((await work.run(['batch', 'show', third.summary.run, '--json'])).stdout);
      expect(shown.outcomes[0]).toMatchObject({ record: 1, status: 'unknown' });
    },
  );

  test('is not needed: once the earlier one is settled as not created, it is sent', async () => {
    const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-before' } : { status: 201 }));
    const first = await send([FIRST], '--batch-id', 'x', '--retries', '0');
    expect((await send([FIRST], '--skip-created')).summary).toMatchObject({ exit_code: 5, records: { unknown: 1 } });
    const word = ['--record', '1', '--not-created', '--note', 'asked'];
    expect((await work.run(['batch', 'settle', first.summary.run, ...word])).code).toBe(0);
    expectDone(await send([FIRST], '--dry-run'), { planned: 1 });
    expectDone(await send([FIRST]), { created: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('keeps its run one that left records out', async () => {
    const { work, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    await send([FIRST], '--batch-id', 'x', '--retries', '0');
    const both = ['--skip-created', '--pay-again', '0'];
    const left = await send([FIRST, SECOND], ...both);
    expect(left.summary.records).toMatchObject({ unknown: 1, created: 1 });
    expect((await work.run(['batch', 'settle', left.summary.run, '--record', '1', '--created'])).code).toBe(0);
    const again = await send([FIRST, SECOND], '--pay-again', '2');
    expectDone(again, { created: 2 });
    expect(again.summary.run).not.toBe(left.summary.run);
  });
});

test('a slip in the word can be mended, as long as nothing was sent by it', async () => {
  const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  const lost = await send([FIRST], '--retries', '0', '--key-lifetime', '0');
  const settle = (...word: string[]) => work.run(['batch', 'settle', lost.summary.run, '--record', '1', ...word]);
  const slip = await settle('--not-created', '--note', 'the wrong line');
  expect(slip.stdout).toMatch(/^Record 1 of run \S+ \(p\.csv, line 2, \w+, [\d.,]+\) is now not sent\./);
  expect((await settle('--created', '--id', 'pay_1')).stdout).toContain('is now created. This cannot be taken back.');
  expect((await settle('--not-created', '--note', 'again')).code).toBe(2);
  expectDone(await send([FIRST], '--key-lifetime', '0'), { already_created: 1 });
  expect(times(service, FIRST)).toBe(1);
});

describe('a run that goes on with files of other names', () => {
  test('settles what it told of', async () => {
    const { work, send, sendFiles } = await desk(() => ({ fault: 'reset-after' }));
    const flags = ['--key-lifetime', '0', '--retries', '0'];
    expect((await send([ROWS[2] as object])).summary.records).toMatchObject({ unknown: 1 });
    work.file('a.csv', csv([FIRST]));
    work.file('b.csv', csv([SECOND]));
    expect((await sendFiles(['a.csv', 'b.csv'], ...flags)).summary.records).toMatchObject({ unknown: 2 });
    work.file('a.csv', csv([SECOND]));
    work.file('b.csv', csv([FIRST]));
    const { events, summary } = await sendFiles(['b.csv', 'a.csv'], ...flags);
    const told = events.find(({ event, file }) => event === 'record' && file === 'b.csv');
    const settle = ['batch', 'settle', summary.run, '--file', 'b.csv', '--record', '1', '--created', '--json'];
    expect(JSON.parse((await work.run(settle)).stdout)).toMatchObject({ file: 'b.csv', key: told.key });
  });
});

test('a run that sends repeats again goes on after its bodies were pruned, with those of the file', async () => {
  const { work, service, send } = await desk((n) => ({ status: n === 5 ? 422 : 201 }));
  const rows = ROWS.slice(0, 3);
  expectDone(await send(rows), { created: 3 });
  const { summary } = await send(rows, '--pay-again', '3');
  expect(summary).toMatchObject({ exit_code: 4, records: { created: 2, rejected: 1 } });
  expect((await work.run(['batch', 'prune', '--before', '2100-01-01'])).code).toBe(0);
  const rehearsed = await work.run(['batch', 'resume', summary.run, '--dry-run', '--json']);
  expect(rehearsed.summary).toMatchObject({ exit_code: 4, records: { already_created: 2, rejected: 1 } });
  expectDone(await send(rows, '--pay-again', '3'), { already_created: 2, created: 1 });
  expect(rows.map((row) => times(service, row))).toEqual([2, 2, 2]);
});

test('a run that goes on with other prices is told by them, wherever it is told of', async () => {
  const { work, service } = await desk(STOPS_AT(1));
  const row = { gig_task_id: 't1', user_id: 'u1', title: 'A', quantity: '2', cost_center_key: 'PP', currency: 'EUR' };
  work.file('r.csv', csv([row]));
  const send = (price: number) => {
    work.file('prices.csv', `gig_task_id,base_price\nt1,${price}\n`);
    const flags = ['--base-url', service.url, '--yes', '--json', '--prices', 'prices.csv'];
    return work.run(['result', 'create', 'r.csv', ...flags]);
  };
  const stopped = await send(100);
  expect(stopped.summary.records).toMatchObject({ not_sent: 1 });
  const done = await send(250);
  expect(done.summary).toMatchObject({ exit_code: 0, run: stopped.summary.run });
  const shown = JSON.parse((await work.run(['batch', 'show', done.summary.run, '--json'])).stdout);
  expect(done.summary.totals.result[0].amount).toBe('500');
  expect(shown.totals).toEqual(done.summary.totals);
});

test('a refused run has sent nothing, also of what it would leave out in doubt', async () => {
  const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  await send([FIRST], '--retries', '0');
  const own = [{ ...FIRST, idempotency_key: 'own' }];
  const refused = await send(own, '--skip-created', '--expect-count', '7');
  expect(refused.summary).toMatchObject({ stop_reason: 'control_total', records: { not_sent: 1, unknown: 0 } });
});

test('a record in doubt that its own run would leave out stays unknown, in a dry run too', async () => {
  const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  const flags = ['--retries', '0', '--key-lifetime', '0'];
  expect((await send([SECOND], ...flags)).summary.records).toMatchObject({ unknown: 1 });
  expectDone(await send([{ ...SECOND, idempotency_key: 'own' }], '--pay-again', '1'), { created: 1 });
  for (const dry of [['--dry-run'], []]) {
    const { summary } = await send([SECOND], ...flags, '--skip-created', ...dry);
    expect(summary.records).toMatchObject({ unknown: 1, already_created: 0 });
  }
});

describe('what stands for what, when a run goes on that left records out', () => {
  test('one that was left out in doubt stays so, whatever was decided about it', async () => {
    const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: n === 3 ? 307 : 201 }));
    expect((await send([FIRST], '--batch-id', 'x', '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([SECOND]), { created: 1 });
    const both = ['--skip-created', '--pay-again', '1'];
    const stopped = await send([FIRST, DEARER], ...both);
    expect(stopped.summary.records).toMatchObject({ unknown: 1, not_sent: 1 });
    expect((await send([FIRST, DEARER], ...both, '--dry-run')).summary.records).toMatchObject({
      unknown: 1,
      planned: 1,
    });
    const again = await send([FIRST, DEARER], ...both);
    expect(again.summary).toMatchObject({ run: stopped.summary.run, records: { unknown: 1, created: 1 } });
  });

  test('one that was left out later stands for what came later, and its twin is sent', async () => {
    const { service, send } = await desk((n) => ({ status: [2, 4].includes(n) ? 307 : 201 }));
    expectDone(await send([FIRST], '--batch-id', 'x'), { created: 1 });
    const twice = [FIRST, FIRST];
    expect((await send(twice, '--pay-again', '1')).summary.records).toMatchObject({ not_sent: 2 });
    expectDone(await send([FIRST], '--batch-id', 'y'), { created: 1 });
    const both = ['--skip-created', '--pay-again', '1'];
    expect((await send(twice, ...both)).summary.records).toMatchObject({ already_created: 1, not_sent: 1 });
    expectDone(await send(twice, ...both), { already_created: 1, created: 1 });
    expect(times(service, FIRST)).toBe(3);
  });

  test('one that is settled keeps what it stands for, and the other is sent', async () => {
    const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-before' } : { status: 201 }));
    const lost = await send([FIRST], '--batch-id', 'x', '--retries', '0');
    expectDone(await send([FIRST], '--batch-id', 'y'), { created: 1 });
    const twice = [FIRST, FIRST];
    expect((await send(twice, '--skip-created')).summary.records).toMatchObject({ unknown: 1, already_created: 1 });
    const word = ['--record', '1', '--not-created', '--note', 'asked'];
    expect((await work.run(['batch', 'settle', lost.summary.run, ...word])).code).toBe(0);
    expectDone(await send(twice, '--skip-created'), { already_created: 1, created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('one that was settled as not created by a slip is no payment of its own either', async () => {
    const { work, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    await send([FIRST], '--batch-id', 'x', '--retries', '0');
    const left = await send([FIRST], '--skip-created');
    const settle = (...word: string[]) => work.run(['batch', 'settle', left.summary.run, '--record', '1', ...word]);
    const slip = await settle('--not-created', '--note', 'a slip');
    expect([slip.code, slip.stdout]).toMatchObject([0, expect.stringContaining('settle that one too')]);
    expect((await settle('--created')).stdout).toContain('is now already created');
  });
});

test('a dry run of a run that sends repeats again shows the very bodies', async () => {
  const { service, send } = await desk(STOPS_AT(2));
  expectDone(await send([FIRST]), { created: 1 });
  expect((await send([FIRST], '--pay-again', '1')).summary.records).toMatchObject({ not_sent: 1 });
  const dry = await send([FIRST], '--pay-again', '1', '--dry-run');
  const { key, request } = dry.events.find(({ event }) => event === 'record');
  expect(request.idempotency_key).toBe(key);
  expectDone(await send([FIRST], '--pay-again', '1'), { created: 1 });
  expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toEqual(request);
});

test('a mended file that goes on with nothing is not told that it would', async () => {
  const { work, sendFiles } = await desk();
  const mended = (reason: string) => {
    const [header, row] = csv([FIRST]).trimEnd().split('\n');
    work.file('mended.csv', `${header},gigwork_error\n${row},${reason}\n`);
  };
  mended('one');
  expectDone(await sendFiles(['mended.csv']), { created: 1 });
  mended('two');
  expectDone(await sendFiles(['mended.csv'], '--pay-again', '1'), { created: 1 });
  mended('three');
  const refused = await sendFiles(['mended.csv']);
  expectRefused(refused, 'repeats', { 'created-before': 1 });
  expect(refused.stderr).not.toContain('goes on with it');
});

test('a run that has lost an invalid row withholds the record that it tells as invalid, and no other', async () => {
  const { work, service, send } = await desk((n) => ({ status: n <= 2 ? 401 : 201 }));
  const rows = ['ka', 'kb', 'kc'].map((key, i) => ({ ...(ROWS[i] as typeof FIRST), idempotency_key: key }));
  const stopped = await send([{ user_id: 'u9', idempotency_key: 'bad' }, ...rows], '--skip-invalid');
  const again = await send(rows);
  expect(again.summary).toMatchObject({ run: stopped.summary.run, records: { not_sent: 3 } });
  expectDone(await send([{ ...DEARER, idempotency_key: 'kb' }]), { created: 1 });
  const { summary } = await work.run(['batch', 'resume', stopped.summary.run, '--json']);
  expect(summary.records).toMatchObject({ created: 2, not_sent: 0 });
  expect([FIRST, SECOND, ROWS[2]!].map((row) => times(service, row))).toEqual([1, 0, 1]);
});

describe('what was left out in doubt by a run that sends others again stays out, however often it goes on', () => {
  const OTHER = ROWS[2] as typeof FIRST;
  const [BOTH, SKIP] = [
    [FIRST, { ...OTHER, amount: OTHER.amount + 1 }],
    ['--skip-created', '--pay-again'],
  ];
  test.each([
    ['in another batch', ['--batch-id', 'x'], FIRST],
    ['under a key of its own', [], { ...FIRST, idempotency_key: 'own' }],
  ])('%s', async (_where, flags, first) => {
    const { service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    expect((await send([first], ...flags, '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([OTHER]), { created: 1 });
    const run = await send(BOTH, ...SKIP, '1');
    expect(run.summary.records).toMatchObject({ created: 1, unknown: 1 });
    for (let i = 0; i < 3; i++) {
      const again = await send(BOTH, ...SKIP, '1');
      expect(again.summary).toMatchObject({ run: run.summary.run, records: { already_created: 1, unknown: 1 } });
    }
    expect(times(service, FIRST)).toBe(1);
  });

  test('alone too, where nothing is to be sent again', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    await send([FIRST], '--batch-id', 'x', '--retries', '0');
    for (let i = 0; i < 4; i++)
      expect((await send([FIRST], ...SKIP, '0')).summary.records).toMatchObject({ unknown: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('and the advice names what goes on with that run', async () => {
    const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    await send([FIRST], '--batch-id', 'x', '--retries', '0');
    await send([OTHER]);
    const run = await send(BOTH, ...SKIP, '1');
    const goesOn = '--skip-created --pay-again 1 goes on with it';
    expect((await send(BOTH)).stderr).toContain(`${run.summary.run} was allowed to send 1 again, and ${goesOn}`);
    expect((await send(BOTH, ...SKIP, '2')).stderr).toContain(goesOn);
    expect((await send(BOTH, ...SKIP, '1')).summary).toMatchObject({ run: run.summary.run, exit_code: 5 });
  });
});

test('records in doubt stay so when the call that would send them again stops before their turn', async () => {
  const { work, service, send } = await desk((n) => ({ status: n <= 3 ? 500 : 307 }));
  const rows = ROWS.slice(0, 3);
  expect((await send(rows, '--retries', '0')).summary.records).toMatchObject({ unknown: 3 });
  const stopped = await send(rows, '--retries', '0');
  expect(stopped.summary).toMatchObject({ stop_reason: 'redirected', records: { unknown: 3, not_sent: 0 } });
  expect(service.requestCount).toBe(4);
  const forgotten = await work.run(['batch', 'resume', stopped.summary.run, '--json', '--key-lifetime', '0']);
  expect(forgotten.summary.records).toMatchObject({ unknown: 3, created: 0 });
  expect(service.requestCount).toBe(4);
});

describe('two records of one content, one left out in place of a record of another batch', () => {
  const KEYED = (key: string): object => ({ ...FIRST, idempotency_key: key });

  test('never stand for one payment, though the key of the one is in doubt itself', async () => {
    const { work, service, send } = await desk((n) =>
      n <= 2 ? { fault: 'reset-after', execute: false } : { status: 201 },
    );
    const forgotten = ['--key-lifetime', '0', '--retries', '0'];
    const lost = await send([KEYED('a'), KEYED('b')], ...forgotten);
    expect(lost.summary.records).toMatchObject({ unknown: 2 });
    expectDone(await send([KEYED('c')], '--batch-id', 'extra'), { created: 1 });
    // The first stands for the payment of the other batch, the second for the one that is in doubt.
    const left = await send([KEYED('a'), FIRST], '--skip-created', ...forgotten);
    expect(left.summary.records).toMatchObject({ already_created: 1, unknown: 1 });
    const word = ['--record', '2', '--not-created', '--note', 'asked'];
    expect((await work.run(['batch', 'settle', lost.summary.run, ...word])).code).toBe(0);
    expectDone(await send([KEYED('a'), FIRST], '--skip-created', ...forgotten), { created: 1, already_created: 1 });
    expect(service.ledgerTotal()).toBe(2);
  });
});
