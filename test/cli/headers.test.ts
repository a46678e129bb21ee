import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';

/** A service that nobody reaches: what is refused here is refused before anything is sent. */
const NOWHERE = ['--base-url', 'https://gigs.invalid', '--yes'];

function space(config: object = {}): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(2)));
  work.file('config/gigwork/config.json', JSON.stringify(config));
  return work;
}

function run(work: Workspace, flags: readonly string[], env: Record<string, string> = {}): Promise<CliResult> {
  return work.run(['payout', 'create', 'p.csv', ...NOWHERE, '--json', ...flags], { env });
}

describe.each([
  ['a dry run', ['--dry-run']],
  ['a run', []],
])('%s checks the form of headers', (_what, mode) => {
  test.each([
    ['', /--header takes 'Name: value'/],
    ['no colon', /--header takes 'Name: value'/],
    [': value', /--header takes 'Name: value'/],
    ['Bad Name: value', /the name of a header holds characters/],
    ['X-Key : value', /the name of a header holds characters/],
    ['X-Key: one\ntwo', /the value of the header x-key holds characters/i],
    ['X-Key: \u0007', /the value of the header x-key holds characters/i],
    ['Host: gigs.example', /the header host is set by gigwork itself/i],
  ])('--header %j', async (header, message) => {
    const { code, stderr, summary } = await run(space(), ['--header', header, ...mode]);
    expect([code, summary.stop_reason, summary.dry_run]).toEqual([2, 'usage', mode.length > 0]);
    expect(stderr).toMatch(message);
  });

  test.each([
    [{ headers: { 'Bad Name': 'value' } }, /the name of a header holds characters/],
    [{ headers: { 'Bad Name': { env: 'NOT_THERE' } } }, /the name of a header holds characters/],
    [{ headers: { 'X-Key': 'one\ntwo' } }, /the value of the header x-key holds characters/i],
    [{ token: 'one\ntwo' }, /the value of the header authorization holds characters/i],
  ])('of the config file %j', async (config, message) => {
    const { code, stderr } = await run(space(config), mode);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('a token of the environment', async () => {
    expect((await run(space(), mode, { GIGWORK_TOKEN: 'one\ntwo' })).code).toBe(2);
  });
});

test.each([
  [{ headers: { 'X-Key': { env: 'NOT_THERE' } } }],
  [{ headers: { 'X-Key': { file: 'not-there.txt' } } }],
  [{ token: { env: 'NOT_THERE' } }],
  [{ token: '' }],
])('a dry run needs no secret, a run and doctor do: %j', async (config) => {
  expect((await run(space(config), ['--dry-run'])).code).toBe(0);
  expect((await run(space(config), [])).code).toBe(2);
  expect((await space(config).run(['doctor'])).code).toBe(2);
  expect((await space(config).run(['doctor', '--sandbox'])).code).toBe(0);
});

test('an empty GIGWORK_TOKEN is refused', async () => {
  const work = space({ token: 'of-the-config' });
  const env = { GIGWORK_TOKEN: '' };
  const { code, stderr, summary } = await run(work, [], env);
  expect([code, summary.stop_reason, stderr]).toEqual([2, 'usage', expect.stringContaining('GIGWORK_TOKEN is empty')]);
});
