import { chmodSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workspace, type Workspace } from '../support/cli.js';
import { workbook } from '../support/workbook.js';

// `gigwork setup FILE` as a command: what it writes, prints and refuses. Files: setup-files.test.ts.

const FILE =
  'Nutzer-ID;Titel;Betrag;Kostenstelle;Filiale\r\nu1;Bonus;1.200,50;PP-7;Köln\r\nu2;Bonus;89,90;PP-7;Bonn\r\n';
const PROFILE = {
  map: { 'Nutzer-ID': 'user_id', Titel: 'title', Betrag: 'amount', Kostenstelle: 'cost_center_key' },
  ignore_columns: ['Filiale'],
  decimal: 'comma',
};
const CONFIG = 'config/gigwork/config.json';

function withFile(config?: string): Workspace {
  const ws = workspace();
  ws.file('Lohn 2026-11.csv', FILE);
  if (config !== undefined) ws.file(CONFIG, config);
  return ws;
}

const ARGS = ['setup', 'Lohn 2026-11.csv', '--yes'];

describe('what setup writes', () => {
  it('is a profile with a name that is no month, and the command for every month', async () => {
    const ws = withFile();
    const { code, stdout, stderr } = await ws.run(ARGS);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `gigwork payout create '${ws.path('Lohn 2026-11.csv')}' --profile lohn --batch-id ${new Date().toISOString().slice(0, 7)}\n`,
    });
    expect(stderr).toContain(`The profile lohn is in ${ws.path(CONFIG)}. Nothing was sent.`);
    expect(stderr).toMatch(/^ {2}none +all +2 +1,290\.40$/m);
    expect(JSON.parse(ws.read(CONFIG))).toEqual({ profiles: { lohn: PROFILE } });
    expect(statSync(ws.path(CONFIG)).mode & 0o777).toBe(0o600);
    // The command does what it says.
    const words = [...stdout.trim().matchAll(/'[^']*'|\S+/g)].map(([word]) => word.replaceAll("'", '')).slice(1);
    const sent = await ws.run([...words, '--sandbox', '--yes']);
    expect(sent.stdout).toContain('2 records read: 2 paid');
  });

  it('leaves everything else in the config file as it is', async () => {
    const before =
      '{\n\t"retries": 3,\n\t"token": {"env":  "PAY_TOKEN"},\n\t"profiles": {\n\t\t"acme": {"base_url": "https://gigs.example"}\n\t}\n}\n';
    const ws = withFile(before);
    chmodSync(ws.path(CONFIG), 0o640);
    expect(await ws.run(ARGS)).toMatchObject({ code: 0 });
    const after = ws.read(CONFIG);
    const at = before.indexOf('\n\t}\n}\n');
    expect(after.startsWith(`${before.slice(0, at)},\n\t\t"lohn": {`)).toBe(true);
    expect(after.endsWith(before.slice(at))).toBe(true);
    expect(JSON.parse(after)).toMatchObject({ retries: 3, profiles: { lohn: PROFILE } });
    expect(statSync(ws.path(CONFIG)).mode & 0o777).toBe(0o640);
  });

  it('goes into the file that is named, and through a link', async () => {
    const ws = withFile();
    mkdirSync(ws.path('dotfiles'));
    ws.file('dotfiles/real.json', '{}');
    symlinkSync(ws.path('dotfiles/real.json'), ws.path('own.json'));
    const { code, stdout } = await ws.run([...ARGS, '--config', 'own.json']);
    expect(code).toBe(0);
    expect(stdout).toContain(` --config ${ws.path('own.json')} `);
    expect(JSON.parse(ws.read('dotfiles/real.json'))).toEqual({ profiles: { lohn: PROFILE } });
    expect(lstatSync(ws.path('own.json')).isSymbolicLink()).toBe(true);
    expect(await ws.run([...ARGS, '--config', 'new/there.json', '--profile', 'pay'])).toMatchObject({ code: 0 });
    expect(JSON.parse(ws.read('new/there.json'))).toEqual({ profiles: { pay: PROFILE } });
  });

  it('is the same when it is done again, and never another profile', async () => {
    const ws = withFile();
    await ws.run(ARGS);
    const before = ws.read(CONFIG);
    expect(await ws.run(ARGS)).toMatchObject({ code: 0 });
    expect(ws.read(CONFIG)).toBe(before);
    const other = await ws.run([...ARGS, '--set', 'currency=EUR']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain(`the config file ${ws.path(CONFIG)} has another profile "lohn" already`);
    expect(ws.read(CONFIG)).toBe(before);
  });

  it('names the month of the file in the command, and the address that is missing', async () => {
    const ws = workspace();
    ws.file('pay.csv', 'user_id,title,amount,cost_center_key,billing_date\nu1,Bonus,5,PP-7,2025-03-31\n');
    const { stdout, stderr } = await ws.run(['setup', 'pay.csv', '--yes']);
    expect(stdout).toBe(`gigwork payout create ${ws.path('pay.csv')} --profile pay --batch-id 2025-03\n`);
    expect(stderr).toContain('This command still needs the address of the service: add --base-url URL');
    const other = await ws.run(['setup', 'pay.csv', '--yes', '--profile', 'p2', '--base-url', 'https://gigs.example/']);
    expect(other.stderr).not.toContain('still needs');
    expect(JSON.parse(ws.read(CONFIG))).toMatchObject({ profiles: { p2: { base_url: 'https://gigs.example/' } } });
    expect(await ws.run(['setup', 'pay.csv', '--yes', '--base-url', 'ftp://x'])).toMatchObject({ code: 2 });
  });

  it('says what the config file says otherwise for all files', async () => {
    const ws = workspace();
    ws.file('pay.csv', 'user_id,title,amount,cost_center_key,Filiale\nu1,Bonus,12.50,PP-7,x\n');
    ws.file(CONFIG, JSON.stringify({ decimal: 'comma', header_line: 3, negate: true, ignore_columns: ['Filiale'] }));
    expect(await ws.run(['setup', 'pay.csv', '--yes'])).toMatchObject({ code: 0 });
    expect(JSON.parse(ws.read(CONFIG))).toMatchObject({
      profiles: { pay: { decimal: 'point', header_line: 1, negate: false } },
    });
    const { events } = await ws.run(['payout', 'create', 'pay.csv', '--profile', 'pay', '--dry-run', '--json']);
    expect(events[0].request.amount).toBe(12.5);
  });

  it('keeps what a person has said, and files of values under their whole path', async () => {
    const ws = workspace();
    ws.file('x/pay.csv', 'user_id,title,amount,Ort\nu1,Bonus,12.50,Köln\n');
    ws.file('center.json', '{"legal_entity":"Acme GmbH","inhouse":"No","partner_project_code":"PP-7"}');
    const flags = ['--set', 'cost_center_data=@center.json', '--delimiter', 'comma', '--encoding', 'utf-8'];
    const { code } = await ws.run(['setup', 'x/pay.csv', '--yes', '--ignore-other-columns', ...flags]);
    expect(code).toBe(0);
    expect(JSON.parse(ws.read(CONFIG))).toEqual({
      profiles: {
        pay: {
          ...{ encoding: 'utf-8', delimiter: 'comma', ignore_other_columns: true },
          set: { cost_center_data: `@${ws.path('center.json')}` },
        },
      },
    });
  });
});

describe('what setup prints', () => {
  it('is one document with --json', async () => {
    const ws = withFile();
    const { events } = await ws.run([...ARGS, '--json']);
    expect(events).toEqual([
      {
        profile: 'lohn',
        config: ws.path(CONFIG),
        settings: PROFILE,
        command: expect.arrayContaining([
          'gigwork',
          'payout',
          'create',
          ws.path('Lohn 2026-11.csv'),
          '--profile',
          'lohn',
        ]),
        records: expect.objectContaining({ read: 2, valid: 2, planned: 2 }),
      },
    ]);
    expect(await ws.run(['setup', 'none.csv', '--yes', '--json'])).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['text in place of an amount', 'u3;Bonus;n/a;PP-7;Köln', 2, "--only 'Betrag!=n/a'"],
    ['an empty amount', 'u3;Bonus;;PP-7;Köln', 2, "--only 'Betrag!='"],
    ['a note below the rows', 'checked by Anna;;;;', 2, "--only 'Betrag!='"],
    ['a payment to nobody', ';Bonus;5,00;PP-7;Köln', 2, "--only 'Nutzer-ID!='"],
    ['another fault', 'u3;;5,00;PP-7;Köln', 3, 'The cell under "Titel" (title) is empty'],
    ['a row cut short', 'u3;Bonus;5', 2, '    --pad-short-rows'],
  ])('is no profile where a run would refuse %s', async (_name, row, code, said) => {
    const ws = workspace();
    ws.file('pay.csv', `${FILE}${row}\r\n`);
    const result = await ws.run(['setup', 'pay.csv', '--yes']);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(said);
    expect(result.stderr).toContain('Nothing was written');
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
  });
});

describe('a column that marks rows', () => {
  const marked = async (name: string, words: readonly string[]) => {
    const ws = workspace();
    const rows = words.map((word, i) => `u${i},Bonus,${i + 1}.50,PP-7,${word}`);
    ws.file('pay.csv', [`user_id,title,amount,cost_center_key,${name}`, ...rows, ''].join('\n'));
    return ws.run(['setup', 'pay.csv', '--yes', '--print']);
  };

  it.each<[name: string, words: string[], flag: string]>([
    ['Type', ['DEBIT', 'CREDIT', 'FEE'], '--only Type=DEBIT'],
    ['Paid', ['Yes', 'No', 'Yes'], '--only Paid=No'],
    ['Storno', ['', 'X', ''], '--only Storno='],
    ['Transaction Type', ['Payment', 'Refund'], "--only 'Transaction Type=Payment'"],
    ['Info', ['Umsatz gebucht', 'Umsatz vorgemerkt'], "--only 'Info=Umsatz gebucht'"],
    ['Kz', ['S', 'H', 'S'], '--only Kz=S'],
  ])('as %s with %j is asked about', async (name, words, flag) => {
    const { code, stderr } = await marked(name, words);
    expect(code).toBe(2);
    expect(stderr).toContain('Which rows do you want to pay?');
    expect(stderr).toContain(`    ${flag}\n`);
  });

  it.each<[name: string, words: string[], profile: object]>([
    ['D/C', ['D', 'D', 'D'], { only: ['D/C=D'] }],
    ['Status', ['approved', 'approved'], { only: ['Status=approved'] }],
    ['Branch', ['Bonn', 'Bonn'], { ignore_columns: ['Branch'] }],
    ['Approved on', ['2026-11-01', '2026-11-02'], { ignore_columns: ['Approved on'] }],
  ])('as %s with %j is kept so for every month', async (name, words, profile) => {
    const { code, stdout } = await marked(name, words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(profile);
  });
});

describe('what setup names at once', () => {
  it('is the order of dates, where two columns may give them', async () => {
    const ws = workspace();
    const names = 'user_id;title;amount;cost_center_key;Buchungstag;Valutadatum';
    ws.file('pay.csv', `${names}\nu1;Bonus;5;PP-7;03.11.26;04.11.26\n`);
    const { code, stderr } = await ws.run(['setup', 'pay.csv', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('    --map Buchungstag=billing_date\n');
    expect(stderr).toContain('    --date-format dmy\n');
  });

  it('is no payee in a column that is the same in all rows, whatever its name', async () => {
    const ws = workspace();
    const rows = [1, 2, 3].map((i) => `20-11-43 90112233,${i}.50,W700${i}`);
    ws.file('pay.csv', ['Account,amount,Payee Ref', ...rows, ''].join('\n'));
    const { code, stderr } = await ws.run(['setup', 'pay.csv', '--yes', '--type', 'payout']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('Account=user_id');
  });

  it('is a date that is not sent, also in a notation that nothing reads', async () => {
    const ws = workspace();
    const names = 'user_id,title,amount,cost_center_key,Paid on,Booked,Count';
    ws.file('pay.csv', `${names}\nu1,Bonus,5,PP-7,20261103,2026-11-03 08:30,20261399\n`);
    const words = ['setup', 'pay.csv', '--yes', '--print', '--ignore-other-columns'];
    const { code, stderr } = await ws.run(words);
    expect(code).toBe(0);
    expect(stderr).toContain('Not sent: the dates under "Paid on", "Booked". Without a date');
    expect((await ws.run([...words, '--quiet'])).stderr).toMatch(/^dry run/);
  });

  it('is a condition that leaves out all rows', async () => {
    const ws = withFile();
    const { code, stderr } = await ws.run([...ARGS, '--only', 'Filiale=Bremen']);
    expect(code).toBe(2);
    expect(stderr).toContain('--only "Filiale=Bremen" leaves out all rows (2)');
  });

  it('is a hidden column of a workbook', async () => {
    const ws = workspace();
    const rows = [
      ['user_id', 'title', 'amount', 'cost_center_key', 'x'],
      ['u1', 'Bonus', 5, 'PP-7', 'held'],
    ];
    const before = '<cols><col min="5" max="5" hidden="1"/></cols>';
    ws.file('pay.xlsx', workbook({ sheets: [{ name: 'Nov', rows, before }] }));
    const { code, stderr } = await ws.run(['setup', 'pay.xlsx', '--yes', '--print']);
    expect(code).toBe(3);
    expect(stderr).toContain('hidden columns hold something: E1 "x"');
    expect(await ws.run(['setup', 'pay.xlsx', '--yes', '--print', '--ignore-column', 'x'])).toMatchObject({ code: 0 });
  });
});

describe('what setup refuses', () => {
  it.each<[name: string, args: string[], said: string]>([
    [
      'to ask where there is no terminal',
      ['setup', 'Lohn 2026-11.csv'],
      'this is not a terminal. With --yes it asks nothing',
    ],
    ['standard input', ['setup', '-', '--yes'], 'setup reads its file several times'],
    ['a file that is not there', ['setup', 'none.csv', '--yes'], 'there is no such file'],
    [
      'a column that the file lacks',
      [...ARGS, '--map', 'Betrg=amount'],
      'no file has a column "Betrg". Did you mean "Betrag"?',
    ],
    ['to drop a column that the file lacks', [...ARGS, '--ignore-column', 'Betrg'], 'no file has a column "Betrg"'],
    ['a field that is none', [...ARGS, '--map', 'Filiale=branch'], 'there is no field "branch"'],
    ['a value for a field that is none', [...ARGS, '--set', 'quantity=3'], 'there is no field "quantity" in a payout'],
    ['a flag that it cannot read', [...ARGS, '--decimal', 'coma'], '--decimal takes point or comma'],
    ['a name that nobody could read', [...ARGS, '--profile', ' x'], '--profile begins or ends with a space'],
  ])('%s', async (_name, args, said) => {
    const ws = withFile();
    const { code, stdout, stderr } = await ws.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
  });

  it.each([
    ['broken', '{"profiles": {'],
    ['strange', '{"profils": {}}'],
  ])('a config file that is %s, and leaves it as it is', async (_name, text) => {
    const ws = withFile(text);
    expect(await ws.run(ARGS)).toMatchObject({ code: 2, stdout: '' });
    expect(ws.read(CONFIG)).toBe(text);
  });

  it.each<[name: string, content: string, said: string]>([
    [
      'an open quote',
      'user_id,title,amount,cost_center_key\nu1,"Bonus,5,PP-7\n',
      'a quote opens in cell 2 and is never closed',
    ],
    [
      'two columns of one name',
      'user_id,title,amount,cost_center_key,x,x\nu1,B,5,PP-7,1,2\n',
      'several columns are named "x"',
    ],
    [
      'what an earlier run said of each row',
      'user_id,title,amount,cost_center_key,gigwork_status\n',
      'a file of results',
    ],
    ...(
      [
        ['1.250,50-', 'the minus must stand before the number'],
        ['11,50 Cr', 'letters for debit and credit are not read'],
        ['($125.00)', 'not in brackets'],
        ['\u2212200,00', 'the minus must be the one of the keyboard'],
        ['+5,00', 'a plus is not read'],
      ] as const
    ).flatMap(([typed, said]): [string, string, string][] => [
      [`one amount as ${typed}`, `user_id;title;amount;cost_center_key\nu1;B;9,25;PP-7\nu2;B;${typed};PP-7\n`, said],
      // A number of a document is no way out.
      [
        `a column as ${typed}, with any name`,
        `user_id;title;Netto;Nr;cost_center_key\nu1;B;${typed};900001;PP-7\nu2;B;9,25;900002;PP-7\n`,
        'numbers under "Netto" cannot be read',
      ],
    ]),
    ['nothing', ' \n', 'this file is empty'],
    ['a bank statement in MT940', ':20:STARTUMSE\n:25:10010010/1111\n:60F:C261101EUR8349,00\n', 'not CSV (MT940'],
    ['text without columns', 'Dear all,\nplease pay\n'.replace(',', ''), 'this file is not CSV'],
    ['rows that are too long', 'user_id,title,amount,cost_center_key\nu1,Bonus,5,PP-7,,\n', 'the row has 6 cells'],
    ['content without a name', 'user_id,title,amount,cost_center_key,\nu1,B,5,PP-7,x\n', 'its column has no name'],
    ['no records', 'user_id,title,amount,cost_center_key\n', 'no row can be sent'],
    ['no good record', 'user_id,title,amount,cost_center_key\nu1,,5,PP-7\n', 'The cell under "title" is empty'],
    ['a PDF', '%PDF-1.7 …', 'a PDF'],
  ])('%s, with exit 3', async (_name, content, said) => {
    const ws = workspace();
    ws.file('pay.csv', content);
    const { code, stdout, stderr } = await ws.run(['setup', 'pay.csv', '--yes']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr).toContain('Nothing was written');
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
  });
});
