import { expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// Faults can be asked of the sandbox: a real service is never asked, and nobody shall believe that it was.

const FAULTS = [
  ['--latency', '5'],
  ['--fail-rate', '0.5'],
  ['--drop-rate', '0'],
  ['--rate-limit', '3'],
  ['--latency', 'abc'],
] as const;

test.each([
  ['create', ['payout', 'create', 'p.csv', '--json']],
  ['a dry run', ['payout', 'create', 'p.csv', '--json', '--dry-run']],
  ['doctor', ['doctor']],
])('%s refuses each where the target is a URL', async (_what, words) => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  for (const [flag, value] of FAULTS) {
    const { code, stdout, stderr } = await work.run([...words, '--base-url', 'http://127.0.0.1:1', flag, value]);
    expect([flag, code]).toEqual([flag, 2]);
    expect(stdout + stderr).toContain(`${flag} can be asked of the sandbox only; leave it out, or say --sandbox`);
  }
});

test('so does batch resume', async () => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const service = await testService({ respond: () => ({ status: 500, execute: false }) });
  const target = ['--base-url', service.url, '--yes', '--retries', '0', '--json'];
  const { summary } = await work.run(['payout', 'create', 'p.csv', ...target]);
  const asked = service.requestCount;
  for (const [flag, value] of FAULTS) {
    const resumed = await work.run(['batch', 'resume', summary.run, '--retries', '0', '--json', flag, value]);
    expect([resumed.code, resumed.summary.stop_reason, service.requestCount]).toEqual([2, 'usage', asked]);
    expect(resumed.stderr).toBe(`${flag} can be asked of the sandbox only; leave it out\n`);
  }
});

test('a run at the sandbox goes on with them', async () => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const target = ['--sandbox', '--json', '--retries', '0'];
  const { summary } = await work.run(['payout', 'create', 'p.csv', ...target, '--fail-rate', '1']);
  const resumed = await work.run(['batch', 'resume', summary.run, '--json', '--fail-rate', '0']);
  expect([summary.exit_code, resumed.code]).toEqual([5, 0]);
});
