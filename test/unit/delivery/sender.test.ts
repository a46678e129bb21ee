import { expect, it } from 'vitest';
import type { Claimed } from '../../../src/journal/plan.js';
import type { Outcome } from '../../../src/journal/payment.js';
import { sendRecord, type SenderOptions } from '../../../src/delivery/sender.js';
import { Credentials } from '../../../src/delivery/credentials.js';
import { startConfirmedAnswers } from '../../../src/delivery/confirmed-answers.js';
import { CircuitBreaker } from '../../../src/delivery/circuit-breaker.js';
import { RateLimiter } from '../../../src/delivery/rate-limiter.js';
import { createRedactor } from '../../../src/config/secrets.js';
import { quietWorld } from '../../support/inside.js';
import { testService } from '../../support/fixtures.js';
import { START } from '../journal/journal-fixtures.js';
import { testClient } from './http/client-fixtures.js';

const RESPONSE = { require: [], id: 'id', empty: false, accepted: false, tasks: 'tasks', taskId: 'id' };
const IN_DOUBT: Outcome = {
  state: 'unknown',
  httpStatus: null,
  attempts: 2,
  response: null,
  error: null,
  requestId: null,
  doubtSince: START,
};
const RECORD: Claimed = {
  id: 1,
  claim: 1,
  type: 'payout',
  key: 'k1',
  body: '{"idempotency_key":"k1","title":"Bonus"}',
  lifetimeMs: null,
  earlier: IN_DOUBT,
};

it.each([
  ['is sent', 'created', false],
  ['is not sent once its key was forgotten while a connection was made', 'unknown', true],
])('a record in doubt %s', async (_what, state, forgets) => {
  const service = await testService();
  const client = await testClient(service.url);
  const world = quietWorld();
  let isForgotten = false;
  const mayResend = (): boolean => !isForgotten;
  const stopped = new AbortController();
  const send = { retries: 0, timeoutMs: 30_000, headers: {}, readAgain: null };
  const options: SenderOptions = {
    client: {
      ...client,
      post: (...args) => {
        isForgotten = forgets;
        return client.post(...args);
      },
    },
    rateLimiter: new RateLimiter(null, world),
    retries: send.retries,
    timeoutMs: send.timeoutMs,
    credentials: new Credentials(client, send, stopped.signal),
    rules: { mayResend, isProtected: mayResend },
    response: RESPONSE,
    confirmed: startConfirmedAnswers(RESPONSE),
    breaker: new CircuitBreaker({
      stopAfter: null,
      createdBefore: false,
      inDoubtBefore: false,
      monotonic: world.monotonic,
      hasCreated: () => Promise.resolve(false),
      onStop: () => stopped.abort(),
    }),
    redactor: createRedactor([]),
    onAttempt: null,
    stop: stopped.signal,
    onWaiting: () => undefined,
    permit: { maySend: () => true, waitForPermit: () => null },
    world,
  };
  const { state: told, doubtSince } = await sendRecord(options, RECORD, 0);
  expect([told, doubtSince]).toEqual([state, forgets ? START : null]);
  expect(service.requestCount).toBe(forgets ? 0 : 1);
});
