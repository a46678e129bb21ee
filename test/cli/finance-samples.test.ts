/** The finance samples: what is read of each, and what `setup` finds out by itself of how they are written. */
import { copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workspace } from '../support/cli.js';
import { issuesOf, recordsOf } from '../support/desk.js';
import { readPage, ROOT } from '../support/documents.js';

const SECTION = readPage('samples/README.md').split('## Finance files\n')[1]?.split('\n## ')[0] ?? '';

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

describe('the finance samples', () => {
  it('are read with the flags of their README, without fault or doubt: their totals, and what would be sent', async () => {
    const all: string[] = [];
    for (const { path, flags } of FILES) {
      const result = await workspace().run(`payout create ${path} ${flags.join(' ')} --dry-run --json`, { cwd: ROOT });
      const { totals, warnings } = result.summary;
      expect.soft([result.code, warnings], path).toEqual([0, 0]);
      const told = (totals.payout as Record<string, unknown>[]).map(({ currency, cost_center, count, amount }) =>
        [currency, cost_center, count, amount].join(' '),
      );
      expect.soft(told.toSorted(), path).toEqual(expectedTotals(path));
      const records = recordsOf(result);
      expect.soft(records.length, path).toBeGreaterThan(5);
      all.push(`== ${path}`, ...records.map(({ line, request }) => `${line} ${JSON.stringify(request)}`), '');
    }
    await expect(all.join('\n')).toMatchFileSnapshot('approved/finance-samples.txt');
  });
});

it('a profile reads the export also without its flags being named, and flags win over it', async () => {
  const call = 'batch import samples/finance/erp-export.txt --config samples/finance/config.json --dry-run --json';
  const run = (more = '') =>
    workspace().run(`${call} --set description=Corrected ${more}`, { cwd: ROOT, env: { GIGWORK_PROFILE: 'payroll' } });
  const set = await run();
  expect([set.code, recordsOf(set)[0].request.description]).toEqual([0, 'Corrected']);
  // The profile drops the column that the flag would rename; two columns for one field would be a fault.
  const renamed = await run('--map Name=title --ignore-column Text');
  expect([renamed.code, issuesOf(renamed)[0]]).toMatchObject([3, { code: 'missing-field', field: 'title' }]);
});

type Profile = Readonly<Record<string, unknown>> & {
  readonly map: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, string>>;
  readonly ignore_columns?: readonly string[];
  readonly only?: readonly string[];
};

const { profiles } = JSON.parse(readPage('samples/finance/config.json')) as {
  profiles: Record<string, Profile>;
};

/** What each file does not prove. */
const SAMPLES: readonly (readonly [profile: string, file: string, ...unproven: string[]])[] = [
  ['payroll', 'erp-export.txt'],
  ['uk-council', 'uk-council-payments.csv'],
  ['uk-bank', 'uk-bank-statement.csv', '--date-format dmy', '--negate'],
  ['de-datev', 'de-datev-stapel.csv'],
  ['de-bank', 'de-bank-camt.csv', '--date-format dmy', '--negate'],
  ['fr-virements', 'fr-virements.csv'],
  ['ch-honorare', 'ch-honorare.csv', '--date-format dmy'],
  ['us-payable', 'us-accounts-payable.csv'],
  ['nl-betaallijst', 'nl-betaallijst.csv'],
  ['platform', 'platform-tasks.tsv'],
  ['at-honorare', 'at-honorare.xlsx'],
  ['de-umsatzliste', 'de-umsatzliste.csv'],
  ['fr-releve', 'fr-releve.csv', '--negate'],
  ['uk-money-out', 'uk-money-out.csv'],
  ['pl-mbank', 'pl-mbank.csv', '--negate'],
  ['ch-postfinance', 'ch-postfinance.csv', '--negate'],
  ['kr-kb', 'kr-kb.csv'],
  ['in-hdfc', 'in-hdfc.csv'],
];

/** What only a person knows: which column is which, and what all records get. */
function saidOf({ map, set = {}, ignore_columns: ignored = [], only = [], ...profile }: Profile): string[] {
  return [
    ...Object.entries(map).flatMap(([name, path]) => ['--map', `${name}=${path}`]),
    ...Object.entries(set).flatMap(([path, value]) => ['--set', `${path}=${value}`]),
    ...ignored.flatMap((name) => ['--ignore-column', name]),
    ...only.flatMap((condition) => ['--only', condition]),
    ...(typeof profile['encoding'] === 'string' ? ['--encoding', profile['encoding']] : []),
    ...(profile['pad_short_rows'] === true ? ['--pad-short-rows'] : []),
    ...(profile['ignore_other_columns'] === true ? ['--ignore-other-columns'] : []),
    ...(profile['header_line'] === 0 ? ['--header-line', '0'] : []),
  ];
}

describe('setup finds what the profile says of how a sample is written', () => {
  it('of all of them', () => {
    expect(SAMPLES.map(([profile]) => profile).toSorted()).toEqual(Object.keys(profiles).toSorted());
  });

  it.each(SAMPLES)('%s', async (name, file, ...unproven) => {
    const ws = workspace();
    copyFileSync(`${ROOT}samples/finance/${file}`, ws.path(file));
    const args = ['setup', file, '--yes', '--print', ...saidOf(profiles[name]!)];
    const first = await ws.run(args);
    expect(first.code).toBe(unproven.length === 0 ? 0 : 2);
    for (const flag of unproven) expect(first.stderr).toContain(`    ${flag}\n`);
    const said = await ws.run([...args, ...unproven.flatMap((flag) => flag.split(' '))]);
    expect(said.code).toBe(0);
    expect(JSON.parse(said.stdout)).toEqual(profiles[name]);
  });
});
