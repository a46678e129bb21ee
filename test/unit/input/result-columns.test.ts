import { describe, expect, it } from 'vitest';
import { type Change, read } from './reading.js';

const KEY = '4e353669-d28d-8c9e-99b3-1e2c9de495dd';
const csv = { format: 'csv' } as const;
const ndjson = { format: 'ndjson' } as const;

/** What each record of a file says of an earlier run, and what was found in it. */
async function told(text: string, change: Change): Promise<unknown[]> {
  const { records } = await read(text, change);
  return records.map(({ replaces, findings }) => [
    replaces,
    findings.map(({ code, field }) => `${code} ${field}`).join(),
  ]);
}

describe('what an earlier run said of a row', () => {
  const text = [
    'user_id,gigwork_id,gigwork_at,amount,gigwork_key,gigwork_error',
    `u1,,,5,${KEY},no`,
    `u2,P-1,2026-11-20T08:00:00Z,6,,`,
    `u3,,,7,  ,`,
    '',
  ].join('\n');

  it('is no field of its record', async () => {
    const { inputs, found, facts } = await read(text, csv);
    expect(found).toEqual([]);
    expect(inputs).toEqual([
      { user_id: 'u1', amount: 5 },
      { user_id: 'u2', amount: 6 },
      { user_id: 'u3', amount: 7 },
    ]);
    expect(facts.fields).toEqual(['user_id', 'amount']);
  });

  it('stands beside it, a blank cell for nothing', async () => {
    expect(await told(text, csv)).toEqual([
      [KEY, ''],
      [undefined, ''],
      [undefined, ''],
    ]);
  });

  it('stays where columns that no field has are dropped, and goes where it is named itself', async () => {
    const header = `user_id,note,gigwork_key\nu1,x,${KEY}\n`;
    expect(await told(header, { ...csv, ignoreOthers: true })).toEqual([[KEY, '']]);
    const ignore = ['note', 'gigwork_key'];
    expect(await told(header, { ...csv, ignore })).toEqual([[undefined, '']]);
  });

  it.each([
    ['beside a reason loses the apostrophe of a rejects file', 'gigwork_key,gigwork_error', "'=k,no", '=k'],
    ['alone stays as it was typed', 'gigwork_key,user_id', "'=k,no", "'=k"],
    ['keeps its spaces, which may be a part of it', 'gigwork_key,user_id', ' k ,u1', ' k '],
    ['under a name with spaces is found', ' gigwork_key ,user_id', 'k,u1', 'k'],
  ])('%s', async (_what, header, row, key) => {
    expect(await told(`${header}\n${row}\n`, csv)).toEqual([[key, '']]);
  });

  it('is not guessed in a row that does not fit', async () => {
    expect(await told(`user_id,gigwork_key\nu1,x,${KEY}\n`, csv)).toEqual([[undefined, 'bad-csv null']]);
    const padded = await told(`user_id,gigwork_key\nu1\n`, { ...csv, padShortRows: true });
    expect(padded).toEqual([[undefined, '']]);
  });
});

describe('what an earlier run said of an object', () => {
  const record = (members: string): string => `{"user_id":"u1",${members}}\n`;

  it.each<[string, string, string | undefined, string]>([
    ['is its key', '"gigwork_key":"k"', 'k', ''],
    ['is nothing where it is null', '"gigwork_key":null', undefined, ''],
    ['is no key where it is a number', '"gigwork_key":7', undefined, 'wrong-type gigwork_key'],
    ['is no key given twice', '"gigwork_key":"k","gigwork_key":null', undefined, 'duplicate-field gigwork_key'],
    ['is told once where the file is at fault', '"gigwork_key":"\\ud800"', undefined, 'bad-encoding gigwork_key'],
  ])('%s', async (_what, members, key, found) => {
    expect(await told(record(members), ndjson)).toEqual([[key, found]]);
  });

  it('stays where fields that no record has are dropped, with its faults', async () => {
    const change = { ...ndjson, ignoreOthers: true };
    expect(await told(record('"note":7,"gigwork_key":"k"'), change)).toEqual([['k', '']]);
    expect(await told(record('"gigwork_key":7'), change)).toEqual([[undefined, 'wrong-type gigwork_key']]);
  });

  it('goes where it is named itself, with its faults', async () => {
    const change = { ...ndjson, ignore: ['gigwork_key'] };
    expect(await told(record('"gigwork_key":7'), change)).toEqual([[undefined, '']]);
    expect(await told(record('"gigwork_key":"a","gigwork_key":"b"'), change)).toEqual([[undefined, '']]);
  });
});

describe('a file of results', () => {
  const NAMES = [
    'gigwork_status',
    ' Gigwork Status ',
    'gigwork-status',
    'GigworkStatus',
    'Gigwork.Status',
    'gigwork_Status:',
    'ｇｉｇｗｏｒｋ＿ｓｔａｔｕｓ',
  ];

  it.each(NAMES)('is refused by its column %j, also where that is dropped', async (name) => {
    const change = { ignore: [name.trim()], map: { [name.trim()]: 'title' } };
    const { fault, records } = await read(`user_id,${name}\nu1,created\n`, { ...csv, ...change });
    expect([fault?.code, fault?.line, records]).toEqual(['results-file', 1, []]);
    const object = JSON.stringify({ user_id: 'u1', [name]: null });
    const found = await read(`{"user_id":"u0"}\n${object}\n`, { ...ndjson, ...change });
    expect([found.fault?.code, found.records.length]).toEqual(['results-file', 1]);
  });

  it('without column names is refused by its first row', async () => {
    const numbered = await read('#1,#2,gigwork_status\nu1,5,created\n', { ...csv, headerLine: 0 });
    const changed = await read('#1,#2,Gigwork Status\nu1,5,created\n', {
      ...csv,
      headerLine: 0,
      map: { '#1': 'user_id' },
    });
    expect([numbered.fault?.code, changed.fault?.code]).toEqual(['results-file', 'results-file']);
  });

  it('is a report too, known by its first columns', async () => {
    const columns = ['file', 'record', 'line', 'type', 'key', 'status', 'http_status', 'user_id'];
    for (const names of [columns, columns.map((name) => name.toUpperCase())]) {
      const { fault, records } = await read(`${names.join()}\np.csv,1,2,payout,k,created,201,u1\n`, csv);
      expect([fault?.code, fault?.line, records]).toEqual(['results-file', 1, []]);
    }
    const object = JSON.stringify(Object.fromEntries(columns.map((name) => [name, 'x'])));
    expect((await read(`${object}\n`, ndjson)).fault?.code).toBe('results-file');
    const less = await read('record,line,type,key,status,user_id\n1,2,payout,k,created,u1\n', csv);
    expect(less.fault?.code).not.toBe('results-file');
  });

  it.each(['gigwork_state', 'status', 'gigwork_status_2', 'my_gigwork_status'])('is none by %s', async (name) => {
    expect((await read(`user_id,${name}\nu1,created\n`, csv)).fault).toBeNull();
  });
});
