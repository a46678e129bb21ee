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

const listOf = (prices: readonly (readonly [string, string])[]): string =>
  `[${prices.map(([task, price]) => `{"gig_task_id":"${task}","base_price":${price}}`).join(',')}]`;

const TOO_LARGE = ['1e400', '-1e400', '1e99999'];

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

  it.each(TOO_LARGE)('%s is refused in a price list', async (price) => {
    const prices = listOf([
      ['t1', price],
      ['t2', '250'],
    ]);
    const found = await dryResults(
      { 'in.json': `[${result('t1')},${result('t2')}]`, 'prices.json': prices },
      '--prices',
      'prices.json',
    );
    expect(found.code).toBe(3);
    expect(issuesOf(found)).toEqual(['prices.json 1 inexact-number base_price', 'in.json 1 unpriced base_price']);
    expect(found.summary?.records).toMatchObject({ read: 2, invalid: 0 });
  });

  it('conflicts with no other: what is not read is not compared', async () => {
    const files = {
      'in.json': `[${['9007199254740993', '9007199254740991'].map((price) => result('t', { base_price: price })).join(',')}]`,
    };
    expect(issuesOf(await dryResults(files))).toEqual(['in.json 1 inexact-number base_price']);
  });
});
