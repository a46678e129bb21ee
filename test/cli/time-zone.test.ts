/** Times as the clocks of a zone show them. CONTRACT: `--time-zone`. */
import { describe, expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { CONFIG, workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { sheet } from '../support/workbook.js';

const REST = { title: 'Audit', description: 'Count', url: 'https://example.com/1' };
const QUERY = { city: 'Berlin' };
const IN_BERLIN = '--time-zone Europe/Berlin';
const START = 1_796_454_000;
const END = START + 8 * 3600;

/** A gig as a row. */
function row(start: string, end: string): Record<string, string> {
  return { ...REST, start_at: start, end_at: end, filter_query: JSON.stringify(QUERY) };
}

/** A gig as JSON. */
function gig(start: unknown, end: unknown): object {
  return { ...REST, start_at: start, end_at: end, filter_query: QUERY };
}

const HEAD = Object.keys(row('', ''));
const AS_CELLS = (start: number, end: number): unknown[] => [
  ...Object.values(REST),
  { v: start, format: 22 },
  { v: end, format: 22 },
  JSON.stringify(QUERY),
];
const SERIAL = 46_361 + 8 / 24;

/** A moment in every notation is one record: same key, same digest. */
const WRITTEN: Readonly<Record<string, { readonly flags: string; readonly content: string | object }>> = {
  'a.csv': { flags: '', content: csv([row(String(START), String(END))]) },
  'b.csv': { flags: '', content: csv([row('2026-12-05T08:00:00+01:00', '2026-12-05T15:00:00Z')]) },
  'c.csv': { flags: IN_BERLIN, content: csv([row('2026-12-05 08:00', '2026-12-05T16:00:00')]) },
  'd.csv': {
    flags: `${IN_BERLIN} --date-format dmy`,
    content: csv([row('05.12.2026 08:00', '5. Dez')]).replace('5. Dez', '5-Dez-2026 16:00'),
  },
  'e.csv': {
    flags: '--time-zone America/New_York --date-format mdy',
    content: csv([row('12/05/2026 2:00 AM', 'x')]).replace(',x,', ',"Dec 5, 2026 10:00",'),
  },
  'f.json': { flags: '', content: [gig('2026-12-05T08:00:00+01:00', END)] },
  'g.ndjson': { flags: IN_BERLIN, content: `${JSON.stringify(gig('2026-12-05 08:00', '2026-12-05T16:00:00.000'))}\n` },
  'h.xlsx': { flags: IN_BERLIN, content: sheet([HEAD, AS_CELLS(SERIAL, SERIAL + 8 / 24)] as never) },
};

test.each(Object.entries(WRITTEN))('%s is the same gig', async (name, { flags, content }) => {
  const work = workspaceWith({ 'a.csv': WRITTEN['a.csv']?.content ?? '', [name]: content });
  const expected = await work.run('gig create a.csv --sandbox --dry-run --json');
  const found = await work.run(`gig create ${name} --sandbox --dry-run --json ${flags}`);
  expect([found.code, issuesOf(found)]).toEqual([0, []]);
  expect(found.summary.digest).toBe(expected.summary.digest);
});

test('a midnight that a workbook has as a sum of hours is the same gig', async () => {
  const work = workspaceWith({
    'm.csv': csv([row('2026-12-06 00:00', '2026-12-06 08:00')]),
    'm.xlsx': sheet([HEAD, AS_CELLS(46361.99999999994, 46362 + 8 / 24)] as never),
  });
  const runs = ['m.csv', 'm.xlsx'].map((name) =>
    work.run(`gig create ${name} --sandbox --dry-run --json ${IN_BERLIN}`),
  );
  const [typed, summed] = await Promise.all(runs);
  expect([summed?.code, issuesOf(summed!)]).toEqual([0, []]);
  expect(summed?.summary.digest).toBe(typed?.summary.digest);
});

describe('where it is said', () => {
  const digestOf = async (words: readonly string[], files = {}): Promise<unknown> => {
    const work = workspaceWith({ 'a.csv': csv([row(String(START), String(END))]), ...files });
    const { code, summary, stderr } = await work.run([...words, '--sandbox', '--dry-run', '--json']);
    expect(code, stderr).toBe(0);
    return summary.digest;
  };
  const LOCAL = csv([row('2026-12-05 08:00', '2026-12-05 16:00')]);

  test('on flags of fields, in --set and in a profile', async () => {
    const digest = await digestOf(['gig', 'create', 'a.csv']);
    const fields = [
      '--title',
      'Audit',
      '--description',
      'Count',
      '--url',
      REST.url,
      '--filter-query',
      JSON.stringify(QUERY),
    ];
    const times = ['--start-at', '05.12.2026 08:00', '--end-at', '2026-12-05 16:00', '--date-format', 'dmy'];
    expect(await digestOf(['gig', 'create', ...fields, ...times, ...IN_BERLIN.split(' ')])).toBe(digest);
    const set = ['--set', 'start_at=2026-12-05 08:00', ...IN_BERLIN.split(' ')];
    expect(await digestOf(['gig', 'create', 'b.csv', ...set], { 'b.csv': csv([row('x', String(END))]) })).toBe(digest);
    const config = { profiles: { p: { time_zone: 'Europe/Berlin' } } };
    const files = { 'b.csv': LOCAL, [CONFIG]: config };
    expect(await digestOf(['batch', 'import', 'b.csv', '--profile', 'p'], files)).toBe(digest);
  });

  test.each([
    ['Berlin', /--time-zone takes the name of a time zone; found "Berlin"\. Did you mean "Europe\/Berlin"\?/],
    ['+01:00', /An offset is not a time zone/],
  ])('%s is no zone: exit 2', async (zone, words) => {
    const work = workspaceWith({ 'b.csv': LOCAL });
    const { code, stderr } = await work.run(['gig', 'create', 'b.csv', '--sandbox', '--time-zone', zone]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});

describe('what is no moment', () => {
  test.each<[string, string, string]>([
    ['2026-12-05 08:00', '', 'has no offset from UTC. Name the time zone, such as --time-zone Europe/Berlin'],
    ['2026-12-05', IN_BERLIN, 'is a date without a time'],
    ['2026-03-29 02:30', IN_BERLIN, 'does not exist in Europe/Berlin: the clocks go from 02:00 to 03:00'],
    ['2026-10-25 02:30', IN_BERLIN, '+01:00 or +02:00: 2026-10-25T02:30:00+02:00 is the first time'],
    ['05.12.2026 08:00', IN_BERLIN, '--date-format dmy reads it as 2026-12-05 08:00'],
  ])('%s with "%s" is bad-date, in CSV and JSON', async (text, flags, words) => {
    const work = workspaceWith({ 'a.csv': csv([row(text, String(END))]), 'b.json': [gig(text, END)] });
    for (const name of ['a.csv', 'b.json']) {
      const found = await work.run(`gig create ${name} --sandbox --dry-run --json ${flags}`);
      expect(found.code).toBe(3);
      expect(issuesOf(found)).toMatchObject([
        { code: 'bad-date', field: 'start_at', value: text, message: expect.stringContaining(words) },
      ]);
    }
  });

  test('what is no date stays of the wrong type in JSON, and is what it was in CSV', async () => {
    const work = workspaceWith({ 'a.csv': csv([row('soon', String(END))]), 'b.json': [gig('1796454000', END)] });
    const cells = await work.run('gig create a.csv --sandbox --dry-run --json');
    expect(issuesOf(cells)).toMatchObject([
      { code: 'bad-number', message: expect.stringContaining('"soon" is not a date with a time') },
    ]);
    const json = await work.run('gig create b.json --sandbox --dry-run --json');
    expect(issuesOf(json)).toMatchObject([{ code: 'wrong-type', message: expect.stringContaining('without quotes') }]);
  });
});

test('results and rejects keep what was typed', async () => {
  const rows = [row('2026-12-05 08:00', '2026-12-05 16:00'), row('2026-12-05', '2026-12-05 16:00')];
  const work = workspaceWith({ 'a.csv': csv(rows), 'b.json': [gig('2026-12-05 08:00', '2026-12-05')] });
  const files = '--results r.csv --rejects x.csv';
  const { summary } = await work.run(`gig create a.csv --sandbox --yes --json --skip-invalid ${files} ${IN_BERLIN}`);
  expect(work.read('r.csv')).toContain(',2026-12-05 08:00,2026-12-05 16:00,');
  expect(work.read('x.csv')).toContain(',2026-12-05,2026-12-05 16:00,');
  // Corrected rejects are read as their input was.
  expect(summary.remedies).toMatchObject([
    { code: 'import-rejects', command: expect.arrayContaining(IN_BERLIN.split(' ')) },
  ]);
  await work.run(`gig create b.json --sandbox --yes --rejects x.json ${IN_BERLIN}`);
  expect(work.read('x.json')).toContain('"start_at":"2026-12-05 08:00","end_at":"2026-12-05"');
});

test('one moment in two notations is one gig, whichever zone it was read in', async () => {
  const work = workspaceWith({
    'a.csv': csv([row('2026-12-05 08:00', '2026-12-05 16:00')]),
    'b.csv': csv([row('2026-12-05 12:30', '2026-12-05 20:30')]),
  });
  await work.run(`gig create a.csv --sandbox --yes --json ${IN_BERLIN}`);
  const again = await work.run('gig create b.csv --sandbox --yes --json --time-zone Asia/Kolkata');
  expect(again.code).toBe(0);
  expect(again.events.filter(({ event }) => event === 'record')).toMatchObject([{ status: 'already_created' }]);
});
