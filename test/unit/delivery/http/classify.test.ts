import { expect, it } from 'vitest';
import { judge, type Judged } from '../../../../src/delivery/http/judgement.js';
import type { ResponseRules } from '../../../../src/options.js';
import { classify, type AttemptState, type AttemptVerdict } from '../../../../src/delivery/http/classify.js';

// CONTRACT.md, "Sending": a line for each row of its table, a column for each situation that a record can be in.

const payout: AttemptState = {
  keyed: true,
  protectedByKey: true,
  inDoubt: false,
  retriesLeft: 3,
  conflictsLeft: 2,
};
const gig: AttemptState = { ...payout, keyed: false, protectedByKey: false };
const inDoubt = { inDoubt: true };
const usedUp = { retriesLeft: 0 };

const SITUATIONS: Readonly<Record<string, AttemptState>> = {
  payout,
  'payout in doubt': { ...payout, ...inDoubt },
  'payout, retries used up': { ...payout, ...usedUp },
  'payout in doubt, retries used up': { ...payout, ...inDoubt, ...usedUp },
  // Its first attempt is older than the key's lifetime.
  'payout whose key is forgotten': { ...payout, protectedByKey: false },
  gig,
  'gig in doubt': { ...gig, ...inDoubt },
  'gig, retries used up': { ...gig, ...usedUp },
};

const RULES: ResponseRules = { require: [], id: 'id', empty: false, accepted: false, tasks: 'tasks', taskId: 'id' };

function answer(status: number, body: string | null = '{"error":"no"}', over: Partial<ResponseRules> = {}): Judged {
  const read = { kind: 'answer', status, body, retryAfter: null } as const;
  return judge(read, { ...RULES, ...over }, '{"title":"Bonus","user_id":"u1"}');
}

/** In a word: the state, `wait`, or what is used up by a retry; `?` where the record is in doubt then, `!` where the run stops. */
function inWords(verdict: AttemptVerdict): string {
  if (verdict.next === 'retry')
    return `${verdict.cost === 'nothing' ? 'wait' : verdict.cost}${verdict.doubt ? '?' : ''}`;
  return `${verdict.state}${stopIn(verdict) === undefined ? '' : '!'}`;
}

/** Why the run stops. */
function stopIn(verdict: AttemptVerdict): string | undefined {
  if (verdict.next === 'retry') return undefined;
  return verdict.isStrange === true ? 'strange' : verdict.stop;
}

const statuses = (...each: number[]): [string, Judged][] => each.map((status) => [`${status}`, answer(status)]);
const answers2xx = [
  '',
  '<html>Please log in</html>',
  '[{"id":"p1"}]',
  'null',
  '"created"',
  '{"id":"p1"',
  '{"id":1} {"id":2}',
  '{"id":1,"ok":false}',
  null,
];

it.each<[results: [string, Judged][], verdicts: string, stop?: string]>([
  [
    [['no connection', { kind: 'not-connected', reason: 'connect ECONNREFUSED' }]],
    'retry retry not_sent unknown retry retry retry not_sent',
  ],
  [
    [['no connection in time', { kind: 'withheld', reason: '' }]],
    'not_sent unknown not_sent unknown not_sent not_sent unknown not_sent',
  ],
  [
    [['TLS', { kind: 'tls', reason: '' }]],
    'not_sent! unknown! not_sent! unknown! not_sent! not_sent! unknown! not_sent!',
    'tls',
  ],
  [statuses(401), 'not_sent! unknown! not_sent! unknown! not_sent! not_sent! unknown! not_sent!', 'unauthorized'],
  [statuses(425, 429), 'wait wait wait wait wait wait wait wait'],
  [
    [
      ['cut off', { kind: 'broken', reason: '' }],
      ['500 with an answer longer than is read', answer(500, null)],
      ...statuses(408, 500, 502, 503, 504, 599, 600, 999, 0, 100, 199),
    ],
    'retry? retry? unknown unknown unknown unknown unknown unknown',
  ],
  [
    [200, 201, 203, 204, 205, 206, 208, 226, 299].map((status) => [`${status}`, answer(status, '{"id":"p1"}')]),
    'created created created created created created created created',
  ],
  [
    [
      ...[202, 207].map((status): [string, Judged] => [`${status}`, answer(status, '{"id":"p1"}')]),
      ...answers2xx.map((body): [string, Judged] => [`200 with ${body}`, answer(200, body)]),
    ],
    'unknown! unknown! unknown! unknown! unknown! unknown! unknown! unknown!',
    'strange',
  ],
  [statuses(409), 'conflict? conflict? unknown unknown unknown rejected unknown rejected'],
  [
    [
      ...statuses(400, 402, 403, 404, 405, 406, 410, 413, 415, 418, 422, 423, 424, 426, 428, 431, 451, 499),
      ['422 that is no JSON', answer(422, '<html>')],
      ['422 longer than is read', answer(422, null)],
    ],
    'rejected unknown rejected unknown rejected rejected unknown rejected',
  ],
  [statuses(307, 308), 'not_sent! unknown! not_sent! unknown! not_sent! unknown! unknown! unknown!', 'redirected'],
  [
    statuses(300, 301, 302, 303, 304, 399),
    'unknown! unknown! unknown! unknown! unknown! unknown! unknown! unknown!',
    'redirected',
  ],
])('%j: %s', (results, verdicts, stop) => {
  for (const [what, result] of results) {
    const given = Object.values(SITUATIONS).map((situation) => classify(result, situation));
    expect([what, given.map(inWords).join(' ')]).toEqual([what, verdicts]);
    expect(new Set(given.map(stopIn))).toEqual(new Set([stop]));
  }
});

it('a 409 is asked again a few times only', () => {
  expect(inWords(classify(answer(409), { ...payout, conflictsLeft: 0 }))).toBe('unknown');
});

const SET = { require: ['id'], empty: true, accepted: true };

it.each<[what: string, result: Judged, words: string]>([
  ['an object with what is required creates', answer(201, '{"id":"p1"}', SET), 'created'],
  ['an object without it does not', answer(201, '{"uuid":1}', SET), 'unknown!'],
  ['no body creates where the settings say so', answer(204, '', SET), 'created'],
  ['so does 202', answer(202, '{"id":"p1"}', SET), 'created'],
  ['a 202 without what is required does not', answer(202, '{"uuid":1}', SET), 'unknown!'],
])('what confirms is a setting: %s', (_what, result, words) => {
  for (const situation of Object.values(SITUATIONS)) expect(inWords(classify(result, situation))).toBe(words);
});
