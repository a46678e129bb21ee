import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../../src/delivery/http/attempt.js';
import { classify, type Situation, type Verdict } from '../../../../src/delivery/http/classify.js';

// CONTRACT.md, "Sending": one group for each row of its table.

const payout: Situation = {
  ...{ keyed: true, protectedByKey: true, inDoubt: false, retriesLeft: 3, conflictsLeft: 2 },
  response: { require: [], id: 'id', empty: false },
};
const gig: Situation = { ...payout, keyed: false, protectedByKey: false };
/** Its first attempt is older than the key's lifetime. */
const expired: Situation = { ...payout, protectedByKey: false };

const refused: AttemptResult = { kind: 'not-connected', reason: 'connect ECONNREFUSED 127.0.0.1:1' };
const tls: AttemptResult = { kind: 'tls', reason: 'self-signed certificate' };
const broken: AttemptResult = { kind: 'broken', reason: 'other side closed' };

function answer(status: number, body: string | null = '{"error":"no"}'): AttemptResult {
  return { kind: 'answer', status, body, retryAfter: null };
}

const retry: Verdict = { next: 'retry', cost: 'retry', doubt: false };
const retryInDoubt: Verdict = { next: 'retry', cost: 'retry', doubt: true };
const wait: Verdict = { next: 'retry', cost: 'nothing', doubt: false };
const askAgain: Verdict = { next: 'retry', cost: 'conflict', doubt: true };
const created: Verdict = { next: 'settle', state: 'created' };
const rejected: Verdict = { next: 'settle', state: 'rejected' };
const unknown: Verdict = { next: 'settle', state: 'unknown' };
const notSent: Verdict = { next: 'settle', state: 'not_sent' };
const inDoubt = { inDoubt: true };
const usedUp = { retriesLeft: 0 };

type Row = readonly [what: string, result: AttemptResult, situation: Situation, verdict: Verdict];

function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_what, result, situation, verdict) => {
    expect(classify(result, situation)).toEqual(verdict);
  });
}

describe('could not connect', () => {
  table([
    ['a payout is tried again, without doubt', refused, payout, retry],
    ['a gig is tried again, without doubt', refused, gig, retry],
    ['a payout in doubt is tried again', refused, { ...payout, ...inDoubt }, retry],
    ['a payout is not sent when the retries are used up', refused, { ...payout, ...usedUp }, notSent],
    ['a gig is not sent when the retries are used up', refused, { ...gig, ...usedUp }, notSent],
    ['a payout in doubt stays in doubt when they are used up', refused, { ...payout, ...inDoubt, ...usedUp }, unknown],
    ['a gig in doubt stays in doubt when they are used up', refused, { ...gig, ...inDoubt, ...usedUp }, unknown],
  ]);
});

describe.each([425, 429])('%i', (status) => {
  table([
    ['a payout waits, and uses up nothing', answer(status), payout, wait],
    ['a gig waits, and uses up nothing', answer(status), gig, wait],
    ['a payout waits when the retries are used up', answer(status), { ...payout, ...usedUp }, wait],
    ['a gig waits when the retries are used up', answer(status), { ...gig, ...usedUp }, wait],
    ['a payout in doubt waits', answer(status), { ...payout, ...inDoubt }, wait],
    ['a payout whose key is forgotten waits: the request was not looked at', answer(status), expired, wait],
  ]);
});

describe.each<readonly [string, AttemptResult]>([
  ['a timeout, a reset, a truncated answer', broken],
  ...[408, 500, 501, 502, 503, 504, 507, 511, 520, 599].map((status) => [`${status}`, answer(status)] as const),
  ...[600, 799, 999, 0, 99, 100, 199].map(
    (status) => [`a status that HTTP does not define, ${status}`, answer(status)] as const,
  ),
  ['a status 500 with an answer longer than is read', answer(500, null)],
])('%s', (_what, result) => {
  table([
    ['a payout is tried again, in doubt from now on', result, payout, retryInDoubt],
    ['a payout is tried again with the last retry', result, { ...payout, retriesLeft: 1 }, retryInDoubt],
    ['a payout in doubt is tried again', result, { ...payout, ...inDoubt }, retryInDoubt],
    ['a payout is unknown when the retries are used up', result, { ...payout, ...usedUp }, unknown],
    ['a payout whose key is forgotten is unknown, not tried again', result, expired, unknown],
    ['a gig is unknown, not tried again', result, gig, unknown],
  ]);
});

describe('2xx', () => {
  const confirmed = '{"id":"p1"}';
  table([
    ['200 with an object creates a payout', answer(200, confirmed), payout, created],
    ['201 with an object creates a gig', answer(201, confirmed), gig, created],
    ['202 and 299 count too', answer(202, confirmed), payout, created],
    ['299 counts too', answer(299, confirmed), payout, created],
    ['an object without fields is enough', answer(201, '{}'), payout, created],
    ['it is the way out of doubt', answer(200, confirmed), { ...payout, ...inDoubt }, created],
    ['it is the way out of doubt for a gig', answer(200, confirmed), { ...gig, ...inDoubt }, created],
    ['it creates with the last attempt', answer(200, confirmed), { ...payout, ...usedUp, conflictsLeft: 0 }, created],
  ]);

  // What confirms, and what does not, is in confirmation.test.ts.
  const stop = { reason: 'wrong_target', unless: 'created' } as const;
  const asking = { response: { require: ['id'], id: 'id', empty: true } };
  const bodies: [string, string | null][] = [
    ['nothing', ''],
    ['HTML', '<html><body>Please log in</body></html>'],
    ['a list', '[{"id":"p1"}]'],
    ['null', 'null'],
    ['a text', '"created"'],
    ['half an object', '{"id":"p1"'],
    ['an object and more', '{"id":"p1"} {"id":"p2"}'],
    ['more than is read', null],
  ];
  table([
    ['207 does not create, whatever its body', answer(207, confirmed), payout, { ...unknown, stop }],
    ['an object that says that it failed does not', answer(200, '{"id":1,"ok":false}'), gig, { ...unknown, stop }],
    ['an object with what is required creates', answer(201, confirmed), { ...gig, ...asking }, created],
    ['an object without it does not', answer(201, '{"uuid":1}'), { ...payout, ...asking }, { ...unknown, stop }],
    ['no body creates where the settings say so', answer(204, ''), { ...payout, ...asking, ...inDoubt }, created],
  ]);

  it.each(bodies)('with %s is unknown, not tried again, and stops a run that created nothing', (_what, body) => {
    for (const situation of [payout, gig, { ...payout, ...inDoubt }, { ...payout, ...usedUp }]) {
      expect(classify(answer(200, body), situation)).toEqual({ ...unknown, stop });
      expect(classify(answer(204, body), situation)).toEqual({ ...unknown, stop });
    }
  });
});

describe('409', () => {
  table([
    ['a payout is asked again', answer(409), payout, askAgain],
    ['a payout in doubt is asked again', answer(409), { ...payout, ...inDoubt }, askAgain],
    ['a payout is unknown after a few times', answer(409), { ...payout, conflictsLeft: 0 }, unknown],
    ['a payout is unknown when the retries are used up', answer(409), { ...payout, ...usedUp }, unknown],
    ['a payout whose key is forgotten is unknown: the key may be in use', answer(409), expired, unknown],
    ['a gig is rejected', answer(409), gig, rejected],
    ['a gig in doubt is unknown', answer(409), { ...gig, ...inDoubt }, unknown],
  ]);
});

describe.each([400, 402, 403, 404, 405, 406, 407, 410, 413, 415, 417, 418, 422, 423, 424, 426, 428, 431, 451, 499])(
  '%i',
  (status) => {
    table([
      ['a payout is rejected', answer(status), payout, rejected],
      ['a gig is rejected', answer(status), gig, rejected],
      ['a payout is rejected when the retries are used up', answer(status), { ...payout, ...usedUp }, rejected],
      ['a payout whose key is forgotten is rejected', answer(status), expired, rejected],
      ['a payout in doubt is unknown', answer(status), { ...payout, ...inDoubt }, unknown],
      ['a gig in doubt is unknown', answer(status), { ...gig, ...inDoubt }, unknown],
      ['a body that is no JSON does not matter', answer(status, '<html>'), payout, rejected],
      ['an answer longer than is read does not matter', answer(status, null), payout, rejected],
    ]);
  },
);

describe.each<readonly [string, AttemptResult, string, Verdict]>([
  ['401', answer(401), 'unauthorized', notSent],
  ['a TLS failure', tls, 'tls', notSent],
  ...[307, 308].map((status) => [`${status}`, answer(status), 'redirected', unknown] as const),
])('%s', (_what, result, reason, ofGig) => {
  it('stops the run; the record is not sent, but a redirected gig may have been created', () => {
    for (const situation of [payout, expired, { ...payout, ...usedUp }])
      expect(classify(result, situation)).toEqual({ ...notSent, stop: { reason } });
    expect(classify(result, gig)).toEqual({ ...ofGig, stop: { reason } });
  });

  it('stops the run; a record in doubt is unknown', () => {
    for (const situation of [payout, gig, expired]) {
      expect(classify(result, { ...situation, ...inDoubt })).toEqual({ ...unknown, stop: { reason } });
    }
  });
});

describe.each([300, 301, 302, 303, 304, 305, 306, 309, 399])('%i', (status) => {
  it('stops the run; the record is unknown: a service may answer so after it has created', () => {
    for (const situation of [payout, gig, expired, { ...payout, ...usedUp }, { ...gig, ...inDoubt }]) {
      expect(classify(answer(status), situation)).toEqual({ ...unknown, stop: { reason: 'redirected' } });
    }
  });
});

describe('whatever the answer', () => {
  const results = [
    refused,
    tls,
    broken,
    ...[200, 204, 207, 301, 303, 307, 400, 401, 408, 409, 425, 429, 500, 999].map((status) => answer(status)),
  ];

  it('only created settles doubt', () => {
    for (const result of results) {
      for (const situation of [payout, gig, expired, { ...payout, ...usedUp }, { ...payout, conflictsLeft: 0 }]) {
        const verdict = classify(result, { ...situation, ...inDoubt });
        expect(verdict.next === 'retry' ? 'unknown' : verdict.state).toMatch(/^(created|unknown)$/);
      }
    }
  });

  it('a record that no key protects is never sent again once it may have been carried out', () => {
    for (const result of results) {
      for (const situation of [gig, expired])
        expect(classify(result, situation)).not.toMatchObject({ next: 'retry', doubt: true });
    }
  });

  it('without retries nothing is tried again but what costs nothing', () => {
    for (const result of results) {
      for (const situation of [payout, gig]) {
        const verdict = classify(result, { ...situation, ...usedUp });
        expect(verdict.next === 'retry' ? verdict.cost : 'nothing').toBe('nothing');
      }
    }
  });
});
