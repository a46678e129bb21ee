import { copyFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workspace } from '../support/cli.js';
import { ROOT } from '../support/documents.js';

// The finance samples: `setup` finds by itself what their profiles say of how they are written.

type Profile = Readonly<Record<string, unknown>> & {
  readonly map: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, string>>;
  readonly ignore_columns?: readonly string[];
  readonly only?: readonly string[];
};

const { profiles } = JSON.parse(readFileSync(`${ROOT}samples/finance/config.json`, 'utf8')) as {
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
];

/** What only a person knows: which column is which, and what all records get. */
function saidOf({ map, set = {}, ignore_columns: ignored = [], only = [], ...profile }: Profile): string[] {
  return [
    ...Object.entries(map).flatMap(([name, path]) => ['--map', `${name}=${path}`]),
    ...Object.entries(set).flatMap(([path, value]) => ['--set', `${path}=${value}`]),
    ...ignored.flatMap((name) => ['--ignore-column', name]),
    ...only.flatMap((condition) => ['--only', condition]),
    ...(profile['pad_short_rows'] === true ? ['--pad-short-rows'] : []),
    ...(profile['ignore_other_columns'] === true ? ['--ignore-other-columns'] : []),
    ...(profile['header_line'] === 0 ? ['--header-line', '0'] : []),
  ];
}

describe('the finance samples', () => {
  it('are all here', () => {
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
