import { describe, expect, it } from 'vitest';
import { RECORD_SCHEMAS } from '../../../../src/records/record-schemas.js';
import { UsageError } from '../../../../src/errors.js';
import { PLAIN_STYLE } from '../../../support/cell-style.js';
import { sheet, workbook, type CellSpec, type SheetSpec } from '../../../support/workbook.js';
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
});

describe('a cell', () => {
  const COLUMNS = { user_id: 0, amount: 1, title: 2, billing_date: 3 } as const;
  type Column = keyof typeof COLUMNS;
  const rowWith = (field: Column, cell: CellSpec): CellSpec[] =>
    ['u1', 5, 'T', null].map((other, index) => (index === COLUMNS[field] ? cell : other));
  const STYLES = [
    PLAIN_STYLE,
    { ...PLAIN_STYLE, decimal: 'point', dateOrder: 'dmy' },
    { ...PLAIN_STYLE, decimal: 'comma', dateOrder: 'mdy' },
  ] as const;
  const inline = (xml: string, format?: string): CellSpec => ({ t: 'inlineStr', xml: `<is>${xml}</is>`, format });

  it.each<[Column, CellSpec, unknown]>([
    ...['  two  spaces ', 'line\nline', '=SUM(A1)', "'quoted", 'ä€😀', 'TRUE', '1E5', '2026-11-01'].map(
      (text) => ['title', text, text] as [Column, CellSpec, unknown],
    ),
    ['title', '_x005F_x000D_', '_x000D_'],
    // Rich text; a reading beside it; space that is not said to be part of it; what XML cannot hold; entities.
    [
      'title',
      inline('<r><t>Bo</t></r><r><rPr><b/></rPr><t xml:space="preserve">nus </t></r><r><t>5</t></r>'),
      'Bonus 5',
    ],
    ['title', inline('<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>'), '東京'],
    ['title', inline('<t>\n  Bonus </t>'), 'Bonus'],
    ['title', inline('<t>a_x000D_\nb_x0041_</t>'), 'a\r\nbA'],
    ['title', inline('<t>a &lt;&amp;&gt; b</t>'), 'a <&> b'],
    ['title', { t: 'str', f: 'A1&"x"', v: 'Bonus' }, 'Bonus'],
    ['amount', { t: 'str', f: '""', v: '' }, undefined],
    ['amount', 1200, 1200],
    ['amount', { v: '19.989999999999998' }, 19.99],
    ['amount', { v: 1.234 }, 1.234],
    ['amount', { v: -12.345, format: '0.000' }, -12.345],
    ['amount', { v: 12.3, f: 'A1*2' }, 12.3],
    ['amount', { v: 0.0000001, format: '0.0000000' }, 1e-7],
    ['user_id', 123, '123'],
    ['user_id', { v: 999999999999999, format: '0' }, '999999999999999'],
    ['user_id', { v: 123, format: '@' }, '123'],
    ['billing_date', { v: 46327, format: 14 }, '2026-11-01'],
    ...[
      'yyyy"年"m"月"d"日"',
      '[$-411]ggge"年"m"月"d"日"',
      '[DBNum1][$-804]yyyy"年"m"月"d"日"',
      'yyyy年m月d日',
      '[$-412]yyyy"년" m"월" d"일"',
      27,
      28,
      30,
      31,
      34,
      36,
      50,
      53,
      55,
      58,
      71,
      81,
    ].map((format): [Column, CellSpec, unknown] => ['billing_date', { v: 46327, format }, '2026-11-01']),
    ['billing_date', { v: '2026-11-01', t: 'd' }, '2026-11-01'],
    ['billing_date', { v: '2026-11-01T00:00:00', t: 'd', format: 14 }, '2026-11-01'],
    ['billing_date', '2026-11-01', '2026-11-01'],
  ])('%s, from %j, is %j under every style', async (field, cell, value) => {
    for (const style of STYLES) {
      const input = (await inputOf(rowWith(field, cell), { style })) as Partial<Record<Column, unknown>>;
      expect(input[field]).toBe(value);
    }
  });

  it('that is text is read as in CSV, by the flags', async () => {
    const cells = ['u1', '1.200,50', 'T', '01.11.2026'];
    expect((await foundIn(cells)).join()).toContain('bad-number');
    const style = { ...PLAIN_STYLE, decimal: 'comma', dateOrder: 'dmy', negate: true } as const;
    expect(await inputOf(cells, { style })).toMatchObject({ amount: -1200.5, billing_date: '2026-11-01' });
    expect(await inputOf(['u1', -12.5, 'T'], { style })).toMatchObject({ amount: 12.5 });
  });

  // What a format shows of a number, and that of which it shows another one: shown.test.ts.
  it.each<[Column, CellSpec, code: string, ...words: string[]]>([
    ['title', inline('<t>abc</t>', ';;;'), 'wrong-type', 'C2 does not show its text'],
    ['amount', { v: 12.299999999999999, format: '0.00' }, 'inexact-number', 'B2', '12.30', '12.299999999999999'],
    ['amount', { v: 0.125, format: '0%' }, 'bad-number', 'B2', '13%', '0%'],
    ['amount', { v: 5, format: 99 }, 'bad-number', 'which is not read', 'number 99'],
    ['amount', { v: 5, format: 27 }, 'wrong-type', 'the date 1900-01-05'],
    ['amount', { v: 46327, format: 14 }, 'wrong-type', 'the date 2026-11-01', 'a number belongs here'],
    ['amount', { v: 0.5, format: 20 }, 'wrong-type', 'the time 12:00:00', 'a number belongs here'],
    ['amount', true, 'wrong-type', 'TRUE', 'a number belongs here'],
    ['amount', { v: '#REF!', t: 'e' }, 'spreadsheet-error', 'B2', '#REF!'],
    ['user_id', { v: '#N/A', t: 'e' }, 'spreadsheet-error', 'A2', '#N/A'],
    ['amount', { f: 'A1*2' }, 'wrong-type', 'B2', 'without a stored value'],
    ['amount', { f: 'A1*2', v: '' }, 'wrong-type', 'B2', 'without a stored value'],
    ['amount', { v: 60, format: 14 }, 'wrong-type', '60', 'not a day of the calendar'],
    ['user_id', { v: 123, format: '00000' }, 'wrong-type', 'A2', 'shown as 00123'],
    ['user_id', 12.5, 'wrong-type', '12.5'],
    ...[1e15, 4111111111111110, 1914310000010100000, -1e15].map((v): [Column, CellSpec, string, ...string[]] => [
      'user_id',
      { v, format: '0' },
      'wrong-type',
      'A2',
      String(v),
      '15 digits',
    ]),
    ['user_id', { v: '1.91431000001010000E+18' }, 'wrong-type', '1914310000010100000', 'lost for good'],
    ['title', { v: '123456789012345678', format: '@' }, 'wrong-type', 'C2', 'Format the column as text'],
    ['user_id', { v: 46327, format: 14 }, 'wrong-type', 'the date 2026-11-01'],
    ['user_id', true, 'wrong-type', 'TRUE'],
    ['billing_date', { v: 46327.5, format: 'dd.mm.yyyy' }, 'bad-date', '2026-11-01T12:00:00'],
    ['billing_date', { v: 46327.999999, format: 'dd.mm.yyyy' }, 'bad-date', '2026-11-01T23:59:59'],
    ['billing_date', { v: 46327 }, 'bad-date', 'is not written as'],
    ['billing_date', { v: 0.5, format: 20 }, 'bad-date', 'no date'],
    ['billing_date', { v: '2026-02-30', t: 'd' }, 'wrong-type', '2026-02-30'],
    ['billing_date', true, 'wrong-type', 'TRUE'],
  ])('%s, from %j, is refused as %s', async (field, cell, code, ...words) => {
    const [found = '', ...more] = await foundIn(rowWith(field, cell));
    expect(more).toEqual([]);
    expect(found.startsWith(`${code} ${field}`)).toBe(true);
    for (const word of words) expect(found).toContain(word);
  });

  it('that shows a currency agrees with the record', async () => {
    const euro = { v: 5, format: '#,##0.00 [$€-407]' };
    expect(await inputOf(['u1', euro, 'T', null, 'EUR'])).toMatchObject({ amount: 5 });
    expect(await inputOf(['u1', euro, 'T'])).toMatchObject({ amount: 5 });
    expect((await foundIn(['u1', euro, 'T', null, 'USD']))[0]).toMatch(/^bad-number amount: B2 shows "€".*USD/);
    const assignments = [{ path: 'currency', text: 'USD' }];
    expect((await foundIn(['u1', euro, 'T', null, 'EUR'], { assignments })).join()).toContain('USD');
    expect(await inputOf(['u1', { v: 5, format: '"$"0.00' }, 'T', null, 'CAD'])).toMatchObject({ amount: 5 });
  });

  it('of an amount shows one currency in its whole column where the records have none', async () => {
    const rows = (...formats: string[]): CellSpec[][] => [
      HEAD,
      ...formats.map((format) => ['u1', { v: 5, format }, 'T']),
    ];
    const { found, facts } = await read(sheet(rows('0.00', '[$$-409]0.00', '0.00', '"CA$"0.00')));
    expect(found).toEqual([]);
    expect(facts.sheet?.seen.currencies).toMatchObject([{ path: 'amount', sign: '$', codes: ['CAD'], address: 'B3' }]);
    const two = await read(sheet(rows('0.00\\ "€"', '"CHF" 0.00', '0.00\\ [$EUR]')));
    expect(two.found).toEqual(['3 bad-number amount']);
    expect(two.records[1]?.findings[0]?.message).toContain('B3 shows "CHF", and B2 shows "€"');
    const mixed = [
      HEAD,
      ['u1', { v: 5, format: '0.00\\ "€"' }, 'T', null, 'EUR'],
      ['u2', { v: 5, format: '"CHF" 0.00' }, 'T'],
    ];
    expect((await read(sheet(mixed as CellSpec[][]))).found).toEqual([]);
  });

  it.each(['[$Rp-421]#,##0', '"Rp"#,##0', '[$Taler]0', '"CHF" 0.00', '[$$-409]0'])(
    'that shows another currency than the record has is refused: %s',
    async (format) => {
      const assignments = [{ path: 'currency', text: 'EUR' }];
      for (const style of [PLAIN_STYLE, { ...PLAIN_STYLE, currencySigns: true }])
        expect((await foundIn(['u1', { v: 5, format }, 'T'], { assignments, style })).join()).toMatch(
          /^bad-number amount: B2 .*EUR/,
        );
    },
  );

  it('is one of the dates of its column that are real dates, or one of those that are texts', async () => {
    const row = (date: CellSpec): CellSpec[] => ['u1', 5, 'T', date];
    const style = { ...PLAIN_STYLE, dateOrder: 'dmy' } as const;
    const mixed = await read(sheet([HEAD, row(DAY), row({ v: 46092, format: 14 }), row(null), row('13/11/2026')]), {
      style,
    });
    expect(mixed.facts.sheet?.seen.mixedDates).toEqual([
      {
        path: 'billing_date',
        realDates: 2,
        texts: 1,
        real: { address: 'D2', row: 2, text: '2026-11-01' },
        swapped: '2026-01-11',
        text: { address: 'D5', row: 5, text: '13/11/2026' },
      },
    ]);
    for (const dates of [
      [DAY, DAY],
      ['13/11/2026', '2026-11-03'],
      [DAY, ' '],
    ] as const)
      expect((await read(sheet([HEAD, ...dates.map(row)]), { style })).facts.sheet?.seen.mixedDates).toEqual([]);
    const titles = await read(sheet([HEAD, ['u1', 5, 'T'], ['u2', 5, DAY]]));
    expect(titles.facts.sheet?.seen.mixedDates).toEqual([]);
  });

  it('that a formula should give, and nobody has computed, has no value', async () => {
    const rows = [HEAD, ['u1', { f: 'A1', v: 0 }, 'T'], ['u2', { f: 'A1', v: 5 }, 'T'], ['u3', 0, 'T']] as CellSpec[][];
    const { found } = await read(workbook({ sheets: [{ name: 'S', rows }], more: '<calcPr fullCalcOnLoad="1"/>' }));
    expect(found).toEqual(['2 wrong-type amount']);
  });

  it('counts its days from 1904 where the workbook says so', async () => {
    const rows = [HEAD, ['u1', 5, 'T', { v: 44865, format: 14 }]] as CellSpec[][];
    const { inputs } = await read(workbook({ sheets: [{ name: 'S', rows }], from1904: true }));
    expect(inputs).toEqual([{ user_id: 'u1', amount: 5, title: 'T', billing_date: '2026-11-01' }]);
  });

  it('that is a multiplier is sent as it is stored', async () => {
    const { inputs } = await read(sheet([['multiplier'], [1.25], [1.234], [{ v: 1.5, format: '0.00' }]]), {
      shape: RECORD_SCHEMAS.result,
    });
    expect(inputs).toEqual([{ multiplier: '1.25' }, { multiplier: '1.234' }, { multiplier: '1.5' }]);
  });

  it.each<[CellSpec, number | string]>([
    ['2026-12-01T08:00:00+01:00', 1796108400],
    [1796108400, 1796108400],
    [{ v: 46357.333333333336, format: 22 }, 'bad-date'],
    [{ v: 46357, format: 14 }, 'bad-date'],
    [{ v: 1796108400, format: '0.00E+00' }, 'bad-number'],
  ])('that is a moment, from %j, is %s', async (cell, expected) => {
    const { inputs, records } = await read(sheet([['start_at'], [cell]]), { shape: RECORD_SCHEMAS.gig });
    const found = records[0]?.findings[0]?.code ?? (inputs[0] as { start_at: unknown }).start_at;
    expect(found).toBe(expected);
  });

  it.each<[CellSpec, number | string]>([
    [{ v: 46357.333333333336, format: 22 }, 1796108400],
    // Midnight is no fraction of a day: the format shows whether it is a time.
    [{ v: 46357, format: 22 }, 1796079600],
    [{ v: 46357, format: 'dd.mm.yyyy hh:mm' }, 1796079600],
    // The last of 24 hours that were added to the day before.
    [{ v: 46356.99999999994, format: 22 }, 1796079600],
    [{ v: 46356.9999999, format: 'dd.mm.yyyy hh:mm' }, 1796079600],
    [{ v: 46357, format: 14 }, 'start_at: "2026-12-01" is a date without a time'],
    [{ v: 46110.104166666664, format: 22 }, 'start_at: 2026-03-29 02:30 does not exist in Europe/Berlin'],
    [{ v: 0.25, format: 21 }, 'start_at: A2 holds the time 06:00:00, and no date'],
    [{ v: 0.9999999, format: 21 }, 'start_at: A2 holds the time 24:00:00, and no date'],
    [{ v: 1e300, format: 21 }, ':00:00, and no date'],
  ])('that is a moment in a time zone, from %j, is %s', async (cell, expected) => {
    const style = { ...PLAIN_STYLE, timeZone: 'Europe/Berlin' } as const;
    const { inputs, records } = await read(sheet([['start_at'], [cell]]), { shape: RECORD_SCHEMAS.gig, style });
    const found = records[0]?.findings[0]?.message ?? (inputs[0] as { start_at: unknown }).start_at;
    if (typeof expected === 'string') expect(found).toContain(expected);
    else expect(found).toBe(expected);
  });

  it('that is true or false is so where it belongs, and no other cell is', async () => {
    const rows = [['partner_options.extra_mile'], [true], ['false'], [1], [{ v: 46327, format: 14 }]] as CellSpec[][];
    const { inputs, records } = await read(sheet(rows), { shape: RECORD_SCHEMAS.gig });
    const values = (inputs as { partner_options?: { extra_mile: unknown } }[]).map(
      (each) => each.partner_options?.extra_mile,
    );
    expect(values).toEqual([true, false, '1', undefined]);
    expect(records[3]?.findings[0]?.code).toBe('wrong-type');
  });
});

describe('what a person does not see', () => {
  const HIDDEN = ' hidden="1"';
  const TABLE = [HEAD, ['u1', 5, 'T'], ['u2', 5, 'T']];
  const run = (isStruck: boolean): string => `<r>${isStruck ? '<rPr><strike/></rPr>' : ''}<t>Bonus</t></r>`;
  const RICH = (...struck: boolean[]): CellSpec => ({ t: 'inlineStr', xml: `<is>${struck.map(run).join('')}</is>` });
  const STRUCK_NAME: CellSpec = { t: 'inlineStr', xml: '<is><t>Name</t></is>', isStruck: true };
  const ruled = (cells: string, style: number): string =>
    `<conditionalFormatting sqref="${cells}"><cfRule type="expression" dxfId="${style}" priority="1"><formula>TRUE</formula></cfRule></conditionalFormatting>`;
  const columns = (attributes: string): Partial<SheetSpec> => ({ before: `<cols><col ${attributes}/></cols>` });
  const noHeight = '<sheetFormatPr defaultRowHeight="0" zeroHeight="1"/>';

  it.each<[name: string, rows: CellSpec[][], spec: Partial<SheetSpec>, found: string[], change?: Change]>([
    ['a hidden row', [...TABLE, []], { rowAttributes: { 3: HIDDEN, 4: HIDDEN } }, ['3 bad-csv null']],
    ['a row without height', TABLE, { rowAttributes: { 2: ' ht="0" customHeight="1"' } }, ['2 bad-csv null']],
    [
      'rows without height',
      TABLE,
      { before: noHeight, rowAttributes: { 1: ' ht="15"', 3: ' ht="15"' } },
      ['2 bad-csv null'],
    ],
    ['a hidden row above the header', [['x'], ...TABLE], { rowAttributes: { 1: HIDDEN } }, [], { headerLine: 2 }],
    [
      'a column that was dropped by its name',
      [
        ['user_id', 'Notes'],
        ['u1', 'x'],
      ],
      columns('min="2" max="9" hidden="1"'),
      [],
      { ignore: ['Notes'] },
    ],
    [
      'hidden columns that are dropped by their positions',
      [
        ['user_id', null, 'x', 'x'],
        ['u1', 'x'],
      ],
      columns('min="2" max="9" hidden="1"'),
      [],
      { ignore: ['#2', '#3', '#4'] },
    ],
    [
      'hidden columns that are no fields, where those are dropped',
      [
        ['user_id', null, 'Notes'],
        ['u1', 'x', 'y'],
      ],
      columns('min="2" max="3" hidden="1"'),
      [],
      { ignoreOthers: true },
    ],
    [
      'a column without a name, far below its header',
      [['user_id'], ...Array.from({ length: 2500 }, () => ['u1']), ['u1', 'x']],
      columns('min="2" max="2" hidden="1"'),
      ['2502 bad-csv null'],
    ],
    [
      'content beside the header',
      [
        ['user_id', null, 'title'],
        ['u1', 5, 'T'],
      ],
      {},
      ['2 bad-csv null'],
    ],
    ['a cell that is struck out', [...TABLE, ['u3', 5, { t: 's', v: 0, isStruck: true }]], {}, ['4 bad-csv null']],
    ['a number that is struck out', [...TABLE, ['u3', { v: 5, isStruck: true }, 'T']], {}, ['4 bad-csv null']],
    ['a text of which all is struck out', [...TABLE, ['u3', 5, RICH(true, true)]], {}, ['4 bad-csv null']],
    ['a text of which a part is struck out', [...TABLE, ['u3', 5, RICH(true, false)]], {}, ['4 bad-csv null']],
    ['a text in runs', [...TABLE, ['u3', 5, RICH(false, false)]], {}, []],
    ['an empty cell that is struck out', [...TABLE, ['u3', 5, 'T', { isStruck: true }]], {}, []],
    ['a title that is struck out', [[{ v: 5, isStruck: true }], ...TABLE], {}, [], { headerLine: 2 }],
    [
      'a struck out cell in a column that is dropped, which is the cell of a row that does not count',
      [
        ['user_id', 'Name'],
        ['u1', { v: 5, isStruck: true }],
      ],
      {},
      ['2 bad-csv null'],
      { ignore: ['Name'] },
    ],
    [
      'a struck out column that is dropped',
      [
        ['user_id', STRUCK_NAME],
        ['u1', { v: 5, isStruck: true }],
      ],
      {},
      [],
      { ignore: ['Name'] },
    ],
    ['cells below the table that a condition may strike out', TABLE, { after: ruled('A4:C9', 1) }, []],
    ['a condition that strikes nothing out', TABLE, { after: ruled('A1:C9', 0) }, []],
    ['merged cells below the table', TABLE, { merges: ['A4:E9'] }, []],
    ['merged cells beside the table', TABLE, { merges: ['F1:H3'] }, []],
  ])('%s is a fault of its row, or none', async (_, rows, spec, wanted, change) => {
    const { found, fault, records } = await read(sheet(rows, spec), change);
    expect([found, fault]).toEqual([wanted, null]);
    for (const { findings } of records) for (const finding of findings) expect(finding.fault).toBe(true);
  });

  it.each<[name: string, rows: CellSpec[][], spec: Partial<SheetSpec>, message: string]>([
    ['a hidden header', TABLE, { rowAttributes: { 1: HIDDEN } }, 'row 1 should hold the column names, and is hidden'],
    ['a hidden column', TABLE, columns('min="2" max="2" hidden="1"'), 'B1 "amount"'],
    ['a column without width', TABLE, columns('min="2" max="16384" width="0"'), 'B1 "amount"'],
    ['an error in the header', [['user_id', { t: 'e', v: '#NAME?' }]], {}, 'B1 holds the error #NAME?'],
    [
      'a hidden column without a name',
      [['user_id'], ['u1', 'x']],
      columns('min="2" max="2" hidden="1"'),
      'something: B2.',
    ],
    [
      'hidden columns and others without a name',
      [
        ['user_id', 'Bank', null, 'Memo', 'amount', 'Fee', 'It is'],
        ['u1', 'x', 'y', 'z', 5, 'x', 'x', 'w'],
      ],
      columns('min="2" max="5" hidden="1"'),
      'hidden columns hold something: B1 "Bank", C2, D1 "Memo", E1 "amount"; columns without a name have content: H2. Show the hidden columns (in Excel: select all columns, right-click, Unhide). If they do not change what a row means, add --ignore-column Bank --ignore-column \'#3\' --ignore-column Memo --ignore-column \'#8\'',
    ],
    ['a struck out column name', [['user_id', STRUCK_NAME]], {}, 'B1 "Name"'],
    ['a condition that may strike out', TABLE, { after: ruled('Z1 A2:C1048576', 1) }, 'table: A2:C1048576.'],
    ['a condition for whole columns', TABLE, { after: ruled('A:C', 1) }, 'table: A:C.'],
    ...['A1:B1', 'C2:C3', 'B3:D3', 'A3:A9', 'C1:C9'].map(
      (ref) => ['merged cells', TABLE, { merges: ['J1:K9', ref] }, `merged: ${ref};`] as never,
    ),
  ])('%s ends the reading, with the address', async (_, rows, spec, message) => {
    const { fault } = await read(sheet(rows, spec));
    expect(fault).toMatchObject({ code: 'bad-csv', message: expect.stringContaining(message) });
  });
});

it('a hidden column ends the reading where columns have only numbers', async () => {
  const change = { headerLine: 0, map: { '#1': 'user_id', '#2': 'amount', '#3': 'title' }, ignore: ['#4'] };
  const hidden = (column: number): Partial<SheetSpec> => ({
    before: `<cols><col min="${column}" max="${column}" hidden="1"/></cols>`,
  });
  const rows = [['u1', 5, 'T', 'x']];
  expect((await read(sheet(rows, hidden(1)), change)).fault).toMatchObject({
    line: 1,
    message: expect.stringContaining('A1'),
  });
  expect((await read(sheet(rows, hidden(4)), change)).found).toEqual([]);
});

describe('sheets', () => {
  const rows = [HEAD, ['u1', 5, 'T']];
  const three = workbook({
    sheets: [
      { name: '2', rows: [HEAD, ['two', 2, 'T']] },
      { name: 'Old', rows, state: 'hidden' },
      { name: 'A & "B"', rows: [HEAD, ['three', 3, 'T']] },
      { name: 'Secret', rows, state: 'veryHidden' },
      { name: 'Chart', rows: '', isChart: true },
    ],
  });

  it.each([
    ['A & "B"', 'three'],
    [' a & "b" ', 'three'],
    ['2', 'two'],
    ['1', 'two'],
  ])('one of several is taken by its name, or its number among those that are seen: %s', async (name, user) => {
    expect((await read(three, { sheet: name })).inputs).toMatchObject([{ user_id: user }]);
  });

  it.each([
    [null, 'the workbook has 2 sheets; say which with --sheet: 1 "2", 2 "A & \\"B\\"", 3 "Chart"'],
    ['A & "C"', 'Did you mean'],
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

  it('the only visible one is taken; where there is none, that is told', async () => {
    const old = { name: 'Old', rows, state: 'hidden' } as const;
    expect((await read(workbook({ sheets: [old, { name: 'New', rows }] }))).detected).toBe('xlsx, sheet "New"');
    await expect(read(workbook({ sheets: [old] }))).rejects.toThrow('no sheet that is visible');
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
