import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, workspace } from '../support/cli.js';

// Of a flag that is given twice, the first value would be dropped without a word: of what decides what is paid, it never is.

function create(...words: string[]): Promise<CliResult> {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  work.file('prices.csv', 'gig_task_id,base_price\nt1,5\n');
  return work.run(['payout', 'create', ...words, '--json']);
}

const DIGEST = 'a'.repeat(64);
const FIELDS = ['--user-id', 'u1', '--amount', '5', '--title', 'T', '--cost-center-key', 'PP'];

describe('a flag that decides what is paid is given once', () => {
  test.each(
    [
      ...['--batch-id a a', '--prices prices.csv prices.csv', `--expect-digest ${DIGEST} ${DIGEST}`, '--batch-id  b'],
    ].map((words) => words.split(' ') as [string, string, string]),
  )('%s %s and %s', async (flag, first, second) => {
    const { code, stderr, summary } = await create('p.csv', '--dry-run', flag, first, `${flag}=${second}`);
    expect([code, stderr]).toEqual([2, `${flag} is given twice; leave one out\n`]);
    expect(summary).toMatchObject({ stop_reason: 'usage', dry_run: true });
  });

  test.each([
    // The flag of a field, a person's word, the type of records, the day before which is pruned.
    [`payout create ${FIELDS.join(' ')} --dry-run`, '--amount', '6'],
    [`payout create ${FIELDS.join(' ')} --dry-run`, '--cost-center-key', 'PQ'],
    ['batch settle r --record 1', '--record', '2'],
    ['batch settle r --file a.csv', '--file', 'b.csv'],
    ['batch settle r --note a', '--note', 'b'],
    ['batch import p.csv --type gig', '--type', 'payout'],
    ['batch prune --before 2026-01-01', '--before', '2026-10-01'],
  ])('%s, and again %s', async (words, flag, second) => {
    const { code, stderr } = await workspace().run([...words.split(' '), flag, second]);
    expect([code, stderr]).toEqual([2, `${flag} is given twice; leave one out\n`]);
  });
});

test.each([[['Betrag=amount', 'Betrag=title']], [['Betrag=amount', 'Name=title', ' Betrag =user_id']]])(
  'one column is one field: --map %j is refused',
  async (maps) => {
    const { code, stderr } = await create('p.csv', '--dry-run', ...maps.flatMap((map) => ['--map', map]));
    expect([code, stderr]).toEqual([2, '--map Betrag: this is given twice; leave one out\n']);
  },
);

test('of flags about the way, the time and the output the last one counts', async () => {
  const { code, summary } = await create(
    ...['p.csv', '--dry-run', '--base-url', 'https://a.example', '--base-url', 'https://b.example'],
    ...['--timeout', '1', '--timeout', '2', '--state-dir', 'a', '--state-dir', 'b'],
  );
  expect([code, summary.target]).toEqual([0, 'https://b.example']);
});
