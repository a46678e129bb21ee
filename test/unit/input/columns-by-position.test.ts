/** Columns that are named by their position, in files with a header. CONTRACT: `--header-line`, `--ignore-column`. */
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../../src/input/row-filter.js';
import { type Change, read } from './reading.js';

const csv: Change = { format: 'csv' };
const only = (...written: string[]): Pick<Change, 'only'> => ({
  only: written.map((each) => parseFilter('--only', each)),
});

describe('a column without a name', () => {
  const PANDAS = ',user_id,amount\n0,u1,5\n1,u2,6\n';

  it('whose content nobody has decided about is a fault that names it by position, and both ways out', async () => {
    const { inputs, records } = await read(PANDAS, csv);
    expect(inputs).toEqual([null, null]);
    const [finding] = records[0]?.findings ?? [];
    expect(finding).toMatchObject({ code: 'bad-csv', fault: true, value: '0' });
    expect(finding?.message).toContain('column #1');
    expect(finding?.message).toContain("--ignore-column '#1'");
    expect(finding?.message).toContain("--map '#1=");
    expect(finding?.message).not.toMatch(/empty/);
    // One message for all rows, so that a person reads it once.
    expect(records[1]?.findings[0]?.message).toBe(finding?.message);
  });

  it.each<[string, Change, unknown]>([
    ['ignored', { ignore: ['#1'] }, { user_id: 'u1', amount: 5 }],
    ['ignored with all that are no fields', { ignoreOthers: true }, { user_id: 'u1', amount: 5 }],
    ['mapped', { map: { '#1': 'title' } }, { user_id: 'u1', amount: 5, title: '0' }],
    ['a condition', only('#1=0'), { user_id: 'u1', amount: 5 }],
  ])('is %s by its position', async (_name, change, first) => {
    const { inputs, fault, found } = await read(PANDAS, { ...csv, ...change });
    expect([fault, found]).toEqual([null, []]);
    expect(inputs[0]).toEqual(first);
  });

  it('is told as dropped where it has content', async () => {
    const rows = 'user_id,amount,,\nu1,5,,\nu2,6,,CR\n';
    const { facts } = await read(rows, { ...csv, ignoreOthers: true });
    expect([...facts.dropped.keys()]).toEqual(['#4']);
  });

  it('names all columns of the row at once', async () => {
    const { records } = await read('user_id,,amount,\nu1,a,5,b\n', csv);
    expect(records[0]?.findings[0]?.message).toContain("--ignore-column '#2' --ignore-column '#4'");
  });
});

describe('two columns of one name', () => {
  const TWINS = 'user_id,amount,Währung,Währung\nu1,5,EUR,GBP\n';

  it('are a fault where both are left, which names their positions', async () => {
    for (const change of [{}, { map: { Währung: 'currency' } }, { ignoreOthers: true, map: { Währung: 'currency' } }]) {
      const { fault } = await read(TWINS, { ...csv, ...change });
      expect(fault).toMatchObject({ code: 'duplicate-column', line: 1 });
      expect(fault?.message).toContain("--ignore-column '#3' or --ignore-column '#4'");
    }
  });

  it.each<[string, Change, string | undefined]>([
    ['one of them is mapped, the other ignored', { map: { '#3': 'currency' }, ignore: ['#4'] }, 'EUR'],
    ['the other one', { map: { '#4': 'currency' }, ignore: ['#3'] }, 'GBP'],
    ['one is ignored, and the name means the other', { map: { Währung: 'currency' }, ignore: ['#3'] }, 'GBP'],
    ['one is mapped by position, the other by name', { map: { '#3': 'title', Währung: 'currency' } }, 'GBP'],
    ['both are ignored by name', { ignore: ['Währung'] }, undefined],
    ['both are no fields, and those are ignored', { ignoreOthers: true }, undefined],
    ['one is mapped, and what is no field is ignored', { ignoreOthers: true, map: { '#3': 'currency' } }, 'EUR'],
  ])('are none where %s', async (_name, change, currency) => {
    const { inputs, fault, found } = await read(TWINS, { ...csv, ...change });
    expect([fault, found]).toEqual([null, []]);
    expect((inputs[0] as { currency?: string }).currency).toBe(currency);
  });

  it('need a position in a condition', async () => {
    const ignored = { ignore: ['Währung'] };
    await expect(read(TWINS, { ...csv, ...ignored, ...only('Währung=EUR') })).rejects.toThrow(
      /two columns have this name, #3 and #4/,
    );
    const { inputs } = await read(TWINS, { ...csv, ...ignored, ...only('#4=GBP', '#3!=GBP') });
    expect(inputs).toHaveLength(1);
  });
});

describe('a position', () => {
  it('counts more than the name of its column', async () => {
    const { inputs } = await read('user_id,amount,a,b\nu1,5,x,y\n', {
      ...csv,
      map: { a: 'title', b: 'description', '#3': 'description', '#4': 'title' },
    });
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'y', description: 'x' }]);
  });

  it('never means a column of gigwork: without its key, a corrected row would be paid again', async () => {
    const { records, inputs } = await read('user_id,amount,gigwork_key\nu1,5,k1\n', {
      ...csv,
      ignore: ['#3'],
      map: { '#3': 'title' },
    });
    expect([records[0]?.replaces, inputs[0]]).toEqual(['k1', { user_id: 'u1', amount: 5 }]);
  });

  it('that is also the name of another column is refused', async () => {
    const text = 'user_id,#1,amount\nu1,x,5\n';
    await expect(read(text, { ...csv, map: { '#1': 'title' } })).rejects.toThrow(/"#1" is the name of column 2/);
  });
});
