import { describe, expect, test } from 'vitest';
import { workspace } from '../support/cli.js';

describe('flags before the command are a usage error, which a program can read', () => {
  test.each([
    [['--json', 'payout', 'create', 'p.csv'], 'payout create', false],
    [['--json', '--dry-run', 'gig', 'create', 'p.csv'], 'gig create', true],
    [['--quiet', 'result', 'create', 'p.csv', '--json'], 'result create', false],
    [['--state-dir', 'folder', 'batch', 'import', 'p.csv', '--json'], 'batch import', false],
    [['payout', '--json', 'create', 'p.csv'], 'payout create', false],
    [['--json', 'batch', 'resume', '20261120-a1b2c3'], 'batch resume', false],
  ])('%j', async (args, command, dryRun) => {
    const { code, summary, events, stderr } = await workspace().run(args);
    expect([code, events.length]).toEqual([2, 1]);
    expect(summary).toMatchObject({ exit_code: 2, command, dry_run: dryRun, stop_reason: 'usage', run: null });
    expect(summary.records.read).toBe(0);
    expect(stderr).toContain('unknown option');
    expect(stderr.includes('flags stand after the command')).toBe(args[0]?.startsWith('-'));
  });

  test.each([
    [['--json', 'batch', 'list']],
    [['batch', 'show', 'payout', 'create', '--json']],
    [['schema', 'payout', 'create', '--json']],
    [['--json']],
  ])('%j runs no records and prints nothing', async (args) => {
    const { code, stdout } = await workspace().run(args);
    expect([code, stdout]).toEqual([2, '']);
  });
});
