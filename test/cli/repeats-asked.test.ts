/** What a person is asked at a terminal about repeats, and what the answers do. CONTRACT: "Keys and repeats", "Repeats". */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { csv } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { create, PAID, question, THREE } from '../support/review.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const [FIRST, SECOND, THIRD] = PAID as [(typeof PAID)[0], (typeof PAID)[0], (typeof PAID)[0]];

/** Sends the first two rows; then the file has a third, or what else a test puts there. */
async function sentBefore(now: readonly object[] = PAID, ...flags: string[]) {
  const ws = workspace();
  const service = await testService();
  ws.file('pay.csv', csv([FIRST, SECOND]));
  expect((await ws.run(create(service, '--yes'))).code).toBe(0);
  ws.file('pay.csv', csv(now as typeof PAID));
  const terminal = openTerminal(ws, create(service, ...flags));
  return { ws, service, terminal };
}

/** The same, at the question. */
async function asked(...flags: string[]) {
  const { ws, service, terminal } = await sentBefore(PAID, ...flags);
  await terminal.shows('s, b or Enter: ');
  expect(service.ledgerTotal()).toBe(2);
  return { ws, service, terminal };
}

const ALIKE = [{ ...FIRST, amount: 7 }, THIRD];

describe.skipIf(NO_TERMINAL !== '')(`repeats, decided on a terminal${NO_TERMINAL}`, () => {
  it('are shown with the payments that they repeat, and the figures without them', async () => {
    const { terminal } = await asked();
    await terminal.shows(
      /line 2: this record was sent before \(run \S+ of \d{4}-\d\d-\d\d by clerk on desk, pay\.csv, line 2, 1,200\.50 EUR, created\)/,
    );
    await terminal.shows(/2 records were sent before, the last on \d{4}-\d\d-\d\d in run \S+ \(pay\.csv\)\./);
    expect(terminal.output).toContain('  s      they were paid already: leave them out; send the other one\n');
    expect(terminal.output).toMatch(
      /^Created before +payouts in EUR +2 +1,234\.55\nTo send now +payouts in EUR +1 +310\.00$/m,
    );
    terminal.type('');
    expect(await terminal.ended).toBe(3);
  });

  it('are left out', async () => {
    const { service, terminal } = await asked();
    terminal.type('s');
    await terminal.shows(question(service, '1 payout, 310.00 EUR'));
    expect(terminal.output).toMatch(
      /^Created before +payouts in EUR +2 +1,234\.55\nTo send now +payouts in EUR +1 +310\.00$/m,
    );
    terminal.type('310');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
    expect(terminal.output).toContain('3 records read: 1 created, 2 skipped');
  });

  it('that are similar stand beside what was sent before, and are sent in addition when their number is typed', async () => {
    const { service, terminal } = await sentBefore(ALIKE);
    await terminal.shows('s, 1, b or Enter: ');
    expect(terminal.output).toMatch(
      /^payee +line +before +now +difference +sent before\nu1 +2 +1,200\.50 +7\.00 +-1,193\.50 +EUR +\d{4}-\d\d-\d\d, line 2$/m,
    );
    expect(terminal.output).toMatch(
      /^Similar to earlier ones +payouts in EUR +1 +7\.00\nTo send now +payouts in EUR +1 +310\.00$/m,
    );
    terminal.type('1');
    await terminal.shows(question(service, '2 payouts, 317.00 EUR in all'));
    expect(terminal.output).toMatch(/^To send now +payouts in EUR +2 +317\.00$/m);
    terminal.type('317');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('that are similar are left out with s', async () => {
    const { service, terminal } = await sentBefore(ALIKE);
    await terminal.shows('s, 1, b or Enter: ');
    terminal.type('s');
    await terminal.shows(question(service, '1 payout, 310.00 EUR'));
    expect(terminal.output).toMatch(/^Similar ones, left out +payouts in EUR +1 +7\.00$/m);
    terminal.type('310');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });

  it('of both kinds are asked about one after the other, each time with the figures of then', async () => {
    const { service, terminal } = await sentBefore([FIRST, { ...SECOND, amount: 7 }, THIRD]);
    await terminal.shows('s, b or Enter: ');
    await terminal.shows('it was paid already: leave it out; send the other one; 1 similar record is asked about next');
    terminal.type('s');
    // Another batch for the whole file would pay once more what was left out just now.
    await terminal.shows('s, 1 or Enter: ');
    await terminal.shows('put these records alone into a file of their own');
    terminal.type('1');
    await terminal.shows(question(service, '2 payouts, 317.00 EUR in all'));
    terminal.type('317');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(4);
  });

  it('that were answered in part are refused with flags for all that was answered', async () => {
    const { service, terminal } = await sentBefore([FIRST, { ...SECOND, amount: 7 }, THIRD]);
    await terminal.shows('s, b or Enter: ');
    terminal.type('s');
    await terminal.shows('s, 1 or Enter: ');
    terminal.type('');
    expect(await terminal.ended).toBe(3);
    await terminal.shows('--skip-created --send-similar 1 sends the similar ones in addition');
    expect(service.ledgerTotal()).toBe(2);
  });

  it('that have come since a run began are decided for that run, which stays the same', async () => {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 2 ? 401 : 201 }) });
    ws.file('pay.csv', csv([FIRST, SECOND]));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    // What is still open in the run has become similar to a payment that was made meanwhile.
    ws.file('other.csv', csv([{ ...SECOND, amount: 35 }]));
    const other = ['payout', 'create', 'other.csv', '--base-url', service.url, '--yes'];
    expect((await ws.run(other)).code).toBe(0);
    const terminal = openTerminal(ws, create(service));
    await terminal.shows('s, 1 or Enter: ');
    terminal.type('1');
    await terminal.shows(question(service, '1 payout, 34.05 EUR'));
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect([...service.executions.values()]).toEqual([1, 1, 1]);
    expect(terminal.output).toMatch(new RegExp(`^run {5}${summary.run}$`, 'm'));
  });

  it('that are open in another run are sent by this one, each once; that run could go on, as is said', async () => {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 401 : 201 }) });
    ws.file('pay.csv', csv([FIRST, SECOND]));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    ws.file('pay.csv', csv(PAID));
    const terminal = openTerminal(ws, create(service));
    await terminal.shows('s, b or Enter: ');
    await terminal.shows('2 records are still open in another run, the last on');
    await terminal.shows(`Run ${summary.run} of `);
    await terminal.shows(`gigwork batch resume ${summary.run}`);
    expect(terminal.output).toContain('  s      send them with this run, once; send the other one\n');
    expect(terminal.output).not.toContain('sent before');
    expect(terminal.output).toMatch(
      /^Open in another run +payouts in EUR +2 +1,234\.55\nTo send now +payouts in EUR +1 +310\.00$/m,
    );
    terminal.type('s');
    await terminal.shows(question(service, THREE));
    terminal.type('1544.55');
    expect(await terminal.ended).toBe(0);
    expect([...service.executions.values()]).toEqual([1, 1, 1]);
    const shown = await ws.run(['batch', 'show', summary.run, '--json']);
    expect(JSON.parse(shown.stdout).records).toMatchObject({ already_created: 2, not_sent: 0 });
  });

  it('that have come since a run began are asked about when it is resumed, and it keeps its batch', async () => {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 2 ? 401 : 201 }) });
    ws.file('pay.csv', csv([FIRST, SECOND]));
    const { summary } = await ws.run(create(service, '--yes', '--json', '--concurrency', '1'));
    ws.file('other.csv', csv([{ ...SECOND, amount: 35 }]));
    expect((await ws.run(['payout', 'create', 'other.csv', '--base-url', service.url, '--yes'])).code).toBe(0);
    const terminal = openTerminal(ws, ['batch', 'resume', summary.run]);
    await terminal.shows('s, 1 or Enter: ');
    terminal.type('1');
    await terminal.shows(question(service, '1 payout, 34.05 EUR'));
    terminal.type('34.05');
    expect(await terminal.ended).toBe(0);
    expect(service.ledgerTotal()).toBe(3);
  });

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 3],
    ['Enter', '\n', 3],
  ])('stop with %s: nothing is sent', async (_name, key, code) => {
    const { service, terminal } = await asked();
    terminal.press(key);
    expect(await terminal.ended).toBe(code);
    expect(terminal.output).toContain('3 records read: 3 not sent');
    expect(service.ledgerTotal()).toBe(2);
  });

  it('stop after three answers that are none', async () => {
    const { service, terminal } = await sentBefore(ALIKE);
    await terminal.shows('s, 1, b or Enter: ');
    for (const answer of ['2', 'y']) {
      terminal.type(answer);
      await terminal.shows('That is none of them. s, 1, b or Enter: ');
    }
    terminal.type('7');
    expect(await terminal.ended).toBe(3);
    expect(service.ledgerTotal()).toBe(2);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`another period, named at the question${NO_TERMINAL}`, () => {
  it('goes on at once in that batch, with a review of its own; the same answer later goes on with that run', async () => {
    const { ws, service, terminal } = await asked();
    terminal.type('b');
    await terminal.shows(/Name of the batch, such as \d{4}-\d\d \(Enter stops\): $/);
    terminal.type('2026-12');
    await terminal.shows(question(service, THREE, '2026-12'));
    const review = terminal.output.slice(terminal.output.indexOf('2026-12\n'));
    expect(review).toMatch(/^Batch {4}2026-12$/m);
    expect(review).toMatch(/^Created before +0\nTo send now +payouts in EUR +3 +1,544\.55$/m);
    expect(review).toMatch(/2 records were paid, or some like them, in batch default, the last on/);
    // What was told when the file was read first is not told again.
    expect(review).not.toContain('pay.csv: csv');
    terminal.type('1544.55');
    expect(await terminal.ended).toBe(0);
    expect([...service.executions.values()].sort((a, b) => a - b)).toEqual([1, 2, 2]);
    expect(terminal.output).toMatch(/^batch {3}2026-12$/m);
    const [run] = JSON.parse((await ws.run(['batch', 'list', '--json'])).stdout).runs;
    expect(run).toMatchObject({ batch_id: '2026-12', records: { created: 3 } });
    // As if the name had stood on the command line.
    const again = await ws.run(create(service, '--batch-id', '2026-12', '--yes', '--json'));
    expect(again.summary).toMatchObject({ exit_code: 0, run: run.run, digest: run.digest });
    expect(again.summary.records).toMatchObject({ already_created: 3 });
  });

  it('is asked about repeats of that batch alone', async () => {
    const { service, terminal, ws } = await asked('--batch-id', 'default');
    ws.file('other.csv', csv([THIRD]));
    const other = ['payout', 'create', 'other.csv', '--base-url', service.url, '--yes', '--batch-id', '2026-12'];
    expect((await ws.run(other)).code).toBe(0);
    terminal.type('b');
    await terminal.shows('Name of the batch');
    terminal.type('2026-12');
    await terminal.shows('s, b or Enter: ');
    await terminal.shows(/1 record was sent before, on \S+ in run \S+ \(other\.csv\)\./);
    expect(terminal.output).toMatch(
      /^Created before +payouts in EUR +1 +310\.00\nTo send now +payouts in EUR +2 +1,234\.55$/m,
    );
    terminal.type('s');
    await terminal.shows(question(service, '2 payouts, 1,234.55 EUR in all', '2026-12'));
    terminal.type('1234.55');
    expect(await terminal.ended).toBe(0);
    expect([...service.executions.values()].sort((a, b) => a - b)).toEqual([1, 2, 2]);
  });

  it('is asked for again where it is the present one, blank, too long or not to be seen; Enter stops', async () => {
    const { service, terminal } = await asked();
    terminal.type('b');
    await terminal.shows('Name of the batch');
    for (const [name, fault] of [
      ['default', 'That name is the batch that it is in now.'],
      ['   ', 'A blank name says nothing.'],
      ['x'.repeat(201), 'That name takes a name of 1 to 200 printable characters.'],
      ['2026\u200b-12', 'That name holds a character that nobody sees (U+200B).'],
    ] as const) {
      terminal.type(name);
      await terminal.shows(`${fault} Another one (Enter stops): `);
    }
    terminal.type('');
    expect(await terminal.ended).toBe(3);
    expect(service.ledgerTotal()).toBe(2);
  });

  it('stands in the command that goes on after an interruption, in the place of any other', async () => {
    const { service, terminal } = await asked('--batch-id=default');
    terminal.type('b');
    await terminal.shows('Name of the batch');
    terminal.type("Mai's bonus");
    await terminal.shows(question(service, THREE, "Mai's bonus"));
    terminal.press('\u0003');
    expect(await terminal.ended).toBe(130);
    await terminal.shows(
      /To go on: gigwork payout create pay\.csv --base-url \S+ --state-dir \S+ --batch-id 'Mai'\\''s bonus'/,
    );
    expect(service.ledgerTotal()).toBe(2);
  });

  it('is refused where the file has changed meanwhile', async () => {
    const { ws, service, terminal } = await asked();
    terminal.type('b');
    await terminal.shows('Name of the batch');
    writeFileSync(ws.path('pay.csv'), csv([FIRST, SECOND, { ...THIRD, amount: 3100 }]));
    terminal.type('2026-12');
    expect(await terminal.ended).toBe(2);
    expect(terminal.output.replaceAll(/\s+/g, ' ')).toContain(
      'pay.csv has changed since it was read first, so nothing was sent: run the command again, with the name of the batch',
    );
    expect(service.ledgerTotal()).toBe(2);
  });

  it('refuses what was approved for another batch', async () => {
    const { ws, service } = await sentBefore();
    const { summary } = await ws.run(create(service, '--dry-run', '--json'));
    const terminal = openTerminal(ws, create(service, '--expect-digest', summary.digest));
    await terminal.shows('s, b or Enter: ');
    terminal.type('b');
    await terminal.shows('Name of the batch');
    terminal.type('2026-12');
    expect(await terminal.ended).toBe(3);
    expect(terminal.output).toContain('--expect-digest');
    expect(service.ledgerTotal()).toBe(2);
  });

  it('tells a program of each record once, in that batch', async () => {
    const { ws, service } = await sentBefore();
    const terminal = openTerminal(ws, create(service, '--json'));
    await terminal.shows('s, b or Enter: ');
    terminal.type('b');
    await terminal.shows('Name of the batch');
    terminal.type('2026-12');
    await terminal.shows(question(service, THREE, '2026-12'));
    terminal.type('1544.55');
    expect(await terminal.ended).toBe(0);
    const events = terminal.output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(events.filter(({ event }) => event === 'record').map(({ status }) => status)).toEqual([
      'created',
      'created',
      'created',
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'summary', exit_code: 0, batch_id: '2026-12' });
  });

  it('cannot be named where the input cannot be read again: a pipe', async () => {
    const { ws, service } = await sentBefore();
    execFileSync('mkfifo', [ws.path('pipe.csv')]);
    // Waits until the pipe is read.
    void writeFile(ws.path('pipe.csv'), csv(PAID));
    const terminal = openTerminal(
      ws,
      create(service).map((word) => (word === 'pay.csv' ? 'pipe.csv' : word)),
    );
    await terminal.shows('s or Enter: ');
    await terminal.shows('run the same command with a name for that, --batch-id NAME (now it is default).');
    terminal.type('');
    expect(await terminal.ended).toBe(3);
  });
});
