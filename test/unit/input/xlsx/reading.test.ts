import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../../src/records/kinds.js';
import { UsageError } from '../../../../src/errors.js';
import { PLAIN_STYLE } from '../../../../src/input/cells.js';
import { escaped, sheet, workbook, type CellSpec, type SheetSpec } from '../../../support/workbook.js';
import { type Change, read } from '../reading.js';

const HEAD = ['user_id', 'amount', 'title', 'billing_date', 'currency'];
const DAY = { v: 46327, format: 'dd.mm.yyyy' };

/** The findings of one record under the usual header, `code message`. */
async function foundIn(
  cells: readonly CellSpec[],
  change: Change = {},
  spec: Partial<SheetSpec> = {},
): Promise<string[]> {
  const { records, fault } = await read(sheet([HEAD, cells], spec), change);
  if (fault !== null) return [`${fault.code} ${fault.message}`];
  return records.flatMap(({ findings }) => findings.map(({ code, message }) => `${code} ${message}`));
}

/** The input of one record under the usual header. */
async function inputOf(cells: readonly CellSpec[], change: Change = {}): Promise<unknown> {
  const { inputs, found, fault } = await read(sheet([HEAD, cells]), change);
  expect({ found, fault }).toEqual({ found: [], fault: null });
  return inputs[0];
}

describe('a table', () => {
  it('is read by its header, and each row tells its line', async () => {
    const { inputs, records, facts, detected } = await read(
      sheet([HEAD, ['00123', 12.3, 'Bonus', DAY, 'EUR'], [], ['u2', -5, 'T', null, null]]),
    );
    expect(inputs).toEqual([
      { user_id: '00123', amount: 12.3, title: 'Bonus', billing_date: '2026-11-01', currency: 'EUR' },
      { user_id: 'u2', amount: -5, title: 'T' },
    ]);
    expect(records.map(({ record, line, sheetRow }) => [record, line, sheetRow])).toEqual([
      [1, 2, undefined],
      [2, 4, undefined],
    ]);
    expect(facts.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(detected).toBe('xlsx, sheet "Sheet1"');
  });

  it('may stand below a title, to the right, without addresses, and with a prefix', async () => {
    const title: CellSpec[][] = [['Payroll', null, 'merged'], [], [null, ...HEAD], [null, 'u1', 5, 'T']];
    const { inputs, detected } = await read(sheet(title, { merges: ['A1:C1'] }), { headerLine: 3 });
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'T' }]);
    expect(detected).toBe('xlsx, sheet "Sheet1", header in row 3');
    const bare = await read(sheet([HEAD, ['u1', null, 'T']], { isBare: true }));
    expect(bare.inputs).toEqual([{ user_id: 'u1', title: 'T' }]);
    const change = (parts: Map<string, string>): void => {
      const part = 'xl/worksheets/sheet1.xml';
      const prefixed = parts
        .get(part)
        ?.replace(/<(\/?)(?!\?)/g, '<$1x:')
        .replace('xmlns=', 'xmlns:x=');
      parts.set(part, prefixed ?? '');
    };
    const other = await read(workbook({ sheets: [{ name: 'S', rows: [HEAD, ['u1', 5, 'T']] }], change }));
    expect(other.inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'T' }]);
  });

  it('under a title tells where its column names seem to stand', async () => {
    const { records } = await read(sheet([['Payroll, "November"\n2026'], [], HEAD, ['u1', 5, 'T']]));
    for (const { findings } of records) expect(findings[0]?.message).toContain('--header-line 3');
  });

  it('the first row with content is the header', async () => {
    const { inputs, records } = await read(sheet([[], [], HEAD, ['u1', 5, 'T']]));
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'T' }]);
    expect(records[0]?.line).toBe(4);
  });

  it('without a header has its columns by number', async () => {
    const map = { '#1': 'user_id', '#2': 'amount', '#3': 'title' };
    const { inputs, detected, found } = await read(
      sheet([
        ['u1', 5, 'T'],
        ['u2', 6, 'T', 'x'],
      ]),
      { headerLine: 0, map },
    );
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'T' }, null]);
    expect(found).toEqual(['2 bad-csv null']);
    expect(detected).toBe('xlsx, sheet "Sheet1", no header line');
    const named = await read(sheet([HEAD, ['u1', 5, 'T']]), { headerLine: 0, map });
    expect(named.found).toContain('1 bad-number amount');
  });

  it.each([
    ['an empty sheet', sheet([])],
    ['a sheet of empty cells', sheet([[{ format: '0.00' }], [{ t: 's' }]])],
    ['a sheet with nothing but a header', sheet([HEAD])],
    ['no byte', Buffer.alloc(0)],
  ])('%s has no records', async (_, bytes) => {
    const { records, fault } = await read(bytes, { format: 'xlsx' });
    expect([records, fault]).toEqual([[], null]);
  });

  it('that should begin below its end is told of', async () => {
    const { fault } = await read(sheet([HEAD]), { headerLine: 9 });
    expect([fault?.code, fault?.message]).toEqual(['bad-csv', expect.stringContaining('row 9')]);
  });

  it('a million rows that are only formatted cost next to nothing', async () => {
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>user_id</t></is></c></row>${'<row ht="15"><c s="0"/></row>'.repeat(200_000)}`;
    const { records, fault } = await read(sheet(rows));
    expect([records, fault]).toEqual([[], null]);
  });
});

describe('texts', () => {
  const text = async (cell: CellSpec): Promise<unknown> =>
    ((await inputOf(['u1', 5, cell])) as { title: string }).title;

  it.each(['  two  spaces ', 'line\nline', '=SUM(A1)', "'quoted", 'ä€😀', '_x000D_', 'TRUE', '1E5', '2026-11-01'])(
    '%j stays what it is',
    async (typed) => {
      expect(await text(typed.replaceAll('_x', '_x005F_x'))).toBe(typed);
    },
  );

  it.each([
    [
      'rich text',
      '<is><r><t>Bo</t></r><r><rPr><b/></rPr><t xml:space="preserve">nus </t></r><r><t>5</t></r></is>',
      'Bonus 5',
    ],
    [
      'a reading beside it',
      '<is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></is>',
      '東京',
    ],
    ['space that is not said to be part of it', '<is><t>\n  Bonus </t></is>', 'Bonus'],
    ['what XML cannot hold', '<is><t>a_x000D_\nb_x0041_</t></is>', 'a\r\nbA'],
    ['letters that stand for themselves', '<is><t>a &lt;&amp;&gt; b</t></is>', 'a <&> b'],
  ])('%s', async (_, xml, expected) => {
    expect(await text({ t: 'inlineStr', xml })).toBe(expected);
  });

  it('a formula gives the text that is stored; none, where that is empty', async () => {
    expect(await text({ t: 'str', f: 'A1&"x"', v: 'Bonus' })).toBe('Bonus');
    expect(await inputOf(['u1', 5, 'T', null, { t: 'str', f: '""', v: '' }])).toEqual({
      user_id: 'u1',
      amount: 5,
      title: 'T',
    });
  });

  it('in number fields are read as in CSV, by the flags', async () => {
    expect(await inputOf(['u1', '12.5', 'T'])).toMatchObject({ amount: 12.5 });
    expect((await foundIn(['u1', '1.200,50', 'T'])).join()).toContain('bad-number');
    const style = { ...PLAIN_STYLE, decimal: 'comma', dateOrder: 'dmy' } as const;
    expect(await inputOf(['u1', '1.200,50', 'T', '01.11.2026'], { style })).toMatchObject({
      amount: 1200.5,
      billing_date: '2026-11-01',
    });
  });

  it.each([
    [';;;', 'does not show its text'],
    ['"ID-"@', 'does not show its text'],
  ])('that a format hides or changes are refused: %s', async (format, words) => {
    const [found = ''] = await foundIn(['u1', 5, { t: 'inlineStr', format, xml: '<is><t>abc</t></is>' }]);
    expect(found).toContain('wrong-type');
    expect(found).toContain('C2');
    expect(found).toContain(words);
  });
});

describe('numbers', () => {
  it.each([
    [1200, 1200],
    [{ v: '1.2E3' }, 1200],
    [{ v: '19.989999999999998' }, 19.99],
    [{ v: 1234.5, format: '#,##0.00' }, 1234.5],
    [{ v: 1.234 }, 1.234],
    [{ v: -12.345, format: '0.000' }, -12.345],
    [{ v: 12.3, f: 'A1*2' }, 12.3],
    [{ v: 5, format: '"$"0.00' }, 5],
    [{ v: 0.0000001, format: '0.0000000' }, 1e-7],
  ])('%j is %d, under every mark', async (cell, expected) => {
    for (const decimal of [null, 'point', 'comma'] as const)
      expect(await inputOf(['u1', cell, 'T'], { style: { ...PLAIN_STYLE, decimal } })).toMatchObject({
        amount: expected,
      });
  });

  it('change their sign where amounts do', async () => {
    expect(await inputOf(['u1', -12.5, 'T'], { style: { ...PLAIN_STYLE, negate: true } })).toMatchObject({
      amount: 12.5,
    });
  });

  it('a multiplier is sent as it is stored', async () => {
    const { inputs } = await read(sheet([['multiplier'], [1.25], [1.234], [{ v: 1.5, format: '0.00' }]]), {
      shape: KINDS.result,
    });
    expect(inputs).toEqual([{ multiplier: '1.25' }, { multiplier: '1.234' }, { multiplier: '1.5' }]);
  });

  it.each([
    [{ v: 12.299999999999999, format: '0.00' }, 'inexact-number', '12.30', '12.299999999999999'],
    [{ v: 0.30000000000000004 }, 'inexact-number', '0.3', '0.30000000000000004'],
    [{ v: 12.345, format: '0.00' }, 'inexact-number', '12.35', '12.345'],
    [{ v: 0.125, format: '0%' }, 'bad-number', 'percentage', '0%'],
    [{ v: 5, format: '0.00" h"' }, 'bad-number', 'beside', 'h'],
    [{ v: 5, format: 27 }, 'bad-number', 'which is not read', 'number 27'],
    [{ v: 46327, format: 14 }, 'wrong-type', 'the date 2026-11-01', 'a number belongs here'],
    [{ v: 0.5, format: 20 }, 'wrong-type', 'the time 12:00:00', 'a number belongs here'],
    [true, 'wrong-type', 'TRUE', 'a number belongs here'],
    [{ v: '#REF!', t: 'e' }, 'wrong-type', 'B2', '#REF!'],
    [{ f: 'A1*2' }, 'wrong-type', 'B2', 'without a stored value'],
    [{ f: 'A1*2', v: '' }, 'wrong-type', 'B2', 'without a stored value'],
    [{ v: 60, format: 14 }, 'wrong-type', '60', 'no day of the calendar'],
  ])('%j as an amount is %s: %s, %s', async (cell, code, ...words) => {
    const found = await foundIn(['u1', cell, 'T']);
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(`${code} `)).toBe(true);
    for (const word of words) expect(found[0]).toContain(word);
    expect(found[0]).toContain('B2');
  });

  it.each([
    [123, '123'],
    [{ v: 123, format: '0' }, '123'],
    [{ v: 123, format: '@' }, '123'],
    [{ v: 99999999999 }, '99999999999'],
  ])('%j where a text belongs is the text %s', async (cell, expected) => {
    expect(await inputOf([cell, 5, 'T'])).toMatchObject({ user_id: expected });
  });

  it.each([
    [{ v: 123, format: '00000' }, 'shown as 00123'],
    [{ v: 1234, format: '#,##0' }, '1234'],
    [12.5, '12.5'],
    [{ v: 123, format: '0.00' }, 'shown as 123.00'],
    [{ v: 1234567890123 }, 'shown as 1.23457E+12'],
    [{ v: 123, format: '"U"0' }, '123'],
    [{ v: 46327, format: 14 }, 'the date 2026-11-01'],
    [true, 'TRUE'],
  ])('%j where a text belongs is refused: %s', async (cell, words) => {
    const found = await foundIn([cell, 5, 'T']);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^wrong-type user_id: A2 /);
    expect(found[0]).toContain(words);
  });

  it('a currency that is shown agrees with the record', async () => {
    const euro = { v: 5, format: '#,##0.00 [$€-407]' };
    expect(await inputOf(['u1', euro, 'T', null, 'EUR'])).toMatchObject({ amount: 5 });
    expect(await inputOf(['u1', euro, 'T'])).toMatchObject({ amount: 5 });
    const [found = ''] = await foundIn(['u1', euro, 'T', null, 'USD']);
    expect(found).toMatch(/^bad-number amount: B2 shows "€".*USD/);
    const assignments = [{ path: 'currency', text: 'USD' }];
    expect((await foundIn(['u1', euro, 'T', null, 'EUR'], { assignments })).join()).toContain('USD');
    expect(await inputOf(['u1', { v: 5, format: '"$"0.00' }, 'T', null, 'CAD'])).toMatchObject({ amount: 5 });
  });

  it('that a formula should give, and nobody has computed, are none', async () => {
    const rows = [HEAD, ['u1', { f: 'A1', v: 0 }, 'T'], ['u2', { f: 'A1', v: 5 }, 'T'], ['u3', 0, 'T']] as CellSpec[][];
    const { found } = await read(workbook({ sheets: [{ name: 'S', rows }], more: '<calcPr fullCalcOnLoad="1"/>' }));
    expect(found).toEqual(['2 wrong-type amount']);
  });
});

describe('dates', () => {
  it.each([
    [{ v: 46327, format: 14 }, '2026-11-01'],
    [{ v: 46327, format: 'mmm yyyy' }, '2026-11-01'],
    [{ v: '2026-11-01', t: 'd' }, '2026-11-01'],
    [{ v: '2026-11-01T00:00:00', t: 'd', format: 14 }, '2026-11-01'],
    ['2026-11-01', '2026-11-01'],
  ])('%j is %s', async (cell, expected) => {
    for (const dateOrder of ['ymd', 'dmy', 'mdy'] as const)
      expect(await inputOf(['u1', 5, 'T', cell], { style: { ...PLAIN_STYLE, dateOrder } })).toMatchObject({
        billing_date: expected,
      });
  });

  it('count from 1904 where the workbook says so', async () => {
    const rows = [HEAD, ['u1', 5, 'T', { v: 44865, format: 14 }]] as CellSpec[][];
    const { inputs } = await read(workbook({ sheets: [{ name: 'S', rows }], from1904: true }));
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'T', billing_date: '2026-11-01' }]);
  });

  it.each([
    [{ v: 46327.5, format: 'dd.mm.yyyy' }, 'bad-date', '2026-11-01T12:00:00'],
    [{ v: 46327 }, 'bad-date', 'day number'],
    [{ v: 0.5, format: 20 }, 'bad-date', 'no date'],
    [{ v: '2026-02-30', t: 'd' }, 'wrong-type', '2026-02-30'],
    [{ v: -5, format: 14 }, 'wrong-type', 'no day'],
    [true, 'wrong-type', 'TRUE'],
    ['01.11.2026', 'bad-date', '--date-format dmy'],
  ])('%j is %s: %s', async (cell, code, words) => {
    const [found = ''] = await foundIn(['u1', 5, 'T', cell]);
    expect(found).toMatch(new RegExp(`^${code} billing_date`));
    expect(found).toContain(words);
  });

  it('a moment is a text with its offset, or a number of seconds', async () => {
    const at = async (cell: CellSpec): Promise<unknown> => {
      const { inputs, records } = await read(sheet([['start_at'], [cell]]), { shape: KINDS.gig });
      return records[0]?.findings[0]?.code ?? (inputs[0] as { start_at: unknown }).start_at;
    };
    expect(await at('2026-12-01T08:00:00+01:00')).toBe(1796108400);
    expect(await at(1796108400)).toBe(1796108400);
    expect(await at({ v: 46357.333333333336, format: 22 })).toBe('bad-date');
    expect(await at({ v: 46357, format: 14 })).toBe('bad-date');
    expect(await at({ v: 1796108400, format: '0.00E+00' })).toBe('bad-number');
  });
});

it('true and false are themselves where they belong, and no other cell is', async () => {
  const rows = [['partner_options.extra_mile'], [true], ['false'], [1], [{ v: 46327, format: 14 }]] as CellSpec[][];
  const { inputs, records } = await read(sheet(rows), { shape: KINDS.gig });
  const values = (inputs as { partner_options?: { extra_mile: unknown } }[]).map(
    (each) => each.partner_options?.extra_mile,
  );
  expect(values).toEqual([true, false, '1', undefined]);
  expect(records[3]?.findings[0]?.code).toBe('wrong-type');
});

describe('what a person does not see', () => {
  const HIDDEN = ' hidden="1"';

  it('a hidden row is a fault of the file, told of by its line and its address', async () => {
    const { records, fault, found } = await read(
      sheet([HEAD, ['u1', 5, 'T'], ['u2', 5, 'T'], []], { rowAttributes: { 3: HIDDEN, 4: HIDDEN } }),
    );
    expect([found, fault]).toEqual([['3 bad-csv null'], null]);
    expect(records[1]?.findings[0]).toMatchObject({ fault: true, message: expect.stringContaining('(A3)') });
  });

  it.each([' ht="0" customHeight="1"', ' hidden="true"'])('so is one with the attributes%s', async (attributes) => {
    const { found } = await read(sheet([HEAD, ['u1', 5, 'T']], { rowAttributes: { 2: attributes } }));
    expect(found).toEqual(['2 bad-csv null']);
  });

  it('so is one that is hidden unless it says otherwise', async () => {
    const before = '<sheetFormatPr defaultRowHeight="0" zeroHeight="1"/>';
    const { found } = await read(sheet([HEAD, ['u1', 5, 'T']], { before, rowAttributes: { 1: ' ht="15"' } }));
    expect(found).toEqual(['2 bad-csv null']);
  });

  it('a hidden header is no header', async () => {
    const { fault } = await read(sheet([HEAD, ['u1', 5, 'T']], { rowAttributes: { 1: HIDDEN } }));
    expect(fault?.message).toContain('row 1 should hold the column names, and is hidden');
  });

  it('a hidden row above the header harms nobody', async () => {
    const spec = { rowAttributes: { 1: HIDDEN } };
    expect((await read(sheet([['x'], HEAD, ['u1', 5, 'T']], spec), { headerLine: 2 })).fault).toBeNull();
  });

  it.each(['<cols><col min="2" max="2" hidden="1"/></cols>', '<cols><col min="2" max="16384" width="0"/></cols>'])(
    'a hidden column is a fault, with its address: %s',
    async (before) => {
      const { fault } = await read(sheet([HEAD, ['u1', 5, 'T']], { before }));
      expect(fault).toMatchObject({ code: 'bad-csv', line: 1, message: expect.stringContaining('B1 "amount"') });
    },
  );

  it('unless a person has dropped it by its name, or it holds nothing', async () => {
    const before = '<cols><col min="4" max="9" hidden="1"/></cols>';
    const rows = [
      ['user_id', 'amount', 'title', 'Notes'],
      ['u1', 5, 'T', 'x'],
    ];
    const { inputs, fault } = await read(sheet(rows, { before }), { ignore: ['Notes'] });
    expect([inputs, fault]).toEqual([[{ user_id: 'u1', amount: 5, title: 'T' }], null]);
  });

  it('nor is content under a hidden column without a name passed over', async () => {
    const before = '<cols><col min="4" max="4" hidden="1"/></cols>';
    const { found } = await read(
      sheet(
        [
          ['user_id', 'amount', 'title'],
          ['u1', 5, 'T', 'x'],
        ],
        { before },
      ),
    );
    expect(found).toEqual(['2 bad-csv null']);
    const map = { '#1': 'user_id', '#2': 'amount', '#3': 'title' };
    const first = '<cols><col min="1" max="1" hidden="1"/></cols>';
    const bare = await read(
      sheet(
        [
          ['u1', 5, 'T'],
          ['u2', 5, 'T'],
        ],
        { before: first },
      ),
      { headerLine: 0, map },
    );
    expect(bare.found).toEqual(['1 bad-csv null', '2 bad-csv null']);
  });

  it.each([['A1:B1'], ['C2:C3'], ['B3:D3'], ['A3:A9'], ['C1:C9']])(
    'merged cells within the table are a fault: %s',
    async (ref) => {
      const { fault } = await read(sheet([HEAD, ['u1', 5, 'T'], ['u2', 5, 'T']], { merges: ['J1:K9', ref] }));
      expect(fault).toMatchObject({ code: 'bad-csv', message: expect.stringContaining(`merged: ${ref};`) });
    },
  );

  it.each([['A4:E9'], ['F1:H3']])('beside or below it they are not: %s', async (ref) => {
    const { fault, inputs } = await read(sheet([HEAD, ['u1', 5, 'T'], ['u2', 5, 'T']], { merges: [ref] }));
    expect([fault, inputs.length]).toEqual([null, 2]);
  });

  it('content beside the header is told of by its address', async () => {
    const { records } = await read(
      sheet([
        ['user_id', null, 'title'],
        ['u1', 5, 'T'],
        ['u1', null, 'T', null, 'x'],
      ]),
    );
    expect(records.map(({ findings: [finding] }) => finding?.message.split(',')[0])).toEqual([
      'B2 has content',
      'E3 has content',
    ]);
  });

  it('an error in the header is told of by its address', async () => {
    const { fault } = await read(
      sheet([
        ['user_id', { t: 'e', v: '#NAME?' }],
        ['u1', 5],
      ]),
    );
    expect(fault?.message).toMatch(/^B1 holds the error #NAME\?/);
  });

  it('a header of numbers and dates is none', async () => {
    expect(
      (
        await read(
          sheet([
            [5, { v: 46327, format: 14 }],
            ['u1', 5],
          ]),
        )
      ).fault?.code,
    ).toBe('header-like-data');
  });
});

describe('sheets', () => {
  const rows = [HEAD, ['u1', 5, 'T']];
  const three = workbook({
    sheets: [
      { name: '2', rows: [HEAD, ['two', 2, 'T']] },
      { name: 'Old', rows, state: 'hidden' },
      { name: 'Ledger', rows: [HEAD, ['three', 3, 'T']] },
      { name: 'Secret', rows, state: 'veryHidden' },
      { name: 'Chart', rows: '', isChart: true },
    ],
  });
  const user = async (name: string): Promise<unknown> =>
    ((await read(three, { sheet: name })).inputs[0] as { user_id: string }).user_id;

  it('the only visible one is taken', async () => {
    const bytes = workbook({
      sheets: [
        { name: 'Old', rows: [], state: 'hidden' },
        { name: 'New', rows },
      ],
    });
    expect((await read(bytes)).detected).toBe('xlsx, sheet "New"');
  });

  it('one of several is taken by its name, or its number among those that are seen', async () => {
    expect(await user('Ledger')).toBe('three');
    expect(await user(' ledger ')).toBe('three');
    expect(await user('2')).toBe('two');
    expect(await user('1')).toBe('two');
  });

  it.each([
    [null, 'the workbook has 2 sheets; say which with --sheet: 1 "2", 2 "Ledger", 3 "Chart"'],
    ['Legder', 'Did you mean "Ledger"?'],
    ['9', 'there is no sheet "9"'],
    ['0', 'there is no sheet "0"'],
    ['Old', 'is hidden'],
    ['secret', 'is hidden'],
    ['Chart', 'is a chart'],
  ])('%s: %s', async (name, words) => {
    const reading = read(three, { sheet: name });
    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toThrow(words);
  });

  it('a workbook that shows none is told of', async () => {
    const bytes = workbook({ sheets: [{ name: 'Old', rows, state: 'hidden' }] });
    await expect(read(bytes)).rejects.toThrow('no sheet that is visible');
  });

  it('names may hold what XML has to write otherwise', async () => {
    const bytes = workbook({
      sheets: [
        { name: 'A & "B"', rows },
        { name: 'C', rows },
      ],
    });
    expect((await read(bytes, { sheet: 'A & "B"' })).detected).toContain(JSON.stringify('A & "B"'));
    expect(escaped('A & B')).toBe('A &amp; B');
  });
});

it('a rejects file that came back as a workbook loses the apostrophes that it was given', async () => {
  const rows = [
    ['user_id', 'amount', 'title', 'gigwork_key', 'gigwork_error'],
    ['u1', 5, "'=SUM(1)", 'k1', 'why'],
  ];
  const { inputs, records } = await read(sheet(rows));
  expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: '=SUM(1)' }]);
  expect(records[0]?.replaces).toBe('k1');
});
