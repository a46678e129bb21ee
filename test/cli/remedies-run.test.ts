import { describe, expect, it } from 'vitest';
import { csv, gigs, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// What people are told about a run: the commands have to work as they stand, and the files have to be named.

describe('commands that a summary names', () => {
  it('find the journal where the run has it', async () => {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => (n === 1 ? { status: 500 } : { status: 422 }) });
    ws.file('g.csv', csv(gigs(2)));
    const flags = ['--base-url', service.url, '--yes', '--state-dir', 'my state', '--concurrency', '1'];
    const { stderr, stdout } = await ws.run(['gig', 'create', 'g.csv', ...flags]);
    const run = /^run +(\S+)$/m.exec(stdout)?.[1];
    const words = process.platform === 'win32' ? '"my state"' : "'my state'";
    expect(stderr).toContain(`gigwork batch show ${run} --state-dir ${words}`);
    expect(stderr).toContain(`gigwork batch settle ${run} --state-dir ${words} --line N --created`);
    expect(stderr).toMatch(/^N is the line of the record .*: gigwork batch show /m);
    const show = await ws.run(['batch', 'show', run ?? '', '--state-dir', 'my state']);
    expect(show.code).toBe(0);
  });
});

describe('files that a run has written', () => {
  it('are named, the rejects with how many records they hold', async () => {
    const ws = workspace();
    ws.file('p.csv', csv([...payouts(2), { user_id: 'u9' }]));
    const flags = ['--dry-run', '--report', 'r.csv', '--rejects', 'x.csv'];
    const { stderr } = await ws.run(['payout', 'create', 'p.csv', ...flags]);
    expect(stderr).toContain('Report written: r.csv\nRejects written: x.csv, 1 record\n');
    ws.file('good.csv', csv(payouts(2)));
    const good = await ws.run(['payout', 'create', 'good.csv', ...flags]);
    expect(good.stderr).toContain('Rejects written: x.csv, no records\n');
    const quiet = await ws.run(['payout', 'create', 'good.csv', ...flags, '--quiet']);
    expect(quiet.stderr).toBe('');
  });

  it('are not all that is left to be sent, where the run was refused', async () => {
    const ws = workspace();
    ws.file('p.csv', csv([...payouts(2), { user_id: 'u9' }]));
    const flags = ['--sandbox', '--yes', '--rejects', 'x.csv'];
    const { stderr } = await ws.run(['payout', 'create', 'p.csv', ...flags]);
    expect(stderr).toContain('Rejects written: x.csv, 1 record; 2 other records not sent\n');
    const rest = await ws.run(['payout', 'create', 'p.csv', ...flags, '--skip-invalid']);
    expect(rest.stderr).toContain('Rejects written: x.csv, 1 record\n');
  });
});

describe('a file with a fault of its own', () => {
  it('is not sent with --skip-invalid, so that is not said', async () => {
    const ws = workspace();
    ws.file('p.csv', `${csv(payouts(2))}u3\n`);
    const { code, stderr } = await ws.run(['payout', 'create', 'p.csv', '--dry-run']);
    expect(code).toBe(3);
    expect(stderr).toContain(
      'the file itself has faults (above): correct them; nothing is sent\n1 of 3 records is invalid\n',
    );
  });
});

describe('the HTML report', () => {
  it('writes amounts as the terminal does', async () => {
    const ws = workspace();
    const [one, two, three] = payouts(3);
    ws.file(
      'p.csv',
      csv([
        { ...one, amount: 24000 },
        { ...two, amount: 25.5 },
        { ...three, amount: 0.000001 },
      ]),
    );
    const { stdout } = await ws.run(['payout', 'create', 'p.csv', '--dry-run', '--report', 'r.html']);
    const page = ws.read('r.html');
    for (const amount of ['24,000.00', '25.50', '0.000001', '24,025.500001']) {
      expect(page).toMatch(new RegExp(`>${amount}\\s*<`));
      if (amount !== '24,000.00') expect(stdout).toContain(amount);
    }
    expect(page).not.toContain('000000<');
  });
});

describe('a record of unknown outcome', () => {
  /** Two payouts, of which the second was carried out without an answer. */
  async function lost() {
    const ws = workspace();
    const service = await testService({ respond: ({ n }) => (n === 2 ? { fault: 'reset-after' } : { default: true }) });
    ws.file(
      'p.csv',
      csv(payouts(2).map((row, i) => ({ ...row, user_id: ['anna', 'bert'][i] ?? '', currency: 'EUR' }))),
    );
    const flags = ['--base-url', service.url, '--yes', '--retries', '0', '--concurrency', '1'];
    const { summary } = await ws.run(['payout', 'create', 'p.csv', ...flags, '--json', '--report', 'r.html']);
    return { ws, service, run: summary.run as string };
  }

  it('is shown with whom it is for and what it comes to', async () => {
    const { ws, run } = await lost();
    const { stdout } = await ws.run(['batch', 'show', run]);
    expect(stdout).toMatch(/p\.csv +3 +bert +[\d,.]+ EUR +unknown/);
  });
});

it('a run whose name is taken draws another', async () => {
  const ws = workspace();
  const service = await testService();
  const draws = `import crypto from 'node:crypto'; import { syncBuiltinESMExports } from 'node:module'; const real = crypto.randomBytes; let n = 0; crypto.randomBytes = (size, ...rest) => size === 3 && n++ === 0 ? Buffer.from('abcdef', 'hex') : real(size, ...rest); syncBuiltinESMExports();`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(draws)}` };
  const names: string[] = [];
  for (const row of payouts(2)) {
    ws.file('p.csv', csv([row]));
    const flags = ['--base-url', service.url, '--yes', '--json'];
    names.push((await ws.process(['payout', 'create', 'p.csv', ...flags], { env })).summary.run);
  }
  expect(names[0]).toMatch(/-abcdef$/);
  expect(names[1]).toMatch(/^\d{8}-(?!abcdef)[0-9a-f]{6}$/);
});

it('a redirect is told with its address, and the first command is the one to mend', async () => {
  const ws = workspace();
  const service = await testService({
    respond: () => ({ status: 302, headers: { location: 'https://elsewhere.example/v2' } }),
  });
  ws.file('p.csv', csv(payouts(1)));
  const { stderr } = await ws.run(['payout', 'create', 'p.csv', '--base-url', service.url, '--yes']);
  expect(stderr).toContain('only then run it with that --base-url (HTTP 302 to https://elsewhere.example/v2)');
  expect(stderr).toMatch(/^If the address is right: gigwork batch resume /m);
});

it('a call that failed names its batch', async () => {
  const { summary } = await workspace().run([
    'payout',
    'create',
    'no.csv',
    '--sandbox',
    '--json',
    '--batch-id',
    '2026-11',
  ]);
  expect(summary).toMatchObject({ exit_code: 2, batch_id: '2026-11' });
});

describe('what concerns a file', () => {
  it('names it where the columns do not tell the type', async () => {
    const ws = workspace();
    ws.file('a.csv', csv(payouts(1)));
    ws.file('b.csv', 'name,iban\nx,y\n');
    const { code, stderr } = await ws.run(['batch', 'import', 'a.csv', 'b.csv', '--dry-run']);
    expect(code).toBe(2);
    expect(stderr).toContain('b.csv: none of the columns tells what the records are');
  });
});

it('names the file as well where the run of a record in doubt has several', async () => {
  const ws = workspace();
  const service = await testService({ respond: ({ n }) => (n <= 2 ? { status: 500 } : { default: true }) });
  ws.file('one.csv', csv(gigs(1)));
  ws.file('the two.csv', csv(gigs(1, 2)));
  ws.file('three.csv', csv(gigs(1, 3)));
  const flags = ['--base-url', service.url, '--yes', '--json'];
  await ws.run(['gig', 'create', 'one.csv', 'the two.csv', ...flags]);
  const { events } = await ws.run(['gig', 'create', 'three.csv', ...flags]);
  const told = events.filter(({ code }) => code === 'open-unknown').map(({ message }) => message);
  expect(told).toEqual([
    expect.stringMatching(/ --line 2 --file one\.csv …$/),
    expect.stringMatching(/ --line 2 --file 'the two\.csv' …$/),
  ]);
});

describe('batch list', () => {
  it('shows the money that each run has created, and not what it left out', async () => {
    const ws = workspace();
    const service = await testService();
    const [one, two] = payouts(2).map((row, i) => ({ ...row, amount: 120.5 + i, currency: 'EUR' }));
    ws.file('p.csv', csv([one ?? {}]));
    ws.file('q.csv', csv([one ?? {}, two ?? {}]));
    const flags = ['--base-url', service.url, '--yes', '--skip-created'];
    for (const file of ['p.csv', 'q.csv']) await ws.run(['payout', 'create', file, ...flags]);
    const { stdout } = await ws.run(['batch', 'list']);
    const [heading, left, paid] = stdout.split('\n');
    expect(heading).toMatch(/records +created +files$/);
    expect(paid).toContain('120.50 EUR (payout)');
    expect(left).toMatch(/ 121\.50 EUR \(payout\) +q\.csv$/);
    const { events } = await ws.run(['batch', 'list', '--json']);
    expect(events[0].runs[0].totals.payout).toContainEqual(
      expect.objectContaining({ status: 'skipped', amount: '120.5' }),
    );
  });
});

it('batch list counts what is open and what was rejected', async () => {
  const ws = workspace();
  const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 500 : 422 }) });
  ws.file('g.csv', csv(gigs(2)));
  await ws.run(['gig', 'create', 'g.csv', '--base-url', service.url, '--yes', '--concurrency', '1']);
  expect((await ws.run(['batch', 'list'])).stdout).toMatch(/ {2}1 in doubt, 1 rejected {2,}/);
});

describe('the sandbox', () => {
  it('needs no token, so that one that is not there does not matter', async () => {
    const ws = workspace();
    ws.file('p.csv', csv(payouts(1)));
    ws.file('c.json', '{"token":{"env":"PAYROLL_TOKEN"},"headers":{"X-Key":{"env":"PAYROLL_KEY"}}}');
    const flags = ['--config', 'c.json', '--yes', '--sandbox'];
    const { code, stdout } = await ws.run(['payout', 'create', 'p.csv', ...flags]);
    expect(code).toBe(0);
    const run = /^run +(\S+)$/m.exec(stdout)?.[1] ?? '';
    expect((await ws.run(['batch', 'resume', run, '--config', 'c.json'])).code).toBe(0);
  });
});
