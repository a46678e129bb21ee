import { describe, expect, it } from 'vitest';
import { type CliResult, workspace } from '../support/cli.js';

// Base prices of results: a price list, or the results' own column.

type Files = Readonly<Record<string, string>>;

/** Runs results dry, from the first file. */
async function dryResults(files: Files, ...flags: string[]): Promise<CliResult> {
  const ws = workspace();
  for (const [name, content] of Object.entries(files)) ws.file(name, content);
  return ws.run(['result', 'create', Object.keys(files)[0] ?? '', '--dry-run', '--json', ...flags]);
}

/** `file record code field` of each issue. */
function issuesOf({ events }: CliResult): string[] {
  return events
    .filter(({ event }) => event === 'issue')
    .map(({ file, record, code, field }) => [file, record, code, field].join(' '));
}

/** A result in JSON; numbers stand in it as they are given. */
function result(task: string, members: Readonly<Record<string, string>> = {}): string {
  const all = { quantity: '1', ...members };
  const more = Object.entries(all).map(([name, value]) => `,"${name}":${value}`);
  return `{"gig_task_id":"${task}","user_id":"u1","title":"A","cost_center_key":"PP"${more.join('')}}`;
}

const TOO_LARGE = ['1e400', '-1e400'];

describe('a base price that no double stands for', () => {
  it.each(TOO_LARGE)('%s is refused in its own record, and the others are reported', async (price) => {
    const own = [
      result('t1', { base_price: price }),
      result('t2', { base_price: '250' }),
      result('t3', { quantity: '""' }),
    ];
    for (const files of [{ 'in.json': `[${own.join(',')}]` }, { 'in.ndjson': own.join('\n') }] as Files[]) {
      const found = await dryResults(files);
      const [name] = Object.keys(files);
      expect(found.code).toBe(3);
      expect(issuesOf(found)).toEqual([
        `${name} 1 inexact-number base_price`,
        `${name} 3 wrong-type quantity`,
        `${name} 3 unpriced base_price`,
      ]);
      expect(found.summary?.records).toMatchObject({ read: 3, invalid: 2, not_sent: 1 });
    }
  });
});

describe('what makes an amount zero or less is doubted', () => {
  const PRICES = 'gig_task_id,base_price\nnothing,0\nless,-5\nunused,0\nenough,250\n';
  const HEADER = 'gig_task_id,user_id,title,quantity,multiplier,base_price,cost_center_key\n';
  const file = (...rows: string[]): string => `${HEADER}${rows.map((row) => `${row},PP\n`).join('')}`;

  it('in the price of a list, of the results that it prices', async () => {
    const rows = file('nothing,u,A,1,,', 'less,u,B,1,,', 'enough,u,C,1,,');
    const found = await dryResults({ 'in.csv': rows, 'prices.csv': PRICES }, '--prices', 'prices.csv');
    expect(found.code).toBe(0);
    expect(issuesOf(found)).toEqual(['in.csv 1 not-positive base_price', 'in.csv 2 not-positive base_price']);
    const [first, second] = found.events;
    expect(first).toMatchObject({ severity: 'warning', message: 'The base price is zero (0)', value: '0' });
    expect(second).toMatchObject({ message: 'The base price is negative (-5)', value: '-5' });
    expect(found.summary).toMatchObject({ warnings: 2 });
    const strict = await dryResults({ 'in.csv': rows, 'prices.csv': PRICES }, '--prices', 'prices.csv', '--strict');
    expect(strict.summary?.records).toMatchObject({ valid: 1, invalid: 2 });
  });
});

describe('a base price that is given as if it were a field', () => {
  const BESIDE =
    'base_price is not sent with a record: add it as a column of the file, or in a list of prices with --prices';

  it.each([
    ['result create', ['result', 'create'], ['--set', 'base_price=3'], '--set'],
    ['batch import', ['batch', 'import'], ['--set', 'base_price=3'], '--set'],
    ['a key', ['result', 'create'], ['--key-columns', 'base_price'], '--key-columns'],
  ])('is told where it belongs: %s', async (_what, command, flags, flag) => {
    const ws = workspace();
    ws.file('in.json', result('a'));
    const { code, stderr } = await ws.run([...command, 'in.json', '--dry-run', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${flag} base_price: ${BESIDE}`);
  });
});
