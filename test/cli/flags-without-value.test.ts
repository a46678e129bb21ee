import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, workspace } from '../support/cli.js';

// `--batch-id $BATCH --dry-run` with BATCH not set: the flag that follows must not become the name of the batch.

/** Sends a payout to the sandbox, if nothing refuses it. @param words with `--state-dir`, where no other is said */
function create(...words: string[]): Promise<CliResult> {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  return work.run(['payout', 'create', ...words]);
}

const SANDBOX = ['--sandbox', '--yes', '--json'];

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
    const { code, stderr, events, summary } = await create('p.csv', ...SANDBOX, flag, word);
    const name = word.split('=')[0];
    expect([code, events.length]).toEqual([2, 1]);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage', run: null, batch_id: 'default' });
    expect(summary.records.read).toBe(0);
    expect(stderr).toBe(
      `${flag} needs a value; found the flag ${name}. For a value that begins so, write ${flag}=${name}\n`,
    );
  });

  test('and never a value that stands after it, which may be a secret', async () => {
    const { code, stderr } = await create('p.csv', '--batch-id', '--header=X-Key: s3cr3tvalue99');
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('s3cr3t')]);
  });
});

describe('other words stay values', () => {
  test.each([
    [['--amount', '-5'], { amount: -5 }],
    [['--amount', '5', '--title=--dry-run'], { title: '--dry-run' }],
    [['--amount', '5', '--title', '--dry'], { title: '--dry' }],
    [['--amount', '5', '--title', '-'], { title: '-' }],
    [['--amount', '5', '--title', '-Bonus-'], { title: '-Bonus-' }],
  ])('%j', async (words, expected) => {
    const others = ['--user-id', 'u1', '--cost-center-key', 'PP', '--set', 'title=T'].slice(
      0,
      words.length > 2 ? 4 : 6,
    );
    const { code, events, stderr } = await create(...others, ...words, '--dry-run', '--json', '--allow-negative');
    expect([code, stderr.includes('needs a value')]).toEqual([0, false]);
    expect(events.find(({ event }) => event === 'record').request).toMatchObject(expected);
  });
});
