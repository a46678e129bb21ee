/** How flags are read: where they stand, how often, and which words are their values. CONTRACT: "Commands". */
import { describe, expect, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { recordsOf } from '../support/desk.js';
import { paying } from '../support/fixtures.js';

describe('flags before the command are a usage error, which a program can read', () => {
  test.each([
    ['--json payout create p.csv', 'payout create', false],
    ['--json --dry-run gig create p.csv', 'gig create', true],
    ['--quiet result create p.csv --json', 'result create', false],
    ['--state-dir folder batch import p.csv --json', 'batch import', false],
    ['payout --json create p.csv', 'payout create', false],
    ['--json batch resume 20261120-a1b2c3', 'batch resume', false],
  ])('%s', async (words, command, dryRun) => {
    const { code, summary, events, stderr } = await workspace().run(words);
    expect([code, events.length, summary.records.read]).toEqual([2, 1, 0]);
    expect(summary).toMatchObject({ exit_code: 2, command, dry_run: dryRun, stop_reason: 'usage', run: null });
    expect(stderr).toContain('unknown option');
    expect(stderr.includes('flags stand after the command')).toBe(words.startsWith('-'));
  });

  test.each(['--json batch list', 'batch show payout create --json', 'schema payout create --json', '--json'])(
    '%s runs no records and prints nothing',
    async (words) => {
      expect(await workspace().run(words)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});

test.each(['prices', 'rejects', 'results', 'report', 'task-list', 'log-file', 'ca'])(
  'an empty --%s is no file, as from a variable that was never set',
  async (flag) => {
    const { code, stderr } = await workspace().run(['batch', 'import', 'p.csv', '--dry-run', `--${flag}=`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--${flag} takes the name of a file; found ""`)]);
  },
);

// Of a flag that is given twice, the first value would be dropped without a word: of what decides what is paid, it
// never is. Which settings these are: test/unit/config/settings.test.ts.
describe('a flag that decides what is paid is given once', () => {
  const FIELDS = 'payout create --user-id u1 --amount 5 --title T --cost-center-key PP --dry-run';

  test.each([
    ['payout create p.csv --dry-run --batch-id a', '--batch-id', 'a'],
    ["payout create p.csv --dry-run --batch-id ''", '--batch-id', 'b'],
    // The flag of a field, a person's word, the type of records, the day before which is pruned.
    [FIELDS, '--amount', '6'],
    [FIELDS, '--cost-center-key', 'PQ'],
    ['batch settle r --record 1', '--record', '2'],
    ['batch settle r --file a.csv', '--file', 'b.csv'],
    ['batch settle r --note a', '--note', 'b'],
    ['batch import p.csv --type gig', '--type', 'payout'],
    ['batch prune --before 2026-01-01', '--before', '2026-10-01'],
  ])('%s, and again %s', async (words, flag, second) => {
    for (const again of [`${flag} ${second}`, `${flag}=${second}`]) {
      const { code, stderr } = await paying().run(`${words} ${again}`);
      expect([code, stderr]).toEqual([2, `${flag} is given twice; leave one out\n`]);
    }
  });

  test.each([
    ['--map Betrag=amount --map Betrag=title', '--map Betrag'],
    ["--map Betrag=amount --map Name=title --map ' Betrag =user_id'", '--map Betrag'],
    ['--set title=a --set title=b', '--set title'],
  ])('one column is one field, and one field has one value: %s', async (flags, named) => {
    const { code, stderr } = await paying().run(`payout create p.csv --dry-run ${flags}`);
    expect([code, stderr]).toEqual([2, `${named}: this is given twice; leave one out\n`]);
  });

  test('of flags about the way, the time and the output the last one counts', async () => {
    const twice = '--base-url https://a.example --base-url https://b.example --timeout 1 --timeout 2';
    const { code, summary } = await paying().run(`payout create p.csv --dry-run --json ${twice} --state-dir a`);
    expect([code, summary.target]).toEqual([0, 'https://b.example']);
  });
});

// `--batch-id $BATCH --dry-run` with BATCH not set: the flag that follows must not become the name of the batch.
describe('a flag is no value of the flag before it', () => {
  test.each([
    ['--batch-id', '--dry-run'],
    ['--state-dir', '--dry-run'],
    ['--report', '--no-progress'],
    ['--set', '--pad-short-rows'],
    ['--expect-digest', '--skip-created'],
    ['--batch-id', '-h'],
    ['--batch-id', '--version'],
    ['--batch-id', '--'],
  ])('%s %s', async (flag, word) => {
    const { code, stderr, summary } = await paying().run(`payout create p.csv --sandbox --yes --json ${flag} ${word}`);
    expect([code, summary.records.read]).toEqual([2, 0]);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage', run: null, batch_id: 'default' });
    expect(stderr).toBe(
      `${flag} needs a value; found the flag ${word}. For a value that begins so, write ${flag}=${word}\n`,
    );
  });

  test('and never a value that stands after it, which may be a secret', async () => {
    const { code, stderr } = await paying().run("payout create p.csv --batch-id '--header=X-Key: s3cr3tvalue99'");
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('s3cr3t')]);
  });

  test.each([
    ['--amount -5 --title T', { amount: -5 }],
    ['--amount 5 --title=--dry-run', { title: '--dry-run' }],
    ['--amount 5 --title --dry', { title: '--dry' }],
    ['--amount 5 --title -', { title: '-' }],
    ['--amount 5 --title -Bonus-', { title: '-Bonus-' }],
  ])('other words stay values: %s', async (words, expected) => {
    const call = `payout create --user-id u1 --cost-center-key PP ${words} --dry-run --json --allow-negative`;
    const result = await workspace().run(call);
    expect([result.code, result.stderr.includes('needs a value')]).toEqual([0, false]);
    expect(recordsOf(result)[0].request).toMatchObject(expected);
  });
});
