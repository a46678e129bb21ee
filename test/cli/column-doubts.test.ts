import { describe, expect, it, test } from 'vitest';
import { workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';
import { dry } from '../support/dry.js';

// CONTRACT: "What no person wrote": a doubt that holds for a whole column is one issue with its count and first line.

const HEADER = 'user_id,amount,title,cost_center_key,reference_id';

/** Rows with these cost centers, and these references. */
function fileOf(costCenters: readonly string[], references: readonly string[] = []): Record<string, string> {
  const rows = costCenters.map((center, i) => `u${i},${i + 1},Bonus ${i},${center},${references[i] ?? ''}`);
  return { 'p.csv': [HEADER, ...rows, ''].join('\n') };
}

/** `severity code field record line count` of each issue. */
async function toldOf(files: Record<string, string>, ...flags: string[]): Promise<string[]> {
  const found = await dry(files, ...flags);
  return issuesOf(found).map(({ severity, code, field, record, line, count }) =>
    [severity, code, field, record, line, count].join(' '),
  );
}

describe('a doubt of a column', () => {
  it.each<[string, string[], string[], string[]]>([
    ['every cell', ['NULL', 'NULL', 'NULL'], [], ['warning doubtful-id cost_center_key 1 2 3']],
    [
      'a clean cell behind them',
      ['NULL', 'NULL', 'A'],
      [],
      ['warning doubtful-id cost_center_key 1 2 1', 'warning doubtful-id cost_center_key 2 3 1'],
    ],
    [
      'a clean cell before them',
      ['A', 'NULL', 'NULL'],
      [],
      ['warning doubtful-id cost_center_key 2 3 1', 'warning doubtful-id cost_center_key 3 4 1'],
    ],
    [
      'empty cells around it',
      ['A', 'A', 'A', 'A'],
      ['', 'NULL', '', 'nan'],
      ['warning doubtful-id reference_id 2 3 2'],
    ],
    [
      'two doubts in turn',
      ['A', 'A'],
      ['NULL', '2026-11-03'],
      ['warning doubtful-id reference_id 1 2 1', 'warning doubtful-id reference_id 2 3 1'],
    ],
    [
      'an error, which is told of each record',
      ['#NV', '="0045"'],
      [],
      ['error spreadsheet-error cost_center_key 1 2 1', 'error mangled-id cost_center_key 2 3 1'],
    ],
    ['decimals in every cell', ['1004.0', '1005.0'], [], ['warning doubtful-id cost_center_key  2 2']],
    ['decimals in every filled cell', ['A', 'A', 'A'], ['', '7.0', '8.0'], ['warning doubtful-id reference_id  3 2']],
    ['decimals in one of two', ['1004.0', '1005'], [], []],
    [
      'lost digits',
      ['1914310000010100000', '1914310000010200000', 'u1'],
      [],
      ['warning lost-digits cost_center_key  2 2'],
    ],
    ['one ID that kept its digits', ['1914310000010100000', '1914310000010200001'], [], []],
    ['zeros in front', ['00001914310000000000', '00001914310000000000'], [], []],
  ])('%s', async (_what, centers, references, expected) => {
    expect(await toldOf(fileOf(centers, references))).toEqual(expected);
  });

  it('is an error of each record under --strict, however it is told', async () => {
    const strict = await dry(fileOf(['NULL', 'NULL', 'NULL']), '--strict');
    expect(strict.summary?.records).toMatchObject({ read: 3, invalid: 3 });
    expect(issuesOf(strict)).toMatchObject([{ severity: 'error', count: 3 }]);
  });

  it('that only the whole file shows refuses it under --strict, and no flag skips it', async () => {
    const found = await dry(fileOf(['1004.0', '1005.0']), '--strict', '--skip-invalid');
    expect([found.code, found.summary?.records]).toMatchObject([3, { invalid: 0, planned: 0 }]);
    expect(issuesOf(found)).toMatchObject([{ severity: 'error', code: 'doubtful-id', record: null, line: 2 }]);
  });

  it('holds some and tells the rest as one', async () => {
    const centers = [...Array.from({ length: 1500 }, () => 'NULL'), 'A', 'NULL'];
    expect(await toldOf(fileOf(centers))).toEqual([
      'warning doubtful-id cost_center_key 1 2 1500',
      'warning doubtful-id cost_center_key 1502 1503 1',
    ]);
  });

  it('is of a field in JSON', async () => {
    const rows = ['1.0', '2.0', '3.0'].map((id, i) => ({
      user_id: id,
      amount: i + 1,
      title: 'Hi {{name}}',
      cost_center_data: { legal_entity: 'A', inhouse: 'No', partner_project_code: i === 2 ? 'PP-7' : 'null' },
    }));
    expect((await toldOf({ 'p.json': JSON.stringify(rows) })).toSorted()).toEqual([
      'warning doubtful-id cost_center_data.partner_project_code 1  1',
      'warning doubtful-id cost_center_data.partner_project_code 2  1',
      'warning doubtful-id user_id   3',
      'warning placeholder title 1  3',
    ]);
  });

  it('is told of each file', async () => {
    const files = { 'a.csv': fileOf(['NULL'])['p.csv'] ?? '', 'b.csv': fileOf(['null', 'A'])['p.csv'] ?? '' };
    expect((await toldOf(files)).filter((each) => each.includes('doubtful-id'))).toEqual([
      'warning doubtful-id cost_center_key 1 2 1',
      'warning doubtful-id cost_center_key 1 2 1',
    ]);
  });

  it('of a flag is one, too', async () => {
    const told = await toldOf(fileOf(['A', 'B']), '--set', 'description=${CITY}');
    expect(told).toEqual(['warning placeholder description 1 2 2']);
  });
});

test('people read one line with the count, and the name of the column', async () => {
  const work = workspaceWith({ 'p.csv': 'user_id,amount,title,Kostenstelle\nu1,5,A,NULL\nu2,6,B,NULL\n' });
  const { stderr } = await work.run('payout create p.csv --dry-run --map Kostenstelle=cost_center_key');
  expect(stderr).toContain(
    'warning: p.csv, line 2: "Kostenstelle" (cost_center_key) is NULL, and programs write that where there is no value. If there is no ID, leave it empty; else write the ID. All 2 filled cells of this column are like this [doubtful-id]',
  );
  expect(stderr).not.toContain('line 3:');
});
