import { spawn, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ndjson, payouts } from '../support/builders.js';
import { type Workspace, workspace } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const canRun = process.platform !== 'win32' && spawnSync('jq', ['--version']).status === 0;

interface Gate {
  readonly code: number | null;
  readonly stdout: string;
  readonly summary: string;
}

/** Runs the script as the workflow does, with the program that was just built on the path. */
async function check(space: Workspace, files: string[], env: Record<string, string> = {}): Promise<Gate> {
  const program = space.file('path/gigwork', `#!/bin/sh\nexec "${process.execPath}" "${ROOT}bin/gigwork.js" "$@"\n`);
  chmodSync(program, 0o755);
  space.file('summary.md', '');
  const own = {
    PATH: `${space.path('path')}${delimiter}${process.env['PATH']}`,
    HOME: space.dir,
    GITHUB_STEP_SUMMARY: space.path('summary.md'),
  };
  const child = spawn('sh', [`${ROOT}samples/ci/check.sh`, ...files], {
    cwd: space.dir,
    env: { ...own, ...env },
    stdio: 'pipe',
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, summary: space.read('summary.md') };
}

describe.skipIf(!canRun)('samples/ci/check.sh', () => {
  test('lets good files pass, and names their digest', async () => {
    const space = workspace();
    space.file('a.ndjson', ndjson([{ user_id: 'u1', amount: 1200, title: 'Bonus', cost_center_key: 'PP-7' }]));
    const { code, stdout, summary } = await check(space, ['a.ndjson'], {
      GIGWORK_BASE_URL: 'https://gigs.example/base',
    });
    expect([code, stdout]).toEqual([0, '']);
    expect(summary).toContain('ready to send');
    expect(summary).toContain('| payout | none | PP-7 | 1 | 1200 | 0 |');
    expect(summary).toContain('--expect-digest 242a6a1b562263ce95b6b39ffe1009af3af711c2826a66a184a63f2fd738a25b');
  });

  test('marks what is wrong at its line, and fails', async () => {
    const { code, stdout, summary } = await check(workspace(), [`${ROOT}samples/payouts-bad.csv`]);
    expect(code).toBe(3);
    expect(stdout).toContain(
      `::error file=${ROOT}samples/payouts-bad.csv,line=4,title=missing-field::record 2: The cell under "title" is empty`,
    );
    expect(stdout).toContain('::warning ');
    expect(summary).toContain('not ready (invalid_input)');
  });

  test('writes no workflow command that a file dictates', async () => {
    const space = workspace();
    const [row] = payouts(1);
    space.file('a,b.ndjson', ndjson([{ ...row, 'x\n::stop-commands::': '%' }]));
    const { code, stdout } = await check(space, ['a,b.ndjson']);
    expect(code).toBe(3);
    expect(stdout).toContain('file=a%2Cb.ndjson,line=1');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});
