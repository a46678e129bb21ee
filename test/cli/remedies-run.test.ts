import { describe, expect, it } from 'vitest';
import { csv, gigs, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// What people are told about a run: the commands have to work as they stand, and the files have to be named.

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

it('prints the whole command that settles a record in doubt, for each answer of the service', async () => {
  const ws = workspace();
  const service = await testService({ respond: ({ n }) => (n <= 2 ? { status: 500 } : { default: true }) });
  ws.file('one.csv', csv(gigs(1)));
  ws.file('the two.csv', csv(gigs(1, 2)));
  ws.file('three.csv', csv(gigs(1, 3)));
  const flags = ['--base-url', service.url, '--yes', '--json'];
  await ws.run(['gig', 'create', 'one.csv', 'the two.csv', ...flags]);
  const { events } = await ws.run(['gig', 'create', 'three.csv', ...flags]);
  const told = events.filter(({ code }) => code === 'open-unknown').map(({ message }) => message);
  expect(told).toHaveLength(2);
  for (const message of told) {
    const words = /gigwork (batch settle \S+ [^.]*--not-created --note TEXT)$/.exec(message)?.[1];
    expect(message).toContain(`${words?.replace('--not-created', '--created')}. If it has not: `);
    expect((await ws.run([...(words ?? '').split(' '), '--json'])).events[0]).toMatchObject({ status: 'not_sent' });
  }
});

it('offers a program the commands that settle a record in doubt, one for each answer of the service', async () => {
  const ws = workspace();
  const service = await testService({ respond: ({ n }) => (n <= 2 ? { status: 500 } : { default: true }) });
  ws.file('g.csv', csv(gigs(2)));
  const { events, summary } = await ws.run(['gig', 'create', 'g.csv', '--base-url', service.url, '--yes', '--json']);
  expect([summary.held, summary.reasons.join(' ')]).toEqual([2, expect.not.stringContaining('gigwork batch')]);
  const keys = events.filter(({ event }) => event === 'record').map(({ key }) => key as string);
  for (const [i, status] of ['created', 'not_sent'].entries()) {
    const { when, command } = summary.remedies[i] as { when: string; command: string[] };
    expect(when).toContain(summary.run);
    const words = command.slice(1).map((word) => (word === 'KEY' ? (keys[i] as string) : word));
    expect((await ws.run([...words, '--json'])).events[0]).toMatchObject({ key: keys[i], status });
  }
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
    expect(heading).toMatch(/records +paid +files$/);
    expect(paid).toContain('120.50 EUR');
    expect(left).toMatch(/ 121\.50 EUR +q\.csv$/);
    const { events } = await ws.run(['batch', 'list', '--json']);
    expect(events[0].runs[0].totals.payout).toContainEqual(
      expect.objectContaining({ status: 'skipped', amount: '120.5' }),
    );
  });
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
