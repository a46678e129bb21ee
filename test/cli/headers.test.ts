import { expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';

// Which headers and secrets can be used, and which cannot, is in test/unit/config/headers.test.ts.

/** A payout for a service that nobody reaches: what is refused here is refused before anything is sent. */
function space(config: object = {}): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(2)));
  work.file('config/gigwork/config.json', JSON.stringify(config));
  return work;
}

const CREATE = ['payout', 'create', 'p.csv', '--base-url', 'https://gigs.invalid', '--yes', '--json'];

test('a header that cannot be sent is refused, in a dry run too', async () => {
  for (const mode of [[], ['--dry-run']]) {
    const { code, stderr, summary } = await space().run([...CREATE, '--header', 'Bad Name: value', ...mode]);
    expect([code, summary.stop_reason, summary.dry_run]).toEqual([2, 'usage', mode.length > 0]);
    expect(stderr).toMatch(/^--header: the name of a header holds characters/);
  }
});

test.each([[{ token: { env: 'NOT_THERE' } }], [{ headers: { 'X-Key': { file: 'not-there.txt' } } }]])(
  'a dry run needs no secret, a run and doctor do: %j',
  async (config) => {
    const work = space(config);
    expect((await work.run([...CREATE, '--dry-run'])).code).toBe(0);
    expect((await work.run(CREATE)).code).toBe(2);
    expect((await work.run(['doctor'])).code).toBe(2);
    expect((await work.run(['doctor', '--sandbox'])).code).toBe(0);
  },
);
