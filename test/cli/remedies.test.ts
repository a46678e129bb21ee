import { describe, expect, it } from 'vitest';
import { workspace } from '../support/cli.js';

// What people are told about a file: it has to name the place, and what they can do about it.

interface Told {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  read(name: string): string;
}

/** Runs files of payouts dry, as people do. */
async function told(files: Readonly<Record<string, Uint8Array | string>>, ...flags: string[]): Promise<Told> {
  const ws = workspace();
  for (const [name, content] of Object.entries(files)) ws.file(name, content);
  const { code, stdout, stderr } = await ws.run(['payout', 'create', ...Object.keys(files), '--dry-run', ...flags]);
  return { code, stdout, stderr, read: (name) => ws.read(name) };
}

const HEADER = 'user_id;amount;title;cost_center_key\n';

describe('the row of a spreadsheet, where it is another number than the line', () => {
  const TALL = `${HEADER}u1;1;"a\nb\nc";PP\n`;

  it('stands beside the lines of many records', async () => {
    const { stderr } = await told({ 'p.csv': `${TALL}u2;2;;PP\nu3;2;;PP\n` });
    expect(stderr).toContain('(p.csv, lines 5, 6; in a spreadsheet rows 3, 4)');
  });
});

describe('a header that stands elsewhere, or nowhere', () => {
  const RECORD = 'u1;80,19;Bonus;PP-7\n';

  it('below a title with as many cells is found', async () => {
    const { code, stderr } = await told({ 'p.csv': `Auszahlungen November;;;\n;;;\n${HEADER}${RECORD}` });
    expect(code).toBe(3);
    expect(stderr).toContain('the column names seem to stand on line 3: say --header-line 3');
    expect(stderr).not.toContain('empty the cell');
    const short = await told({ 'p.csv': `Auszahlungen;November\n${HEADER}${RECORD}` });
    expect(short.stderr).toContain('the column names seem to stand on line 2: say --header-line 2');
  });

  it('is missed once, and not for each cell', async () => {
    const { code, stderr } = await told({ 'p.csv': `${RECORD}u2;3,50;Bonus;PP-7\n` });
    expect(code).toBe(3);
    expect(stderr).toContain(
      "line 1 looks like data, and not one of its cells is a field's name: if the column names stand on another line",
    );
    expect(stderr.match(/unknown-field/g)).toHaveLength(1);
    expect(stderr).not.toContain('--ignore-column');
  });
});

describe('cells and quotes', () => {
  it('says that a separator at the end of the line is too many', async () => {
    const { stderr } = await told({ 'p.csv': `${HEADER}u1;1;a;PP;\n` });
    expect(stderr).toContain('what is too many is empty: remove the semicolon at the end of the line');
    const full = await told({ 'p.csv': `${HEADER}u1;1;a;b;PP\n` });
    expect(full.stderr).toContain('put a cell that holds a semicolon in quotes');
  });

  it('shows a doubled quote as it is typed', async () => {
    const { stderr } = await told({ 'p.csv': `${HEADER}u1;1;a"b;PP\n` });
    expect(stderr).toContain('put the whole cell in quotes and double the quote ("") [bad-csv]');
  });
});

/** Cells of one payout each, told under a comma and day, month, year. */
async function toldOf(...rows: readonly string[]): Promise<string> {
  const flags = ['--decimal', 'comma', '--date-format', 'dmy'];
  const file = `user_id;amount;title;cost_center_key;billing_date\n${rows.map((row) => `${row}\n`).join('')}`;
  return (await told({ 'p.csv': file }, ...flags)).stderr;
}

describe('a cell that cannot be read', () => {
  it.each([
    ['1 Stk', 'amount: "1 Stk" is not a plain number, such as 1234,56 ['],
    [
      '€ 80,19',
      'amount: "€ 80,19" is not a plain number; --currency-signs reads it as 80.19. It carries €, the sign of EUR',
    ],
    ['80,19 EUR', '--currency-signs reads it as 80.19. It carries the code EUR, and its record has no currency'],
    ['80,19 zł', 'say --set currency=PLN, where all records are in it ['],
    ['1\u00a0234,50 Kč', '--currency-signs reads it as 1234.50'],
    ['80.19 EUR', '--currency-signs with --decimal point reads it as 80.19'],
    ['(80,19 €)', 'it holds a currency: remove its sign'],
    ['80,19 Euro', 'amount: "80,19 Euro" is not a plain number, such as 1234,56'],
    ['#DIV/0!', 'it is an error of the spreadsheet: correct the formula there'],
    ['#NV', 'it is an error of the spreadsheet'],
    [
      '(80,00)',
      'it is a negative amount in a notation that is not read: write -80,00 with a plain minus sign in front [',
    ],
    ['80,5-', 'it is a negative amount in a notation that is not read: write -80,5 with a plain minus sign in front ['],
    ['1234.-', 'it has a dash in place of the decimals, for whole units: write 1234 ['],
    ['12,5 %', 'it holds a percent sign: write the number that is meant without it'],
    ['-   €', 'it is a dash: write 0 if that is meant'],
    ['n-a', 'amount: "n-a" is not a plain number, such as 1234,56 ['],
    ['1E+05', 'it has an exponent: write all its digits; if a spreadsheet shortened it, format its column as a number'],
    ['########', 'it was too wide for its column: widen the column, and save again'],
    ['\u200b80,19', 'it holds a hidden character, U+200B: remove it'],
    ['  ', 'amount: a number is expected, and there is nothing but spaces ['],
  ])('as the amount %j', async (amount, words) => {
    expect(await toldOf(`u1;${amount};a;PP;`)).toContain(words);
  });

  it.each([
    ['46327', '"46327" looks like Excel\'s day number; format the column as a date and save again ['],
    ['2026/11/01', '"2026/11/01" is not written as day, month, year, such as 01.11.2026 ['],
    ['01. November 2026', '"01. November 2026" is not written as day, month, year, such as 01.11.2026 ['],
    ['31.11.2026', '"31.11.2026" is no day of the calendar ['],
    ['\u200b01.11.2026', 'holds a hidden character, U+200B: remove it ['],
  ])('as the date %j', async (date, words) => {
    expect(await toldOf(`u1;1;a;PP;${date}`)).toContain('billing_date: ');
    expect(await toldOf(`u1;1;a;PP;${date}`)).toContain(words);
  });

  it('shows the values of records that are told in one line', async () => {
    const stderr = await toldOf('u1;1;a;PP;31.02.2026', 'u2;1;a;PP;30.02.2026');
    expect(stderr).toContain('"31.02.2026" is no day of the calendar');
  });
});

describe('a hidden character', () => {
  it('anywhere in an ID, and at the ends of other text, is named', async () => {
    const stderr = await toldOf('u\u200b1;1;a;PP;', 'u1\u202e;1;a;PP\u00a01;', 'u2;1;\ufeffa;PP;', 'u3;1;a\u0007;PP;');
    for (const name of ['200B', '202E'])
      expect(stderr).toContain(`user_id holds a hidden character, U+${name}, and it would be sent; remove it`);
    expect(stderr).toContain('cost_center_key holds a hidden character, U+00A0');
    for (const name of ['FEFF', '0007']) expect(stderr).toContain(`title holds a hidden character, U+${name}`);
  });

  it('within free text is no doubt: joiners and direction marks have their place there', async () => {
    expect(await toldOf('u1;1;👩\u200d💻 \u200f(a)\u200e b;PP;', 'u2;1;می\u200cخواهم;PP;')).not.toContain(
      'surrounding',
    );
  });
});

describe('grammar', () => {
  it('has no semicolon behind a question', async () => {
    const { stderr } = await told({ 'p.csv': 'user_id;amuont;title;cost_center_key\nu1;3;a;PP\n' });
    expect(stderr).not.toContain('?;');
    const json = await told({ 'p.json': '{"user_id":"u1","amuont":3,"amount":3,"title":"a","cost_center_key":"P"}' });
    expect(json.stderr).toContain('Did you mean "amount"? Found "3" [unknown-field]');
  });

  it('names the choices of a flag and of a setting as words', async () => {
    const { stderr } = await told({ 'p.csv': HEADER }, '--decimal', ',');
    expect(stderr).toContain('--decimal takes point or comma; found ","\n');
    const ws = workspace();
    ws.file('c.json', '{"decimal":","}');
    const config = await ws.run(['config', 'show', '--config', 'c.json']);
    expect(config.stderr).toContain('decimal takes point or comma\n');
  });
});
