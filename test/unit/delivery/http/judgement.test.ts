import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../../../src/delivery/http/attempt.js';
import { judge, type JudgedAnswer, type UnconfirmedReason } from '../../../../src/delivery/http/judgement.js';
import type { ResponseRules } from '../../../../src/options.js';

// CONTRACT.md, "Sending": what makes a 2xx a confirmation.

const DEFAULTS: ResponseRules = { require: [], id: 'id', empty: false, accepted: false, tasks: 'tasks', taskId: 'id' };
const PAYOUT = {
  amount: 1200,
  currency: 'EUR',
  cost_center_key: 'PP-7',
  idempotency_key: 'k1',
  title: 'Bonus',
  user_id: '42',
  cost_center_data: {
    legal_entity: 'A',
    inhouse: 'Yes',
  },
};
const GIG = { title: 'Audit', start_at: 1_790_000_000, filter_query: { city: 'Bonn' } };

function judged(body: string | null, over: Partial<ResponseRules> = {}, status = 200, sent: object = PAYOUT) {
  const answer: HttpResponse = { kind: 'answer', status, body, retryAfter: null };
  return judge(answer, { ...DEFAULTS, ...over }, JSON.stringify(sent));
}

function lack(...args: Parameters<typeof judged>): UnconfirmedReason['lacks'] | null {
  return judged(...args).shortfall?.lacks ?? null;
}

describe('without a setting', () => {
  it.each([200, 201, 299])('%i with an object that has an id confirms', (status) => {
    expect(lack(' {"id":"p1"}\n', {}, status)).toBeNull();
  });

  it.each<[body: string | null, lacks: string]>([
    [null, 'end'],
    ['', 'body'],
    [' \r\n', 'body'],
    ['[{"id":"p1"}]', 'object'],
    ['{"id":"p1"', 'object'],
    ['{"id":"p1"} {}', 'object'],
    ['{}', 'record'],
  ])('%j does not', (body, lacks) => {
    expect(lack(body)).toBe(lacks);
  });

  it.each(['{"id":"p1"}', ''])('207 with %j does not: a part may have failed', (body) => {
    expect(lack(body, {}, 207)).toBe('one-status');
    expect(lack(body, { empty: true, accepted: true }, 207)).toBe('one-status');
  });

  it.each(['{"id":"p1"}', ''])('202 with %j does not: nothing is created yet', (body) => {
    expect(lack(body, { empty: true }, 202)).toBe('creation');
  });
});

it('where the settings say so, a 202 is judged like any other 2xx', () => {
  expect(lack('{"id":"p1"}', { accepted: true }, 202)).toBeNull();
  expect(lack('{"login":"/"}', { accepted: true }, 202)).toBe('record');
  expect(lack('{"id":"p1","status":"failed"}', { accepted: true }, 202)).toBe('success');
});

it.each([
  [true, '"error":"no such user"'],
  [true, '"error":true'],
  [true, '"ERROR":1'],
  [true, '"errors":{"amount":[]}'],
  [true, '"Errors":[{}]'],
  [true, '"success":false'],
  [true, '"success":"False"'],
  [true, '"OK":"false"'],
  [true, '"status":"error"'],
  [true, '"Status":"FAILED"'],
  [true, '"state":"Cancelled"'],
  [true, '"result":"void"'],
  [true, '"status":400'],
  [true, '"state":503.5'],
  [true, '"status":"422"'],
  [false, '"error":null,"errors":[],"success":true,"ok":true'],
  [false, '"error":0'],
  [false, '"error":false,"errors":""'],
  [false, '"errors":{}'],
  [false, '"success":null,"ok":0'],
  [false, '"status":"paid","state":399,"result":{"status":"error"}'],
  [false, '"errored":true,"reason":"error"'],
])('an answer that says that it failed does not confirm: %s for %s', (hasFailed, members) => {
  for (const body of [`{"id":"p1",${members}}`, `{"id":"p1","data":{${members}}}`, `{"id":"p1","Data":{${members}}}`]) {
    expect(lack(body)).toBe(hasFailed ? 'success' : null);
    if (hasFailed) expect(lack(body, { require: ['no'], empty: true }, 201)).toBe('success');
  }
  expect(lack(`{"id":"p1","more":{${members}},"list":[{${members}}]}`)).toBeNull();
});

describe('an answer is about this record', () => {
  it.each<[body: string, over?: Partial<ResponseRules>]>([
    ['{"id":"p1"}'],
    ['{"id":0}'],
    ['{"data":{"uuid":"p1"}}', { id: 'data.uuid' }],
    ['{"data":[{"id":7}]}', { id: 'data.0.id' }],
    ['{"title":"Bonus"}'],
    ['{"data":{"amount":1200.00}}'],
    ['{"amount":"1200.00"}'],
    ['{"user_id":42}'],
    ['{"cost_center_data":{"inhouse":"Yes","legal_entity":"A"}}'],
    ['{"id":"p1","idempotency_key":"k1","user_id":"42"}'],
    ['{"id":"p1","user_id":null,"idempotency_key":null}'],
    // The object that has the id decides.
    ['{"user_id":"caller","data":{"id":"p1","user_id":"42"}}', { id: 'data.id' }],
    ['{"id":"request-1","user_id":"caller","data":{"title":"Bonus","user_id":"42"}}'],
  ])('%s', (body, over) => {
    expect(lack(body, over)).toBeNull();
  });

  it.each<[body: string, lacks: string, over?: Partial<ResponseRules>]>([
    ['{"message":"Please log in","login":"/login"}', 'record'],
    ['{"id":""}', 'record'],
    ['{"id":" "}', 'record'],
    ['{"id":null}', 'record'],
    ['{"id":{"value":1}}', 'record'],
    ['{"data":{"id":"p1"}}', 'record'],
    ['{"title":"Other","amount":1201,"currency":"CHF"}', 'record'],
    ['{"amount":"","title":null}', 'record'],
    ['{"item":{"title":"Bonus"}}', 'record'],
    ['{"id":"p1","idempotency_key":"k2"}', 'same'],
    ['{"id":"p1","user_id":"042"}', 'same'],
    ['{"id":"p1","user_id":43}', 'same'],
    ['{"id":"p1","user_id":{"id":"42"}}', 'same'],
    ['{"title":"Bonus","user_id":"43"}', 'same'],
    ['{"data":{"id":"p1","idempotency_key":"k2","title":"Bonus"}}', 'same', { id: 'data.id' }],
  ])('%s is not', (body, lacks, over) => {
    expect(lack(body, over)).toBe(lacks);
  });

  it('a long number loses digits on its way, and is compared as the number that it became', () => {
    const sent = { ...PAYOUT, user_id: '9007199254740993' };
    expect(lack('{"id":"p1","user_id":9007199254740993}', {}, 200, sent)).toBeNull();
    expect(lack('{"id":"p1","user_id":9007199254740995}', {}, 200, sent)).toBe('same');
  });

  it('a gig has neither a user nor a key that could be another one', () => {
    expect(lack('{"title":"Audit","user_id":"owner","idempotency_key":"x"}', {}, 200, GIG)).toBeNull();
    expect(lack('{"filter_query":{"city":"Bonn"}}', {}, 200, GIG)).toBeNull();
    expect(lack('{"filter_query":{"city":"Köln"}}', {}, 200, GIG)).toBe('record');
  });
});

describe('what the settings require decides alone', () => {
  const over = { require: ['id', 'data.items.0.state'] };

  it.each<[body: string, path: string | null]>([
    ['{"id":"p1","data":{"items":[{"state":"open"}]}}', null],
    ['{"id":"p1","user_id":"43","data":{"items":[{"state":"open"}]}}', null],
    ['{"id":0,"data":{"items":[{"state":""}]}}', null],
    ['{"data":{"items":[{"state":"open"}]}}', 'id'],
    ['{"id":null,"data":{"items":[{"state":"open"}]}}', 'id'],
    ['{"id":"p1","data":{"items":[]}}', 'data.items.0.state'],
    ['{"id":"p1","data":{"items":{"0":{"state":"open"}}}}', null],
    ['{"id":"p1","data.items.0.state":"open"}', 'data.items.0.state'],
    ['{"title":"Bonus"}', 'id'],
  ])('%s', (body, path) => {
    expect(judged(body, over).shortfall).toEqual(path === null ? null : { lacks: 'field', path, values: null });
  });

  it.each<[body: string, has: boolean]>([
    ['{"status":"paid"}', true],
    ['{"status":"a=b"}', true],
    ['{"status":17.50}', true],
    ['{"status":true}', true],
    ['{"status":"Paid"}', false],
    ['{"status":"paid|a=b"}', false],
    ['{"status":null}', false],
    ['{"status":["paid"]}', false],
    ['{"state":"paid"}', false],
  ])('a value: %s: %s', (body, has) => {
    const { shortfall } = judged(body, { require: ['status=paid|a=b|17.5|true|null'] });
    expect(shortfall?.lacks ?? null).toBe(has ? null : 'field');
  });
});

describe('where the settings say that an answer may be empty', () => {
  it.each<[status: number, body: string]>([
    [201, ' \r\n'],
    [204, ''],
    [200, ' { } '],
  ])('%i with %j confirms, whatever is required of a body', (status, body) => {
    expect(lack(body, { empty: true }, status)).toBeNull();
    expect(lack(body, { empty: true, require: ['id'] }, status)).toBeNull();
  });

  it.each<[body: string | null, lacks: string]>([
    [null, 'end'],
    ['ok', 'object'],
    ['[]', 'object'],
    ['{"ok":false}', 'success'],
    ['{"x":1}', 'field'],
  ])('%j must be a confirmation all the same', (body, lacks) => {
    expect(lack(body, { empty: true, require: ['id'] })).toBe(lacks);
  });
});

it.each<[body: string, answered: string | null, over?: Partial<ResponseRules>]>([
  ['{"id":"p1","amount":1250,"currency":"EUR"}', '1250 EUR'],
  ['{"id":"p1","currency":"CHF"}', 'CHF'],
  ['{"data":{"id":"p1","amount":"12.00"}}', '12.00', { id: 'data.id' }],
  ['{"id":"p1","data":{"amount":1}}', '1'],
  ['{"id":"p1","amount":1250}', '1250', { require: ['id'] }],
  ['{"id":"p1","amount":"1200.00","currency":"EUR"}', null],
  ['{"id":"p1","amount":null}', null],
  ['{"id":"p1"}', null],
])('money that differs from what was sent confirms all the same, and is told: %s', (body, answered, over) => {
  const { shortfall, otherMoney }: JudgedAnswer = judged(body, over);
  expect([shortfall, otherMoney]).toEqual([null, answered === null ? null : { sent: '1200 EUR', answered }]);
});

it('money that was not sent is filled in by the service', () => {
  const { currency: _, ...sent } = PAYOUT;
  expect(judged('{"id":"p1","amount":1200,"currency":"CHF"}', {}, 201, sent).otherMoney).toBeNull();
});
