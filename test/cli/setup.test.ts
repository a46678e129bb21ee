import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { CONFIG, type Workspace, workspaceWith } from '../support/cli.js';

// `gigwork setup FILE` as a command: what it writes, prints and refuses. Files: setup-files.test.ts.

const FILE =
  'Nutzer-ID;Titel;Betrag;Kostenstelle;Filiale\r\nu1;Bonus;1.200,50;PP-7;Köln\r\nu2;Bonus;89,90;PP-7;Bonn\r\n';
const PROFILE = {
  map: { 'Nutzer-ID': 'user_id', Titel: 'title', Betrag: 'amount', Kostenstelle: 'cost_center_key' },
  ignore_columns: ['Filiale'],
  decimal: 'comma',
};

const withFile = (config?: string): Workspace =>
  workspaceWith({ 'Lohn 2026-11.csv': FILE, ...(config === undefined ? {} : { [CONFIG]: config }) });

const ARGS = "setup 'Lohn 2026-11.csv' --yes";

it('refuses a payment as the line of the column names, as a run does', async () => {
  const payments = 'user_id,amount,title,cost_center_key\nu1,1200.00,Bonus,PP-7\nu2,89.90,Bonus,PP-7\n';
  const ws = workspaceWith({ 'p.csv': payments });
  const map = '--map u1=user_id --map 1200.00=amount --map Bonus=title --map PP-7=cost_center_key';
  const { code, stderr } = await ws.run(`setup p.csv --yes --header-line 2 ${map}`);
  expect([code, existsSync(ws.path(CONFIG))]).toEqual([3, false]);
  expect(stderr).toMatch(/^error: p\.csv, line 2: .* it has "1200\.00"\..*--header-line.*\[header-like-data\]$/m);
  expect(stderr).toMatch(/Nothing was written\.\n$/);
  expect(await ws.run('setup p.csv --yes')).toMatchObject({ code: 0 });
});

describe('what setup writes', () => {
  it('is a profile with a name that is no month, and the command for every month', async () => {
    const ws = withFile();
    const { code, stdout, stderr } = await ws.run(ARGS);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `gigwork payout create '${ws.path('Lohn 2026-11.csv')}' --profile lohn --batch-id ${new Date().toISOString().slice(0, 7)}\n`,
    });
    expect(stderr).toContain(`The profile lohn is in ${ws.path(CONFIG)}. Nothing was sent.`);
    expect(stderr).toMatch(/^ {2}no currency +PP-7 +would be sent +2 +1,290\.40$/m);
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
    const { code, stdout } = await ws.run(`${ARGS} --config own.json`);
    expect(code).toBe(0);
    expect(stdout).toContain(` --config ${ws.path('own.json')} `);
    expect(JSON.parse(ws.read('dotfiles/real.json'))).toEqual({ profiles: { lohn: PROFILE } });
    expect(lstatSync(ws.path('own.json')).isSymbolicLink()).toBe(true);
    expect(await ws.run(`${ARGS} --config new/there.json --profile pay`)).toMatchObject({ code: 0 });
    expect(JSON.parse(ws.read('new/there.json'))).toEqual({ profiles: { pay: PROFILE } });
  });

  it('is the same when it is done again, and never another profile', async () => {
    const ws = withFile();
    await ws.run(ARGS);
    const before = ws.read(CONFIG);
    expect(await ws.run(ARGS)).toMatchObject({ code: 0 });
    expect(ws.read(CONFIG)).toBe(before);
    const other = await ws.run(`${ARGS} --set currency=EUR`);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain(`the config file ${ws.path(CONFIG)} has another profile "lohn" already`);
    expect(ws.read(CONFIG)).toBe(before);
  });

  it('is kept when several of them end at the same moment', async () => {
    const ws = withFile();
    const names = ['a', 'b', 'c', 'd'];
    const results = await Promise.all(names.map((name) => ws.process(`${ARGS} --profile ${name}`)));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(Object.keys(JSON.parse(ws.read(CONFIG)).profiles).toSorted()).toEqual(names);
    expect(existsSync(ws.path(`${CONFIG}.lock`))).toBe(false);
  });

  it('names the month of the file in the command, and the address that is missing', async () => {
    const ws = workspaceWith({
      'pay.csv': 'user_id,title,amount,cost_center_key,billing_date\nu1,Bonus,5,PP-7,2025-03-31\n',
    });
    const { stdout, stderr } = await ws.run('setup pay.csv --yes');
    expect(stdout).toBe(`gigwork payout create ${ws.path('pay.csv')} --profile pay --batch-id 2025-03\n`);
    expect(stderr).toContain('This command still needs the address of the service: add --base-url URL');
    const other = await ws.run('setup pay.csv --yes --profile p2 --base-url https://gigs.example/');
    expect(other.stderr).not.toContain('still needs');
    expect(JSON.parse(ws.read(CONFIG))).toMatchObject({ profiles: { p2: { base_url: 'https://gigs.example/' } } });
    expect(await ws.run('setup pay.csv --yes --base-url ftp://x')).toMatchObject({ code: 2 });
  });

  it('says what the config file says otherwise for all files', async () => {
    const ws = workspaceWith({ 'pay.csv': 'user_id,title,amount,cost_center_key,Filiale\nu1,Bonus,12.50,PP-7,x\n' });
    ws.file(CONFIG, JSON.stringify({ decimal: 'comma', header_line: 3, negate: true, ignore_columns: ['Filiale'] }));
    expect(await ws.run('setup pay.csv --yes')).toMatchObject({ code: 0 });
    expect(JSON.parse(ws.read(CONFIG))).toMatchObject({
      profiles: { pay: { decimal: 'point', header_line: 1, negate: false } },
    });
    const { events } = await ws.run('payout create pay.csv --profile pay --dry-run --json');
    expect(events[0].request.amount).toBe(12.5);
  });

  it('keeps what a person has said, and files of values under their whole path', async () => {
    const ws = workspaceWith({ 'x/pay.csv': 'user_id,title,amount,Ort\nu1,Bonus,12.50,Köln\n' });
    ws.file('center.json', '{"legal_entity":"Acme GmbH","inhouse":"No","partner_project_code":"PP-7"}');
    const flags = '--set cost_center_data=@center.json --delimiter comma --encoding utf-8';
    const { code } = await ws.run(`setup x/pay.csv --yes --ignore-other-columns ${flags}`);
    expect(code).toBe(0);
    expect(JSON.parse(ws.read(CONFIG))).toEqual({
      profiles: {
        pay: {
          encoding: 'utf-8',
          delimiter: 'comma',
          ignore_other_columns: true,
          set: { cost_center_data: `@${ws.path('center.json')}` },
        },
      },
    });
  });
});

describe('what setup prints', () => {
  it('is one document with --json', async () => {
    const ws = withFile();
    const { events } = await ws.run(`${ARGS} --json`);
    expect(events).toEqual([
      {
        profile: 'lohn',
        config: ws.path(CONFIG),
        settings: PROFILE,
        command: expect.arrayContaining(['gigwork', ws.path('Lohn 2026-11.csv'), '--profile', 'lohn']),
        records: expect.objectContaining({ read: 2, valid: 2, planned: 2 }),
      },
    ]);
    expect(await ws.run('setup none.csv --yes --json')).toMatchObject({ code: 2, stdout: '' });
  });
});

test('a date that is not sent is named at once, also in a notation that nothing reads', async () => {
  const names = 'user_id,title,amount,cost_center_key,Paid on,Booked,Count';
  const ws = workspaceWith({ 'pay.csv': `${names}\nu1,Bonus,5,PP-7,20261103,2026-11-03 08:30,20261399\n` });
  const words = 'setup pay.csv --yes --print --ignore-other-columns';
  const { code, stderr } = await ws.run(words);
  const said = 'Not sent: the dates under "Paid on", "Booked". Without a date';
  expect([code, stderr]).toEqual([0, expect.stringContaining(said)]);
  expect((await ws.run(`${words} --quiet`)).stderr).toMatch(/^dry run/);
});

// Files that are refused: setup-files.test.ts.
describe('what setup refuses', () => {
  it.each([
    [
      'to ask where there is no terminal',
      "setup 'Lohn 2026-11.csv'",
      'this is not a terminal. With --yes it asks nothing',
    ],
    ['standard input', 'setup - --yes', 'setup reads its file several times'],
    ['a file that is not there', 'setup none.csv --yes', 'there is no such file'],
    ['a name that nobody could read', `${ARGS} --profile ' x'`, '--profile begins or ends with a space'],
  ])('%s', async (_name, words, said) => {
    const ws = withFile();
    const { code, stdout, stderr } = await ws.run(words);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
    expect(existsSync(ws.path(CONFIG))).toBe(false);
  });

  it.each(['{"profiles": {', '{"profils": {}}'])('a config file that is %s, and leaves it as it is', async (text) => {
    const ws = withFile(text);
    expect(await ws.run(ARGS)).toMatchObject({ code: 2, stdout: '' });
    expect(ws.read(CONFIG)).toBe(text);
  });
});
