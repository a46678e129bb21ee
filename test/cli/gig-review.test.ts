/** The review of gigs: which calls ask, and what a person reads and types. CONTRACT: `--yes`. */
import { describe, expect, it, test } from 'vitest';
import { gigs } from '../support/builders.js';
import { type Desk, openDesk } from '../support/desk.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

async function withGigs(count: number): Promise<Desk> {
  const at = await openDesk();
  at.work.file('gigs.json', JSON.stringify(gigs(count)));
  return at;
}

const [GIG] = gigs(1);
const QUERY = '{"city":"Berlin"}';
// prettier-ignore
const FLAGS = [
  '--title', 'Audit', '--description', 'Two aisles', '--url', 'https://gigs.example/1', '--filter-query', QUERY,
  '--start-at', String(GIG?.start_at), '--end-at', String(GIG?.end_at),
];

test('without a terminal, one gig from a file or standard input is not sent; one from flags alone is', async () => {
  const { work, service } = await withGigs(1);
  const target = ['--base-url', service.url, '--json'];
  const read = await work.run(['gig', 'create', 'gigs.json', ...target]);
  expect(read.summary).toMatchObject({ exit_code: 2, stop_reason: 'not_confirmed', run: null });
  expect(read.summary.reasons.join()).toContain('best together with --expect-count or --expect-digest');
  const piped = await work.run(['gig', 'create', '-', '--format', 'json', ...target], { input: JSON.stringify(GIG) });
  expect(piped.summary).toMatchObject({ exit_code: 2, stop_reason: 'not_confirmed', run: null });
  expect(service.requestCount).toBe(0);
  const typed = await work.run(['gig', 'create', ...FLAGS, ...target]);
  expect(typed.summary).toMatchObject({ exit_code: 0, records: { created: 1 } });
  const rehearsed = await work.run(['gig', 'create', 'gigs.json', '--sandbox', '--json']);
  expect(rehearsed.summary).toMatchObject({ exit_code: 0, records: { created: 1 } });
});

test('a dry run has the same facts, for people', async () => {
  const { work } = await withGigs(2);
  const { stdout, code } = await work.run(['gig', 'create', 'gigs.json', '--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^First start {5}.* UTC\)$/m);
  expect(stdout).toMatch(/^Seats × prices {2}[\d,]+ cents\. An estimate: it counts every seat as taken\.$/m);
  expect(stdout).not.toMatch(/currency|cost center/);
});

describe.skipIf(NO_TERMINAL !== '')(`the review of gigs on a terminal${NO_TERMINAL}`, () => {
  it('of one gig from a file asks for their number, and sends it when that is typed', async () => {
    const { work, service } = await withGigs(1);
    const terminal = openTerminal(work, ['gig', 'create', 'gigs.json', '--base-url', service.url]);
    await terminal.shows(`, to ${service.url}, batch default, type the number of gigs (Enter stops): `);
    terminal.type('yes');
    await terminal.shows('That is not the number.');
    expect(service.requestCount).toBe(0);
    terminal.type('1');
    expect(await terminal.ended).toBe(0);
    expect(service.requestCount).toBe(1);
  });

  it('of many says when, to whom, how many seats, at which prices, and nothing of people who are paid', async () => {
    const { work, service } = await openDesk();
    const cities = ['Berlin', 'Berlin', 'Berlin', 'Hamburg'];
    const rows = gigs(4).map((row, i) => ({ ...row, filter_query: { city: cities[i] }, total_seats: 2 }));
    work.file('gigs.json', JSON.stringify(rows));
    const terminal = openTerminal(work, ['gig', 'create', 'gigs.json', '--base-url', service.url]);
    const cents = rows.reduce((sum, { tasks }) => sum + 2 * tasks.reduce((all, { base_price: of }) => all + of, 0), 0);
    const figure = cents.toLocaleString('en');
    await terminal.shows(`To send 4 gigs with 8 seats (seats × prices: ${figure} cents), to ${service.url}, batch`);
    await terminal.shows('type their number (Enter stops): ');
    for (const words of [
      /^First start {5}\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d \(\d{4}-\d\d-\d\d 01:00 UTC\)$/m,
      /^Last start {6}.* 04:00 UTC\)$/m,
      /^Filter {10}3 gigs {2}\{"city":"Berlin"\}\n {16} 1 gig {2}\{"city":"Hamburg"\}$/m,
      /^Seats {11}8: total_seats$/m,
      /gigs may be\s+created\s+twice/,
    ])
      expect(terminal.output).toMatch(words);
    expect(terminal.output).not.toMatch(/people may be|cost center|currency/);
    terminal.type('4');
    expect(await terminal.ended).toBe(0);
    expect(service.requestCount).toBe(4);
  });

  it('keeps on a screen of 24 lines what decides, also with warnings', async () => {
    const { work, service } = await openDesk();
    const rows = gigs(12).map((row, i) => ({
      ...row,
      total_seats: 2,
      start_at: i === 3 ? 1_700_000_000 : row.start_at,
      filter_query:
        i === 4 ? {} : { skills: { $all: ['audit', 'photo', 'retail', 'food'] }, city: `C${i % 7}`, tags: 'x' },
      tasks: [{ title: 'Photos', base_price: i === 5 ? 450.5 : 450 }],
    }));
    work.file('gigs.json', JSON.stringify(rows));
    const terminal = openTerminal(work, ['gig', 'create', 'gigs.json', '--base-url', service.url]);
    await terminal.shows('type their number (Enter stops): ');
    const screen = terminal.output.split('\n').slice(-24).join('\n');
    for (const words of [/^First start /m, /^Last start /m, /^Filter .*"C\d"/m, /^ +and 3 other filters for/m])
      expect(screen).toMatch(words);
    for (const words of [/^Seats .*24/m, /^Prices .*450 to 450\.5/m, /^4 warnings; /m, /no condition/])
      expect(screen).toMatch(words);
    terminal.press('\n');
    expect(await terminal.ended).toBe(2);
  });
});
