/** What is new since the last batch of the profile. CONTRACT: `--yes`. */
import { describe, expect, it, test } from 'vitest';
import { csv } from '../support/builders.js';
import { correcting, type Desk, openDesk, recordsOf } from '../support/desk.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

function pay(user: string, amount: number, month: string) {
  return { user_id: user, amount, currency: 'EUR', title: `Salary ${month}`, cost_center_key: 'PP-1' };
}

const OCTOBER = [pay('u1', 1200, '10'), pay('u2', 900, '10'), pay('u3', 700, '10')];
/** u2 is gone, u4 is new, u1 gets another amount. */
const NOVEMBER = [pay('u1', 1250, '11'), pay('u3', 700, '11'), pay('u4', 800, '11')];

const PAYROLL = ['--config', 'config.json', '--profile', 'payroll'];
const CHANGES = [
  /^Since {4}batch 2026-10 \(run \S+, \d{4}-\d\d-\d\d\), by payee:$/m,
  /^New {6}1 payee: u4 800\.00 EUR$/m,
  /^Gone {5}1 payee: u2 900\.00 EUR$/m,
  /^Changed {2}1 payee: u1 1,200\.00 → 1,250\.00 EUR$/m,
];

/** October was paid under the profile. */
async function afterOctober(rows: readonly object[] = OCTOBER): Promise<Desk> {
  const at = await openDesk();
  at.work.file('config.json', '{"profiles": {"payroll": {"decimal": "point"}, "other": {"decimal": "point"}}}');
  const { summary } = await at.send(rows, ...PAYROLL, '--batch-id', '2026-10');
  expect(summary.exit_code).toBe(0);
  return at;
}

/** A dry run for people. */
async function dryRun(at: Desk, rows: readonly object[], ...flags: string[]): Promise<string> {
  at.work.file('november.csv', csv(rows as never));
  const words = ['payout', 'create', 'november.csv', '--base-url', at.service.url, '--dry-run'];
  return (await at.work.run([...words, ...flags])).stdout;
}

const IN_NOVEMBER = [...PAYROLL, '--batch-id', '2026-11'];

describe('a dry run', () => {
  it('says who is new, gone, or gets another amount', async () => {
    const at = await afterOctober();
    const output = await dryRun(at, NOVEMBER, ...IN_NOVEMBER);
    for (const line of CHANGES) expect(output).toMatch(line);
    const same = OCTOBER.map((row) => ({ ...row, title: 'Salary 11' }));
    expect(await dryRun(at, same, ...IN_NOVEMBER)).toMatch(/^Since .*: the same payees, with the same amounts$/m);
  });

  it.each([
    ['without a profile', ['--batch-id', '2026-11']],
    ['with another profile', ['--config', 'config.json', '--profile', 'other', '--batch-id', '2026-11']],
    ['in the same batch', [...PAYROLL, '--batch-id', '2026-10']],
    ['for a program', [...IN_NOVEMBER, '--json']],
  ])('%s says nothing of it', async (_what, flags) => {
    const at = await afterOctober();
    expect(await dryRun(at, NOVEMBER, ...flags)).not.toMatch(/Since|changes/);
  });

  it('counts what other runs have paid, in both batches', async () => {
    const at = await afterOctober(OCTOBER.slice(0, 2));
    await at.send(OCTOBER.slice(2), ...PAYROLL, '--batch-id', '2026-10');
    await at.send(NOVEMBER.slice(0, 2), ...IN_NOVEMBER);
    const output = await dryRun(at, NOVEMBER.slice(2), ...IN_NOVEMBER);
    expect(output).toMatch(/^Since {4}batch 2026-10 \(2 runs, the newest \S+, \d{4}-\d\d-\d\d\), with 2 payments\b/m);
    for (const line of CHANGES.slice(1)) expect(output).toMatch(line);
    expect(output).toMatch(/with 2 payments that other runs of the present batch have made, by payee:$/m);
    // The same file again pays nobody, and is still the whole month.
    const again = await dryRun(at, NOVEMBER, ...IN_NOVEMBER);
    for (const line of CHANGES.slice(1)) expect(again).toMatch(line);
  });

  it('takes the newest run that is finished', async () => {
    const at = await afterOctober();
    at.service.responder(() => ({ status: 401 }));
    await at.send([pay('u9', 5, 'x')], ...PAYROLL, '--batch-id', 'advance', '--retries', '0');
    at.service.responder(undefined);
    expect(await dryRun(at, NOVEMBER, ...IN_NOVEMBER)).toMatch(CHANGES[0] as RegExp);
  });

  it('does not count a refused payment as paid', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    at.work.file('config.json', '{"profiles": {"payroll": {}}}');
    const { summary } = await at.send(OCTOBER, ...PAYROLL, '--batch-id', '2026-10');
    expect(summary.records).toMatchObject({ created: 2, rejected: 1 });
    const output = await dryRun(at, NOVEMBER, ...IN_NOVEMBER);
    expect(output).toMatch(/^New {6}1 payee: u4/m);
    expect(output).toMatch(/^Gone {5}none$/m);
  });

  it('shows sums where the names were pruned', async () => {
    const at = await afterOctober();
    await at.work.run(['batch', 'prune', '--before', '2030-01-01']);
    const output = await dryRun(at, NOVEMBER, ...IN_NOVEMBER);
    expect(output).toMatch(/^Gone {5}1 payee, 900\.00 EUR: names removed by batch prune$/m);
    expect(output).toMatch(/^New {6}1 payee: u4 800\.00 EUR$/m);
  });
});

describe('an ID that is written in another way', () => {
  const withZeros = [pay('0045', 900, '10'), pay('u1', 1200, '10')];
  const withoutZeros = [pay('45', 900, '11'), pay('u1', 1200, '11')];
  const CAREFUL = /Careful: 1 payee may be another person than in batch 2026-10 \(900\.00 EUR\).*: 0045 → 45\. /s;

  it('is another payee, and a risk', async () => {
    const at = await afterOctober(withZeros);
    const output = await dryRun(at, withoutZeros, ...IN_NOVEMBER);
    expect(output).toMatch(/^New {6}1 payee: 45 900\.00 EUR$/m);
    expect(output).toMatch(/^Gone {5}1 payee: 0045 900\.00 EUR$/m);
    expect(output.replaceAll('\n', ' ')).toMatch(CAREFUL);
    const same = withZeros.map((row) => ({ ...row, title: 'Salary 11' }));
    expect(await dryRun(at, same, ...IN_NOVEMBER)).toMatch(/the same payees, with the same amounts\n(?!Careful)/);
  });

  it.each([
    ['a program', ['--yes', '--json']],
    ['a program before anything is sent', ['--dry-run', '--json']],
    ['a person who approves without a question', ['--approve=a.json', '--yes']],
    ['a person who is not asked', ['--yes']],
    ['a person who reads little', ['--yes', '--quiet']],
  ])('is told %s', async (_who, flags) => {
    const at = await afterOctober(withZeros);
    at.work.file('pay.csv', csv(withoutZeros));
    const words = ['payout', 'create', 'pay.csv', '--base-url', at.service.url, ...IN_NOVEMBER];
    const { stdout, stderr } = await at.work.run([...words, ...flags]);
    // A program reads standard output, and a log standard error.
    const told = (flags.includes('--json') ? [stdout, stderr] : [stdout + stderr]).map((text) =>
      text.replaceAll('\n', ' '),
    );
    for (const text of told) {
      expect(text).toMatch(CAREFUL);
      // At once, and at the end.
      expect(text.match(/Careful: 1 payee/g)).toHaveLength(flags.join() === '--yes' ? 2 : 1);
    }
  });

  it('is known of a run that goes on', async () => {
    const at = await afterOctober(withZeros);
    at.service.responder(() => ({ status: 401 }));
    const again = withZeros.map((row) => ({ ...row, title: 'Salary 11' }));
    const { summary } = await at.send(again, ...IN_NOVEMBER, '--retries', '0');
    at.service.responder(undefined);
    const resumed = await at.work.run([
      'batch',
      'resume',
      summary.run ?? '',
      '--dry-run',
      '--base-url',
      at.service.url,
    ]);
    expect(resumed.stdout).toMatch(/the same payees, with the same amounts\n(?!Careful)/);
  });

  it('cannot be known after its name was pruned', async () => {
    const at = await afterOctober(withZeros);
    await at.work.run(['batch', 'prune', '--before', '2030-01-01']);
    for (const rows of [withZeros, withoutZeros])
      expect(await dryRun(at, rows, ...IN_NOVEMBER)).toMatch(/the same payees, with the same amounts\n(?!Careful)/);
  });
});

describe('a payment that was refused', () => {
  async function afterRefusal(): Promise<Desk> {
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    at.work.file('config.json', '{"profiles": {"payroll": {}}}');
    await at.send(OCTOBER, ...PAYROLL, '--batch-id', '2026-10');
    return at;
  }
  const REFUSED = /^Unpaid {3}1 refused payment, not made since: u2 900\.00 EUR$/m;

  it('is told as long as nothing is paid in its place', async () => {
    const at = await afterRefusal();
    expect(await dryRun(at, NOVEMBER, ...IN_NOVEMBER)).toMatch(REFUSED);
    // Neither another batch nor another payee takes its place.
    await at.send([pay('u2', 900, '09')], ...PAYROLL, '--batch-id', '2026-09');
    await at.send([pay('u9', 900, '10')], ...PAYROLL, '--batch-id', '2026-10');
    expect(await dryRun(at, NOVEMBER, ...IN_NOVEMBER)).toMatch(REFUSED);
    await at.send([pay('u2', 901, '10')], '--batch-id', '2026-10');
    expect(await dryRun(at, NOVEMBER, ...IN_NOVEMBER)).not.toMatch(/^Refused/m);
  });

  it('is not told once it is corrected', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    at.work.file('config.json', '{"profiles": {"payroll": {}}}');
    const first = await at.send(OCTOBER, ...PAYROLL, '--batch-id', '2026-10');
    await at.send([correcting(pay('u22', 950, '10'), recordsOf(first)[1].key)], '--batch-id', '2026-10');
    expect(await dryRun(at, NOVEMBER, ...IN_NOVEMBER)).not.toMatch(/^Refused/m);
  });

  it('is on the page', async () => {
    const at = await afterRefusal();
    await at.send(NOVEMBER, ...IN_NOVEMBER, '--report', 'page.html');
    expect(at.work.read('page.html')).toContain('<caption>1 refused payment was not made since: 900.00 EUR</caption>');
  });
});

test('a correction shows the refused payment, and what takes its place', async () => {
  const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
  at.work.file('config.json', '{"profiles": {"payroll": {}}}');
  const first = await at.send(OCTOBER, ...PAYROLL, '--batch-id', '2026-10');
  const corrected = correcting(pay('u22', 950, '10'), recordsOf(first)[1].key);
  const output = await dryRun(at, [corrected], ...PAYROLL);
  expect(output).toMatch(/^Corrects 1 refused payment: u2 → u22 900\.00 → 950\.00 EUR$/m);
  expect(output).not.toMatch(/Since/);
});

test('of corrections, those that changed nothing are left out, and all that changed are named', async () => {
  const at = await openDesk(() => ({ status: 422 }));
  const refused = [...OCTOBER, pay('u4', 14, '10')];
  const keys = recordsOf(await at.send(refused, '--batch-id', '2026-10')).map(({ key }: { key: string }) => key);
  at.service.responder(undefined);
  const rows = [pay('u11', 1200, '10'), pay('u2', 99, '10'), pay('u3', 701, '10'), pay('u4', 14, '10')];
  const output = await dryRun(
    at,
    rows.map((row, i) => correcting(row, keys[i] ?? '')),
  );
  expect(output.replaceAll(/\s+/g, ' ')).toContain(
    'Corrects 3 refused payments, 2,800.00 → 2,000.00 EUR: u1 → u11 1,200.00 EUR, u2 900.00 → 99.00 EUR, u3 700.00 → 701.00 EUR ',
  );
});

test('a page names them all, also after they were paid', async () => {
  const at = await afterOctober([...OCTOBER, ...[5, 6, 7, 8].map((n) => pay(`<b>u${n}`, n, '10'))]);
  const { summary } = await at.send(NOVEMBER, ...IN_NOVEMBER, '--report', 'page.html');
  expect(summary.records).toMatchObject({ created: 3 });
  const [, section = ''] = /<section id="changes">(.*?)<\/section>/s.exec(at.work.read('page.html')) ?? [];
  expect(section).toContain('<h2>Since batch 2026-10 (run ');
  expect(section).toContain('<caption>5 payees are gone: 926.00 EUR</caption>');
  for (const text of ['u2', '&lt;b&gt;u5', '&lt;b&gt;u8', 'u4', '1,200.00 → 1,250.00 EUR'])
    expect(section).toContain(text);
});

describe.skipIf(NO_TERMINAL !== '')(`the review on a terminal${NO_TERMINAL}`, () => {
  it('says it before the question', async () => {
    const at = await afterOctober();
    at.work.file('pay.csv', csv(NOVEMBER));
    const words = ['payout', 'create', 'pay.csv', '--base-url', at.service.url, ...IN_NOVEMBER];
    const terminal = openTerminal(at.work, words);
    await terminal.shows('type their total (Enter stops): ');
    for (const line of CHANGES) expect(terminal.output).toMatch(line);
    terminal.press('\n');
    expect(await terminal.ended).toBe(2);
  });

  it('has the risks last', async () => {
    const at = await afterOctober([pay('0045', 900, '10')]);
    at.work.file('pay.csv', csv([pay('45', 900, '11')]));
    const words = ['payout', 'create', 'pay.csv', '--base-url', at.service.url, ...IN_NOVEMBER];
    const terminal = openTerminal(at.work, words);
    await terminal.shows('type its amount (Enter stops): ');
    expect(terminal.output.replaceAll(/\s+/g, ' ')).toMatch(
      /Careful: 1 payee may be another person .* 0045 → 45\. .* File /,
    );
    terminal.press('\n');
    expect(await terminal.ended).toBe(2);
  });
});
