import { describe, expect, it } from 'vitest';
import { CONFIG, type Content, type Workspace, workspaceWith } from '../support/cli.js';
import { workbook } from '../support/workbook.js';
import { NO_TERMINAL, openTerminal, type Terminal } from '../support/terminal.js';

// `gigwork setup FILE` with a person: every question, on a terminal of its own.

const ENTER = '\r';
const DOWN = '\u001b[B';
const UP = '\u001b[A';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

const BANK = `Kontoauszug Musterbank
Konto;DE12 3456

Nr;Empfänger;Zweck;Betrag;Tag;Filiale;Kz
1;Maier;Lohn;-1.200,50;05.12.2026;Berlin;S
2;Schulz;Lohn;-89,90;06.12.2026;Köln;S
3;Kunde;Rechnung;330,95;07.12.2026;Köln;S
4;Kunde;Storno;5,00;08.12.2026;Köln
5;Kunde;Gebühr;-1,00;08.12.2026;Köln;H
`;

function open(file: string, flags = '', files: Readonly<Record<string, Content>> = {}) {
  const ws = workspaceWith({ 'bank.csv': file, ...files });
  return { ws, terminal: reopen(ws, flags) };
}

const reopen = (ws: Workspace, flags: string): Terminal =>
  openTerminal(ws, `setup bank.csv ${flags}`.trim().split(' '));

/** The profile that is printed. */
const profileIn = ({ output }: Terminal): unknown => JSON.parse(/^\{\n[\s\S]*?^\}$/m.exec(output)?.[0] ?? '');

/** Each question, as a part of its text, with the keys that answer it. */
type Answers = readonly (readonly [question: string | RegExp, ...keys: string[]])[];
async function answer(terminal: Terminal, answers: Answers): Promise<void> {
  for (const [question, ...keys] of answers) {
    await terminal.shows(question);
    terminal.press(keys.join(''));
  }
}

/** What was shown, without colours, edges and line breaks. */
function shown({ output }: Terminal): string {
  return output.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '').replace(/[\s│]+/g, ' ');
}

describe.skipIf(NO_TERMINAL !== '')(`setup at a terminal${NO_TERMINAL}`, () => {
  it('asks what the file does not prove, shows the rest, and writes what was answered', async () => {
    const { ws, terminal } = open(BANK);
    await answer(terminal, [
      ['Are only empty cells missing at the end of these rows?', DOWN, ENTER],
      ['Is "Empfänger" the column with user_id', ENTER],
      ['Is "Zweck" the column with title', ENTER],
      ['Is "Tag" the column with billing_date', ENTER],
      // Enter alone maps no column.
      ['Which column has cost_center_key', ENTER],
      [/◆\s+Which column has cost_center_key/, DOWN, ENTER],
      ['Is this right?', ENTER],
      ['Which day is 05.12.2026?', DOWN, ENTER],
      ['Currency of all amounts', 'eur', ENTER],
      ['Which rows do you want to pay?', DOWN, ENTER],
      ['1 of 3 rows is money received, 330.95 EUR: leave it out?', DOWN, ENTER],
      ['Name for this profile:', '-2', ENTER],
      // A question of two lines has the bar on both.
      [/press Enter to leave it\n│ {2}out\):/, 'https://gigs.example', ENTER],
      ['Write the profile bank-2', ENTER],
    ]);
    expect(await terminal.ended).toBe(0);
    for (const words of [
      'The column names are on line 4',
      '4 Kunde Storno 5,00 08.12.2026 Köln ·',
      '-1.200,50 is minus one thousand two hundred and 50 cents (decimal comma)',
      '5 December 2026 (day first)',
      'The column "Kz" shows debit and credit: "S" 3 rows, an empty cell 1 row, "H" 1 row',
      '3 of 5 rows are left out, and not paid: line 7 Kunde 330,95 Betrag is 330,95, not below 0 line 8 Kunde 5,00 Kz is empty, not S line 9 Kunde -1,00 Kz is H, not S',
      'bank.csv: 3 of 5 rows filtered out',
      'would be sent',
      '--profile bank-2 --batch-id',
    ])
      expect(shown(terminal)).toContain(words);
    const map = { Empfänger: 'user_id', Zweck: 'title', Tag: 'billing_date', Betrag: 'amount', Nr: 'cost_center_key' };
    const profile = {
      base_url: 'https://gigs.example',
      header_line: 4,
      map,
      set: { currency: 'EUR' },
      ignore_columns: ['Filiale'],
      only: ['Kz=S', 'Betrag<0'],
      known_values: { Kz: ['S', '', 'H'] },
      pad_short_rows: true,
      decimal: 'comma',
      date_format: 'dmy',
      negate: true,
    };
    expect(JSON.parse(ws.read(CONFIG))).toEqual({ profiles: { 'bank-2': profile } });
  });

  it('takes no payment for the column names, and no amount by its name alone', async () => {
    const file = `user_id,title,amount,Open balance,cost_center_key
u1,Bonus,100.50,100.50,PP
u2,Bonus,80.00,0.25,PP
`;
    const { terminal } = open(file, '--header-line 2 --print');
    await answer(terminal, [
      [/Line 2 looks like a row of data.*Which line has the column names\?/s, DOWN, ENTER],
      ['Which column has amount (how much is paid)?', DOWN, DOWN, ENTER],
      ['Is this right?', ENTER],
      ['Currency of all amounts', 'eur', ENTER],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(shown(terminal)).toContain('on line 3, "amount" has 80.00, and "Open balance" has 0.25.');
    expect(profileIn(terminal)).toMatchObject({
      map: { 'Open balance': 'amount' },
      ignore_columns: ['amount'],
      set: { currency: 'EUR' },
    });
  });

  it('takes other answers, and values for all records', async () => {
    const { ws, terminal } = open('A,B,C\nu1,1.234,x\nu2,5,y\n', '--print');
    await answer(terminal, [
      ['What are the rows?', DOWN, ENTER],
      ['Which column has user_id', DOWN, ENTER],
      ['Which column has amount', DOWN, ENTER],
      ['Which column has title', UP, ENTER],
      ['title (what it is for) for all rows:', ENTER],
      ['This cannot be empty.', 'Wages', ENTER],
      ['Which column has cost_center_key', UP, ENTER],
      ['cost_center_key (the cost center) for all rows:', 'PP-7', ENTER],
      ['Is this right?', DOWN, ENTER],
      ['Which field?', DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, ENTER],
      ['Which column has description', DOWN, ENTER],
      ['Is this right?', ENTER],
      ['How much is 1.234?', DOWN, ENTER],
      ['Currency of all amounts', ENTER],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
    expect(shown(terminal)).toContain('one thousand two hundred and thirty-four (decimal comma)');
    expect(profileIn(terminal)).toEqual({
      map: { A: 'user_id', B: 'amount', C: 'description' },
      set: { title: 'Wages', cost_center_key: 'PP-7' },
      decimal: 'point',
    });
  });

  it('goes back one question at <, and keeps the answers of a dialogue that ended early', async () => {
    const { ws, terminal } = open(BANK, '--print');
    await answer(terminal, [
      ['Are only empty cells missing', DOWN, ENTER],
      ['Is "Empfänger" the column with user_id', DOWN, ENTER],
      ['Is "Zweck" the column with title', '<'],
      ['Is "Empfänger" the column with user_id', ENTER],
      ['Is "Zweck" the column with title', CTRL_C],
    ]);
    expect(await terminal.ended).toBe(130);
    const again = reopen(ws, '--print');
    await answer(again, [
      ['Is "Zweck" the column with title', '<'],
      ['Is "Empfänger" the column with user_id', CTRL_C],
    ]);
    expect(await again.ended).toBe(130);
    expect(shown(again)).toContain('Your earlier answers are kept.');
    // Another command line asks from the beginning.
    const other = reopen(ws, '--print --type payout');
    await answer(other, [['Are only empty cells missing', CTRL_D]]);
    expect(await other.ended).toBe(130);
  });

  it.each([CTRL_C, CTRL_D])('stops at Ctrl-C and Ctrl-D, and writes nothing: %j', async (key) => {
    const { ws, terminal } = open(BANK);
    await answer(terminal, [
      ['Are only empty cells missing', DOWN, ENTER],
      ['Is "Empfänger" the column with user_id', key],
    ]);
    expect(await terminal.ended).toBe(130);
    expect(terminal.output).toContain('Stopped: nothing was written.');
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
  });

  const READY = 'user_id,title,amount,cost_center_key\nu1,Bonus,5,PP-7\n';
  const TO_THE_NAME = [
    ['Is this right?', ENTER],
    ['Currency of all amounts', ENTER],
  ] as const;

  it('takes another name instead, and writes nothing after a no', async () => {
    const before = '{"profiles": {"bank": {"decimal": "comma"}}}';
    const { ws, terminal } = open(READY, '', { [CONFIG]: before });
    await answer(terminal, [
      ...TO_THE_NAME,
      ['Name for this profile:', ENTER],
      ['There is another profile "bank"', DOWN, ENTER],
      ['Name for this profile:', ENTER],
      // One question back, not the whole way to the columns.
      ['Address of the service', '<'],
      ['There is another profile "bank"', DOWN, ENTER],
      ['Name for this profile:', ENTER],
      ['Address of the service', ENTER],
      ['Write the profile bank-2', DOWN, ENTER],
    ]);
    expect(await terminal.ended).toBe(2);
    expect(ws.read(CONFIG)).toBe(before);
  });

  it.each([
    ['all of them', 0, { map: { 'Amount (EUR)': 'amount' }, set: { currency: 'EUR' }, ignore_columns: ['currency'] }],
    ['a column', 1, { map: { 'Amount (EUR)': 'amount' } }],
  ])('asks for the currency of amounts where two columns disagree: that of %s', async (_name, downs, profile) => {
    const { terminal } = open(READY.replace('amount,', 'Amount (EUR),currency,').replace(',5,', ',5,USD,'), '--print');
    await answer(terminal, [
      ['Is this right?', ENTER],
      ['Which currency do the amounts have?', DOWN.repeat(downs + 1), ENTER],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(profileIn(terminal)).toEqual(profile);
  });

  it('asks again after an answer that the file does not allow, and does not keep it', async () => {
    const { ws, terminal } = open('user_id,title,X,cost_center_key\nu1,B,1200–,PP\nu2,B,5–,PP\n', '--print');
    await answer(terminal, [
      ['What are the rows?', DOWN, ENTER],
      [/◆\s+Which column has amount/, DOWN, ENTER],
      [/This answer does not work: numbers under "X"[^◆]*◆\s+Which column has amount/, CTRL_C],
    ]);
    expect(await terminal.ended).toBe(130);
    const again = reopen(ws, '--print');
    await answer(again, [[/◆\s+Which column has amount/, CTRL_C]]);
    expect(await again.ended).toBe(130);
  });

  it('asks which sheet of a workbook is meant', async () => {
    const rows = READY.trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    const file = workbook({ sheets: ['Oktober', 'November'].map((name) => ({ name, rows })) });
    const ws = workspaceWith({ 'pay.xlsx': file });
    const terminal = openTerminal(ws, ['setup', 'pay.xlsx', '--print']);
    await answer(terminal, [['Which sheet has the table?', DOWN, DOWN, ENTER], ...TO_THE_NAME]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.output).toContain('"sheet": "November"');
  });
});
