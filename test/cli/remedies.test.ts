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

  it('stands where another record is named, and in the HTML report', async () => {
    const { stderr, read } = await told({ 'p.csv': `${TALL}u2;2;x;PP\nu2;2;x;PP\n` }, '--report', 'r.html');
    expect(stderr).toContain(
      'p.csv, line 6 (row 4 in a spreadsheet): this record equals the one on line 5 (row 3 in a spreadsheet)',
    );
    expect(read('r.html')).toContain('line 6 (row 4 in a spreadsheet)');
    const keys = await told({
      'p.csv': 'user_id;amount;title;cost_center_key;idempotency_key\nu1;1;"a\nb";PP;\nu2;2;x;PP;k\nu3;2;x;PP;k\n',
    });
    expect(keys.stderr).toContain(
      'p.csv, line 4 (row 3 in a spreadsheet): line 5 (row 4 in a spreadsheet) of p.csv has the same idempotency_key',
    );
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
    expect(stderr).toContain("line 1 looks like data, and not one of its cells is a field's name; add a line");
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
