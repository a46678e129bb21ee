import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describeResponse, decodeBody, responseId, storableResponse } from '../../../../src/delivery/http/response.js';
import type { HttpResponse } from '../../../../src/delivery/http/attempt.js';
import { judge } from '../../../../src/delivery/http/judgement.js';
import type { ResponseRules } from '../../../../src/options.js';

const DEFAULTS: ResponseRules = { require: [], id: 'id', empty: false, accepted: false, tasks: 'tasks', taskId: 'id' };
const SENT = '{"idempotency_key":"k1","title":"Bonus","user_id":"u1"}';
const EMPTY: ResponseRules = { ...DEFAULTS, empty: true };

function answer(status: number, body: string | null, location?: string): HttpResponse {
  return { kind: 'answer', status, body, retryAfter: null, ...(location === undefined ? {} : { location }) };
}

describe('what is said of an answer', () => {
  const words = (given: HttpResponse, over: Partial<ResponseRules> = {}): string =>
    describeResponse(judge(given, { ...DEFAULTS, ...over }, SENT), (text) => text.replaceAll('s3cret', '[hidden]'));

  it.each<[status: number, body: string | null, said: string]>([
    [422, '{"error":"no bank\\n details"}', 'HTTP 422: no bank details'],
    [500, '{"message":"s3cret"}', 'HTTP 500: [hidden]'],
    [503, '', 'HTTP 503 with an empty answer'],
    [400, null, 'HTTP 400 with an answer longer than is read'],
    [400, 'x'.repeat(400), `HTTP 400: ${'x'.repeat(300)}…`],
  ])('%i %j', (status, body, said) => {
    expect(words(answer(status, body))).toBe(said);
  });

  it.each<[what: string, status: number, body: string | null, said: string]>([
    ['too long', 200, null, 'HTTP 200 with an answer longer than is read'],
    ['empty', 204, '', 'HTTP 204 with an empty answer, which confirms only where response.empty says so'],
    [
      'no object',
      200,
      '<p>Hi s3cret</p>',
      'HTTP 200, and the answer is not a complete JSON object: <p>Hi [hidden]</p>',
    ],
    ['a failure', 200, '{"error":"no user"}', 'HTTP 200, and the answer says that it failed: no user'],
    ['of several outcomes', 207, '{"id":1}', 'HTTP 207, which can mean several outcomes: {"id":1}'],
    ['without a field', 200, '{"x":1}', 'HTTP 200 without the field "id" that response.require asks for'],
    ['not created yet', 202, '{"id":1}', 'HTTP 202, which accepts a record without creating it yet: {"id":1}'],
  ])('a 2xx that does not confirm says why: %s', (_what, status, body, said) => {
    expect(words(answer(status, body, '/payouts/17'), { require: ['id'] })).toBe(said);
  });

  it.each<[body: string, require: string[], said: string]>([
    [
      '{"x":1,"status":"new"}',
      ['status=paid|pending'],
      'HTTP 200 without "paid" or "pending" in the field "status" that response.require asks for',
    ],
    ['{"x":1}', [], 'HTTP 200, and the answer has neither an id nor a field of this record: {"x":1}'],
    [
      '{"id":1,"user_id":"u2"}',
      [],
      'HTTP 200, and the answer has another user_id than was sent: {"id":1,"user_id":"u2"}',
    ],
  ])('%s with %j', (body, require, said) => {
    expect(words(answer(200, body), { require })).toBe(said);
  });

  it('a redirect says where it leads, and not what it shows to browsers', () => {
    expect(words(answer(303, '<html>', '/payouts/17?t=s3cret'))).toBe('HTTP 303 to /payouts/17?t=[hidden]');
    expect(words(answer(302, '<html>'))).toBe('HTTP 302: <html>');
  });
});

describe('what is kept of an answer', () => {
  const kept = (given: HttpResponse, rules: ResponseRules): string | null =>
    storableResponse(judge(given, rules, SENT));

  it('is the object, on one line, with the digits of its numbers', () => {
    expect(kept(answer(201, '{\r\n "id": 1.50\n}\n'), DEFAULTS)).toBe('{ "id": 1.50 }');
    expect(kept(answer(422, '{"error":"no"}'), DEFAULTS)).toBe('{"error":"no"}');
  });

  it.each([
    ['no object', answer(200, '[1]'), DEFAULTS],
    ['more than is read', answer(200, null), DEFAULTS],
    ['an empty answer that does not confirm', answer(201, '', '/payouts/17'), DEFAULTS],
    ['an empty answer of several outcomes', answer(207, '', '/payouts/17'), EMPTY],
    ['an empty redirect', answer(303, '', '/payouts/17'), EMPTY],
    ['an empty answer without a place', answer(204, ''), EMPTY],
  ])('is nothing for %s', (_what, given, rules) => {
    expect(kept(given, rules)).toBeNull();
  });

  it.each([
    ['/api/v2/payouts/17', '17'],
    ['https://gigs.example/base/payouts/p-17?expand=a/b#top/x', 'p-17'],
    ['17', '17'],
    ['./a%2Fb%20c%C3%A9', 'a/b cé'],
    ['/payouts/100%', '100%'],
  ])('is the id, where an empty answer confirms and its place is %s', (location, id) => {
    for (const rules of [EMPTY, { ...EMPTY, id: 'data.uuid', require: ['data.uuid'] }]) {
      for (const body of ['', ' {}\n']) {
        const response = kept(answer(204, body, location), rules);
        expect(JSON.parse(response ?? '')).toEqual({ id });
        expect(responseId(response, rules.id)).toBe(id);
      }
    }
  });

  it.each(['', '/', 'https://gigs.example/?id=17'])('is nothing where the place names none: %j', (location) => {
    expect(kept(answer(204, '', location), EMPTY)).toBeNull();
  });
});

describe('the id of an answer', () => {
  it.each<[response: string | null, path: string, id: string | null]>([
    ['{"id":"p1","uuid":"u1"}', 'id', 'p1'],
    ['{"id":"p1","uuid":"u1"}', 'uuid', 'u1'],
    ['{"data":{"items":[{"id":9007199254740993},{"id":1}]}}', 'data.items.0.id', '9007199254740993'],
    ['{"data":{"id":17.50},"id":17.5}', 'data.id', '17.50'],
    ['{"id":"request","data":{}}', 'data.id', null],
    ['{"id":{"value":1}}', 'id', null],
    ['{"n":1}', 'id', null],
    [null, 'id', null],
  ])('%j at %s', (response, path, id) => {
    expect(responseId(response, path)).toBe(id);
  });

  it('that a person gave, or that came without a body, is found under every path', () => {
    expect(responseId('{"id":"p1"}', 'data.id')).toBe('p1');
    expect(responseId('{"id":"request-1"}', 'data.id', false)).toBeNull();
  });
});

const PLAIN = Buffer.from('{"id":"p1","title":"für"}');
const LIMIT = 1000;

describe('an answer in an encoding', () => {
  it.each<[encoding: string, body: Buffer]>([
    ['gzip', gzipSync(PLAIN)],
    ['X-GZIP', gzipSync(PLAIN)],
    ['deflate', deflateSync(PLAIN)],
    ['deflate', deflateRawSync(PLAIN)],
    ['br', brotliCompressSync(PLAIN)],
    ['deflate, br', brotliCompressSync(deflateSync(PLAIN))],
  ])('%s is read', (encoding, body) => {
    expect(decodeBody(body, encoding, LIMIT)).toEqual(PLAIN);
  });

  it.each<[what: string, encoding: string, body: Buffer]>([
    ['that nobody knows', 'zstd', PLAIN],
    ['inside one that is known', 'zstd, gzip', gzipSync(PLAIN)],
    ['that it does not have', 'gzip', PLAIN],
  ])('%s stays as it came', (_what, encoding, body) => {
    expect(decodeBody(body, encoding, LIMIT)).toEqual(body);
  });

  it.each([
    ['gzip', gzipSync(PLAIN)],
    ['deflate', deflateSync(PLAIN)],
    ['deflate', deflateRawSync(PLAIN)],
    ['br', brotliCompressSync(PLAIN)],
    ['br', brotliCompressSync(Buffer.from(JSON.stringify({ id: 'payout_000001', title: 'Bonus', user_id: 'u1' })))],
  ])('%s that is cut off is no answer', (encoding, body) => {
    // A single byte may be a letter.
    for (let size = 2; size < body.length; size++)
      expect(decodeBody(body.subarray(0, size), encoding, LIMIT), `${size} bytes`).toBe('cut');
  });

  it.each<[encoding: string, body: Buffer]>([
    ['gzip', gzipSync(Buffer.alloc(LIMIT + 1))],
    ['deflate', deflateSync(Buffer.alloc(LIMIT + 1))],
    ['br', brotliCompressSync(Buffer.alloc(LIMIT + 1))],
  ])('%s is not read beyond the limit', (encoding, body) => {
    expect(decodeBody(body, encoding, LIMIT)).toBeNull();
  });
});
