import { describe, expect, it } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';
import type { Service } from '../support/service.js';

const ROWS = [
  { user_id: 'u1', amount: 1200.5, title: 'Bonus', cost_center_key: 'PP-1', currency: 'EUR' },
  { user_id: 'u2', amount: 34.05, title: 'Bonus', cost_center_key: 'PP-1', currency: 'EUR' },
  { user_id: 'u3', amount: 310, title: 'Bonus', cost_center_key: 'PP-2', currency: 'EUR' },
];
const SWISS = { user_id: 'u4', amount: 75, title: 'Bonus', cost_center_key: 'PP-2', currency: 'CHF' };
const EUR_QUESTION = 'To send 3 payouts in EUR, type their total: ';

function create(service: Service, ...more: string[]): string[] {
  return ['payout', 'create', 'pay.csv', '--base-url', service.url, ...more];
}

describe.skipIf(NO_TERMINAL !== '')(`the review on a terminal${NO_TERMINAL}`, () => {
  it('shows what would be sent, and sends it when the total is typed', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(ROWS));
    const terminal = openTerminal(ws, create(service, '--account', 'desk'));
    await terminal.shows(EUR_QUESTION);
    for (const line of [
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
      /^Largest payouts\n {2}1,200\.50 EUR {2}line 2, \w+\n {4}310\.00 EUR {2}line 4, \w+\n {5}34\.05 EUR {2}line 3, \w+$/m,
      /^Smallest payout\n {5}34\.05 EUR {2}line 3, \w+$/m,
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
    for (const line of csv(ROWS).trimEnd().split('\r\n')) terminal.type(line);
    terminal.press('\u0004');
    expect(await terminal.ended).toBe(2);
    expect(terminal.output).toContain('sending needs a confirmation, and it would be typed');
    expect(terminal.output).toMatch(/"stop_reason":"not_confirmed","records":\{"read":3,/);
    expect(service.requestCount).toBe(0);
  });

  it('says that --quiet has hidden warnings', async () => {
    const ws = workspace();
    ws.file('pay.csv', csv(ROWS.map((row) => ({ ...row, user_id: ` ${row.user_id}` }))));
    const terminal = openTerminal(ws, create(await testService(), '--quiet'));
    await terminal.shows(EUR_QUESTION);
    expect(terminal.output).toMatch(/^3 warnings, not shown: --quiet$/m);
    expect(terminal.output).not.toContain('surrounding-space');
    terminal.type('');
    expect(await terminal.ended).toBe(2);
  });

  it.each<[string, string[]]>([
    ['no answer', ['']],
    ['a yes', ['y', '']],
    ['three wrong totals', ['1544.5', '1,544.56', '154455']],
  ])('takes %s for a no', async (_name, answers) => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(ROWS));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows(EUR_QUESTION);
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
    ws.file('pay.csv', csv([...ROWS, SWISS]));
    const refused = openTerminal(ws, create(service));
    await refused.shows('To send 1 payout in CHF, type its amount: ');
    refused.type('75');
    await refused.shows(EUR_QUESTION);
    refused.type('');
    expect(await refused.ended).toBe(2);
    expect(service.requestCount).toBe(0);

    const given = openTerminal(ws, create(service));
    await given.shows('in CHF');
    given.type('75.00 chf');
    await given.shows('in EUR');
    given.type('1 544.55');
    expect(await given.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('Ctrl-C at the question sends nothing', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(ROWS));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows(EUR_QUESTION);
    terminal.press('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(service.requestCount).toBe(0);
  });

  it('asks nothing with --yes', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(ROWS));
    const terminal = openTerminal(ws, create(service, '--yes'));
    expect(await terminal.ended).toBe(0);
    expect(terminal.output).not.toContain('type their total');
    expect(service.ledgerTotal()).toBe(3);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`repeats, decided on a terminal${NO_TERMINAL}`, () => {
  /** Sends the first two rows; then the file has a third, or what else a test puts there. */
  async function sentBefore(now: readonly object[] = ROWS, ...flags: string[]) {
    const ws = workspace();
    const service = await testService();
    ws.file('pay.csv', csv(ROWS.slice(0, 2)));
    expect((await ws.run(create(service, '--yes'))).code).toBe(0);
    ws.file('pay.csv', csv(now as typeof ROWS));
    const terminal = openTerminal(ws, create(service, ...flags));
    return { ws, service, terminal };
  }

  /** The same, at the question. */
  async function asked() {
    const { ws, service, terminal } = await sentBefore();
    await terminal.shows('s or Enter: ');
    expect(terminal.output).toMatch(
      /line 2: this record was sent before\s\(run\s\S+\sof\s+\d{4}-\d\d-\d\d,\spay\.csv,\sline\s2,\s1,200\.50\sEUR,\screated\)/,
    );
    expect(terminal.output).toContain('2 records were sent before.\n');
    expect(terminal.output).toContain('s      they were paid already: leave them out; send the other one\n');
    expect(service.ledgerTotal()).toBe(2);
    return { ws, service, terminal };
  }

  it('are left out', async () => {
    const { service, terminal } = await asked();
    terminal.type('s');
    await terminal.shows('To send 1 payout in EUR, type its amount: ');
    expect(terminal.output).toMatch(/^Created before +payouts in EUR +2 +1,234\.55\n/m);
    expect(terminal.output).toMatch(/^To send now +payouts in EUR +1 +310\.00$/m);
    terminal.type('310');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
    expect(terminal.output).toContain('3 records read: 1 created, 2 skipped');
  });

  it('are not paid again by any answer: another period needs a name, as is said', async () => {
    const { service, terminal } = await asked();
    expect(terminal.output.replaceAll(/\s+/g, ' ')).toContain(
      'If they are for another period or purpose: stop, and run the same command with a name for that, --batch-id NAME (now it is default).',
    );
    terminal.type('2');
    expect(await terminal.ended).toBe(3);
    expect(service.ledgerTotal()).toBe(2);
  });

  it('that are similar are sent in addition when their number is typed, and then the total', async () => {
    const { service, terminal } = await sentBefore([{ ...ROWS[0], amount: 7 }, ROWS[2]!]);
    await terminal.shows('s, the number 1, or Enter: ');
    expect(terminal.output).toContain('1 record is similar to an earlier one: same user and title');
    terminal.type('1');
    await terminal.shows('To send 2 payouts in EUR, type their total: ');
    terminal.type('317');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('that are similar are left out with s', async () => {
    const { service, terminal } = await sentBefore([{ ...ROWS[0], amount: 7 }, ROWS[2]!]);
    await terminal.shows('s, the number 1, or Enter: ');
    terminal.type('s');
    await terminal.shows('To send 1 payout in EUR, type its amount: ');
    terminal.type('310');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });

  it('of both kinds are asked about one after the other', async () => {
    const { service, terminal } = await sentBefore([ROWS[0]!, { ...ROWS[1], amount: 7 }, ROWS[2]!]);
    await terminal.shows('s or Enter: ');
    expect(terminal.output).toContain('it was paid already: leave it out; send the other one; 1 similar record');
    terminal.type('s');
    await terminal.shows('s, the number 1, or Enter: ');
    terminal.type('1');
    await terminal.shows('To send 2 payouts in EUR, type their total: ');
    terminal.type('317');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('that have come since a run began are decided for that run, which stays the same', async () => {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 2 ? 401 : 201 }) });
    ws.file('pay.csv', csv(ROWS.slice(0, 2)));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    // What is still open in the run has become similar to a payment that was made meanwhile.
    ws.file('other.csv', csv([{ ...ROWS[1], amount: 35 }]));
    const other = ['payout', 'create', 'other.csv', '--base-url', service.url, '--yes'];
    expect((await ws.run(other)).code).toBe(0);
    const terminal = openTerminal(ws, create(service));
    await terminal.shows('s, the number 1, or Enter: ');
    expect(terminal.output.replaceAll(/\s+/g, ' ')).toContain('put these records alone into a file of their own');
    terminal.type('1');
    await terminal.shows('type its amount: ');
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect([...service.executions.values()]).toEqual([1, 1, 1]);
    expect(terminal.output).toMatch(new RegExp(`^run {5}${summary.run}$`, 'm'));
  });

  it('that are open in another run are sent by this one, each once', async () => {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 401 : 201 }) });
    ws.file('pay.csv', csv(ROWS.slice(0, 2)));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    ws.file('pay.csv', csv(ROWS));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows('s or Enter: ');
    expect(terminal.output).toContain('2 records are still open in another run.\n');
    expect(terminal.output).toContain('s      send them with this run, each once; send the other one\n');
    expect(terminal.output).not.toContain('sent before');
    expect(terminal.output).toMatch(/^To send now +payouts in EUR +3 +1,544\.55$/m);
    terminal.type('s');
    await terminal.shows(EUR_QUESTION);
    terminal.type('1544.55');
    expect(await terminal.ended).toBe(0);
    expect([...service.executions.values()]).toEqual([1, 1, 1]);
    const shown = await ws.run(['batch', 'show', summary.run, '--json']);
    expect(JSON.parse(shown.stdout).records).toMatchObject({ already_created: 2, not_sent: 0 });
  });

  it('end as interrupted when the question is answered with Ctrl-C', async () => {
    const { service, terminal } = await asked();
    terminal.press('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(service.ledgerTotal()).toBe(2);
  });

  it('stop the run with no answer', async () => {
    const { service, terminal } = await asked();
    terminal.type('');
    expect(await terminal.ended).toBe(3);
    expect(service.ledgerTotal()).toBe(2);
  });

  it('stop the run with another number', async () => {
    const { service, terminal } = await sentBefore([{ ...ROWS[0], amount: 7 }]);
    await terminal.shows('s, the number 1, or Enter: ');
    terminal.type('2');
    expect(await terminal.ended).toBe(3);
    expect(service.ledgerTotal()).toBe(2);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`a run that is resumed on a terminal${NO_TERMINAL}`, () => {
  /** Of two payouts, the second was not sent. */
  async function unfinished() {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 2 ? 401 : 201 }) });
    ws.file('pay.csv', csv(ROWS.slice(0, 2)));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    return { ws, service, run: summary.run as string };
  }

  it('shows the same review and asks the same question as a first run', async () => {
    const { ws, service, run } = await unfinished();
    const terminal = openTerminal(ws, ['batch', 'resume', run]);
    await terminal.shows('To send 1 payout in EUR, type its amount: ');
    for (const line of [
      /^Target {3}http:\/\/127\.0\.0\.1:\d+$/m,
      /^Batch {4}default$/m,
      /^File {5}pay\.csv, 2 records$/m,
      /^Digest {3}[0-9a-f]{64}$/m,
      /^Created before +payouts in EUR +1 +1,200\.50$/m,
      /^To send now +payouts in EUR +1 +34\.05$/m,
      /^Largest payouts\n {2}34\.05 EUR {2}line 3, \w+$/m,
    ])
      expect(terminal.output).toMatch(line);
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(2);
  });

  it.each<[string, string]>([
    ['no answer', ''],
    ['a yes', 'y'],
  ])('sends nothing at %s', async (_name, answer) => {
    const { ws, service, run } = await unfinished();
    const terminal = openTerminal(ws, ['batch', 'resume', run]);
    await terminal.shows('type its amount: ');
    terminal.type(answer);
    if (answer !== '') terminal.type('');
    expect(await terminal.ended).toBe(2);
    expect(terminal.output).toContain('not confirmed: nothing was sent');
    expect(service.requestCount).toBe(2);
  });

  it('asks about repeats that have come since, and keeps its batch', async () => {
    const { ws, service, run } = await unfinished();
    ws.file('other.csv', csv([{ ...ROWS[1], amount: 35 }]));
    expect((await ws.run(['payout', 'create', 'other.csv', '--base-url', service.url, '--yes'])).code).toBe(0);
    const terminal = openTerminal(ws, ['batch', 'resume', run]);
    await terminal.shows('s, the number 1, or Enter: ');
    expect(terminal.output.replaceAll(/\s+/g, ' ')).toContain('put these records alone into a file of their own');
    terminal.type('1');
    await terminal.shows('To send 1 payout in EUR, type its amount: ');
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`a terminal of any width${NO_TERMINAL}`, () => {
  it('of 40 columns gets no table line that is wider', async () => {
    const ws = workspace();
    const service = await testService();
    ws.file(
      'pay.csv',
      csv([...ROWS, SWISS].map((row) => ({ ...row, cost_center_key: `${row.cost_center_key}-BERLIN-MITTE` }))),
    );
    const terminal = openTerminal(ws, create(service), 40);
    await terminal.shows('amount: ');
    expect(terminal.output).toMatch(/^To send 1 payout in CHF, type its\n {4}amount: $/m);
    const table = terminal.output.split('\n').filter((line) => line.startsWith('  ') || line.startsWith('In the'));
    expect(table).toContain('  EUR, PP-1-BERLIN-MITTE');
    expect(table).toContain('      records 2  amount 1,234.55');
    expect(table.filter((line) => line.length > 40)).toEqual([]);
    terminal.type('');
    expect(await terminal.ended).toBe(2);
  });

  it('says how many of 200 cost centers it does not show, and sums them up', async () => {
    const ws = workspace();
    const service = await testService();
    const rows = payouts(200).map((row, i) => ({ ...row, cost_center_key: `PP-${i}` }));
    ws.file('pay.csv', csv(rows));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows('type their total: ');
    const shown = [...terminal.output.matchAll(/^ {2}none +(\S+|176 more) +([\d,]+) +([\d,]+)$/gm)];
    const amounts = shown.map(([, , , amount = '']) => Number(amount.replaceAll(',', '')));
    expect(shown.length).toBe(26);
    expect(shown.at(-2)?.slice(1, 3)).toEqual(['176 more', '176']);
    const total = rows.reduce((sum, { amount }) => sum + amount, 0);
    expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(total);
    expect(amounts.at(-1)).toBe(total);
    expect(terminal.output).toContain('176 rows are summed up as "more"');
    const largest = rows.map(({ amount }) => amount).sort((one, other) => other - one);
    const [, listed = ''] = /Largest payouts\n((?: {2}.*\n)+)Smallest payout\n/.exec(terminal.output) ?? [];
    expect(listed.match(/[\d,]+(?= {2}line)/g)?.map((text) => Number(text.replaceAll(',', '')))).toEqual(
      largest.slice(0, 5),
    );
    expect(terminal.output).toMatch(new RegExp(`Smallest payout\\n +${largest.at(-1)?.toLocaleString('en')} {2}line`));
    terminal.type('');
    expect(await terminal.ended).toBe(2);
  });
});
