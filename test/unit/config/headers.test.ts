import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requestHeaders, secretsIn } from '../../../src/config/headers.js';
import { loadSettings } from '../../../src/config/config-file.js';
import type { RunFlags } from '../../../src/config/resolve.js';
import { quietWorld } from '../../support/inside.js';

// Secrets, wherever they come from. CONTRACT: "Settings".

interface Given {
  readonly config?: object;
  readonly env?: Record<string, string>;
  readonly flags?: RunFlags;
  /** The content of `secret.txt`, beside the config file. */
  readonly file?: string;
}

async function headersOf({ config = {}, env = {}, flags = {}, file }: Given, withSecrets = true) {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-headers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  if (file !== undefined) writeFileSync(join(folder, 'secret.txt'), file);
  const world = { ...quietWorld(), env };
  const { 'user-agent': _own, ...headers } = await requestHeaders(
    await loadSettings({ ...flags, config: path }, world),
    withSecrets,
  );
  return headers;
}

const FILE = { file: 'secret.txt' };
const ENV = { env: 'KEPT' };
const PATH = { PATH: process.env['PATH'] ?? '' };

/** A command that prints this: no shell looks at its words. */
function prints(text: string, code = 0): { command: string[] } {
  return { command: ['node', '-e', `process.stdout.write(process.argv[1]); process.exitCode = ${code}`, text] };
}

describe('one line end at the end of a secret is not part of it', () => {
  const TOKEN = { authorization: 'Bearer s3cret' };
  const HEADER = { 'x-key': 's3cret' };

  it.each(['\n', '\r\n', '\r'])('%j', async (end) => {
    const text = `s3cret${end}`;
    expect(await headersOf({ config: { token: text } })).toEqual(TOKEN);
    expect(await headersOf({ env: { GIGWORK_TOKEN: text } })).toEqual(TOKEN);
    expect(await headersOf({ config: { token: ENV }, env: { KEPT: text } })).toEqual(TOKEN);
    expect(await headersOf({ config: { token: FILE }, file: text })).toEqual(TOKEN);
    expect(await headersOf({ config: { token: prints(text) }, env: PATH })).toEqual(TOKEN);
    expect(await headersOf({ config: { headers: { 'X-Key': text } } })).toEqual(HEADER);
    expect(await headersOf({ flags: { headers: [`X-Key: ${text}`] } })).toEqual(HEADER);
  });

  it.each(['s3cret\n\n', '\ns3cret', 's3\ncret'])('but no more than one: %j', async (text) => {
    await expect(headersOf({ config: { token: FILE }, file: text })).rejects.toThrow('that no header can carry');
    await expect(headersOf({ env: { GIGWORK_TOKEN: text } })).rejects.toThrow('that no header can carry');
  });

  it('spaces stay, and are hidden without them, as an answer would repeat it', async () => {
    const headers = await headersOf({ config: { token: FILE, headers: { 'X-Key': ' k3y ' } }, file: 's3cret \n' });
    expect(headers).toEqual({ authorization: 'Bearer s3cret ', 'x-key': ' k3y ' });
    expect(secretsIn(headers).flat()).toEqual(expect.arrayContaining(['s3cret', 'Bearer s3cret', 'k3y']));
  });
});

describe('an empty secret is refused, wherever it comes from', () => {
  const OTHER = { token: 'of-the-config' };

  it.each<[words: RegExp, given: Given]>([
    [/^GIGWORK_TOKEN is empty: put the secret in, or leave it out$/, { env: { GIGWORK_TOKEN: '' } }],
    [/^GIGWORK_TOKEN is empty/, { config: OTHER, env: { GIGWORK_TOKEN: '' } }],
    [
      /^token in the profile p is empty/,
      { config: { ...OTHER, profiles: { p: { token: '' } } }, flags: { profile: 'p' } },
    ],
    [/^token in .*: the environment variable KEPT is not set, or empty$/, { config: { token: ENV } }],
    [/^token in .*: the file .*secret\.txt is empty$/, { config: { token: FILE }, file: '\ufeff \n' }],
    [/^token in .*: cannot read the file .*secret\.txt: there is no such file$/, { config: { token: FILE } }],
    [/^token in .*: the command node printed nothing$/, { config: { token: prints('') }, env: PATH }],
    [/^token in .*: the command node ended with exit code 3: run it/, { config: { token: prints('', 3) }, env: PATH }],
    [
      /^token in .*: the command \.\/none cannot be run: there is no such/,
      { config: { token: { command: ['./none'] } } },
    ],
    [/^headers\.x-key: the file .*secret\.txt is empty$/, { config: { headers: { 'X-Key': FILE } }, file: '\r\n' }],
    [/^--header x-key is empty/, { config: { headers: { 'X-Key': 'k' } }, flags: { headers: ['X-Key: '] } }],
  ])('%s', async (words, given) => {
    await expect(headersOf(given)).rejects.toThrow(words);
  });

  it('but is not missed where no credentials are needed', async () => {
    const headers = { 'X-Key': '', 'X-File': FILE, 'X-Env': ENV, 'X-Team': 'pay' };
    expect(await headersOf({ config: { headers }, env: { GIGWORK_TOKEN: '' } }, false)).toEqual({ 'x-team': 'pay' });
  });
});

describe('the form of a header is checked, wherever it comes from and whether or not it is needed', () => {
  it.each<[words: RegExp, header: string]>([
    [/^--header takes 'Name: value'/, ''],
    [/^--header takes 'Name: value'/, 'no colon'],
    [/^--header takes 'Name: value'/, ': value'],
    [/^--header: the name of a header holds characters/, 'Bad Name: value'],
    [/^--header: the name of a header holds characters/, 'X-Key : value'],
    [/^--header x-key: the value holds characters/, 'X-Key: one\ntwo'],
    [/^--header x-key: the value holds characters/, 'X-Key: \u0007'],
    [/^--header: the header host is set by gigwork itself/, 'Host: gigs.example'],
    [/^--header: the header proxy-authorization is for a proxy/, 'Proxy-Authorization: Basic eA=='],
  ])('%s: %j', async (words, header) => {
    await expect(headersOf({ flags: { headers: [header] } })).rejects.toThrow(words);
    await expect(headersOf({ flags: { headers: [header] } }, false)).rejects.toThrow(words);
  });

  it.each<[words: RegExp, config: object]>([
    [/^headers in .*: the name of a header holds characters/, { headers: { 'Bad Name': ENV } }],
    [/^headers\.x-key: the value holds characters/, { headers: { 'X-Key': 'one\ntwo' } }],
    [/^token in .*: the value holds characters/, { token: 'one\ntwo' }],
  ])('%s: %j', async (words, config) => {
    await expect(headersOf({ config })).rejects.toThrow(words);
    await expect(headersOf({ config }, false)).rejects.toThrow(words);
  });
});
