import { describe, expect, it } from 'vitest';
import { csv } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';
import { create, PAID, question, SWISS, THREE } from '../support/review.js';

describe.skipIf(NO_TERMINAL !== '')(`the review on a terminal${NO_TERMINAL}`, () => {
  it('shows what would be sent, and sends it when the total is typed', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(PAID));
    const terminal = openTerminal(ws, create(service, '--account', 'desk'));
    await terminal.shows(`to ${service.url}, account desk, batch default, type their total (Enter stops): `);
    for (const line of [
      /^To send {2}3 payouts, 1,544\.55 EUR$/m,
      /^Target {3}http:\/\/127\.0\.0\.1:\d+$/m,
      /^Account {2}desk$/m,
      /^File {5}pay\.csv, 3 records$/m,
      /^SHA-256 {2}[0-9a-f]{64}$/m,
      /^Digest {3}[0-9a-f]{64}$/m,
      /^ {2}EUR +PP-1 +2 +1,234\.55$/m,
      /^ {2}EUR +PP-2 +1 +310\.00$/m,
      /^ {2}EUR +all +3 +1,544\.55$/m,
      /^In the input +payouts in EUR +3 +1,544\.55$/m,
      /^Created before +0$/m,
      /^To send now +payouts in EUR +3 +1,544\.55$/m,
      /^Largest payouts {2}1,200\.50 EUR {2}line 2, u1\n {19}310\.00 EUR {2}line 4, u3\n {20}34\.05 EUR {2}line 3, u2$/m,
    ]) {
      expect(terminal.output).toMatch(line);
    }
    expect(service.requestCount).toBe(0);
    terminal.type('1.544,55');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });

  it('does not ask where the input was typed itself', async () => {
    const ws = workspace();
    const service = await testService();
    const input = ['-', '--format', 'csv', '--json'];
    const terminal = openTerminal(ws, ['payout', 'create', ...input, '--base-url', service.url]);
    await terminal.shows('reading standard input; Ctrl-D ends it');
    for (const line of csv(PAID).trimEnd().split('\r\n')) terminal.type(line);
    terminal.press('\u0004');
    expect(await terminal.ended).toBe(2);
    expect(terminal.output).toContain('sending needs a confirmation, and it would be typed');
    expect(terminal.output).toMatch(/"stop_reason":"not_confirmed","records":\{"read":3,/);
    expect(service.requestCount).toBe(0);
  });

  it('counts the warnings that --quiet has hidden', async () => {
    const ws = workspace();
    ws.file('pay.csv', csv(PAID.map((row) => ({ ...row, user_id: ` ${row.user_id}` }))));
    const service = await testService();
    const terminal = openTerminal(ws, create(service, '--quiet'));
    await terminal.shows(question(service, THREE));
    expect(terminal.output).toMatch(/^3 warnings$/m);
    expect(terminal.output).not.toContain('surrounding-space');
    terminal.type('');
    expect(await terminal.ended).toBe(2);
  });

  it('takes three wrong totals for a no', async () => {
    const answers = ['1544.5', '1,544.56', '154455'];
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(PAID));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows(question(service, THREE));
    for (const [i, answer] of answers.entries()) {
      if (i > 0) await terminal.shows('That is not the total.');
      terminal.type(answer);
    }
    expect(await terminal.ended).toBe(2);
    expect(terminal.output).toContain('not confirmed: nothing was sent');
    expect(service.requestCount).toBe(0);
  });

  it('asks for the total of each currency, and sends nothing unless each is right', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv([...PAID, SWISS]));
    const refused = openTerminal(ws, create(service));
    await refused.shows(question(service, '1 payout, 75.00 CHF'));
    refused.type('75');
    await refused.shows(question(service, THREE));
    refused.type('');
    expect(await refused.ended).toBe(2);
    expect(service.requestCount).toBe(0);

    const given = openTerminal(ws, create(service));
    await given.shows('75.00 CHF');
    given.type('75.00 chf');
    await given.shows('1,544.55 EUR in all');
    given.type('1 544.55');
    expect(await given.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('Ctrl-C at the question sends nothing', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(PAID));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows(question(service, THREE));
    terminal.press('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(service.requestCount).toBe(0);
  });

  it('Ctrl-D at the question sends nothing, also behind a total without Enter', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(PAID));
    for (const typed of ['', '1544.55\u0004']) {
      const terminal = openTerminal(ws, create(service));
      await terminal.shows(question(service, THREE));
      terminal.press(`${typed}\u0004`);
      expect(await terminal.ended).toBe(2);
      expect(terminal.output).toContain('not confirmed: nothing was sent');
    }
    expect(service.requestCount).toBe(0);
  });

  it('has the money in bold, and no colour that a light or a dark ground swallows; NO_COLOR has none', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(PAID.map((row) => ({ ...row, user_id: ` ${row.user_id}` }))));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows(question(service, THREE));
    const styles = new Set([...terminal.colored.matchAll(/\u001b\[(\d+)m/g)].map(([, style]) => Number(style)));
    // Bold and dim, red and magenta, and their ends.
    expect([...styles].filter((style) => ![1, 2, 22, 31, 35, 39].includes(style))).toEqual([]);
    expect(terminal.colored).toMatch(/\u001b\[1mTo send now .* 1,544\.55\u001b\[22m/);
    const plain = openTerminal(ws, create(service, '--no-color'));
    await plain.shows(question(service, THREE));
    expect(plain.colored).not.toMatch(/\u001b\[\d*m/);
  });

  // On a busy machine the system may tell of the width after both answers.
  it(
    'waits on when the terminal is made narrower, and asks the next question as wide as it is then',
    { retry: 3 },
    async () => {
      const ws = workspace();
      const service = await testService();
      ws.file('pay.csv', csv([...PAID, SWISS]));
      const terminal = openTerminal(ws, create(service));
      await terminal.shows(question(service, '1 payout, 75.00 CHF'));
      terminal.resize(50);
      // The program may hear of the width a moment after the answer.
      terminal.type('7');
      await terminal.shows('Type it again');
      terminal.type('75');
      await terminal.shows(question(service, THREE));
      const asked = terminal.output.slice(terminal.output.indexOf('To send 3 payouts, 1,544.55 EUR in all'));
      expect(asked.split('\n').filter((line) => line.length > 50)).toEqual([]);
      terminal.type('1544.55');
      expect(await terminal.ended).toBe(0);
      expect(service.ledgerTotal()).toBe(4);
    },
  );

  it('asks nothing with --yes', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(PAID));
    const terminal = openTerminal(ws, create(service, '--yes'));
    expect(await terminal.ended).toBe(0);
    expect(terminal.output).not.toContain('type their total');
    expect(service.ledgerTotal()).toBe(3);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`a run that is resumed on a terminal${NO_TERMINAL}`, () => {
  /** Of two payouts, the second was not sent. */
  async function unfinished() {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 2 ? 401 : 201 }) });
    ws.file('pay.csv', csv(PAID.slice(0, 2)));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    return { ws, service, run: summary.run as string };
  }

  it('shows the same review and asks the same question as a first run', async () => {
    const { ws, service, run } = await unfinished();
    const terminal = openTerminal(ws, ['batch', 'resume', run]);
    await terminal.shows(question(service, '1 payout, 34.05 EUR'));
    for (const line of [
      /^Target {3}http:\/\/127\.0\.0\.1:\d+$/m,
      /^Batch {4}default$/m,
      /^File {5}pay\.csv, 2 records$/m,
      /^Digest {3}[0-9a-f]{64}$/m,
      /^Created before +payouts in EUR +1 +1,200\.50$/m,
      /^To send now +payouts in EUR +1 +34\.05$/m,
      /^The payout {2}34\.05 EUR {2}line 3, u2$/m,
    ])
      expect(terminal.output).toMatch(line);
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(2);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`a terminal of any width${NO_TERMINAL}`, () => {
  it('of 40 columns gets no table line that is wider', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file(
      'pay.csv',
      csv([...PAID, SWISS].map((row) => ({ ...row, cost_center_key: `${row.cost_center_key}-BERLIN-MITTE` }))),
    );
    const terminal = openTerminal(ws, create(service), 40);
    await terminal.shows('amount (Enter stops): ');
    const lines = terminal.output.split('\n');
    expect(lines.join(' ')).toMatch(/EUR, PP-1-BERLIN-MITTE, +records 2, +amount +1,234\.55/);
    const isLong = (line: string): boolean => line.length > 40 && !/[0-9a-f]{64}/.test(line);
    expect(lines.filter(isLong)).toEqual([]);
    terminal.type('');
    expect(await terminal.ended).toBe(2);
  });
});
