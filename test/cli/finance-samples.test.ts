import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workspace } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SECTION =
  readFileSync(`${ROOT}samples/README.md`, 'utf8').split('## Finance files\n')[1]?.split('\n## ')[0] ?? '';

/** Cells of the rows of both tables. */
const CELLS = SECTION.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| file'))
  .map((line) => line.slice(2, -2).split(' | '));

/** The files with the flags that the README names. */
const FILES = CELLS.filter((cells) => cells.length === 3).map(([file = '', , flags = '']) => ({
  path: `samples/${file.replaceAll('`', '')}`,
  flags: flags.replaceAll('`', '').split(' '),
}));

/** `cost center, count, amount` of a file, sums left out. */
function expectedTotals(path: string): string[] {
  const rows = CELLS.filter(([file, , center]) => path.endsWith(`/${file}`) && center !== '**all**');
  return rows.map(([, currency, center, count, amount]) => [currency, center, count, amount].join(' ')).sort();
}

interface Total {
  readonly currency: string | null;
  readonly cost_center: string | null;
  readonly count: number;
  readonly amount: string;
}

function totalsOf(rows: readonly Total[]): string[] {
  return rows.map((row) => [row.currency, row.cost_center, row.count, row.amount].join(' ')).sort();
}

const FIRST_BODIES: Readonly<Record<string, object>> = {
  'samples/finance/excel-german.csv': {
    amount: 1234.56,
    billing_date: '2026-11-03',
    title: 'Regalprüfung Köln',
    description: 'Nachtzuschlag – Pauschale 12 €',
    cost_center_key: 'PP-2210-CGN',
  },
  'samples/finance/excel-swiss.csv': {
    amount: 1234.5,
    billing_date: '2026-11-02',
    title: 'Eventaufbau Zürich',
    currency: 'CHF',
  },
  'samples/finance/erp-export.txt': {
    amount: 2150,
    billing_date: '2026-11-30',
    user_id: '00030017',
    title: 'Lohnlauf November',
    description: 'ERP payroll',
    cost_center_key: '100210',
    currency: 'EUR',
    idempotency_key: '190004711',
  },
  'samples/finance/uk-council-payments.csv': { amount: 1876.17, billing_date: '2026-11-02', user_id: '100234' },
  'samples/finance/uk-bank-statement.csv': { billing_date: '2026-11-03', user_id: 'W7001', currency: 'GBP' },
  'samples/finance/de-datev-stapel.csv': { user_id: '70010', title: 'Honorar Testkäufe KW45' },
  'samples/finance/de-bank-camt.csv': { billing_date: '2026-11-04', idempotency_key: 'E2E-4400' },
  'samples/finance/fr-virements.csv': { user_id: '00012', billing_date: '2026-11-09' },
  'samples/finance/ch-honorare.csv': { amount: 552.25, user_id: '000701', title: 'Degustation Genève' },
  'samples/finance/us-accounts-payable.csv': { user_id: 'V-2040', billing_date: '2026-11-05' },
  'samples/finance/nl-betaallijst.csv': { user_id: 'M301', billing_date: '2026-11-16', title: 'Mysterybezoek week 47' },
  'samples/finance/platform-tasks.tsv': { idempotency_key: 'TP-88120', billing_date: '2026-11-10' },
  'samples/finance/at-honorare.xlsx': { user_id: '00031', billing_date: '2026-11-02', title: 'Promotion Wien' },
};

describe('the finance samples', () => {
  it('are all in the table', () => {
    expect(FILES.map(({ path }) => path)).toEqual(Object.keys(FIRST_BODIES));
  });

  it.each(FILES)('$path is read with the flags of its README, without fault or doubt', async ({ path, flags }) => {
    const ws = workspace();
    const { events, summary, code } = await ws.run(['payout', 'create', path, ...flags, '--dry-run', '--json'], {
      cwd: ROOT,
    });
    expect(code).toBe(0);
    expect(summary.warnings).toBe(0);
    expect(totalsOf(summary.totals.payout)).toEqual(expectedTotals(path));
    const [first] = events.filter(({ event }) => event === 'record');
    expect(first.request).toMatchObject(FIRST_BODIES[path] ?? {});
  });

  it.each(FILES)('$path goes into the sandbox once', async ({ path, flags }) => {
    const ws = workspace();
    const args = ['payout', 'create', path, ...flags, '--sandbox', '--json'];
    const first = await ws.run(args, { cwd: ROOT });
    const again = await ws.run(args, { cwd: ROOT });
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(first.summary.records.created).toBeGreaterThan(5);
    expect(again.summary.records).toMatchObject({ created: 0, already_created: first.summary.records.created });
  });

  it('keep what a spreadsheet puts into one cell: a line break, a semicolon, quotes', async () => {
    const ws = workspace();
    const { path = '', flags = [] } = FILES[0] ?? {};
    const { events } = await ws.run(['payout', 'create', path, ...flags, '--dry-run', '--json'], { cwd: ROOT });
    const records = events.filter(({ event }) => event === 'record');
    expect(records.map(({ line }) => line)).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 11, 12]);
    expect(records[1].request.description).toBe('Bahn „Sparpreis“, 2. Klasse; Rückfahrt "Flex" inklusive');
    expect(records[3].request.description).toBe('Beleg fehlt;\nwird nachgereicht');
  });
});

describe('a profile', () => {
  it('reads the export also without its flags being named, and flags win over it', async () => {
    const ws = workspace();
    const args = [
      'batch',
      'import',
      'samples/finance/erp-export.txt',
      '--config',
      'samples/finance/config.json',
      '--dry-run',
      '--json',
    ];
    const env = { GIGWORK_PROFILE: 'payroll' };
    const { events, code } = await ws.run(
      [...args, '--set', 'description=Corrected', '--map', 'Name=title', '--ignore-column', 'Text'],
      { cwd: ROOT, env },
    );
    // The profile drops the column that the flag would rename; two columns for one field would be a fault.
    expect(code).toBe(3);
    expect(events.filter(({ event }) => event === 'issue')[0]).toMatchObject({ code: 'missing-field', field: 'title' });
    const set = await ws.run([...args, '--set', 'description=Corrected'], { cwd: ROOT, env });
    expect(set.code).toBe(0);
    expect(set.events[0].request.description).toBe('Corrected');
  });

  it('that does not exist is refused with those that do', async () => {
    const ws = workspace();
    const args = [
      'payout',
      'create',
      'samples/finance/erp-export.txt',
      '--config',
      'samples/finance/config.json',
      '--profile',
      'payrol',
      '--dry-run',
    ];
    const { stderr, code } = await ws.run(args, { cwd: ROOT });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "payroll"?');
  });
});
