import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/input/encoding.js';
import { setUp, type SetUp } from '../support/set-up.js';
import { sheet, workbook } from '../support/workbook.js';

// `gigwork setup FILE --yes` on files as programs and people of several countries write them. CONTRACT: "Setting a file up".
// What is made of each stands in an approved file: the profile, and what is read with it; or what is not proven.

const OURS = 'user_id;title;amount;cost_center_key;billing_date';

interface Case {
  readonly name: string;
  readonly file: Uint8Array | string;
  readonly flags?: readonly string[];
  readonly as?: { readonly name?: string; readonly type?: string };
}

const of = (name: string, file: string, ...flags: string[]): Case => ({ name, file: `${file}\n`, flags });

/** A column of these words behind rows that are good. */
const marked = (column: string, ...words: string[]): Case =>
  of(
    `a column ${column} of ${words.join(', ')}`,
    [
      `user_id,title,amount,cost_center_key,${column}`,
      ...words.map((word, i) => `u${i},Bonus,${i + 1}.50,PP-7,${word}`),
    ].join('\n'),
  );

const HIDDEN = sheet(
  [
    ['user_id', 'title', 'amount', 'cost_center_key', 'x'],
    ['u1', 'Bonus', 5, 'PP-7', 'held'],
  ],
  { before: '<cols><col min="5" max="5" hidden="1"/></cols>' },
);

const PROVEN: readonly Case[] = [
  of('a file that needs nothing', 'user_id,title,amount,cost_center_key\r\nu1,Bonus,1200.50,PP-7'),
  of('Germany: decimal comma, day first', `${OURS}\nu1;Bonus;1.200,50;PP-7;05.12.2026\nu2;Bonus;89,90;PP-7;25.12.2026`),
  of('Germany: years of two digits', `${OURS}\nu1;Bonus;5;PP-7;05.12.26\nu2;Bonus;6;PP-7;25.12.26`),
  of('Switzerland: apostrophes', `${OURS}\nu1;Bonus;1'200.50;PP-7;25.12.2026\nu2;Bonus;89.90;PP-7;05.12.2026`),
  of(
    'France: spaces between thousands, the sign behind',
    `${OURS}\nu1;Prime;1\u202f200,50 €;PP-7;25/12/2026\nu2;Prime;89,90 €;PP-7;05/12/2026`,
  ),
  of(
    'the United Kingdom: pounds, names of months',
    `${OURS.replaceAll(';', ',')}\nu1,Bonus,"£1,200.50",PP-7,01-Jul-26\nu2,Bonus,£89.90,PP-7,02-Aug-26`,
  ),
  of(
    'the United States: dollars, month first',
    'user_id,title,amount,currency,cost_center_key,billing_date\nu1,Bonus,"$1,200.50",USD,PP-7,12/25/2026\nu2,Bonus,$89.90,USD,PP-7,1/2/2026',
  ),
  of(
    'usual names below a title, in another order, with columns that are nothing',
    'Auszahlungen November 2026\nStand: 30.11.2026; 18:04\n\nFiliale;Betrag;Währung;Titel;Kostenstelle;Leistungsdatum;Nutzer-ID;Erfasst von\nKöln;2.150,00;EUR;Lohn;100210;30.11.2026;u1;MB',
  ),
  of('a currency in the name of the column', 'user_id;title;Betrag (EUR);cost_center_key\nu1;Bonus;12,50;PP-7'),
  of(
    'columns by their position, where the person says so',
    'u1;1.200,50;Bonus;PP-7;25.11.2026\nu2;89,90;Bonus;PP-7;05.11.2026',
    '--header-line',
    '0',
    '--map',
    '#1=user_id',
    '--map',
    '#2=amount',
    '--map',
    '#3=title',
    '--map',
    '#4=cost_center_key',
    '--map',
    '#5=billing_date',
  ),
  of(
    'a bank: what goes out is negative, where the person says so',
    'Kontoauszug;DE12 3456\n\nBuchungstag;Empfänger;Verwendungszweck;Betrag;Währung\n25.11.2026;Maier, Jürgen;Lohn;-1.200,50;EUR\n26.11.2026;Öztürk;Lohn;-89,90;EUR',
    '--map',
    'Empfänger=user_id',
    '--map',
    'Verwendungszweck=title',
    '--map',
    'Buchungstag=billing_date',
    '--set',
    'cost_center_key=PP-7',
    '--negate',
  ),
  of(
    'rows that are left out: credits, money received, a total',
    `${OURS};S/H\nu1;Bonus;-5.50;PP-7;;S\nu2;Bonus;6.50;PP-7;;S\nu3;Bonus;-1.50;PP-7;;H\nSumme;;-0.50;;;`,
    '--only',
    'S/H=S',
    '--only',
    'amount<0',
    '--negate',
  ),
  of('rows that end early', 'user_id,title,amount,cost_center_key,x,y\nu1,Bonus,5,PP-7\n', '--pad-short-rows'),
  of('marks of its own between the cells', 'sep=|\nuser_id|title|amount|cost_center_key\nu1|Bonus|1,5|PP-7'),
  // What is found out of a file's bytes is found out anew next month.
  ...(['windows-1252', 'utf-16le'] as const).map((encoding) => {
    const text = 'Nutzer-ID;Titel;Betrag;Währung;Kostenstelle\r\nu1;Prämie Köln;1.200,50;EUR;PP-7\r\n';
    return { name: encoding, file: encodeText(encoding === 'utf-16le' ? `\ufeff${text}` : text, encoding) };
  }),
  marked('D/C', 'D', 'D', 'D'),
  marked('Status', 'approved', 'approved'),
  marked('Branch', 'Bonn', 'Bonn'),
  marked('Approved on', '2026-11-01', '2026-11-02'),
  {
    name: 'gig results and their prices',
    file: 'gig_task_id;user_id;Titel;Menge;Multiplikator;base_price;Kostenstelle\nt1;u1;Audit;3;1,250;250;PP-7',
    as: { type: 'result' },
  },
  {
    name: 'a workbook, where numbers and dates are ones by themselves',
    file: sheet([
      ['Auszahlungen November'],
      [],
      ['Nutzer-ID', 'Titel', 'Betrag', 'Kostenstelle', 'Leistungsdatum', 'Filiale'],
      ['u1', 'Bonus', { v: 1200.5, format: '#,##0.00' }, 'PP-7', { v: 46_351, format: 14 }, 'Köln'],
      ['u2', 'Bonus', '89,90', 'PP-7', { v: 46_351, format: 14 }, 'Bonn'],
    ]),
    as: { name: 'file.xlsx' },
  },
  of(
    'dates with a time, and negative amounts as accountants write them',
    `${OURS}\nu1;Bonus;(900.23);PP-7;2026-11-03 14:22\nu2;Bonus;5.00-;PP-7;2026-11-04 09:00`,
    '--negate',
  ),
  of('dates without marks', `${OURS}\nu1;Bonus;5;PP-7;20261103`),
  of('spaces that are left out', `${OURS}\nu1 ;Bonus;5;PP-7;\nu2;Bonus;5;PP-7;`, '--trim'),
  { name: 'a hidden column that is ignored', file: HIDDEN, flags: ['--ignore-column', 'x'], as: { name: 'file.xlsx' } },
];

const ours = (name: string, ...rows: string[]): Case => of(name, [OURS, ...rows].join('\n'));

/** A file that is read, with another row. */
const also = (name: string, row = '', ...flags: string[]): Case =>
  of(name, `Nutzer-ID;Titel;Betrag;Kostenstelle;Filiale\r\nu1;Bonus;1.200,50;PP-7;Köln\r\n${row}`, ...flags);
const HEADER = 'user_id,title,amount,cost_center_key';

const REFUSED: readonly Case[] = [
  ours('a number with two readings', 'u1;Bonus;1.234;PP-7;'),
  ours('a date with two readings', 'u1;Bonus;5;PP-7;05.12.2026'),
  ours('dates that are none', 'u1;Bonus;5;PP-7;0512'),
  ours('amounts that are all negative', 'u1;Bonus;-5;PP-7;', 'u2;Bonus;-6;PP-7;'),
  ours('amounts of both signs', 'u1;Bonus;5.50;PP-7;', 'u2;Bonus;6.50;PP-7;', 'u3;Bonus;-1.50;PP-7;'),
  ours('money received among money sent', 'u1;Bonus;-5.50;PP-7;', 'u2;Bonus;6.50;PP-7;', 'u3;Bonus;-1.50;PP-7;'),
  ours('an amount of 0', 'u1;Bonus;0.00;PP-7;', 'u2;Bonus;6.50;PP-7;'),
  ours('a total', 'u1;Bonus;5.50;PP-7;', 'Summe;;5.50;;'),
  of('a status', `${OURS};State of payment;Status\nu1;B;5;PP;;x;Paid\nu2;B;5;PP;;x;Draft\nu3;B;5;PP;;x;Void`),
  of(
    'a grant number beside an amount',
    'Award,title,Amount awarded,cost_center_key\n4711,B,"£5.00",PP\n4712,B,£5.00,PP',
  ),
  ours('a sign of several currencies', 'u1;Bonus;$5.00;PP-7;'),
  ours('signs of two currencies', 'u1;Bonus;€5.00;PP-7;', 'u2;Bonus;£5.00;PP-7;'),
  ours('a sign on some amounts', 'u1;Bonus;€5.00;PP-7;', 'u2;Bonus;5.00;PP-7;'),
  of('a column of currencies under a strange name', `${OURS};Kontoart\nu1;Bonus;5;PP-7;;EUR\nu2;Bonus;5;PP-7;;USD`),
  of(
    'amounts in a currency beside a column of others',
    'user_id;title;Amount (EUR);currency;cost_center_key\nu1;B;5;USD;PP',
  ),
  of('a column that says debit or credit', `${OURS};Kz\nu1;Bonus;5;PP-7;;S\nu2;Bonus;5;PP-7;;H`),
  of('what no column gives', 'user_id;amount;Ort\nu1;5;Köln'),
  of('two columns for one field', 'Benutzer-ID;Nutzer-ID;title;amount;cost_center_key\nu1;u2;Bonus;5;PP-7'),
  of('a name that is nearly a field', 'user_id,title,ammount,cost_center_key\nu1,Bonus,5,PP-7'),
  of('a name that is likely a field', 'Supplier,title,amount,cost_center_key\nu1,Bonus,5,PP-7'),
  of('no column names', 'u1;1.200,50;Bonus;PP-7\nu2;89,90;Bonus;PP-7'),
  of('what the records are', 'Name,Ort\nu1,Köln'),
  also('text in place of an amount', 'u3;Bonus;n/a;PP-7;Köln'),
  also('an empty amount', 'u3;Bonus;;PP-7;Köln'),
  also('a note below the rows', 'checked by Anna;;;;'),
  also('a payment to nobody', ';Bonus;5,00;PP-7;Köln'),
  also('another fault', 'u3;;5,00;PP-7;Köln'),
  also('a row cut short', 'u3;Bonus;5'),
  also('a condition that leaves out all rows', '', '--only', 'Filiale=Bremen'),
  also('a column that the file lacks', '', '--map', 'Betrg=amount'),
  also('dropping a column that the file lacks', '', '--ignore-column', 'Betrg'),
  also('a field that is none', '', '--map', 'Filiale=branch'),
  also('a value for a field that is none', '', '--set', 'quantity=3'),
  also('a flag that cannot be read', '', '--decimal', 'coma'),
  marked('Type', 'DEBIT', 'CREDIT', 'FEE'),
  marked('Paid', 'Yes', 'No', 'Yes'),
  marked('Storno', '', 'X', ''),
  marked('Transaction Type', 'Payment', 'Refund'),
  marked('Info', 'Umsatz gebucht', 'Umsatz vorgemerkt'),
  of(
    'two columns that may be the date',
    'user_id;title;amount;cost_center_key;Buchungstag;Valutadatum\nu1;Bonus;5;PP-7;03.11.26;04.11.26',
  ),
  of(
    'no payee in a column that is the same in all rows, whatever its name',
    'Account,amount,Payee Ref\n20-11,1.50,W1\n20-11,2.50,W2\n20-11,3.50,W3',
    '--type',
    'payout',
  ),
  { name: 'a hidden column', file: HIDDEN, as: { name: 'file.xlsx' } },
  {
    name: 'dates of which some are text',
    file: sheet([
      OURS.split(';'),
      ['u1', 'Bonus', 5, 'PP-7', { v: 46_092, format: 14 }],
      ['u2', 'Bonus', 5, 'PP-7', '13.11.2026'],
    ]),
    as: { name: 'file.xlsx' },
  },
  ours('spaces around an ID', 'u1 ;Bonus;5;PP-7;'),
  of('codes in small letters', `${OURS};currency\nu1;Bonus;5;PP-7;;eur`),
  of('a number that nothing reads', `${OURS}\nu1;Bonus;5;PP-7;\nu2;Bonus;5 pcs;PP-7;`),
  of('an open quote', `${HEADER}\nu1,"Bonus,5,PP-7`),
  of('two columns of one name', `${HEADER},x,x\nu1,B,5,PP-7,1,2`),
  of('what an earlier run said of each row', `${HEADER},gigwork_status`),
  ...['1.250,50-', '11,50 Cr', '($125.00)', '\u2212200,00', '+5,00'].flatMap((typed) => [
    of(`one amount as ${typed}`, `user_id;title;amount;cost_center_key\nu1;B;9,25;PP-7\nu2;B;${typed};PP-7`),
    // A number of a document is no way out.
    of(
      `a column as ${typed}, with any name`,
      `user_id;title;Netto;Nr;cost_center_key\nu1;B;${typed};900001;PP-7\nu2;B;9,25;900002;PP-7`,
    ),
  ]),
  of('nothing', ' '),
  of('a bank statement in MT940', ':20:STARTUMSE\n:25:10010010/1111\n:60F:C261101EUR8349,00'),
  of('text without columns', 'Dear all\nplease pay'),
  of('rows that are too long', `${HEADER}\nu1,Bonus,5,PP-7,,`),
  of('content without a name', `${HEADER},\nu1,B,5,PP-7,x`),
  of('no records', HEADER),
  of('no good record', `${HEADER}\nu1,,5,PP-7`),
  { name: 'a PDF', file: '%PDF-1.7 …' },
  of('everything at once', 'Supplier;Zweck;Wert;Tag;Kz\nu1;Lohn;-1.234;05.12.2026;S\nu2;Lohn;-1.235;06.12.2026;H'),
];

const run = ({ file, flags, as }: Case): Promise<SetUp> => setUp(file, flags, as);

describe('a file', () => {
  it('that proves how it is to be read is read so', async () => {
    const all: string[] = [];
    for (const each of PROVEN) {
      const { result, profile, read } = await run(each);
      expect.soft(result.code, each.name).toBe(0);
      all.push(`== ${each.name}`, JSON.stringify(profile), ...(read ?? []), '');
    }
    await expect(all.join('\n')).toMatchFileSnapshot('approved/setup-proven.txt');
  });

  it('that does not is refused, with everything that it does not prove and the flags that decide it', async () => {
    const all: string[] = [];
    for (const each of REFUSED) {
      const { result, profile } = await run(each);
      expect.soft([result.stdout, profile], each.name).toEqual(['', null]);
      all.push(`== ${each.name}`, `exit ${result.code}`, result.stderr);
    }
    await expect(all.join('\n')).toMatchFileSnapshot('approved/setup-unproven.txt');
  });

  it('is read as each flag says that was named', async () => {
    const flags = [
      '--map Supplier=user_id',
      '--map Zweck=title',
      '--map Wert=amount',
      '--map Tag=billing_date',
      '--ignore-column Kz',
      '--decimal comma',
      '--date-format dmy',
      '--negate',
      '--set cost_center_key=PP-7',
    ].flatMap((flag) => flag.split(' '));
    const said = await run({ ...(REFUSED.at(-1) as Case), flags });
    expect(said.result.stderr).toContain('Nothing was sent');
    expect(said.read).toEqual(['u1 1234  2026-12-05', 'u2 1235  2026-12-06']);
  });

  it('is not proven by a guessed encoding under which words look wrong', async () => {
    const encoded = (user: string, title: string): Uint8Array =>
      Buffer.from(`${HEADER}\n${user},${title},5,PP-7\n`, 'latin1');
    // \u00b3ukasz: łukasz in Windows-1250.
    const named = await setUp(encoded('u1', '\u00b3ukasz'));
    expect(named.result).toMatchObject({ code: 2, stderr: expect.stringContaining('name --encoding') });
    expect((await setUp(encoded('\u00b3ukasz', 'Bonus'))).result.code).toBe(3);
    // Табельный in Windows-1251: nobody can map such a name.
    const names = Buffer.from(`\u00d2\u00e0\u00e1\u00e5\u00eb\u00fc\u00ed\u00fb\u00e9,amount\nu1,5\n`, 'latin1');
    const unnamed = await setUp(names, ['--header-line', '1']);
    expect(unnamed.result).toMatchObject({ code: 2, stderr: expect.stringContaining('name --encoding') });
    const said = await setUp(encoded('u1', '\u00b3ukasz'), ['--encoding', 'windows-1250']);
    expect(said).toMatchObject({ profile: { encoding: 'windows-1250' }, read: ['u1 5'] });
  });

  it('of JSON has no columns to set up', async () => {
    const { result } = await setUp('[{"user_id":"u1"}]', [], { name: 'file.json' });
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('setup is for CSV and workbooks') });
  });

  it('with several sheets needs the one that is meant', async () => {
    const rows = [HEADER.split(','), ['u1', 'Bonus', 5, 'PP-7'] as (string | number)[]];
    const file = workbook({ sheets: ['Oktober', 'November'].map((name) => ({ name, rows })) });
    const { result } = await setUp(file, [], { name: 'file.xlsx' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`--sheet: 1 "Oktober", 2 "November"`);
    const said = await setUp(file, ['--sheet', 'November'], { name: 'file.xlsx' });
    // Next month's sheet is not one of these.
    expect(said).toMatchObject({
      profile: { sheet: 'November', known_sheets: ['Oktober', 'November'] },
      read: ['u1 5'],
    });
  });
});
