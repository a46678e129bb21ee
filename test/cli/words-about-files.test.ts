/**
 * What people are told about a file: the place, what was found, and what they can do about it. The words stand in one
 * approved file, which a person reads as a diff: `npx vitest run test/cli/words-about-files.test.ts -u` writes it anew.
 */
import { expect, test } from 'vitest';
import { type Content, workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, Content>>;
  readonly words?: readonly string[];
}

const HEADER = 'user_id;amount;title;cost_center_key\n';
const RECORD = 'u1;80,19;Bonus;PP-7\n';
const COMMA = 'user_id,amount,title,cost_center_key\n';

/** A dry run of `p.csv`, as people call it. */
const dry = (...flags: string[]): string[] => ['payout', 'create', 'p.csv', '--dry-run', ...flags];
const csv = (what: string, text: string, ...flags: string[]): Case => ({
  what,
  files: { 'p.csv': text },
  words: dry(...flags),
});

/** One payout for each cell, in this column. */
function cells(column: 'amount' | 'billing_date', values: readonly string[]): string {
  const rows = values.map((value, i) =>
    column === 'amount' ? `u${i};${value};a;PP;01.11.2026` : `u${i};1;a;PP;${value}`,
  );
  return `user_id;amount;title;cost_center_key;billing_date\n${rows.join('\n')}\n`;
}

const AMOUNTS = [
  '1 Stk',
  '€ 80,19',
  '80,19 EUR',
  '80,19 zł',
  '1\xA0234,50 Kč',
  '80.19 EUR',
  '(80,19 €)',
  '80,19 Euro',
  '#DIV/0!',
  '#NV',
  '(80,00)',
  '80,5-',
  '1234.-',
  '12,5 %',
  '-   €',
  'n-a',
  '1E+05',
  '########',
  '​80,19',
  '  ',
];
const DATES = ['46327', '2026/11/01', '01. November 2026', '31.11.2026', '30.02.2026', '\u200b01.11.2026'];
const HIDDEN = 'u\u200b1;1;a;PP\nu1\u202e;1;a;PP\u00a01\nu2;1;\ufeffa;PP\nu3;1;a\u0007;PP\n';
const JOINERS = 'u1;1;👩\u200d💻 \u200f(a)\u200e b;PP\nu2;1;می\u200cخواهم;PP\n';
const EUROPEAN = ['--decimal', 'comma', '--date-format', 'dmy'];

const CASES: readonly Case[] = [
  csv(
    'the row of a spreadsheet, where it is another number than the line',
    `sep=,\n${COMMA}u1,10,"a\nb",K\nu2,x,t,K\n`,
  ),
  csv('and of many records', `${HEADER}u1;1;"a\nb\nc";PP\nu2;2;;PP\nu3;2;;PP\n`),
  csv('a header below a title with as many cells', `Auszahlungen November;;;\n;;;\n${HEADER}${RECORD}`),
  csv('a header below a shorter title', `Auszahlungen;November\n${HEADER}${RECORD}`),
  csv('no header', `${RECORD}u2;3,50;Bonus;PP-7\n`),
  csv('a separator too many', `${HEADER}u1;1;a;PP;\n`),
  csv('a separator in a cell', `${HEADER}u1;1;a;b;PP\n`),
  csv('a doubled quote', `${HEADER}u1;1;a"b;PP\n`),
  csv('amounts', cells('amount', AMOUNTS), '--json', ...EUROPEAN),
  csv('dates', cells('billing_date', DATES), '--json', ...EUROPEAN),
  csv('hidden characters in an ID, and at the ends of other text', HEADER + HIDDEN, '--json'),
  csv('joiners and direction marks within free text, which are no doubt', HEADER + JOINERS),
  csv('a misspelt column', 'user_id;amuont;title;cost_center_key\nu1;3;a;PP\n'),
  csv('columns in another language', 'user_id,amuont,Zweck,Kostenstelle\nu1,10,t,K\n'),
  csv('a name of the file as a word of a command', 'user_id,amount,title,"Preis ""netto"" $HOME"\nu1,10,t,5\n'),
  csv(
    'columns that are mapped',
    'Supplier;Betrag;Zweck;KSt\n;12;Bonus;PP\nu2;x;Bonus;PP\nu3;-1;;PP\n',
    '--map',
    'Supplier=user_id',
    '--map',
    'Betrag=amount',
    '--map',
    'Zweck=title',
    '--map',
    'KSt=cost_center_key',
  ),
  {
    what: 'a profile whose column names have moved',
    files: {
      'p.csv': `Auszahlungen\nBank;DE12\n\n${HEADER}${RECORD}`,
      'c.json': '{"profiles":{"pay":{"header_line":2,"decimal":"comma"}}}',
    },
    words: dry('--config', 'c.json', '--profile', 'pay'),
  },
  {
    what: 'a profile for other columns',
    files: { 'p.csv': `Wer;Was\nAnna;Bonus\n`, 'c.json': '{"profiles":{"pay":{"map":{"Wen":"user_id"}}}}' },
    words: dry('--config', 'c.json', '--profile', 'pay'),
  },
  csv('many rows with one fault', `user_id,amount,title\n${'u1,10,t\n'.repeat(1200)}`),
  csv('the choices of a flag', HEADER, '--decimal', ','),
  csv('a column that a file without names lacks', RECORD, '--header-line', '0', '--map', '#9=title'),
  csv('the number of a column that has a name', HEADER + RECORD, '--map', '#2=title'),
  csv('an ignored column that the file lacks', HEADER + RECORD, '--ignore-column', 'amuont'),
  csv('an ignored number', RECORD, '--header-line', '0', '--ignore-column', '#7'),
  {
    what: 'a misspelt field of JSON',
    files: { 'p.json': '{"user_id":"u1","amuont":3,"amount":3,"title":"a","cost_center_key":"P"}' },
    words: ['payout', 'create', 'p.json', '--dry-run'],
  },
  {
    what: 'columns that tell no type',
    files: { 'p.csv': 'Betrag;Name\n5;x\n' },
    words: ['batch', 'import', 'p.csv', '--dry-run'],
  },
  ...['{"decimal":","}', '{"negate":"yes"}', '{"header_line":-1}', '{"sheet":true}'].map((config) => ({
    what: `the settings ${config}`,
    files: { 'c.json': config },
    words: ['config', 'show', '--config', 'c.json'],
  })),
];

/** Of one call: its command, exit code, and what it said; with `--json`, each issue in one line. */
async function told({ what, files, words = [] }: Case): Promise<string> {
  const work = workspaceWith(files);
  const result = await work.run(words);
  const { code, stderr } = result;
  const lines = issuesOf(result).map((issue) => {
    return `line ${issue.line}, ${issue.severity}: ${issue.message} [${issue.code}]\n`;
  });
  const said = words.includes('--json') ? lines.join('') : stderr.replaceAll(work.dir, 'FOLDER');
  return `== ${what}\n$ gigwork ${words.join(' ')}\nexit ${code}\n${said}`;
}

// A shell of Windows takes other quotes.
test.skipIf(process.platform === 'win32')('what people are told about files', async () => {
  const all: string[] = [];
  for (const each of CASES) all.push(await told(each));
  await expect(all.join('\n')).toMatchFileSnapshot('approved/words-about-files.txt');
});
