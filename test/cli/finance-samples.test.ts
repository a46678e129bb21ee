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

describe('the finance samples', () => {
  it('are read with the flags of their README, without fault or doubt: their totals, and what would be sent', async () => {
    const all: string[] = [];
    for (const { path, flags } of FILES) {
      const args = ['payout', 'create', path, ...flags, '--dry-run', '--json'];
      const { events, summary, code } = await workspace().run(args, { cwd: ROOT });
      expect.soft([code, summary.warnings], path).toEqual([0, 0]);
      expect.soft(totalsOf(summary.totals.payout), path).toEqual(expectedTotals(path));
      const records = events.filter(({ event }) => event === 'record');
      expect.soft(records.length, path).toBeGreaterThan(5);
      all.push(`== ${path}`, ...records.map(({ line, request }) => `${line} ${JSON.stringify(request)}`), '');
    }
    await expect(all.join('\n')).toMatchFileSnapshot('approved/finance-samples.txt');
  });
});

it('a profile reads the export also without its flags being named, and flags win over it', async () => {
  const words = 'batch import samples/finance/erp-export.txt --config samples/finance/config.json --dry-run --json';
  const run = (...more: string[]) =>
    workspace().run([...words.split(' '), '--set', 'description=Corrected', ...more], {
      ...{ cwd: ROOT, env: { GIGWORK_PROFILE: 'payroll' } },
    });
  const set = await run();
  expect([set.code, set.events[0].request.description]).toEqual([0, 'Corrected']);
  // The profile drops the column that the flag would rename; two columns for one field would be a fault.
  const { events, code } = await run('--map', 'Name=title', '--ignore-column', 'Text');
  expect(code).toBe(3);
  expect(events.filter(({ event }) => event === 'issue')[0]).toMatchObject({ code: 'missing-field', field: 'title' });
});
