import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';

// Names that tell payments apart: two that look the same would be two batches, or two accounts, and pay twice.

const UNSEEN = [
  ['2026-11 ', /begins or ends with a space \(U\+0020\)/],
  [' 2026-11', /begins or ends with a space \(U\+0020\)/],
  ['2026-11\u200b', /holds a character that nobody sees \(U\+200B\)/],
  ['\ufeff2026-11', /U\+FEFF/],
  ['2026\u00a011', /U\+00A0/],
  ['2026\u200d-11', /U\+200D/],
  ['2026\t11', /U\+0009/],
  ['2026-11\u202e', /U\+202E/],
] as const;

function space(config: object = {}): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  work.file('config/gigwork/config.json', JSON.stringify(config));
  return work;
}

describe.each(['--batch-id', '--account'])('%s', (flag) => {
  test.each(UNSEEN)('%j is refused, and the character is named', async (name, words) => {
    const target = ['--base-url', 'http://127.0.0.1:1', '--retries', '0', '--yes'];
    const { code, stderr, summary } = await space().run([
      ...['payout', 'create', 'p.csv', '--json', ...target, flag, name],
    ]);
    expect([code, summary.stop_reason, summary.records.read]).toEqual([2, 'usage', 0]);
    expect(stderr).toMatch(words);
    expect(stderr).toContain(flag);
    expect(summary.batch_id).toBe(flag === '--batch-id' ? name : 'default');
  });

  test.each(['2026 11', 'Zürich', '給与', '-', 'a/b'])('%j is a name', async (name) => {
    const { code } = await space().run(['payout', 'create', 'p.csv', '--dry-run', flag, name]);
    expect(code).toBe(0);
  });
});

test('an account in the config file is read in the same way', async () => {
  const { code, stderr } = await space({ base_url: 'https://gigs.example', account: 'acme\u200b' }).run([
    ...['payout', 'create', 'p.csv', '--dry-run'],
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/account in .*config\.json holds a character that nobody sees \(U\+200B\)/);
});

test('the summary of a wrong call names the batch as it was given, without a control character', async () => {
  const { stdout, summary } = await space().run(['payout', 'create', '--json', '--batch-id', '2026-11 \u202e', '--no']);
  expect(summary.batch_id).toBe('2026-11 \u202e');
  expect(stdout).toContain('"2026-11 \\u202e"');
});
