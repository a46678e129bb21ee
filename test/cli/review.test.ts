/** The review at a terminal: what a person reads, is asked about repeats, and types. CONTRACT: "Safety flags", "Repeats". */
import { describe, expect, it, test } from 'vitest';
import { csv, type PayoutRow, type Row } from '../support/builders.js';
import { create, PAID, question, SWISS, THREE } from '../support/review.js';
import { NO_TERMINAL, openTerminal, type Terminal } from '../support/terminal.js';
import { hoursAhead } from '../support/crash.js';
import { type Desk, openDesk, sentAt } from '../support/desk.js';

/** Rows in `pay.csv`, and a terminal where they are sent. */
async function ready(rows: readonly Row[] = PAID) {
  const at = await openDesk();
  at.work.file('pay.csv', csv(rows));
  return { ...at, open: (...flags: string[]) => openTerminal(at.work, create(at.service, ...flags)) };
}

function expectShown({ output }: Terminal, lines: readonly RegExp[]): void {
  for (const line of lines) expect(output).toMatch(line);
}

describe.skipIf(NO_TERMINAL !== '')(`the review on a terminal${NO_TERMINAL}`, () => {
  it('shows what would be sent, and sends it when the total is typed', async () => {
    const { service, open } = await ready();
    const terminal = open('--account', 'desk');
    await terminal.shows(`to ${service.url}, account desk, batch default, type their total (Enter stops): `);
    expectShown(terminal, [
      /^To send {2}3 payouts, 1,544\.55 EUR$/m,
      /^Target {3}http:\/\/127\.0\.0\.1:\d+$/m,
      /^Account {2}desk$/m,
      /^File {5}pay\.csv, 3 records$/m,
      /^SHA-256 {2}[0-9a-f]{64}$/m,
      /^Digest {3}[0-9a-f]{64}$/m,
      /^ {2}EUR +PP-1 +2 +1,234\.55$/m,
      /^ {2}EUR +all +3 +1,544\.55$/m,
      /^Known as paid +0$/m,
      /^To send now +payouts in EUR +3 +1,544\.55$/m,
      /^Largest payouts {2}1,200\.50 EUR {2}line 2, u1\n {19}310\.00 EUR {2}line 4, u3\n {20}34\.05 EUR {2}line 3, u2$/m,
    ]);
    expect(service.requestCount).toBe(0);
    terminal.type('1.544,55');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });

  it.each([
    ['Enter', '\n', 2],
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D behind a total without Enter', '1544.55\u0004\u0004', 2],
  ])('%s at the question sends nothing', async (_what, keys, code) => {
    const { service, open } = await ready();
    const terminal = open();
    await terminal.shows(question(service, THREE));
    terminal.press(keys);
    expect(await terminal.ended).toBe(code);
    expect(service.requestCount).toBe(0);
  });

  // On a busy machine the system may tell of the width after both answers.
  it('asks for the total of each currency, as wide as the terminal is then', { retry: 3 }, async () => {
    const { service, open } = await ready([...PAID, SWISS]);
    const refused = open();
    await refused.shows(question(service, '1 payout, 75.00 CHF'));
    refused.type('75');
    await refused.shows(question(service, THREE));
    refused.type('');
    expect(await refused.ended).toBe(2);
    expect(service.requestCount).toBe(0);

    const given = open();
    await given.shows('75.00 CHF');
    given.resize(50);
    // The program may hear of the width a moment after the answer.
    given.type('7');
    await given.shows('Type it again');
    given.type('75.00 chf');
    await given.shows(question(service, THREE));
    const typed = given.output.slice(given.output.indexOf('To send 3 payouts, 1,544.55 EUR in all'));
    expect(typed.split('\n').filter((line) => line.length > 50)).toEqual([]);
    given.type('1 544.55');
    expect(await given.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('tells a warning again above the question, and names the person of a risk with the line', async () => {
    const { work, service, open } = await ready();
    await work.run(create(service, '--yes', '--batch-id', '2026-09'), { env: hoursAhead(-24 * 30) });
    work.file('pay.csv', csv([PAID[0]!, { ...SWISS, title: 'Bonus ${month}' }]));
    const terminal = open('--batch-id', '2026-10');
    await terminal.shows(question(service, '1 payout, 75.00 CHF', '2026-10'));
    const review = terminal.output.slice(terminal.output.indexOf('\nTo send '));
    expect(review).toMatch(/^1 warning:\n- pay\.csv, line 3: "title" has a variable that nobody filled in/m);
    const risk =
      /^Careful: 1 of these payments \(1,200\.50 EUR\) was already paid in batch 2026-09, .*: u1 on line 2\. /m;
    expect(review.replaceAll(/\n {4}/g, ' ')).toMatch(risk);
    expect(review.indexOf('Careful')).toBeLessThan(review.indexOf('\nDigest'));
    terminal.type('');
    expect(await terminal.ended).toBe(2);
  });

  it('of a run that is resumed is the same, and asks the same question', async () => {
    const { work, service } = await ready(PAID.slice(0, 2));
    service.responder(({ n }) => ({ status: n === 2 ? 401 : 201 }));
    const { summary } = await work.run(create(service, '--yes', '--json', '--concurrency', '1'));
    const terminal = openTerminal(work, ['batch', 'resume', summary.run]);
    await terminal.shows(question(service, '1 payout, 34.05 EUR'));
    expectShown(terminal, [
      /^Batch {4}default$/m,
      /^File {5}pay\.csv, 2 records$/m,
      /^Known as paid +payouts in EUR +1 +1,200\.50$/m,
      /^To send now +payouts in EUR +1 +34\.05$/m,
    ]);
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(2);
  });
});

const [FIRST, SECOND, THIRD] = PAID as unknown as [PayoutRow, PayoutRow, PayoutRow];
const OTHER = { ...FIRST, amount: 7 };

interface Asked extends Desk {
  readonly terminal: Terminal;
}

/** FIRST and SECOND were paid; then a person sends these at a terminal. */
async function asked(now: readonly object[], ...flags: string[]): Promise<Asked> {
  const at = await sentAt(await openDesk(), 'created', [FIRST, SECOND]);
  at.work.file('pay.csv', csv(now as PayoutRow[]));
  const terminal = openTerminal(at.work, create(at.service, ...flags), 300);
  return { ...at, terminal };
}

/** The command behind the remedy that has this word, as it is printed. */
function printed({ output }: Terminal, word: string): string[] {
  const line = output.split('\n').find((text) => text.includes(' payout create ') && text.includes(word));
  const command = /gigwork\S* (payout create .*)$/.exec(line ?? '')?.[1] ?? '';
  expect(command).not.toBe('');
  return command.split(' ');
}

test('under --yes, where there is no review, the summary says for people too when the newest payment was', async () => {
  const { work, service } = await ready();
  const first = await work.run(create(service, '--yes'));
  expect(first.stdout).toMatch(/^before {2}careful: gigwork does not know what was paid before$/m);
  work.file('pay.csv', csv([SWISS]));
  const second = await work.run(create(service, '--yes'));
  expect(second.stdout).toMatch(/^before {2}newest payment here: \d{4}-\d\d-\d\d \d\d:\d\d/m);
});

describe.skipIf(NO_TERMINAL !== '')(`repeats, decided at a terminal${NO_TERMINAL}`, () => {
  test('that are similar stand beside what was paid, and are sent when a person says so', async () => {
    const { service, terminal } = await asked([OTHER, THIRD]);
    await terminal.shows('skip, send or Enter: ');
    expect(terminal.output).toMatch(/line 2: .*person and purpose, now 7\.00 EUR \(run .*line 2.* 1,200\.50 EUR\)/);
    for (const answer of ['1', 'y']) {
      terminal.type(answer);
      await terminal.shows('skip, send or Enter: ');
    }
    terminal.type('send');
    await terminal.shows(question(service, '2 payouts, 317.00 EUR in all'));
    expect(terminal.output).toMatch(/of these similar to earlier ones +payouts in EUR +1 +7\.00$/m);
    terminal.type('317');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  test('of both kinds are asked about one after the other, each time with the figures of then', async () => {
    const { service, terminal } = await asked([FIRST, { ...SECOND, amount: 7 }, THIRD]);
    await terminal.shows('skip or Enter: ');
    // The last words before the answers: what is at risk, with its amount.
    const risk = /^Careful: 1 of these payments \(1,200\.50 EUR\) was already paid, .*\.\n\n {2}skip /m;
    expect(terminal.output).toMatch(risk);
    terminal.type('skip');
    await terminal.shows('skip, send or Enter: ');
    terminal.type('skip');
    await terminal.shows(question(service, '1 payout, 310.00 EUR'));
    terminal.type('310');
    expect(await terminal.ended).toBe(0);
    expect(terminal.output).toContain('3 records read: 1 paid, 2 left out (paid before)');
    expect(service.ledgerTotal()).toBe(3);
  });

  test('stop with Enter: nothing is sent; the command for another batch is printed, and does what it says', async () => {
    const at = await asked([FIRST, SECOND, THIRD]);
    await at.terminal.shows('skip or Enter: ');
    at.terminal.press('\n');
    expect(await at.terminal.ended).toBe(3);
    expect(at.service.ledgerTotal()).toBe(2);
    // Within 6 days another batch is asked about, too: nobody is paid twice by a name alone.
    const other = await at.work.run([...printed(at.terminal, '--batch-id'), '--yes', '--json']);
    expect(other.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats' });
    const left = await at.work.run([...printed(at.terminal, '--skip-created'), '--yes', '--json']);
    expect(left.summary.records).toMatchObject({ skipped: 2, created: 1 });
    expect(at.service.ledgerTotal()).toBe(3);
  });

  test('that an unfinished run has open are not asked about: its remedies are printed, and nothing is sent', async () => {
    const at = await openDesk((n) => ({ status: n === 1 ? 401 : 201 }));
    const { summary } = await at.send([FIRST, SECOND]);
    at.work.file('pay.csv', csv([FIRST, THIRD] as PayoutRow[]));
    const terminal = openTerminal(at.work, create(at.service), 300);
    await terminal.shows(` batch resume ${summary.run}`);
    await terminal.shows(` batch close ${summary.run}`);
    expect(await terminal.ended).toBe(3);
    expect(at.service.ledgerTotal()).toBe(0);
  });

  test('of a run that goes on are decided for that run, which stays the same', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
    const { summary } = await at.send([FIRST, SECOND]);
    await at.send([SECOND], '--batch-id', 'x');
    const terminal = openTerminal(at.work, ['batch', 'resume', summary.run]);
    await terminal.shows('skip, send or Enter: ');
    terminal.type('send');
    await terminal.shows(question(at.service, '1 payout, 34.05 EUR'));
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect([...at.service.executions.values()]).toEqual([1, 2]);
    expect((await at.batch('list')).runs).toHaveLength(2);
  });
});
