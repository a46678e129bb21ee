import { describe, expect, it } from 'vitest';
import { workspace, type Workspace } from '../support/cli.js';
import { workbook } from '../support/workbook.js';
import { NO_TERMINAL, openTerminal, type Terminal } from '../support/terminal.js';

// `gigwork setup FILE` with a person: every question, on a terminal of its own.

const CONFIG = 'config/gigwork/config.json';
const [ENTER, DOWN, UP, CTRL_C, CTRL_D] = ['\r', '\u001b[B', '\u001b[A', '\u0003', '\u0004'];

const BANK = `Kontoauszug Musterbank
Konto;DE12 3456

Nr;Empfänger;Zweck;Betrag;Tag;Filiale
1;Maier;Lohn;-1.200,50;05.12.2026;Berlin
2;Schulz;Lohn;-89,90;06.12.2026;Köln
`;

function open(file: string, ...flags: string[]): { ws: Workspace; terminal: Terminal } {
  const ws = workspace();
  ws.file('bank.csv', file);
  return { ws, terminal: openTerminal(ws, ['setup', 'bank.csv', ...flags]) };
}

/** Each question, as a part of its text, with the keys that answer it. */
async function answer(
  terminal: Terminal,
  answers: readonly (readonly [question: string, ...keys: string[]])[],
): Promise<void> {
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
  it('asks what the file does not prove, the likeliest answer first, and writes what was answered', async () => {
    const { ws, terminal } = open(BANK);
    await answer(terminal, [
      ['On which line do the column names stand?', ENTER],
      ['Is this the column with user_id', ENTER],
      ['Is this the column with title', ENTER],
      ['Is this the column with billing_date', ENTER],
      ['Which column gives cost_center_key', UP, UP, ENTER],
      ['Is this right?', ENTER],
      ['How much is -1.200,50?', ENTER],
      ['Which day is 05.12.2026?', ENTER],
      ['Which currency are the amounts in', 'eur', ENTER],
      ['Do amounts change their sign?', ENTER],
      ['What is the profile to be called?', '-2', ENTER],
      ['Write the profile bank-2', ENTER],
    ]);
    expect(await terminal.ended).toBe(0);
    for (const words of [
      'line 4 names user_id, title, amount, billing_date',
      'minus one thousand two hundred and 50 cents (decimal comma)',
      '5 December 2026 (day first)',
      'every amount is negative, as in line 5: "-1.200,50"',
      'would be sent',
      'gigwork payout create bank.csv --profile bank-2 --batch-id ',
    ])
      expect(shown(terminal)).toContain(words);
    expect(JSON.parse(ws.read(CONFIG))).toEqual({
      profiles: {
        'bank-2': {
          header_line: 4,
          map: {
            ...{ Empfänger: 'user_id', Zweck: 'title', Tag: 'billing_date', Betrag: 'amount', Nr: 'cost_center_key' },
          },
          set: { currency: 'EUR' },
          ignore_columns: ['Filiale'],
          decimal: 'comma',
          date_format: 'dmy',
          negate: true,
        },
      },
    });
  });

  it('takes other answers, and values for all records', async () => {
    const { ws, terminal } = open('A,B,C\nu1,1.234,x\nu2,5,y\n', '--print');
    await answer(terminal, [
      ['On which line do the column names stand?', ENTER],
      ['What are the rows?', ENTER],
      ['Which column gives user_id', DOWN, ENTER],
      ['Which column gives amount', DOWN, ENTER],
      ['Which column gives title', ENTER],
      ['Which title do all records get?', ENTER],
      ['This cannot be empty.', 'Wages', ENTER],
      ['Which column gives cost_center_key', ENTER],
      ['Which cost_center_key do all records get?', 'PP-7', ENTER],
      ['Is this right?', DOWN, ENTER],
      ['Which field?', DOWN, DOWN, DOWN, DOWN, DOWN, ENTER],
      ['Which column gives description', DOWN, ENTER],
      ['Is this right?', ENTER],
      ['How much is 1.234?', UP, ENTER],
      ['Which currency are the amounts in', ENTER],
    ]);
    expect(await terminal.ended).toBe(0);
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
    expect(shown(terminal)).toContain('one thousand two hundred and thirty-four (decimal comma)');
    const printed = /^\{\n[\s\S]*?^\}$/m.exec(terminal.output)?.[0] ?? '';
    expect(JSON.parse(printed)).toEqual({
      map: { A: 'user_id', B: 'amount', C: 'description' },
      set: { title: 'Wages', cost_center_key: 'PP-7' },
      decimal: 'point',
    });
  });

  it.each([
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
  ])('stops at %s, and writes nothing', async (_name, key) => {
    const { ws, terminal } = open(BANK);
    await answer(terminal, [
      ['On which line do the column names stand?', ENTER],
      ['Is this the column with user_id', key],
    ]);
    expect(await terminal.ended).toBe(130);
    expect(terminal.output).toContain('Stopped: nothing was written.');
    expect(() => ws.read(CONFIG)).toThrow(/ENOENT/);
  });

  const READY = 'user_id,title,amount,cost_center_key\nu1,Bonus,5,PP-7\n';
  const TO_THE_NAME = [
    ['On which line do the column names stand?', ENTER],
    ['Is this right?', ENTER],
    ['Which currency are the amounts in', ENTER],
  ] as const;

  it('takes another name instead, and writes nothing after a no', async () => {
    const ws = workspace();
    ws.file('bank.csv', READY);
    const before = '{"profiles": {"bank": {"decimal": "comma"}}}';
    ws.file(CONFIG, before);
    const terminal = openTerminal(ws, ['setup', 'bank.csv']);
    await answer(terminal, [
      ...TO_THE_NAME,
      ['What is the profile to be called?', ENTER],
      ['There is another profile "bank"', ENTER],
      ['What is the profile to be called?', ENTER],
      ['Write the profile bank-2', 'n'],
    ]);
    expect(await terminal.ended).toBe(2);
    expect(ws.read(CONFIG)).toBe(before);
  });

  it('asks which sheet of a workbook is meant', async () => {
    const rows = [
      ['user_id', 'title', 'amount', 'cost_center_key'],
      ['u1', 'Bonus', 5, 'PP-7'],
    ];
    const ws = workspace();
    ws.file('pay.xlsx', workbook({ sheets: ['Oktober', 'November'].map((name) => ({ name, rows })) }));
    const terminal = openTerminal(ws, ['setup', 'pay.xlsx', '--print']);
    await answer(terminal, [['Which sheet has the table?', DOWN, ENTER], ...TO_THE_NAME]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.output).toContain('"sheet": "November"');
  });
});
