/** `batch reconcile`: what is in doubt, settled by the service's own list. CONTRACT: "Reconciling with the service's own list". */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, gigs, payouts, type Row } from '../support/builders.js';
import { type CliResult } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
import {
  ANSWERS,
  type Desk,
  FIRST,
  FOURTH,
  openDesk,
  own,
  paid,
  recordsOf,
  SECOND,
  sent,
  type Sent,
  sentAt,
  THIRD,
} from '../support/desk.js';
import { PROGRAMS, sharedServer, USER } from '../support/postgresql.js';
import { jsonLines } from '../support/result.js';
import { checkDocument } from '../support/schemas.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';
import { shellWords } from '../worlds/words.js';

/** An hour later nothing is under way any more. */
const LATER = hoursAhead(1);
/** Half an hour later the list was made. */
const asOf = (minutes = 30): string => new Date(Date.now() + minutes * 60_000).toISOString();
const THREE = [own(FIRST, 'a'), own(SECOND, 'b'), own(THIRD, 'c')] as const;

interface Told {
  readonly code: number | null;
  readonly stderr: string;
  readonly counts: Readonly<Record<string, number>>;
  /** `KEY was>now why` of each event. */
  readonly lines: readonly string[];
  readonly next: readonly (readonly string[])[];
}

const COUNTS = ['matched', 'created', 'not_created', 'in_doubt', 'differs', 'missing_there', 'unknown_here'];

function told({ code, stderr, stdout }: Pick<CliResult, 'code' | 'stderr' | 'stdout'>): Told {
  const events = jsonLines(stdout);
  for (const event of events) checkDocument('batch-reconcile', event);
  const summary = events.at(-1) ?? {};
  return {
    code,
    stderr,
    counts: Object.fromEntries(COUNTS.map((name) => [name, summary[name]]).filter(([, count]) => count !== 0)),
    lines: events.slice(0, -1).map(({ key, was, now, why }) => `${key} ${was}>${now} ${why}`),
    next: summary.next,
  };
}

async function reconcile(at: Pick<Desk, 'work' | 'service'>, list: readonly Row[] | string, ...flags: string[]) {
  const file = typeof list === 'string' && /^[[{]/.test(list) ? 'export.ndjson' : 'export.csv';
  at.work.file(file, typeof list === 'string' ? list : csv(list));
  const time = flags.includes('--as-of') ? [] : ['--as-of', asOf()];
  const words = [file, '--base-url', at.service.url, '--yes', '--json', '--note', 'export', ...time, ...flags];
  return told(await at.work.run(['batch', 'reconcile', ...words], { env: LATER }));
}

interface Outcome {
  readonly key: string;
  readonly status: string;
  readonly id: string | null;
}

async function states({ batch, run }: Sent): Promise<string[]> {
  return (await batch('show', run)).outcomes.map(({ key, status, id }: Outcome) => `${key} ${status} ${id}`);
}

describe('a row that is there', () => {
  test('settles its payment as created, with its id; the log keeps the file; again, nothing changes', async () => {
    const at = await sent('unknown', THREE);
    const list = [
      { idempotency_key: 'a', id: 'x1', note: 'ignored' },
      { idempotency_key: 'c', id: '', note: '' },
    ];
    const first = await reconcile(at, list);
    // A key still protects the third, so its run may ask the service again.
    const next = [expect.arrayContaining(['resume', at.run])];
    expect(first).toMatchObject({ code: 6, counts: { created: 2, in_doubt: 1 }, next });
    expect(first.lines).toEqual(['a unknown>created listed', 'b unknown>unknown absent', 'c unknown>created listed']);
    expect(await states(at)).toEqual(['a created x1', 'b unknown null', 'c created null']);
    const shown = (await at.work.run(`batch show ${at.run}`)).stdout;
    expect(shown).toContain('\nSettled by an export of the service (batch reconcile):\n');
    expect(shown).not.toContain('by hand');
    const log = jsonLines((await at.work.run('journal log')).stdout).filter(({ what }) => what === 'settled');
    const settled = { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), as_of: expect.any(String), note: 'export' };
    expect(log).toMatchObject([
      { ...settled, key: 'a', status: 'created' },
      { ...settled, key: 'c' },
    ]);
    for (const line of log) checkDocument('journal-log', line);
    expect(await reconcile(at, list)).toMatchObject({ code: 6, counts: { matched: 2, in_doubt: 1 } });
    expect(jsonLines((await at.work.run('journal log')).stdout)).toHaveLength(4);
  });

  test('is judged by its status: named as created, as not created, or by no flag', async () => {
    const at = await sent('unknown', [...THREE, own(FOURTH, 'd')]);
    const list = [
      { idempotency_key: 'a', status: 'Paid' },
      { idempotency_key: 'b', status: 'failed' },
      { idempotency_key: 'c', status: 'pending' },
      { idempotency_key: 'd', status: '' },
    ];
    const words = ['--status-created', 'paid,settled', '--status-not-created', 'failed'];
    const first = await reconcile(at, list, ...words);
    expect(first).toMatchObject({ code: 6, counts: { created: 1, not_created: 1, in_doubt: 2 } });
    expect(first.lines).toEqual([
      'a unknown>created status',
      'b unknown>not_sent status',
      'c unknown>unknown other-status',
      'd unknown>unknown other-status',
    ]);
    // What is open again goes out with its run, and with nothing else.
    const [[, ...words2] = []] = first.next;
    expect(words2).toContain('resume');
    expect((await at.work.run([...words2, '--yes', '--json'], { env: LATER })).code).not.toBe(2);
    expect((await states(at))[1]).toMatch(/^b created/);
    expect(paid(at, SECOND)).toEqual([1]);
  });

  test('tells people the statuses that no flag names, with their counts', async () => {
    const at = await sent('unknown', THREE);
    at.work.file('e.csv', 'idempotency_key,status\na,pending\nb,\nc,pending\n');
    const words = ['e.csv', '--base-url', at.service.url, '--yes', '--note', 'x', '--as-of', asOf()];
    const { code, stdout } = await at.work.run(['batch', 'reconcile', ...words], { env: LATER });
    expect([code, stdout]).toEqual([6, expect.stringMatching(/Statuses that neither .* names: "pending" 2, "" 1\./)]);
  });

  test('says not created only of attempts before it', async () => {
    const at = await sent('unknown', [THREE[0]]);
    const list = [{ idempotency_key: 'a', status: 'failed' }];
    const early = await reconcile(at, list, '--status-not-created', 'failed', '--as-of', asOf(-10));
    expect(early).toMatchObject({ code: 6, lines: ['a unknown>unknown too-late'] });
  });
});

test.each([
  ['other-payee', { user_id: 'somebody' }],
  ['other-amount', { amount: FIRST.amount + 0.01 }],
  ['other-currency', { currency: 'USD' }],
])('a difference settles nothing: %s', async (why, differing) => {
  const at = await sent('unknown', [{ ...THREE[0], currency: 'EUR' }]);
  const equal = { idempotency_key: 'a', user_id: FIRST.user_id, amount: FIRST.amount, currency: 'EUR' };
  const found = await reconcile(at, [{ ...equal, ...differing }]);
  expect(found).toMatchObject({ code: 6, counts: { differs: 1 }, lines: [`a unknown>unknown ${why}`] });
  expect(await reconcile(at, [equal])).toMatchObject({ code: 0, counts: { created: 1 } });
});

test('several rows of one payment, and an id that another payment has, are differences', async () => {
  const at = await sent('unknown', THREE);
  const twice = [
    { idempotency_key: 'a', id: '1' },
    { idempotency_key: 'a', id: '2' },
    { idempotency_key: 'b', id: '3' },
    { idempotency_key: 'c', id: '3' },
  ];
  expect((await reconcile(at, twice)).lines).toEqual([
    'a unknown>unknown several-rows',
    'b unknown>unknown id-of-another',
    'c unknown>unknown id-of-another',
  ]);
  expect((await reconcile(at, [{ idempotency_key: 'b', id: '3' }])).counts).toMatchObject({ created: 1 });
  expect((await reconcile(at, [{ idempotency_key: 'c', id: '3' }])).lines).toContain('c unknown>unknown id-of-another');
});

describe('a payment that is not in the list', () => {
  const ABSENT = ['--absent', 'not-created'];

  test('is settled as not created only if that is said, and the list is old enough, has keys, and is whole', async () => {
    const at = await openDesk((n) => (n === 2 ? ANSWERS.unknown : ANSWERS.created));
    const { run } = (await at.send(THREE, '--retries', '0')).summary;
    const all = [{ idempotency_key: 'a' }, { idempotency_key: 'c' }];
    const lines = async (list: readonly Row[], ...flags: string[]) => (await reconcile(at, list, ...flags)).lines;
    expect(await lines(all)).toEqual(['b unknown>unknown absent']);
    expect(await lines(all, ...ABSENT, '--as-of', asOf(5))).toEqual(['b unknown>unknown too-late']);
    expect(await lines([{ id: 'q' }], ...ABSENT)).toEqual(['b unknown>unknown no-keys', 'null null>null not-here']);
    const cut = await reconcile(at, [{ idempotency_key: 'a' }], ...ABSENT);
    expect(cut.lines).toEqual(['b unknown>unknown list-not-whole', 'c created>created absent']);
    expect(cut.counts).toEqual({ matched: 1, in_doubt: 1, missing_there: 1 });
    const whole = await reconcile(at, all, ...ABSENT);
    expect(whole).toMatchObject({ code: 0, counts: { matched: 2, not_created: 1 } });
    expect(whole.next).toMatchObject([expect.arrayContaining(['resume', run])]);
    const [[, ...resume] = []] = whole.next;
    at.service.responder(undefined);
    expect((await at.work.run([...resume, '--json'], { env: LATER })).summary).toMatchObject({ exit_code: 0 });
    expect(await reconcile(at, [...all, { idempotency_key: 'b' }], '--run', run)).toMatchObject({
      code: 0,
      counts: { matched: 3 },
    });
  });

  test('is not settled where a row that no payment meets may be it', async () => {
    const at = await openDesk((n) => (n === 2 ? ANSWERS.unknown : ANSWERS.created));
    await at.send(THREE, '--retries', '0');
    const { user_id, amount } = SECOND;
    const others = [{ idempotency_key: 'a' }, { idempotency_key: 'c' }];
    const rows: Row[] = [
      { idempotency_key: 'B ' },
      { idempotency_key: '', user_id, amount },
      { idempotency_key: 'by-hand', user_id, amount },
      { idempotency_key: '', amount },
    ];
    for (const row of rows) {
      const { lines, counts } = await reconcile(at, [...others, row], ...ABSENT);
      expect([row, lines[0], counts.not_created]).toEqual([row, 'b unknown>unknown perhaps-listed', undefined]);
    }
    const found = await reconcile(at, [...others, { idempotency_key: 'by-hand', user_id: 'x', amount }], ...ABSENT);
    expect(found.counts).toMatchObject({ not_created: 1, unknown_here: 1 });
  });

  test('is not settled by a list that has none of its run', async () => {
    const at = await sent('unknown', THREE);
    const found = await reconcile(at, [{ idempotency_key: 'z' }], ...ABSENT);
    expect(found.counts).toEqual({ in_doubt: 3, unknown_here: 1 });
    expect(found.lines[0]).toBe('a unknown>unknown none-listed');
  });
});

test('in the scope of a run or a batch, what is created here and not there is told, and what no batch knows', async () => {
  const desk = await openDesk();
  const first = await sentAt(desk, 'created', THREE, '--batch-id', 'may');
  await sentAt(desk, 'created', [own(FOURTH, 'd')], '--batch-id', 'june');
  const list = [
    { idempotency_key: 'a', status: 'paid' },
    { idempotency_key: 'b', status: 'returned' },
    { idempotency_key: 'd', status: 'paid' },
    { idempotency_key: 'by-hand', status: 'paid' },
  ];
  const lines = ['b created>created other-status', 'c created>created absent', 'by-hand null>null not-here'];
  const counts = { matched: 1, missing_there: 2, unknown_here: 1 };
  for (const scope of [
    ['--run', first.run],
    ['--batch-id', 'may'],
  ])
    expect(await reconcile(desk, list, '--status-created', 'paid', ...scope)).toMatchObject({ code: 6, counts, lines });
  const all = await reconcile(desk, list, '--status-created', 'paid');
  expect(all.counts).toEqual({ matched: 2, missing_there: 1, unknown_here: 1 });
});

test('a list without keys is met by the ids of answers, also of those that did not confirm', async () => {
  const at = await openDesk((n) => ({ status: n === 2 ? 202 : 201, body: `{"id":${n}}` }));
  await at.send(THREE.slice(0, 2), '--retries', '0');
  const found = await reconcile(at, '{"id": 1}\n{"id": 2, "amount": 5}\n{"id": 3}');
  expect(found.lines).toEqual(['b unknown>unknown other-amount', 'null null>null not-here']);
  expect(await reconcile(at, '{"id": 1}\n{"id": 2}\n')).toMatchObject({ code: 0, counts: { created: 1, matched: 1 } });
});

test('what was refused here, or not sent, and is there all the same, is a difference', async () => {
  const desk = await openDesk();
  await sentAt(desk, 'rejected', [THREE[0]]);
  await sentAt(desk, 'open', [own(SECOND, 'b')], '--batch-id', 'b');
  const found = await reconcile(desk, [{ idempotency_key: 'a' }, { idempotency_key: 'b' }]);
  expect(found.lines).toEqual(['a rejected>rejected rejected-here', 'b not_sent>not_sent open-here']);
  expect(found).toMatchObject({ code: 6, counts: { differs: 2 } });
});

test('a service that has nothing is a header without rows: what is created here is missing there', async () => {
  const at = await sent('created', [THREE[0]]);
  const found = await reconcile(at, 'idempotency_key,id\n', '--allow-empty', '--run', at.run);
  expect(found).toMatchObject({ code: 6, counts: { missing_there: 1 }, lines: ['a created>created absent'] });
});

test('a flag that could not help is not advised', async () => {
  const at = await sent('unknown', [THREE[0]]);
  expect((await reconcile(at, [{ idempotency_key: 'z' }], '--as-of', asOf(0))).lines[0]).toMatch(/too-late$/);
  expect((await reconcile(at, [{ id: 'z' }])).lines[0]).toMatch(/no-keys$/);
});

test('a payment that shows by its id that keys are missing is named', async () => {
  const at = await openDesk((n) => (n === 2 ? ANSWERS.unknown : { status: 201, body: `{"id":"x${n}"}` }));
  await at.send(THREE, '--retries', '0');
  const list = [
    { idempotency_key: 'a', id: 'x1' },
    { idempotency_key: '', id: 'x3' },
  ];
  const found = await reconcile(at, list, '--absent', 'not-created');
  expect(found.lines).toEqual(['b unknown>unknown list-not-whole', 'c created>created no-key-there']);
  expect(found.counts).toEqual({ matched: 2, in_doubt: 1 });
});

describe('what a run must not do after it', () => {
  /** As a person calls it. */
  async function compare(at: Sent, list: readonly Row[], ...flags: string[]) {
    at.work.file('export.csv', csv(list));
    const words = ['--base-url', at.service.url, '--yes', '--note', 'x', '--as-of', asOf(), ...flags];
    return at.work.run(['batch', 'reconcile', 'export.csv', ...words], { env: LATER });
  }

  // As after a restore from a backup that was made while the run was sending.
  test('a run with an open payment that the service has is not to be resumed, but closed', async () => {
    const desk = await openDesk((n) => (n === 1 ? ANSWERS.unknown : ANSWERS.open));
    const { run } = (await desk.send(THREE, '--retries', '0')).summary;
    const at = { ...desk, run, key: 'a' };
    const list = [{ idempotency_key: 'b' }];
    // Nor for the doubt that a key protects: the run would send the others, too.
    for (const scope of [[], ['--run', run]]) expect((await reconcile(at, list, ...scope)).next).toEqual([]);
    const { code, stdout } = await compare(at, list);
    expect(code).toBe(6);
    expect(stdout).toMatch(new RegExp(`Do not resume run ${at.run}: the export has 1 payout.* may pay .* twice`));
    expect(stdout).not.toContain('To continue');
    const [, closing = ''] = /: (gigwork batch close .* --note TEXT)\./.exec(stdout) ?? [];
    const closed = await at.work.run(shellWords(closing).slice(1), { env: LATER });
    expect([closed.code, (await at.resume(at.run)).code]).toEqual([0, 2]);
  });

  test('a closed run does not send what is settled as not created: only a new import does', async () => {
    const at = await openDesk((n) => (n === 1 ? ANSWERS.unknown : ANSWERS.open));
    const { run } = (await at.send(THREE, '--retries', '0')).summary;
    await at.work.run(['batch', 'close', run, '--note', 'x']);
    const list = [{ idempotency_key: 'a', status: 'failed' }];
    const { code, stdout } = await compare({ ...at, run, key: 'a' }, list, '--status-not-created', 'failed');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`Run ${run} is closed and will not send .* not paid: 1 payout.*Only a new import pays`),
    );
  });
});

describe('gigs', () => {
  const [one, two] = gigs(2) as readonly Row[] as [Row, Row];
  const place = ({ title, start_at }: Row): Row => ({ title, start_at });

  async function inDoubt(rows: readonly Row[]) {
    const at = await openDesk();
    at.service.responder(() => ANSWERS.unknown);
    const { summary } = await at.create('gig', rows, '--send-similar', '5');
    at.service.responder(undefined);
    return { ...at, run: summary.run };
  }

  test('meet a row by title and start, written in any way', async () => {
    const at = await inDoubt([one]);
    const start = new Date(Number(one['start_at']) * 1000).toISOString().replace('.000', '');
    const found = await reconcile(at, [{ id: 'g1', title: `${String(one['title'])} `, start_at: start }]);
    expect(found).toMatchObject({ code: 0, counts: { created: 1 } });
    expect((await at.batch('show', at.run)).outcomes).toMatchObject([{ status: 'created', id: 'g1' }]);
  });

  test('are not decided where title and start fit several', async () => {
    const at = await inDoubt([one]);
    const several = await reconcile(at, [place(one), place(one)], '--absent', 'not-created');
    expect(several.lines).toEqual([expect.stringMatching(/unknown>unknown several-fit/), 'null null>null not-here']);
    expect(await reconcile(at, [place(two)])).toMatchObject({ counts: { in_doubt: 1, unknown_here: 1 } });
  });

  test('are absent where a whole list lacks title and start', async () => {
    const at = await openDesk((n) => (n === 2 ? ANSWERS.unknown : { status: 201, body: `{"id":"g${n}"}` }));
    await at.create('gig', [one, two]);
    const moved = { ...place(two), start_at: Number(two['start_at']) + 3600 };
    const other = await reconcile(at, [place(one), moved], '--absent', 'not-created');
    expect(other.counts).toEqual({ matched: 1, in_doubt: 1, unknown_here: 1 });
    const found = await reconcile(at, [place(one)], '--absent', 'not-created');
    expect(found).toMatchObject({ code: 0, counts: { matched: 1, not_created: 1 } });
  });
});

test('a key that two types have is ambiguous until --type names one', async () => {
  const desk = await openDesk();
  await sentAt(desk, 'unknown', [THREE[0]]);
  desk.service.responder(() => ANSWERS.unknown);
  const result = {
    gig_task_id: 't',
    user_id: 'u',
    title: 'T',
    quantity: 1,
    cost_center_key: 'P',
    idempotency_key: 'a',
  };
  await desk.create('result', [result], '--retries', '0');
  const unclear = await reconcile(desk, [{ idempotency_key: 'a' }]);
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringMatching(/a is that of a .*--type/s) });
  const named = await reconcile(desk, [{ idempotency_key: 'a' }], '--type', 'payout');
  expect(named.counts).toEqual({ created: 1, in_doubt: 1 });
});

describe('nothing is recorded', () => {
  test.each([
    ['a number that cannot be read', 'idempotency_key,amount\na,1\nb,1.2.3\n', /export\.csv, line 3: .*amount/],
    ['a ragged row', 'idempotency_key,amount\na,1\nb\n', /export\.csv, line 3: /],
    ['no row at all', 'idempotency_key,amount\n', /not a single row/],
  ])('by an export with %s: exit 3', async (_case, list, words) => {
    const at = await sent('unknown', THREE);
    const found = await reconcile(at, list);
    expect(found).toMatchObject({ code: 3, stderr: expect.stringMatching(words), counts: {}, lines: [] });
    expect(await states(at)).toEqual(['a unknown null', 'b unknown null', 'c unknown null']);
  });

  test.each([
    [['--as-of', asOf(90)], /in the future/],
    [['--as-of', '2026-11-01 08:00'], /no offset.*--time-zone/s],
    [['--as-of', '2026-03-29 02:30', '--time-zone', 'Europe/Berlin'], /does not exist in Europe\/Berlin/],
    [['--run', 'x', '--batch-id', 'y'], /leave one out/],
    [['--run', '2020'], /no run/],
    [['--batch-id', 'none'], /no run belongs to batch "none"/],
    [['--status-created', 'paid'], /no column status.*--map COLUMN=status/s],
    [['--status-created', 'a,B', '--status-not-created', 'b'], /"b" cannot mean both/],
    [['--absent', 'created'], /--absent takes not-created/],
    [['--absent', 'not-created', '--only', 'id=1'], /needs the whole list/],
    [['--map', 'Nr=idempotency_key'], /no file has a column "Nr"/],
    [['--map', 'id=gig_task_id'], /"gig_task_id" is not compared/],
    [['--account', 'other', '--run', 'RUN'], /went to .*, and the flags name/s],
    [['--report', 'r.html'], /\.csv, \.xlsx, \.ndjson/],
    [['--report', 'rejects.csv'], /this file exists already.* replace it with --overwrite/],
  ])('by wrong usage: %j', async (flags, words) => {
    const at = await sent('unknown', [THREE[0]]);
    const named = flags.map((word) => (word === 'RUN' ? at.run : word));
    const found = await reconcile(at, [{ idempotency_key: 'a', id: '1' }], ...named);
    expect(found).toMatchObject({ code: 2, stderr: expect.stringMatching(words), lines: [] });
    expect(await states(at)).toEqual(['a unknown null']);
  });

  test.each(['Status', 'state', 'Payout-Status', 'Zustand', 'Estado', 'Outcome'])(
    'where a column %s would be passed over',
    async (name) => {
      const at = await sent('unknown', [THREE[0]]);
      const list = `idempotency_key,${name}\na,failed\n`;
      const found = await reconcile(at, list);
      expect(found).toMatchObject({ code: 2, stderr: expect.stringContaining(`--map ${name}=status`) });
      expect(await reconcile(at, list, '--ignore-column', name)).toMatchObject({ code: 0, counts: { created: 1 } });
    },
  );

  test.each([
    ['Betrag', 'amount'],
    ['Gross amount', 'amount'],
    ['Empfänger', 'user_id'],
    ['Währung', 'currency'],
    ['Fehler', 'status'],
  ])('where a column %s would not be compared', async (name, field) => {
    const at = await sent('unknown', [THREE[0]]);
    const found = await reconcile(at, `idempotency_key,${name}\na,x\n`);
    expect(found).toMatchObject({ code: 2, stderr: expect.stringContaining(`${name}=${field}`) });
    expect(await states(at)).toEqual(['a unknown null']);
  });

  test('where there is no journal, and none is made', async () => {
    const at = await openDesk();
    const found = await reconcile(at, [{ idempotency_key: 'a' }], '--state-dir', 'empty');
    expect(found).toMatchObject({ code: 2, stderr: expect.stringMatching(/there is no journal here/) });
    expect(existsSync(at.work.path('empty'))).toBe(false);
  });

  test('in a dry run, which says what would be', async () => {
    const at = await sent('unknown', THREE);
    const list = THREE.map(({ idempotency_key }) => ({ idempotency_key }));
    const found = await reconcile(at, list, '--dry-run');
    expect(found).toMatchObject({ code: 0, counts: { created: 3 }, next: [] });
    expect(await states(at)).toEqual(['a unknown null', 'b unknown null', 'c unknown null']);
  });

  test('where nobody is there to be asked', async () => {
    const at = await sent('unknown', THREE);
    at.work.file('export.csv', 'idempotency_key\na\n');
    const words = ['--base-url', at.service.url, '--note', 'x', '--as-of', asOf()];
    const found = await at.work.run(['batch', 'reconcile', 'export.csv', ...words], { env: LATER });
    expect([found.code, found.stderr]).toEqual([2, expect.stringMatching(/--yes/)]);
    expect((await states(at))[0]).toBe('a unknown null');
  });
});

test(`at a terminal, counts and sums are shown by run, and a yes is asked for${NO_TERMINAL}`, async ({ skip }) => {
  if (NO_TERMINAL !== '') skip();
  const at = await sent('unknown', [THREE[0]]);
  at.work.file('export.csv', 'idempotency_key,id\na,7\nz,8\n');
  const words = ['export.csv', '--base-url', at.service.url, '--note', 'x', '--as-of', asOf(0)];
  const no = openTerminal(at.work, ['batch', 'reconcile', ...words], 200);
  await no.shows(new RegExp(`${at.run}\\s+to be recorded as paid\\s+1 `));
  await no.shows('Record 1 payment as paid (this cannot be undone)? No money is sent now. [y/N]');
  no.type('');
  expect(await no.ended).toBe(2);
  const yes = openTerminal(at.work, ['batch', 'reconcile', ...words], 200);
  await yes.shows('[y/N]');
  yes.type('y');
  await yes.shows(/now recorded as paid/);
  await yes.shows(/no batch at this target has it/);
  expect(await yes.ended).toBe(6);
  expect(await states(at)).toEqual(['a created 7']);
});

test('202 payments of three runs are settled by one command, and the report names them', async () => {
  const desk = await openDesk();
  const rows = payouts(202).map((row, i) => own(row, `k${i}`));
  const runs: string[] = [];
  for (const [i, part] of [rows.slice(0, 100), rows.slice(100, 200), rows.slice(200)].entries())
    runs.push((await sentAt(desk, 'unknown', part, '--batch-id', `b${i}`)).run);
  const list = rows.map(({ idempotency_key, amount, user_id }, i) => ({
    id: `x${i}`,
    idempotency_key,
    amount,
    user_id,
  }));
  const found = await reconcile(desk, list, '--report', 'r.csv', '--report', 'r.ndjson', '--report', 'r.xlsx');
  expect(found).toMatchObject({ code: 0, counts: { created: 202 } });
  expect(desk.work.read('r.csv').split('\r\n')).toHaveLength(204);
  expect(jsonLines(desk.work.read('r.ndjson'))[0]).toMatchObject({
    verdict: 'created',
    run: runs[0],
    line: 2,
    id: 'x0',
  });
  for (const run of runs) expect((await desk.batch('show', run)).records).toMatchObject({ unknown: 0 });
  expect(await reconcile(desk, list)).toMatchObject({ code: 0, counts: { matched: 202 } });
});

test('a workbook, other names of columns, and numbers with a comma are read as any input is', async () => {
  const at = await sent('unknown', [own({ ...FIRST, amount: 1234.5 }, 'a')]);
  const flags = ['--map', 'Referenz=idempotency_key', '--map', 'Betrag=amount', '--decimal', 'comma'];
  const found = await reconcile(at, 'Referenz;Betrag;Sonst\na;1.234,50;x\n', ...flags);
  expect(found).toMatchObject({ code: 0, counts: { created: 1 } });
});

test('the flags of a profile are about files that are sent: an export is read by flags alone', async () => {
  const at = await sent('unknown', [THREE[0]]);
  const profile = { only: ['Art=Lohn'], header_line: 3, decimal: 'comma', base_url: at.service.url };
  at.work.file('config/gigwork/config.json', JSON.stringify({ profiles: { acme: profile } }));
  expect(await reconcile(at, [{ idempotency_key: 'a' }], '--profile', 'acme')).toMatchObject({ code: 0 });
});

test('of two at once, the second finds nothing left to do', async () => {
  const at = await sent('unknown', THREE);
  const list = THREE.map(({ idempotency_key }) => ({ idempotency_key, id: idempotency_key }));
  const both = await Promise.all([reconcile(at, list), reconcile(at, list)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect((await at.batch('show', at.run)).settled).toHaveLength(3);
});

test('what a person reads says what differs, and how the runs go on', async () => {
  const at = await openDesk((n) => (n === 2 ? ANSWERS.unknown : ANSWERS.created));
  const { run } = (await at.send(THREE, '--retries', '0')).summary;
  at.work.file('export.csv', csv([{ idempotency_key: 'a', amount: 1 }, { idempotency_key: 'c' }]));
  const words = ['--base-url', at.service.url, '--yes', '--note', 'x', '--as-of', asOf(), '--absent', 'not-created'];
  const { stdout } = await at.work.run(['batch', 'reconcile', 'export.csv', ...words], { env: LATER });
  expect(stdout).toMatch(new RegExp(`^${run}\\s+now recorded as not paid\\s+1`, 'm'));
  expect(stdout).toMatch(/Line 2 of p\.csv in run .*: the export has the amount 1 \(line 2 of the export\)\./);
  expect(stdout).toMatch(new RegExp(`To continue: .* batch resume ${run}`));
  expect(recordsOf(await at.send(THREE, '--dry-run'))).toHaveLength(3);
});

test('a call that leaves many in doubt names the command that settles them all, which works as it is', async () => {
  const at = await sent(
    'unknown',
    payouts(6).map((row, i) => own(row, `k${i}`)),
    '--key-lifetime',
    '0',
  );
  const again = await at.sendFiles(['p.csv'], '--key-lifetime', '0');
  const shown = (await at.work.run(`batch show ${at.run}`)).stdout;
  const { command, placeholders } = remedyOfCode(again, 'reconcile');
  expect(placeholders).toEqual(['FILE', 'TIME', 'TEXT']);
  at.work.file('list.csv', csv(payouts(6).map((_row, i) => ({ idempotency_key: `k${i}` }))));
  const filled = new Map([
    ['FILE', 'list.csv'],
    ['TIME', asOf()],
    ['TEXT', 'asked'],
  ]);
  const [, ...words] = command.map((word) => filled.get(word) ?? word);
  const settled = told(await at.work.run([...words, '--yes', '--json'], { env: LATER }));
  expect(settled).toMatchObject({ code: 0, counts: { created: 6 } });
  expect(shown).toMatch(/settles all 6 at once: .* batch reconcile FILE --run .* --as-of TIME --note TEXT/s);
});

function remedyOfCode({ summary }: CliResult, code: string): { command: string[]; placeholders: string[] } {
  const found = summary.remedies.filter((remedy: { code: string }) => remedy.code === code);
  expect(found).toHaveLength(1);
  return found[0];
}

test('a report is not written over a file that is there, but with --overwrite', async () => {
  const at = await sent('unknown', THREE);
  at.work.file('r.csv', 'kept');
  const list = [{ idempotency_key: 'a' }];
  const refused = await reconcile(at, list, '--report', 'r.csv');
  expect([refused.code, at.work.read('r.csv'), (await states(at))[0]]).toEqual([2, 'kept', 'a unknown null']);
  expect((await reconcile(at, list, '--report', 'r.csv', '--overwrite')).code).toBe(6);
  expect(at.work.read('r.csv')).toMatch(/^verdict,why,run,/);
});

test.skipIf(PROGRAMS === null)('on a shared journal, and a dry run of whoever may only read it', async () => {
  const { url, say, runScript } = await sharedServer();
  const schema = `reconcile_${process.pid}`;
  const as = (user: string): string[] => ['--journal', `${url(user)}?schema=${schema}`];
  const at = await sent('unknown', THREE, ...as(USER));
  runScript('docs/operations/grants.sql', [`schema=${schema}`]);
  const role = 'CREATE ROLE list_reader LOGIN; EXCEPTION WHEN duplicate_object THEN';
  say(`DO $$ BEGIN ${role} END $$; GRANT gigwork_readers TO list_reader`);
  const list = [{ idempotency_key: 'a', id: 'x' }, { idempotency_key: 'b' }];
  const looked = await reconcile(at, list, '--dry-run', ...as('list_reader'));
  expect(looked).toMatchObject({ code: 6, counts: { created: 2, in_doubt: 1 } });
  expect(await reconcile(at, list, ...as(USER))).toMatchObject({ code: 6, counts: { created: 2, in_doubt: 1 } });
  expect(await reconcile(at, list, ...as(USER))).toMatchObject({ code: 6, counts: { matched: 2, in_doubt: 1 } });
  const log = jsonLines((await at.work.run(['journal', 'log', ...as(USER)])).stdout);
  expect(log.filter(({ what, sha256 }) => what === 'settled' && sha256 !== undefined)).toHaveLength(2);
});
