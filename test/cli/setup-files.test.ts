import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/input/encoding.js';
import { setUp } from '../support/set-up.js';
import { sheet, workbook } from '../support/workbook.js';

// `gigwork setup FILE --yes` on files as programs and people of several countries write them. CONTRACT: "Setting a file up".

interface Proven {
  readonly name: string;
  readonly lines: readonly string[];
  readonly flags?: readonly string[];
  readonly profile: object;
  readonly read: readonly string[];
}

const OURS = 'user_id;title;amount;cost_center_key;billing_date';

const PROVEN: readonly Proven[] = [
  {
    name: 'a file that needs nothing',
    lines: ['user_id,title,amount,cost_center_key', 'u1,Bonus,1200.50,PP-7'],
    profile: {},
    read: ['u1 1200.5'],
  },
  {
    name: 'Germany: decimal comma, day first',
    lines: [OURS, 'u1;Bonus;1.200,50;PP-7;05.12.2026', 'u2;Bonus;89,90;PP-7;25.12.2026'],
    profile: { decimal: 'comma', date_format: 'dmy' },
    read: ['u1 1200.5  2026-12-05', 'u2 89.9  2026-12-25'],
  },
  {
    name: 'Germany: thousands without decimals beside an amount that decides',
    lines: [OURS, 'u1;Bonus;1.200;PP-7;', 'u2;Bonus;89,90;PP-7;'],
    profile: { decimal: 'comma' },
    read: ['u1 1200', 'u2 89.9'],
  },
  {
    name: 'Germany: years of two digits',
    lines: [OURS, 'u1;Bonus;5;PP-7;05.12.26', 'u2;Bonus;6;PP-7;25.12.26'],
    profile: { date_format: 'dmy' },
    read: ['u1 5  2026-12-05', 'u2 6  2026-12-25'],
  },
  {
    name: 'Switzerland: apostrophes between thousands',
    lines: [OURS, "u1;Bonus;1'200.50;PP-7;25.12.2026", 'u2;Bonus;89.90;PP-7;05.12.2026'],
    profile: { decimal: 'point', date_format: 'dmy' },
    read: ['u1 1200.5  2026-12-25', 'u2 89.9  2026-12-05'],
  },
  {
    name: 'France: spaces between thousands, the sign behind',
    lines: [OURS, 'u1;Prime;1\u202f200,50 €;PP-7;25/12/2026', 'u2;Prime;89,90 €;PP-7;05/12/2026'],
    profile: { set: { currency: 'EUR' }, decimal: 'comma', date_format: 'dmy', currency_signs: true },
    read: ['u1 1200.5 EUR 2026-12-25', 'u2 89.9 EUR 2026-12-05'],
  },
  {
    name: 'the United Kingdom: pounds, names of months',
    lines: [
      'user_id,title,amount,cost_center_key,billing_date',
      'u1,Bonus,"£1,200.50",PP-7,01-Jul-26',
      'u2,Bonus,-£89.90,PP-7,02-Aug-26',
    ],
    profile: { set: { currency: 'GBP' }, decimal: 'point', date_format: 'dmy', currency_signs: true },
    read: ['u1 1200.5 GBP 2026-07-01', 'u2 -89.9 GBP 2026-08-02'],
  },
  {
    name: 'the United States: dollars, month first',
    lines: [
      'user_id,title,amount,currency,cost_center_key,billing_date',
      'u1,Bonus,"$1,200.50",USD,PP-7,12/25/2026',
      'u2,Bonus,$89.90,USD,PP-7,1/2/2026',
    ],
    profile: { decimal: 'point', date_format: 'mdy', currency_signs: true },
    read: ['u1 1200.5 USD 2026-12-25', 'u2 89.9 USD 2026-01-02'],
  },
  {
    name: 'usual names below a title, in another order, with columns that are nothing',
    lines: [
      'Auszahlungen November 2026',
      'Stand: 30.11.2026; 18:04',
      '',
      'Filiale;Betrag;Währung;Titel;Kostenstelle;Leistungsdatum;Nutzer-ID;Erfasst von',
      'Köln;2.150,00;EUR;Lohn;100210;30.11.2026;u1;MB',
    ],
    profile: {
      header_line: 4,
      map: {
        Betrag: 'amount',
        Währung: 'currency',
        Titel: 'title',
        Kostenstelle: 'cost_center_key',
        Leistungsdatum: 'billing_date',
        'Nutzer-ID': 'user_id',
      },
      ignore_columns: ['Filiale', 'Erfasst von'],
      decimal: 'comma',
      date_format: 'dmy',
    },
    read: ['u1 2150 EUR 2026-11-30'],
  },
  {
    name: 'a currency in the name of the column',
    lines: ['user_id;title;Betrag (EUR);cost_center_key', 'u1;Bonus;12,50;PP-7'],
    profile: { map: { 'Betrag (EUR)': 'amount' }, set: { currency: 'EUR' }, decimal: 'comma' },
    read: ['u1 12.5 EUR'],
  },
  {
    name: 'columns by their position, where the person says so',
    lines: ['u1;1.200,50;Bonus;PP-7;25.11.2026', 'u2;89,90;Bonus;PP-7;05.11.2026'],
    flags: [
      ...['--header-line', '0', '--map', '#1=user_id', '--map', '#2=amount', '--map', '#3=title'],
      ...['--map', '#4=cost_center_key', '--map', '#5=billing_date'],
    ],
    profile: {
      header_line: 0,
      map: { '#1': 'user_id', '#2': 'amount', '#3': 'title', '#4': 'cost_center_key', '#5': 'billing_date' },
      decimal: 'comma',
      date_format: 'dmy',
    },
    read: ['u1 1200.5  2026-11-25', 'u2 89.9  2026-11-05'],
  },
  {
    name: 'a bank: what goes out is negative, where the person says so',
    lines: [
      'Kontoauszug;DE12 3456',
      '',
      'Buchungstag;Empfänger;Verwendungszweck;Betrag;Währung',
      '25.11.2026;Maier, Jürgen;Lohn;-1.200,50;EUR',
      '26.11.2026;Öztürk;Lohn;-89,90;EUR',
    ],
    flags: [
      ...['--map', 'Empfänger=user_id', '--map', 'Verwendungszweck=title', '--map', 'Buchungstag=billing_date'],
      ...['--set', 'cost_center_key=PP-7', '--negate'],
    ],
    profile: {
      header_line: 3,
      map: {
        Empfänger: 'user_id',
        Verwendungszweck: 'title',
        Buchungstag: 'billing_date',
        Betrag: 'amount',
        Währung: 'currency',
      },
      set: { cost_center_key: 'PP-7' },
      decimal: 'comma',
      date_format: 'dmy',
      negate: true,
    },
    read: ['Maier, Jürgen 1200.5 EUR 2026-11-25', 'Öztürk 89.9 EUR 2026-11-26'],
  },
  {
    name: 'a few corrections among amounts, which stay negative',
    lines: [OURS, 'u1;Bonus;5.50;PP-7;', 'u2;Bonus;6.50;PP-7;', 'u3;Bonus;-1.50;PP-7;'],
    profile: {},
    read: ['u1 5.5', 'u2 6.5', 'u3 -1.5'],
  },
  {
    name: 'marks of its own between the cells, and the line that names them',
    lines: ['sep=|', 'user_id|title|amount|cost_center_key', 'u1|Bonus|1,5|PP-7'],
    profile: { decimal: 'comma' },
    read: ['u1 1.5'],
  },
];

describe('a file that proves how it is to be read', () => {
  it.each(PROVEN)('$name', async ({ lines, flags, profile, read }) => {
    const found = await setUp(`${lines.join('\r\n')}\r\n`, flags);
    expect(found.result.stderr).not.toContain('not proven');
    expect(found.result.code).toBe(0);
    expect(found.profile).toEqual(profile);
    expect(found.read).toEqual(read);
  });

  it.each(['windows-1252', 'utf-16le'] as const)('in %s', async (encoding) => {
    const text = 'Nutzer-ID;Titel;Betrag;Währung;Kostenstelle\r\nu1;Prämie Köln;1.200,50;EUR;PP-7\r\n';
    const mark = encoding === 'utf-16le' ? '\ufeff' : '';
    const { profile, read } = await setUp(encodeText(mark + text, encoding));
    // What is found out of a file's bytes is found out anew next month.
    expect(profile).not.toHaveProperty('encoding');
    expect(read).toEqual(['u1 1200.5 EUR']);
  });

  it('knows gig results and their prices', async () => {
    const lines = [
      'gig_task_id;user_id;Titel;Menge;Multiplikator;base_price;Kostenstelle',
      't1;u1;Audit;3;1,250;250;PP-7',
    ];
    const { profile, read } = await setUp(lines.join('\n'), [], { type: 'result' });
    expect(profile).toEqual({
      map: { Titel: 'title', Menge: 'quantity', Multiplikator: 'multiplier', Kostenstelle: 'cost_center_key' },
      decimal: 'comma',
    });
    expect(read).toEqual(['u1 3']);
  });

  it('knows workbooks, where numbers and dates are ones by themselves', async () => {
    const date = { v: 46_351, format: 14 };
    const rows = [
      ['Auszahlungen November'],
      [],
      ['Nutzer-ID', 'Titel', 'Betrag', 'Kostenstelle', 'Leistungsdatum', 'Filiale'],
      ['u1', 'Bonus', { v: 1200.5, format: '#,##0.00' }, 'PP-7', date, 'Köln'],
      ['u2', 'Bonus', '89,90', 'PP-7', '25.11.2026', 'Bonn'],
    ];
    const { profile, read } = await setUp(sheet(rows), [], { name: 'file.xlsx' });
    expect(profile).toEqual({
      header_line: 3,
      map: {
        'Nutzer-ID': 'user_id',
        Titel: 'title',
        Betrag: 'amount',
        Kostenstelle: 'cost_center_key',
        Leistungsdatum: 'billing_date',
      },
      ignore_columns: ['Filiale'],
      decimal: 'comma',
      date_format: 'dmy',
    });
    expect(read).toEqual(['u1 1200.5  2026-11-25', 'u2 89.9  2026-11-25']);
  });

  it('knows the members of JSON', async () => {
    const records = [{ user_id: 'u1', Betrag: 12.5, title: 'Bonus', cost_center_key: 'PP-7', Filiale: 'Köln' }];
    const { profile, read } = await setUp(JSON.stringify(records), [], { name: 'file.json' });
    expect(profile).toEqual({ map: { Betrag: 'amount' }, ignore_columns: ['Filiale'] });
    expect(read).toEqual(['u1 12.5']);
  });
});

/** What is refused: the lines, and what is said of them. */
const REFUSED: readonly (readonly [name: string, lines: readonly string[], said: readonly string[]])[] = [
  [
    'two ways of writing numbers',
    [OURS, 'u1;Bonus;1.200,50;PP-7;', 'u2;Bonus;1,200.50;PP-7;'],
    ['line 3: "1,200.50" has a decimal point, line 2: "1.200,50" a decimal comma'],
  ],
  [
    'a number with two readings',
    [OURS, 'u1;Bonus;1.234;PP-7;'],
    ['"1.234" can be read as 1.234', '--decimal point', '--decimal comma'],
  ],
  [
    'thousands, and nothing that shows the decimal mark',
    [OURS, "u1;Bonus;1'234;PP-7;"],
    ['--decimal point', '--decimal comma'],
  ],
  [
    'three decimals among two',
    [OURS, 'u1;Bonus;12.50;PP-7;', 'u2;Bonus;1.234;PP-7;'],
    ['"1.234" has three decimals', '--decimal point'],
  ],
  [
    'a date with two readings',
    [OURS, 'u1;Bonus;5;PP-7;05.12.2026'],
    [
      '"05.12.2026" can be 2026-12-05 (day first) or 2026-05-12 (month first)',
      '--date-format dmy',
      '--date-format mdy',
    ],
  ],
  [
    'dates of which a spreadsheet has read some',
    [OURS, 'u1;Bonus;5;PP-7;2026-05-12', 'u2;Bonus;5;PP-7;25.12.2026'],
    ['dates are written in two ways'],
  ],
  [
    'dates that begin with the year of two digits',
    [OURS, 'u1;Bonus;5;PP-7;26-12-05', 'u2;Bonus;5;PP-7;26-12-25'],
    ['may begin with the year'],
  ],
  [
    'dates that are none',
    [OURS, 'u1;Bonus;5;PP-7;0512'],
    ['none of its values is a date that is read', '--ignore-column billing_date'],
  ],
  [
    'amounts that are all negative',
    [OURS, 'u1;Bonus;-5;PP-7;', 'u2;Bonus;-6;PP-7;'],
    ['every amount is negative, as in line 2: "-5"', '--negate'],
  ],
  [
    'a sign of several currencies',
    [OURS, 'u1;Bonus;$5.00;PP-7;'],
    ['carries $, which several currencies share', '--set currency=USD'],
  ],
  [
    'signs of two currencies',
    [OURS, 'u1;Bonus;€5.00;PP-7;', 'u2;Bonus;£5.00;PP-7;'],
    ['amounts carry several currencies', "--map 'COLUMN=currency'"],
  ],
  [
    'a sign on some amounts',
    [OURS, 'u1;Bonus;€5.00;PP-7;', 'u2;Bonus;5.00;PP-7;'],
    ['carries none', '--set currency=EUR'],
  ],
  [
    'a column of currencies under a strange name',
    [`${OURS};Kontoart`, 'u1;Bonus;5;PP-7;;EUR', 'u2;Bonus;5;PP-7;;USD'],
    ['the column Kontoart holds currencies', '--map Kontoart=currency', '--ignore-column Kontoart'],
  ],
  [
    'a column that says debit or credit',
    [`${OURS};Kz`, 'u1;Bonus;5;PP-7;;S', 'u2;Bonus;5;PP-7;;H'],
    ['the column Kz says of each amount whether it goes in or out', '--ignore-column Kz'],
  ],
  [
    'what no column gives',
    ['user_id;amount;Ort', 'u1;5;Köln'],
    ['what gives title', '--set title=VALUE', '--set cost_center_key=VALUE'],
  ],
  [
    'two columns for one field',
    ['Benutzer-ID;Nutzer-ID;title;amount;cost_center_key', 'u1;u2;Bonus;5;PP-7'],
    [
      'which column gives user_id: "Benutzer-ID" or "Nutzer-ID"',
      '--map Benutzer-ID=user_id',
      '--map Nutzer-ID=user_id',
    ],
  ],
  [
    'a name that is nearly a field',
    ['user_id,title,ammount,cost_center_key', 'u1,Bonus,5,PP-7'],
    ['--map ammount=amount'],
  ],
  [
    'a name that is likely a field',
    ['Supplier,title,amount,cost_center_key', 'u1,Bonus,5,PP-7'],
    ['whether the column "Supplier" gives user_id', '--map Supplier=user_id'],
  ],
  ['no column names', ['u1;1.200,50;Bonus;PP-7', 'u2;89,90;Bonus;PP-7'], ['--header-line 0', "--map '#1=user_id'"]],
  ['what the records are', ['Name,Ort', 'u1,Köln'], ['--type payout', '--type result', '--type gig']],
];

describe('what a file does not prove', () => {
  it('is which of several sheets is meant', async () => {
    const rows = [
      ['user_id', 'title', 'amount', 'cost_center_key'],
      ['u1', 'Bonus', 5, 'PP-7'],
    ];
    const file = workbook({
      sheets: [
        { name: 'Oktober', rows },
        { name: 'November', rows },
      ],
    });
    const { result } = await setUp(file, [], { name: 'file.xlsx' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`--sheet: 1 "Oktober", 2 "November"`);
    const said = await setUp(file, ['--sheet', 'November'], { name: 'file.xlsx' });
    expect(said).toMatchObject({ profile: { sheet: 'November' }, read: ['u1 5'] });
  });

  it.each(REFUSED)('%s', async (_name, lines, said) => {
    const { result, profile } = await setUp(`${lines.join('\n')}\n`);
    expect(result.code).toBe(2);
    for (const words of said) expect(result.stderr).toContain(words);
    expect(result.stdout).toBe('');
    expect(profile).toBeNull();
  });

  it('is named all at once, and each flag that is named says it', async () => {
    const lines = ['Supplier;Zweck;Wert;Tag;Kz', 'u1;Lohn;-1.234;05.12.2026;S', 'u2;Lohn;-1.235;06.12.2026;H'];
    const { result } = await setUp(lines.join('\n'));
    expect(result.code).toBe(2);
    const wanted = [
      ...['--map Supplier=user_id', '--map Zweck=title', '--map Wert=amount', '--map Tag=billing_date'],
      ...['--ignore-column Kz', '--decimal comma', '--date-format dmy', '--negate'],
    ];
    for (const flag of wanted) expect(result.stderr).toContain(`    ${flag}\n`);
    const flags = [...wanted.flatMap((flag) => flag.split(' ')), '--set', 'cost_center_key=PP-7'];
    const said = await setUp(lines.join('\n'), flags);
    expect(said.result.stderr).toContain('Nothing was sent');
    expect(said.read).toEqual(['u1 1234  2026-12-05', 'u2 1235  2026-12-06']);
  });
});
