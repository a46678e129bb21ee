import { describe, expect, it } from 'vitest';
import { type Answer, shortfallOf, type Shortfall, valueAt } from '../../../../src/delivery/http/attempt.js';
import type { ResponseRules } from '../../../../src/options.js';

// CONTRACT.md, "Sending": what makes a 2xx a confirmation.

const DEFAULTS: ResponseRules = { require: [], id: 'id', empty: false };

function answer(body: string | null, status = 200): Answer {
  return { kind: 'answer', status, body, retryAfter: null };
}

function lack(body: string | null, status?: number, over: Partial<ResponseRules> = {}): Shortfall['lacks'] | null {
  return shortfallOf(answer(body, status), { ...DEFAULTS, ...over })?.lacks ?? null;
}

describe('without a setting', () => {
  it.each([200, 299])('%i with an object confirms', (status) => {
    expect(lack('{"id":"p1"}', status)).toBeNull();
    expect(lack(' {}\n', status)).toBeNull();
  });

  it.each<[body: string | null, lacks: string]>([
    [null, 'end'],
    ['', 'body'],
    [' \r\n', 'body'],
    ['[{"id":"p1"}]', 'object'],
    ['{"id":"p1"', 'object'],
    ['{"id":"p1"} {}', 'object'],
  ])('%j does not', (body, lacks) => {
    expect(lack(body)).toBe(lacks);
  });

  it.each(['{"id":"p1"}', ''])('207 with %j does not: a part may have failed', (body) => {
    expect(lack(body, 207)).toBe('one-status');
    expect(lack(body, 207, { empty: true })).toBe('one-status');
  });
});

it.each([
  [true, '{"id":"p1","error":"no such user"}'],
  [true, '{"error":true}'],
  [true, '{"error":0}'],
  [true, '{"errors":{"amount":[]}}'],
  [true, '{"id":"p1","errors":[{}]}'],
  [true, '{"id":"p1","success":false}'],
  [false, '{"error":null,"errors":[],"success":true,"ok":true}'],
  [false, '{"errors":{}}'],
  [false, '{"success":null,"ok":"false"}'],
  [false, '{"data":{"error":"x","ok":false}}'],
])('an answer that says that it failed does not confirm: %s for %s', (hasFailed, body) => {
  expect(lack(body)).toBe(hasFailed ? 'success' : null);
  if (hasFailed) expect(lack(body, 201, { require: ['no'], empty: true })).toBe('success');
});

describe('what the settings require must be there', () => {
  const over = { require: ['id', 'data.items.0.state'] };

  it.each<[body: string, path: string | null]>([
    ['{"id":"p1","data":{"items":[{"state":"open"}]}}', null],
    ['{"id":0,"data":{"items":[{"state":""}]}}', null],
    ['{"data":{"items":[{"state":"open"}]}}', 'id'],
    ['{"id":null,"data":{"items":[{"state":"open"}]}}', 'id'],
    ['{"id":"p1","data":{"items":[]}}', 'data.items.0.state'],
    ['{"id":"p1","data":{"items":{"0":{"state":"open"}}}}', null],
    ['{"id":"p1","data.items.0.state":"open"}', 'data.items.0.state'],
    ['{}', 'id'],
  ])('%s', (body, path) => {
    const shortfall = path === null ? null : { lacks: 'field', path };
    expect(shortfallOf(answer(body), { ...DEFAULTS, ...over })).toEqual(shortfall);
  });
});

describe('where the settings say that an answer may have no body', () => {
  it.each<[status: number, body: string]>([
    [201, ' \r\n'],
    [204, ''],
  ])('%i with %j confirms, whatever is required of a body', (status, body) => {
    expect(lack(body, status, { empty: true })).toBeNull();
    expect(lack(body, status, { empty: true, require: ['id'] })).toBeNull();
  });

  it.each<[body: string | null, lacks: string]>([
    [null, 'end'],
    ['ok', 'object'],
    ['{"ok":false}', 'success'],
    ['{}', 'field'],
  ])('%j must be a confirmation all the same', (body, lacks) => {
    expect(lack(body, 200, { empty: true, require: ['id'] })).toBe(lacks);
  });
});

describe('the value at a dot path', () => {
  const OBJECT = { id: 'p1', none: null, data: { items: [{ id: 7 }, 'x'], '0': 'zero', length: 3 }, 'a.b': 1 };

  it.each([
    ['none', null],
    ['data.items.0.id', 7],
    ['data.0', 'zero'],
    ['data.length', 3],
  ])('%s', (path, value) => {
    expect(valueAt(OBJECT, path)).toEqual(value);
  });

  it.each(['no', 'id.length', 'none.id', 'data.items.length', 'data.items.-1', 'a.b', 'toString'])(
    'is nothing at %s',
    (path) => {
      expect(valueAt(OBJECT, path)).toBeUndefined();
    },
  );
});
