/** What a person is asked at a terminal about repeats, and what the answers do. CONTRACT: "Keys and repeats", "Repeats". */
import { describe, expect, test } from 'vitest';
import { csv, type PayoutRow } from '../support/builders.js';
import { type Desk, desk, sentAt } from '../support/desk.js';
import { create, PAID, question } from '../support/review.js';
import { NO_TERMINAL, openTerminal, type Terminal } from '../support/terminal.js';

const [FIRST, SECOND, THIRD] = PAID as unknown as [PayoutRow, PayoutRow, PayoutRow];
const OTHER = { ...FIRST, amount: 7 };

interface Asked extends Desk {
  readonly terminal: Terminal;
}

/** FIRST and SECOND were paid; then a person sends these at a terminal. */
async function asked(now: readonly object[], ...flags: string[]): Promise<Asked> {
  const at = await sentAt(await desk(), 'created', [FIRST, SECOND]);
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
    const at = await desk((n) => ({ status: n === 1 ? 401 : 201 }));
    const { summary } = await at.send([FIRST, SECOND]);
    at.work.file('pay.csv', csv([FIRST, THIRD] as PayoutRow[]));
    const terminal = openTerminal(at.work, create(at.service), 300);
    await terminal.shows(` batch resume ${summary.run}`);
    await terminal.shows(` batch close ${summary.run}`);
    expect(await terminal.ended).toBe(3);
    expect(at.service.ledgerTotal()).toBe(0);
  });

  test('of a run that goes on are decided for that run, which stays the same', async () => {
    const at = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    const { summary } = await at.send([FIRST, SECOND]);
    await at.send([{ ...SECOND, amount: 35 }]);
    const terminal = openTerminal(at.work, ['batch', 'resume', summary.run]);
    await terminal.shows('skip, send or Enter: ');
    terminal.type('send');
    await terminal.shows(question(at.service, '1 payout, 34.05 EUR'));
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect([...at.service.executions.values()]).toEqual([1, 1, 1]);
    expect((await at.batch('list')).runs).toHaveLength(2);
  });
});
