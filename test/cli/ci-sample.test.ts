/** The check of files in a CI workflow: samples/ci/check.sh. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ndjson, payouts } from '../support/builders.js';
import { type Workspace, workspaceWith } from '../support/cli.js';
import { ROOT } from '../support/documents.js';
import { shellIn } from '../support/shell.js';

const canRun = process.platform !== 'win32' && spawnSync('jq', ['--version']).status === 0;

/** Runs the script as the workflow does, with the program that was just built on the path. */
async function check(space: Workspace, file: string, env: Record<string, string> = {}) {
  const own = { GITHUB_STEP_SUMMARY: space.file('summary.md', ''), HOME: space.dir };
  const script = `sh '${ROOT}samples/ci/check.sh' ${file} 2> said`;
  const { code, output } = await shellIn(space)(script, { ...own, ...env });
  return { code, output, summary: space.read('summary.md') };
}

describe.skipIf(!canRun)('samples/ci/check.sh', () => {
  test('lets good files pass, and names their digest', async () => {
    const row = { user_id: 'u1', amount: 1200, title: 'Bonus', cost_center_key: 'PP-7' };
    const env = { GIGWORK_BASE_URL: 'https://gigs.example/base' };
    const { code, output, summary } = await check(workspaceWith({ 'a.ndjson': ndjson([row]) }), 'a.ndjson', env);
    expect([code, output]).toEqual([0, '']);
    for (const words of [
      'ready to send',
      '| payout | none | PP-7 | 1 | 1200 | 0 |',
      '--expect-digest 242a6a1b562263ce95b6b39ffe1009af3af711c2826a66a184a63f2fd738a25b',
    ])
      expect(summary).toContain(words);
  });

  test('marks what is wrong at its line, and fails', async () => {
    const file = `${ROOT}samples/payouts-bad.csv`;
    const { code, output, summary } = await check(workspaceWith({}), file);
    const place = `::error file=${file},line=4,title=missing-field::record 2: The cell under "title" is empty`;
    expect([code, output]).toEqual([3, expect.stringContaining(place)]);
    expect(output).toContain('::warning ');
    expect(summary).toContain('not ready (invalid_input)');
  });

  test('writes no workflow command that a file dictates', async () => {
    const [row] = payouts(1);
    const space = workspaceWith({ 'a,b.ndjson': ndjson([{ ...row, 'x\n::stop-commands::': '%' }]) });
    const { code, output } = await check(space, 'a,b.ndjson');
    expect([code, output]).toEqual([3, expect.stringContaining('file=a%2Cb.ndjson,line=1')]);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
  });
});
