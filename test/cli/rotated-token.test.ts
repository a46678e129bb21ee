/** A token that another program changes while a run is sending. CONTRACT: "Settings". */
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspaceWith } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import type { SeenRequest } from '../support/service.js';

const ROWS = payouts(12);

/** A command that prints `one` when it runs for the first time, then `two`. */
const COUNTING = `
const fs = require('node:fs');
const calls = fs.existsSync('calls') ? Number(fs.readFileSync('calls')) + 1 : 1;
fs.writeFileSync('calls', String(calls));
console.log(calls === 1 ? 'token-one' : 'token-two');`;

const WORDS = 'payout create p.csv --config c/config.json --yes --json';
const accepts = ({ headers }: SeenRequest) => headers['authorization'] === 'Bearer token-two';

function configured(url: string, settings: object): Workspace {
  return workspaceWith({ 'p.csv': csv(ROWS), 'c/config.json': { base_url: url, ...settings } });
}

/** A service that takes only the second token once it has created three records; and a desk that asks a command. */
async function rotating(command = COUNTING) {
  const respond = (request: SeenRequest) =>
    request.n <= 3 || accepts(request) ? undefined : { status: 401, body: 'token-two?' };
  const service = await testService({ respond });
  const work = configured(service.url, { token: { command: [process.execPath, './token.cjs'] } });
  work.file('c/token.cjs', command);
  return { work, service };
}

describe('a token that a command prints', () => {
  test('is asked for once more after 401, and the run loses nothing', async () => {
    const { work, service } = await rotating();
    const { summary, stdout, stderr } = await work.run(WORDS);
    expect(summary).toMatchObject({ exit_code: 0, stop_reason: null, records: { created: ROWS.length } });
    expect([[...service.executions.values()], work.read('c/calls')]).toEqual([ROWS.map(() => 1), '2']);
    // The new token is a secret like the first one.
    expect(`${stdout}${stderr}`).not.toMatch(/token-(one|two)/);
  });

  test('and has not changed: the run stops, and a person has to act', async () => {
    const { work } = await rotating(COUNTING.replace('token-two', 'token-one'));
    const { summary } = await work.run(`${WORDS} --concurrency 4`);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized', retry: false, records: { created: 3 } });
    expect([summary.records.not_sent, work.read('c/calls')]).toEqual([ROWS.length - 3, '2']);
  });

  test('and fails: it is said why', async () => {
    const { work } = await rotating(`${COUNTING} if (calls > 1) process.exit(7);`);
    const { summary } = await work.run(WORDS);
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized' });
    expect(summary.reasons[0]).toContain('ended with exit code 7');
  });

  test('or that stands in a file', async () => {
    const service = await testService();
    const work = configured(service.url, { token: { file: '../token.txt' } });
    work.file('token.txt', 'token-one\n');
    service.responder((request) => {
      work.file('token.txt', 'token-two\n');
      return accepts(request) ? undefined : { status: 401 };
    });
    expect((await work.run(WORDS)).summary).toMatchObject({ exit_code: 0, records: { created: ROWS.length } });
  });
});

describe('a service that answers 401 is told of with the place of the access, and never its value', () => {
  const command = [process.execPath, '-p', '"sesame-1"'];
  const BASIC = { token: 'sesame-1', headers: { authorization: 'Basic sesame-2' } };
  test.each<[what: string, settings: object, place: RegExp, flags?: string]>([
    ['a variable', { token: 'sesame-1' }, /They come from GIGWORK_TOKEN\./],
    ['the config file', { token: 'sesame-1' }, /They come from token in .*config\.json\./],
    ['a file', { token: { file: 'token.txt' } }, /They come from token in .*config\.json \(the file .*token\.txt\)\./],
    ['another variable', { token: { env: 'T' } }, /config\.json \(the environment variable T\)/],
    ['a command', { token: { command } }, /\(the command .*node.*\)\./],
    ['headers', { headers: { 'X-Api-Key': 'sesame-1', 'X-Team': 'pay' } }, /They come from headers\.x-api-key\./],
    ['a flag', BASIC, /They come from --header authorization\./, "--header 'Authorization: Bearer sesame-3'"],
    ['nowhere', {}, /asks for a token \(HTTP 401\), and none is set\. .* set GIGWORK_TOKEN/],
  ])('%s', async (what, settings, place, flags = '') => {
    const service = await testService({ respond: ({ headers }) => ({ status: 401, body: JSON.stringify(headers) }) });
    const work = configured(service.url, settings);
    work.file('c/token.txt', 'sesame-1');
    const env = { T: 'sesame-1', ...(what === 'a variable' ? { GIGWORK_TOKEN: 'sesame-2' } : {}) };
    const { summary, stdout, stderr } = await work.run(`${WORDS} ${flags}`, { env });
    expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized' });
    expect(summary.reasons[0]).toMatch(place);
    expect(stdout + stderr).not.toContain('sesame-');
  });
});
