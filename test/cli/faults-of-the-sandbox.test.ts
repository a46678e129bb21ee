import { expect, test } from 'vitest';
import { paying, testService } from '../support/fixtures.js';

// Faults can be asked of the sandbox: a real service is never asked, and nobody shall believe that it was.

const FAULTS = ['--latency 5', '--fail-rate 0.5', '--drop-rate 0', '--rate-limit 3', '--latency abc'];

test.each(['payout create p.csv --json', 'payout create p.csv --json --dry-run', 'doctor'])(
  '%s refuses each where the target is a URL',
  async (words) => {
    for (const fault of FAULTS) {
      const { code, output } = await paying().run(`${words} --base-url http://127.0.0.1:1 ${fault}`);
      const [flag] = fault.split(' ');
      expect([fault, code]).toEqual([fault, 2]);
      expect(output).toContain(`${flag} can be asked of the sandbox only; leave it out, or say --sandbox`);
    }
  },
);

test('so does batch resume', async () => {
  const work = paying();
  const service = await testService({ respond: () => ({ status: 500, execute: false }) });
  const { summary } = await work.run(`payout create p.csv --base-url ${service.url} --yes --retries 0 --json`);
  const asked = service.requestCount;
  for (const fault of FAULTS) {
    const resumed = await work.run(`batch resume ${summary.run} --retries 0 --json ${fault}`);
    expect([resumed.code, resumed.summary.stop_reason, service.requestCount]).toEqual([2, 'usage', asked]);
    expect(resumed.stderr).toBe(`${fault.split(' ')[0]} can be asked of the sandbox only; leave it out\n`);
  }
});

test('a run at the sandbox goes on with them', async () => {
  const work = paying();
  const { summary } = await work.run('payout create p.csv --sandbox --json --retries 0 --fail-rate 1');
  const resumed = await work.run(`batch resume ${summary.run} --json --fail-rate 0`);
  expect([summary.exit_code, resumed.code]).toEqual([5, 0]);
});
