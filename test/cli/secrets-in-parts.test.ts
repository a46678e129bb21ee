/** Which part of a header is a secret. CONTRACT: "Files it writes". */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsOf } from '../support/desk.js';
import { paying, testService } from '../support/fixtures.js';

/** Sends one payout with a header, to a service whose answer repeats a text; and tells what is kept of it. */
async function sendAndEcho(header: string, echo: string) {
  const work = paying();
  const body = JSON.stringify({ id: echo, detail: { seen: `it was ${echo}` } });
  const service = await testService({ respond: () => ({ status: 201, body }) });
  const names = ['r.csv', 'r.ndjson', 'r.html'];
  const reports = names.map((name) => `--report ${name}`).join(' ');
  const call = `payout create p.csv --base-url ${service.url} --yes ${reports} --json --debug --header '${header}'`;
  const result = await work.run(call);
  expect([result.code, service.requestCount]).toEqual([0, 1]);
  const journal = readdirSync(work.stateDir).map((name) => readFileSync(join(work.stateDir, name), 'latin1'));
  const shown = await work.run(`batch show ${result.summary.run} --json`);
  const texts = [result.stdout, result.stderr, shown.stdout, ...names.map(work.read), ...journal];
  return { work, result, kept: texts.join('\n') };
}

describe('a secret within the value of a header is hidden, whatever stands beside it', () => {
  test.each<[header: string, secret: string, echo?: string]>([
    ['Authorization: ApiKey s3cr3tvalue99', 's3cr3tvalue99'],
    ['Authorization: ApiKey s3cr3t', 's3cr3t'],
    ['Authorization: Token token=s3cr3tvalue99', 's3cr3tvalue99'],
    ['Authorization: Digest username="payroll", response="s3cr3tvalue99"', 's3cr3tvalue99'],
    ['Cookie: session=s3cr3tvalue99; a=b', 's3cr3tvalue99'],
    ['Cookie: a=b; session="s3cr3tvalue99"', 's3cr3tvalue99'],
    ['X-Login: payroll,s3cr3tvalue99', 's3cr3tvalue99'],
    ['X-Login: payroll s3cr3tvalue99==', 's3cr3tvalue99=='],
    ['X-Api-Key: k3y-77', 'k3y-77'],
    ['X-Auth: k3y-77', 'k3y-77', 'id-k3y-77-5'],
    ['X-Session-Token: k3y-77', 'k3y-77', 'id-k3y-77-5'],
  ])('%s', async (header, secret, echo = secret) => {
    const { result, kept } = await sendAndEcho(header, echo);
    expect(kept).not.toContain(secret);
    const hidden = echo.replace(secret, '[hidden]');
    expect(recordsOf(result)[0].response).toEqual({ id: hidden, detail: { seen: `it was ${hidden}` } });
  });
});

describe('a short value that is no credential is hidden where it stands alone', () => {
  test.each([
    ['X-Api-Version: 2026', 'pay-2026-11-001'],
    ['X-Env: prod', 'product_17.prod'],
    ['X-Env: prod', 'reproduced'],
    ['X-Client: gigwork', 'gigwork_51c2'],
    ['X-Key-Version: 2026', 'pay-2026-11-001'],
    ['X-Author: Anna', 'Annabel-7'],
  ])('%s leaves %s as it is, in events, journal and reports', async (header, id) => {
    const { work, result, kept } = await sendAndEcho(header, id);
    expect(recordsOf(result)[0].response.id).toBe(id);
    expect(work.read('r.csv')).toContain(id);
    // The command line, which the journal keeps, names the header alone.
    expect(kept.replaceAll(header.replace(/: .*/, ': [hidden]'), '')).not.toContain('[hidden]');
  });
});

describe('what stands for a secret is no secret', () => {
  test.each([
    ["--header 'X-Env: [hidden]'", /--header x-env: the value holds .*\[hidden\].*put the original value back/i],
    ["--header 'Authorization: Bearer [hidden]'", /Authorization.*put the original value back/i],
    ['--state-dir ./[hidden]/state', /--state-dir.*\[hidden\]/],
    ['--journal sqlite:./[hidden]', /--journal.*\[hidden\]/],
  ])('%s, pasted from a message, is refused', async (flags, words) => {
    const call = `payout create p.csv --base-url http://127.0.0.1:1 --yes --json ${flags}`;
    const { code, stderr, summary } = await paying().run(call);
    expect([code, summary.stop_reason, stderr]).toEqual([2, 'usage', expect.stringMatching(words)]);
  });
});
