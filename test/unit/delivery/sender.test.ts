import { expect, it } from 'vitest';
import type { Claimed } from '../../../src/ledger/claims.js';
import type { Outcome } from '../../../src/ledger/payment.js';
import { startSender, type SenderOptions } from '../../../src/delivery/sender.js';
import { startWatch } from '../../../src/delivery/circuit-breaker.js';
import { startPace } from '../../../src/delivery/rate-limit.js';
import { secretsOf } from '../../../src/config/secrets.js';
import { quietWorld } from '../../support/inside.js';
import { testService } from '../../support/fixtures.js';
import { START } from '../ledger/kit.js';
import { testClient } from './http/client-kit.js';

const IN_DOUBT: Outcome = {
  ...{ state: 'unknown', httpStatus: null, attempts: 2, response: null, error: null },
  ...{ requestId: null, doubtSince: START },
};
const RECORD: Claimed = {
  ...{ id: 1, claim: 1, type: 'payout', key: 'k1' },
  ...{ body: '{"idempotency_key":"k1","title":"Bonus"}', earlier: IN_DOUBT },
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
  const options: SenderOptions = {
    client: {
      ...client,
      post: (...args) => {
        isForgotten = forgets;
        return client.post(...args);
      },
    },
    pace: startPace(null, world),
    retries: 0,
    rules: { mayResend, isProtected: mayResend },
    response: { require: [], id: 'id', empty: false },
    watch: startWatch({
      ...{ stopAfter: null, createdBefore: false, inDoubtBefore: false, onWaiting: () => undefined },
      ...{ monotonic: world.monotonic, stop: () => stopped.abort() },
    }),
    secrets: secretsOf([]),
    onAttempt: null,
    stop: stopped.signal,
    right: { maySend: () => true, untilMaySend: () => null },
    timeoutMs: 30_000,
    world,
  };
  const { state: told, doubtSince } = await startSender(options).send(RECORD, 0);
  expect([told, doubtSince]).toEqual([state, forgets ? START : null]);
  expect(service.requestCount).toBe(forgets ? 0 : 1);
});
