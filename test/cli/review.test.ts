/** The review that a person reads at a terminal, and the totals that the person types. CONTRACT: "Safety flags". */
import { describe, expect, it } from 'vitest';
import { csv, type Row } from '../support/builders.js';
import { type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { create, PAID, question, SWISS, THREE } from '../support/review.js';
import type { Service } from '../support/service.js';
import { NO_TERMINAL, openTerminal, type Terminal } from '../support/terminal.js';

interface Desk {
  readonly ws: Workspace;
  readonly service: Service;
  /** Sends the rows at a terminal. */
  open(...flags: string[]): Terminal;
}

async function desk(rows: readonly Row[] = PAID): Promise<Desk> {
  const ws = workspace();
  const service = await testService();
  ws.file('pay.csv', csv(rows));
  return { ws, service, open: (...flags) => openTerminal(ws, create(service, ...flags)) };
}

function expectShown({ output }: Terminal, lines: readonly RegExp[]): void {
  for (const line of lines) expect(output).toMatch(line);
}

describe.skipIf(NO_TERMINAL !== '')(`the review on a terminal${NO_TERMINAL}`, () => {
  it('shows what would be sent, and sends it when the total is typed', async () => {
    const { service, open } = await desk();
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
    const { service, open } = await desk();
    const terminal = open();
    await terminal.shows(question(service, THREE));
    terminal.press(keys);
    expect(await terminal.ended).toBe(code);
    expect(service.requestCount).toBe(0);
  });

  // On a busy machine the system may tell of the width after both answers.
  it('asks for the total of each currency, as wide as the terminal is then', { retry: 3 }, async () => {
    const { service, open } = await desk([...PAID, SWISS]);
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
    const asked = given.output.slice(given.output.indexOf('To send 3 payouts, 1,544.55 EUR in all'));
    expect(asked.split('\n').filter((line) => line.length > 50)).toEqual([]);
    given.type('1 544.55');
    expect(await given.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('of a run that is resumed is the same, and asks the same question', async () => {
    const { ws, service } = await desk(PAID.slice(0, 2));
    service.responder(({ n }) => ({ status: n === 2 ? 401 : 201 }));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    const terminal = openTerminal(ws, ['batch', 'resume', summary.run]);
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
