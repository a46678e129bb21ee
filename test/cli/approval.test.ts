/** One person approves, another sends: `--approve=FILE` and `--approval FILE`. CONTRACT: "Approval". */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { localTime } from '../../src/util/local-time.js';
import { approvalIn, rewritten } from '../support/approvals.js';
import { csv } from '../support/builders.js';
import { type Desk, openDesk, expectDone, FIRST, paid, ROWS, SECOND, statesOf } from '../support/desk.js';
import { jsonLines } from '../support/result.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

/** Who runs the program inside this process. */
const ME = { user: 'clerk', host: 'desk' };
const APPROVE = '--approve=a.json';
const APPROVAL = ['--approval', 'a.json'];
const REFUSED = { exit_code: 3, stop_reason: 'control_total' };

const bonus = (user: string, amount: number, center = 'PP-1') => ({
  user_id: user,
  amount,
  title: 'Bonus',
  cost_center_key: center,
  currency: 'EUR',
});
const ONE = bonus('u1', 100.5);
const TWO = bonus('u2', 20);
const THREE = bonus('u3', 30, 'PP-2');
const EUROS = [ONE, TWO, THREE];

/** A desk where a file of rows was approved. */
async function approved(rows: readonly object[] = EUROS, ...flags: string[]): Promise<Desk> {
  const at = await openDesk();
  const { code, stderr } = await at.send(rows, APPROVE, ...flags);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Approval written: a.json')]);
  return at;
}

describe('a run that is approved', () => {
  test('is not sent: the file says what, by whom, when and where, and the journal knows nothing of it', async () => {
    const { work, service, send } = await openDesk();
    const before = Date.now();
    const result = await send(EUROS, APPROVE, '--batch-id', '2026-11', '--account', 'desk');
    expectDone(result, { read: 3, planned: 3, not_sent: 0 });
    expect(result.summary).toMatchObject({ dry_run: true, run: null, next: null });
    expect([service.requestCount, existsSync(work.stateDir)]).toEqual([0, false]);
    const { version, digest } = result.summary;
    const payout = [
      { currency: 'EUR', cost_center: 'PP-1', count: 2, amount: '120.5', unpriced: 0 },
      { currency: 'EUR', cost_center: 'PP-2', count: 1, amount: '30', unpriced: 0 },
    ];
    const sha256 = createHash('sha256').update(work.read('p.csv')).digest('hex');
    const file = approvalIn(work, 'a.json');
    expect(file).toMatchObject({
      by: ME,
      version,
      target: `${service.url}#desk`,
      batch_id: '2026-11',
      digest,
      count: 3,
      totals: {
        payout,
        result: [],
        gig: [],
      },
      files: [
        {
          path: 'p.csv',
          sha256,
          records: 3,
        },
      ],
    });
    expect(file.about).toContain('3 payouts: 150.50 EUR in all');
    expect(Date.parse(file.at)).toBeGreaterThanOrEqual(before);
  });

  test('is sent with the file, and the run names who approved it wherever it is told', async () => {
    const { work, service, send, batch } = await approved();
    const sent = await send(EUROS, ...APPROVAL, '--report', 'r.html');
    expectDone(sent, { created: 3 });
    expect(service.ledgerTotal()).toBe(3);
    const { run, digest } = sent.summary;
    const { at } = approvalIn(work, 'a.json');
    const word = { at, by: ME, note: 'file a.json: user name taken from the computer, not verified' };
    for (const told of [(await batch('list')).runs[0], await batch('show', run)])
      expect(told.approved_by).toEqual(word);
    const by = `${ME.user} on ${ME.host}`;
    const shown = `approved ${localTime(Date.parse(at))} by ${by}: ${word.note}`;
    expect((await work.run(`batch show ${run}`)).stdout).toContain(shown);
    expect(work.read('r.html')).toMatch(new RegExp(`Approved by</dt><dd>${by}, .*${word.note}`));
    expect(jsonLines((await work.run('journal log')).stdout)).toMatchObject([
      { ...word, what: 'approved', run, digest, count: 3 },
      { what: 'run' },
      { what: 'ended' },
    ]);
    expect(sent.stderr).toContain(`approved by ${by}, `);
    expect(sent.stderr).toContain('user name taken from the computer, not verified); the same person sends it');
  });

  test('is checked by a dry run, too', async () => {
    const { work, send } = await approved();
    expectDone(await send(EUROS, ...APPROVAL, '--dry-run'), { planned: 3 });
    expect((await send([ONE, TWO], ...APPROVAL, '--dry-run')).summary).toMatchObject(REFUSED);
    const { summary } = await work.run('payout create p.csv --dry-run --json --approval a.json');
    expect(summary).toMatchObject({ ...REFUSED, target: null });
  });
});

describe('what differs from the approval is named, and nothing is sent', () => {
  const CHF = { ...ONE, currency: 'CHF' };
  const FOUR = [...EUROS, { ...ONE, user_id: 'u4' }];
  const SWAPPED = [{ ...ONE, user_id: 'u2' }, { ...TWO, user_id: 'u1' }, THREE];
  const MOVED = [ONE, { ...TWO, cost_center_key: 'PP-2' }, THREE];
  const EUR_OF_ONE = '100.50 EUR';
  const CHF_OF_ONE = '100.50 CHF';
  const LONGER = ['--key-lifetime', '48'];
  const OTHERS = ['- records: at least one is another one now, or they stand '];
  const was = (what: string, before: string, now: string): string =>
    `- ${what}: approved was ${before}, this run has ${now}`;
  const total = (of: string, before: string, now: string): string => was(`total of payouts in ${of}`, before, now);
  const flagsWere = (before: string, now: string): string[] => [`- flags: approved ${before}, this run is ${now}`];
  interface Call {
    readonly rows?: readonly object[];
    readonly flags?: readonly string[];
  }
  const more = (...words: string[]): [string, Call, Call, string[]] => {
    const said = words.join(' ');
    return [said, {}, { flags: words }, flagsWere(`without ${words[0]}`, `with ${said}`)];
  };

  test.each<[what: string, before: Call, now: Call, differences: string[]]>([
    ['the target', {}, { flags: ['--account', 'b'] }, [was('target', 'URL', 'URL#b')]],
    more('--skip-created'),
    more('--skip-similar'),
    more('--skip-invalid'),
    more('--resend-unknown'),
    more('--key-columns', 'user_id,title'),
    ['a flag less', { flags: ['--skip-created'] }, {}, flagsWere('with --skip-created', 'without it')],
    ['a number less', { flags: ['--send-similar', '0'] }, {}, flagsWere('with --send-similar 0', 'without it')],
    ['a number', {}, { flags: LONGER }, flagsWere('with --key-lifetime 24', 'with --key-lifetime 48')],
    ['the count', {}, { rows: FOUR }, [was('count', '3 valid records', '4'), total('EUR', '150.50 EUR', '251.00 EUR')]],
    ['a total', { rows: [ONE, CHF] }, { rows: [ONE, { ...CHF, amount: 7 }] }, [total('CHF', '100.50 CHF', '7.00 CHF')]],
    [
      'the currency',
      { rows: [ONE] },
      { rows: [CHF] },
      [total('EUR', EUR_OF_ONE, 'none'), total('CHF', 'none', CHF_OF_ONE)],
    ],
    ['money that has moved between cost centers', {}, { rows: MOVED }, OTHERS],
    ['payees that have changed places', {}, { rows: SWAPPED }, OTHERS],
    ['another payee', {}, { rows: [{ ...ONE, user_id: 'u9' }, TWO, THREE] }, OTHERS],
    ['another order', {}, { rows: [TWO, ONE, THREE] }, OTHERS],
  ])('%s', async (_what, before, now, differences) => {
    const at = await approved(before.rows ?? EUROS, ...(before.flags ?? []));
    const { summary } = await at.send(now.rows ?? EUROS, ...APPROVAL, ...(now.flags ?? []));
    expect(summary).toMatchObject({ ...REFUSED, run: null });
    const [head, ...lines] = summary.reasons as string[];
    expect(head).toMatch(/^Nothing was sent: --approval a\.json is for another run than this one\. What differs /);
    const said = differences.map((words) => words.replaceAll('URL', at.service.url));
    expect(lines.map((line, i) => (differences === OTHERS ? line.slice(0, said[i]?.length) : line))).toEqual(said);
    expect(at.service.requestCount).toBe(0);
  });

  test('the batch, also where keys of their own make the same digest of both', async () => {
    const at = await approved([{ ...ONE, idempotency_key: 'k1' }], '--batch-id', 'x');
    const { summary } = await at.send([{ ...ONE, idempotency_key: 'k1' }], ...APPROVAL, '--batch-id', 'y');
    expect(summary).toMatchObject(REFUSED);
    expect(summary.reasons.slice(1)).toEqual(['- batch: approved was x, this run has y']);
    expect([approvalIn(at.work, 'a.json').digest, at.service.requestCount]).toEqual([summary.digest, 0]);
  });

  test('the price of a result', async () => {
    const { work, service, create } = await openDesk();
    const row = { gig_task_id: 't1', user_id: 'u', title: 'T', quantity: 2, multiplier: '1.5', cost_center_key: 'P' };
    const result = (price: string, ...flags: string[]) => {
      work.file('prices.csv', `gig_task_id,base_price\n${price}\n`);
      return create('result', [row], '--prices', 'prices.csv', ...flags);
    };
    expect((await result('t1,100', APPROVE)).code).toBe(0);
    for (const [price, now] of [
      ['t1,101', '303 cents'],
      ['t2,100', '0 cents and 1 without a known price'],
    ] as const) {
      const [, said] = (await result(price, ...APPROVAL)).summary.reasons;
      expect(said).toBe(`- total of gig results without a currency: approved was 300 cents, this run has ${now}`);
    }
    expect(service.requestCount).toBe(0);
    expectDone(await result('t1,100', ...APPROVAL), { created: 1 });
  });
});

describe('an approval file', () => {
  const EDITED = /^--approval a\.json was edited or damaged after it was written: its checksum does not fit\./;
  const NONE =
    /^--approval a\.json is not an approval, or not a whole one: name a file that --approve=FILE has written/;
  /** An object changes members, and the checksum with them. */
  const cases: [what: string, edit: ((text: string) => string) | object, words: RegExp][] = [
    ['with another amount', (text) => text.replace('"amount": "30"', '"amount": "31"'), EDITED],
    ['with another person', (text) => text.replace(`"user": ${JSON.stringify(ME.user)}`, '"user": "boss"'), EDITED],
    ['with a member that stands twice', (text) => text.replace('"count": 3,', '"count": 5,\n  "count": 3,'), EDITED],
    ['without its checksum', (text) => text.replace(/,\s+"checksum": "\w+"/, ''), EDITED],
    ['cut off', (text) => text.slice(0, -10), NONE],
    ['with something behind it', (text) => `${text}x`, NONE],
    ['that is empty', () => '', NONE],
    ['that is something else', () => '{"runs":[]}', NONE],
    ['that is not text', () => '\ufeff\u0000', NONE],
    ['of another version', { gigwork_approval: 2 }, /was written by another version of gigwork \(format 2, this one /],
    ['whose count is no number', { count: '3' }, NONE],
    ['whose time is none', { at: 'yesterday' }, NONE],
    ['whose totals are others', { totals: { payout: [{ amount: '1e3' }] } }, NONE],
  ];
  test.each(cases)('%s is refused before anything is read', async (_, edit, words) => {
    const { work, service, sendFiles } = await approved();
    const text = work.read('a.json');
    if (typeof edit === 'object') rewritten(work, 'a.json', edit);
    else work.file('a.json', edit(text));
    expect(work.read('a.json')).not.toBe(text);
    const { summary } = await sendFiles(['p.csv'], ...APPROVAL);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage', records: { read: 0 } });
    expect(summary.reasons).toEqual([expect.stringMatching(words)]);
    expect([service.requestCount, existsSync(work.stateDir)]).toEqual([0, false]);
  });

  test.each(['none.json', '.', ''])('that cannot be read is refused: %j', async (name) => {
    const { service, sendFiles } = await approved();
    const { summary } = await sendFiles(['p.csv'], `--approval=${name}`);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(summary.reasons[0]).toMatch(/^--approval (\S+ cannot be read|needs the name of a file)/);
    expect(service.requestCount).toBe(0);
  });

  test('whose ends of lines a mail has changed is as good', async () => {
    const { work, send } = await approved();
    work.file('a.json', work.read('a.json').replaceAll('\n', '\r\n'));
    expectDone(await send(EUROS, ...APPROVAL), { created: 3 });
  });

  test.each([
    ['p.csv', ''],
    ['c.json', '--config c.json'],
    ['r.html', '--report r.html'],
    ['no/where.json', ''],
    ['state/journal.db', '--state-dir state'],
  ])('is not written over an input, a file of settings or another output: %s', async (name, more) => {
    const { work, service, sendFiles } = await openDesk();
    for (const [file, text] of Object.entries({ 'p.csv': csv(EUROS), 'c.json': '{}' })) work.file(file, text);
    const { summary } = await sendFiles(['p.csv'], `--approve=${name}`, ...more.split(' ').filter(Boolean));
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect([work.read('p.csv'), work.read('c.json')]).toEqual([csv(EUROS), '{}']);
    for (const other of ['r.html', 'no', 'state/journal.db']) expect(existsSync(work.path(other))).toBe(false);
    expect(service.requestCount).toBe(0);
  });

  test('that is sent is no output', async () => {
    const { work, service, sendFiles } = await approved();
    const before = work.read('a.json');
    const { summary } = await sendFiles(['p.csv'], ...APPROVAL, '--rejects', 'a.json');
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect([work.read('a.json'), service.requestCount]).toEqual([before, 0]);
  });

  test.each([
    [[APPROVE, ...APPROVAL], 'leave one out'],
    [[APPROVE, '--dry-run'], 'leave --dry-run out'],
    [[APPROVE, '--approve=b.json'], '--approve is given twice'],
    [[...APPROVAL, ...APPROVAL], '--approval is given twice'],
  ])('flags that contradict each other: %j', async (flags, words) => {
    const { work, send } = await approved();
    const before = work.read('a.json');
    const { summary, stderr } = await send(EUROS, ...flags);
    expect([summary.exit_code, summary.stop_reason, work.read('a.json')]).toEqual([2, 'usage', before]);
    expect(stderr).toContain(words);
  });
});

describe('repeats', () => {
  test('are decided about by who approves: what was approved is sent only with the same flags', async () => {
    const at = await openDesk();
    const { work, send } = at;
    expectDone(await send([FIRST]), { created: 1 });
    const REPEATS = { exit_code: 3, stop_reason: 'repeats' };
    expect((await send([FIRST, SECOND], APPROVE)).summary).toMatchObject(REPEATS);
    expect(existsSync(work.path('a.json'))).toBe(false);
    expectDone(await send([FIRST, SECOND], APPROVE, '--skip-created'), { skipped: 1, planned: 1 });
    expect(approvalIn(work, 'a.json')).toMatchObject({ count: 2, flags: { skip_created: true } });
    const { summary } = await send([FIRST, SECOND], ...APPROVAL);
    expect(summary).toMatchObject(REPEATS);
    expect(summary.reasons.join()).toContain('- flags: approved with --skip-created, this run is without it');
    expectDone(await send([FIRST, SECOND], ...APPROVAL, '--skip-created'), { skipped: 1, created: 1 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('that came after the approval are asked about: it decides nothing about them', async () => {
    const at = await approved([FIRST, SECOND]);
    expectDone(await at.send([FIRST]), { created: 1 });
    const { summary } = await at.send([FIRST, SECOND], ...APPROVAL);
    expect(summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats' });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 0]);
  });
});

describe('going on', () => {
  const stopping = (n: number) => ({ status: n === 2 ? 401 : 201 });

  test('with batch resume needs no file again, and takes one; the approval is written down once', async () => {
    const at = await openDesk(stopping);
    const { work, send, resume, batch } = at;
    expect((await send(ROWS, APPROVE)).code).toBe(0);
    const { summary } = await send(ROWS, ...APPROVAL);
    expect(summary).toMatchObject({ exit_code: 6, records: { created: 1 } });
    expectDone(await resume(summary.run, ...APPROVAL, '--dry-run'), { already_created: 1, planned: 3 });
    rewritten(work, 'a.json', { count: 3 }, 'b.json');
    expect((await resume(summary.run, '--approval', 'b.json')).summary).toMatchObject(REFUSED);
    expectDone(await resume(summary.run), { already_created: 1, created: 3 });
    expectDone(await send(ROWS, ...APPROVAL), { already_created: 4 });
    expect((await batch('list')).runs[0].approved_by.by).toEqual(ME);
    const log = jsonLines((await work.run('journal log')).stdout);
    expect(log.filter(({ what }) => what === 'approved')).toHaveLength(1);
    expect(paid(at, ...ROWS)).toEqual([1, 1, 1, 1]);
  });

  test('a run that is resumed can be approved itself, and its records need not be in a file any more', async () => {
    const { work, send, resume } = await openDesk(stopping);
    const { summary } = await send(ROWS, '--skip-invalid');
    const yes = await resume(summary.run, APPROVE);
    expectDone(yes, { already_created: 1, planned: 3 });
    expect(approvalIn(work, 'a.json')).toMatchObject({ count: 4, flags: { skip_invalid: null, key_columns: null } });
    expect(statesOf(yes)).toEqual(['already_created', 'planned', 'planned', 'planned']);
    const [, words] = /^To send what it approves: gigwork (.*)$/m.exec(yes.stderr) ?? [];
    expect(words).toMatch(new RegExp(`^batch resume ${summary.run} .*--approval \\S+a\\.json$`));
    // The first command goes on with the same approval.
    expectDone(await send(ROWS, '--skip-invalid', ...APPROVAL), { already_created: 1, created: 3 });
  });
});

describe.skipIf(NO_TERMINAL !== '')(`at a terminal${NO_TERMINAL}`, () => {
  test('the same review is shown and the total is typed, to approve and then to send', async () => {
    const { work, service } = await openDesk();
    work.file('p.csv', csv(EUROS));
    const words = ['payout', 'create', 'p.csv', '--base-url', service.url];
    const approving = openTerminal(work, [...words, APPROVE]);
    await approving.shows(
      /To approve 3 payouts, 150\.50 EUR in all, for \S+, batch default, type their total \(Enter stops\): /,
    );
    expect(approving.output).toMatch(/^Largest payouts {2}100\.50 EUR {2}line 2, u1$/m);
    expect(existsSync(work.path('a.json'))).toBe(false);
    approving.type('150,50');
    expect(await approving.ended).toBe(0);
    expect(approving.output).toContain('approved: nothing was sent');
    expect([existsSync(work.path('state/journal.db')), service.requestCount]).toEqual([false, 0]);
    const sending = openTerminal(work, [...words, ...APPROVAL]);
    await sending.shows('To send 3 payouts, 150.50 EUR in all, to ');
    expect(sending.output).toMatch(/approved by .+ on .+; the same person\s+sends it/s);
    sending.type('150.5');
    expect(await sending.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });

  test('what is answered about repeats stands in the approval, and in the command that sends', async () => {
    const { work, service, send } = await openDesk();
    expectDone(await send([FIRST]), { created: 1 });
    work.file('p.csv', csv([FIRST, SECOND]));
    const terminal = openTerminal(work, ['payout', 'create', 'p.csv', '--base-url', service.url, APPROVE]);
    await terminal.shows('skip or Enter: ');
    terminal.type('skip');
    await terminal.shows('To approve 1 payout');
    terminal.type(String(SECOND.amount));
    expect(await terminal.ended).toBe(0);
    expect(approvalIn(work, 'a.json')).toMatchObject({ count: 2, flags: { skip_created: true } });
    await terminal.shows(/To send what it approves: [^]*--skip-created --approval[^]*a\.json/);
    expectDone(await send([FIRST, SECOND], '--skip-created', ...APPROVAL), { skipped: 1, created: 1 });
  });
});
