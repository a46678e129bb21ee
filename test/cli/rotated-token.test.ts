/** A token that another program changes while a run is sending. CONTRACT: "Settings". */
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import type { SeenRequest } from '../support/service.js';

const ROWS = payouts(12);

/** A command that prints `one` when it runs for the first time, then `two`. */
const COUNTING = `
const fs = require('node:fs');
const calls = fs.existsSync('calls') ? Number(fs.readFileSync('calls')) + 1 : 1;
fs.writeFileSync('calls', String(calls));
console.log(calls === 1 ? 'token-one' : 'token-two');`;

/** A service that takes only the second token once it has created `first` records; and a desk that asks a command. */
async function rotating(command = COUNTING, first = 3) {
  const work = workspace();
  work.file('token.cjs', command);
  const respond = ({ n, headers }: SeenRequest) =>
    n <= first || headers['authorization'] === 'Bearer token-two' ? undefined : { status: 401, body: 'token-two?' };
  const service = await testService({ respond });
  const secret = { command: [process.execPath, './token.cjs'] };
  const config = work.file('c/config.json', JSON.stringify({ base_url: service.url, token: secret }));
  work.file('c/token.cjs', command);
  work.file('p.csv', csv(ROWS));
  const words = ['payout', 'create', 'p.csv', '--config', config, '--yes', '--json'];
  return { work, service, words, calls: () => work.read('c/calls') };
}

describe('a token that a command prints', () => {
  test('is asked for once more after 401, and the run loses nothing', async () => {
    const { work, service, words, calls } = await rotating();
    const { summary, stdout, stderr } = await work.run(words);
    expect(summary).toMatchObject({ exit_code: 0, stop_reason: null, records: { created: ROWS.length } });
    expect([[...service.executions.values()], calls()]).toEqual([ROWS.map(() => 1), '2']);
    // The new token is a secret like the first one.
    expect(`${stdout}${stderr}`).not.toMatch(/token-(one|two)/);
  });

  test('and has not changed: the run stops, and a person has to act', async () => {
    const { work, words, calls } = await rotating(COUNTING.replace('token-two', 'token-one'));
    const { summary } = await work.run([...words, '--concurrency', '4']);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized', retry: false, records: { created: 3 } });
    expect([summary.records.not_sent, calls()]).toEqual([ROWS.length - 3, '2']);
  });

  test('and fails: it is said why', async () => {
    const { work, words } = await rotating(`${COUNTING} if (calls > 1) process.exit(7);`);
    const { summary } = await work.run(words);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized' });
    expect(summary.reasons[0]).toContain('ended with exit code 7');
  });

  test('or that stands in a file', async () => {
    const { work, service, words } = await rotating(COUNTING, 0);
    const token = work.file('token.txt', 'token-one\n');
    work.file('c/config.json', JSON.stringify({ base_url: service.url, token: { file: '../token.txt' } }));
    service.responder(({ headers }) => {
      work.file('token.txt', 'token-two\n');
      return headers['authorization'] === 'Bearer token-two' ? undefined : { status: 401 };
    });
    expect((await work.run(words)).summary).toMatchObject({ exit_code: 0, records: { created: ROWS.length } });
    expect(work.read(token)).toBe('token-two\n');
  });
});

describe('a service that answers 401 is told of with the place of the access, and never its value', () => {
  const file = 'token.txt';
  test.each<[what: string, settings: object, given: { flags?: string[]; env?: Record<string, string> }, place: RegExp]>(
    [
      ['a variable', { token: 'sesame-1' }, { env: { GIGWORK_TOKEN: 'sesame-2' } }, /They come from GIGWORK_TOKEN\./],
      ['the config file', { token: 'sesame-1' }, {}, /They come from token in .*config\.json\./],
      ['a file', { token: { file } }, {}, /They come from token in .*config\.json \(the file .*token\.txt\)\./],
      [
        'another variable',
        { token: { env: 'T' } },
        { env: { T: 'sesame-1' } },
        /config\.json \(the environment variable T\)/,
      ],
      ['a command', { token: { command: [process.execPath, '-p', '"sesame-1"'] } }, {}, /\(the command .*node.*\)\./],
      ['headers', { headers: { 'X-Api-Key': 'sesame-1', 'X-Team': 'pay' } }, {}, /They come from headers\.x-api-key\./],
      [
        'a flag, over all others',
        { token: 'sesame-1', headers: { authorization: 'Basic sesame-2' } },
        { flags: ['--header', 'Authorization: Bearer sesame-3'] },
        /They come from --header authorization\./,
      ],
      ['nowhere', {}, {}, /asks for a token \(HTTP 401\), and none is set\. .* set GIGWORK_TOKEN/],
    ],
  )('%s', async (_what, settings, { flags = [], env = {} }, place) => {
    const work = workspace();
    const service = await testService({ respond: ({ headers }) => ({ status: 401, body: JSON.stringify(headers) }) });
    const config = work.file('c/config.json', JSON.stringify({ base_url: service.url, ...settings }));
    work.file('c/token.txt', 'sesame-1');
    work.file('p.csv', csv(payouts(2)));
    const words = ['payout', 'create', 'p.csv', '--config', config, '--yes', '--json', ...flags];
    const { summary, stdout, stderr } = await work.run(words, { env });
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized' });
    expect(summary.reasons[0]).toMatch(place);
    expect(stdout + stderr).not.toContain('sesame-');
  });
});
