import { describe, expect, it } from 'vitest';
import { secretsIn } from '../../../src/config/headers.js';
import { proxySecrets } from '../../../src/config/tls-and-proxy.js';
import { createRedactor } from '../../../src/config/secrets.js';

describe('hiding in text', () => {
  const { redact } = createRedactor(['s3cr/et', 'long s3cr/et & more', 'abc']);

  it.each([
    ['as it is', 'a s3cr/et b', 'a [hidden] b'],
    ['the longer one whole', 'long s3cr/et & more', '[hidden]'],
    ['in a URL', '?t=s3cr%2Fet&u=s3cr%2fet', '?t=[hidden]&u=[hidden]'],
    ['in a form', 'long+s3cr/et+&+more', '[hidden]'],
    ['in HTML', 'long s3cr/et &amp; more', '[hidden]'],
    ['with a solidus escaped', '{"a":"s3cr\\/et"}', '{"a":"[hidden]"}'],
    ['as escapes', '"\\u00733cr/\\u0065t"', '"[hidden]"'],
    ['nothing that is too short', 'abc', 'abc'],
    ['nothing where there is none', 'C:\\new\\u0041', 'C:\\new\\u0041'],
  ])('%s', (_what, text, clean) => {
    expect(redact(text)).toBe(clean);
  });
});

describe('hiding what is written in Base64', () => {
  // Each has both signs that differ in URLs, and padding.
  const TOKEN = 'tok>>>en???';
  const KEY = 'key>>>é???';
  const headers = { 'user-agent': 'gigwork', authorization: `Bearer ${TOKEN}`, 'x-key': KEY };
  const { redact, hideInJson } = createRedactor(...secretsIn(headers));
  const bytes = [TOKEN, `Bearer ${TOKEN}`, KEY].map((text) => Buffer.from(text)).concat(Buffer.from(KEY, 'latin1'));
  const writings = bytes.flatMap((each) => {
    const padded = each.toString('base64');
    const inUrl = each.toString('base64url');
    const paddedUrl = inUrl.padEnd(Math.ceil(inUrl.length / 4) * 4, '=');
    const more = [encodeURIComponent(padded), padded.replaceAll('/', '\\/')];
    return [padded, padded.replace(/=+$/, ''), inUrl, paddedUrl, ...more];
  });

  it.each(writings)('%s', (text) => {
    expect(redact(`seen: "${text}".`)).toBe('seen: "[hidden]".');
    expect(JSON.parse(hideInJson(`{"seen":"x ${text} y"}`))).toEqual({ seen: 'x [hidden] y' });
  });
});

describe('hiding in JSON', () => {
  const { hideInJson } = createRedactor(['true', '12345678', 's3cr/et', 'null"']);

  it.each([
    ['{"ok":true,"no":null}', { ok: true, no: null }],
    ['{"id":12345678,"more":123456789.5}', { id: '[hidden]', more: '[hidden]' }],
    ['{"id":9007199254740993}', { id: 9_007_199_254_740_992 }],
    ['{"a":"is true","b":["s3cr\\/et","x\\\\"]}', { a: 'is [hidden]', b: ['[hidden]', 'x\\'] }],
    ['{"s3cr\\u002fet":"null\\""}', { '[hidden]': '[hidden]' }],
  ])('leaves %s JSON', (json, value) => {
    expect(JSON.parse(hideInJson(json))).toEqual(value);
  });

  it('leaves what has no secret as it was, to the last space', () => {
    const json = '{ "id" : 9007199254740993, "path":"C:\\\\x" }';
    expect(hideInJson(json)).toBe(json);
  });
});

describe('what is secret of a proxy', () => {
  it.each([
    ['http://proxy.example:3128', []],
    ['http://u:p%40ss@proxy.example', ['u:p%40ss', 'p%40ss', 'u:p@ss', 'p@ss']],
    ['http://u:p@ss/word@proxy.example', ['u:p@ss/word', 'p@ss/word']],
    ['u:word@proxy.example:1', ['u:word', 'word']],
    ['http://u:p%zz@proxy.example', ['u:p%zz', 'p%zz']],
  ])('%s', (url, secrets) => {
    const found = proxySecrets({ https: url });
    expect(found).toEqual(expect.arrayContaining(secrets));
    for (const text of secrets.filter((secret) => secret.startsWith('u:')))
      expect(createRedactor(found).redact(Buffer.from(text).toString('base64'))).toBe('[hidden]');
    if (secrets.length === 0) expect(found).toEqual([]);
  });
});
