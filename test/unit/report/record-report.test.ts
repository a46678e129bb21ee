import { describe, expect, it } from 'vitest';
import type { PaymentState } from '../../../src/journal/payment.js';
import type { Status } from '../../../src/prepare/record-table.js';
import { displayState, recordMoneyText, type StoredState, storedStatus } from '../../../src/report/record-report.js';

describe('the state of a stored record', () => {
  const IN_RUN: StoredState = { payment: 'created', isLeftOut: false, isOwn: true, correction: null };
  it.each<[string, Partial<StoredState>, Status]>([
    ['invalid', { payment: null }, 'invalid'],
    ['created by this run', {}, 'created'],
    ['created by another run', { isOwn: false }, 'already_created'],
    ['left out for a created payment', { isLeftOut: true }, 'skipped'],
    ['left out for a payment in doubt', { isLeftOut: true, payment: 'unknown' }, 'unknown'],
    ['rejected', { payment: 'rejected' }, 'rejected'],
    ['rejected by another run', { payment: 'rejected', isOwn: false }, 'rejected'],
    ['in doubt', { payment: 'unknown' }, 'unknown'],
    ['open', { payment: 'not_sent' }, 'not_sent'],
    ['rejected, and its correction is paid', { payment: 'rejected', correction: 'created' }, 'skipped'],
    ['rejected, and its correction is not paid yet', { payment: 'rejected', correction: 'unknown' }, 'rejected'],
    ['rejected, and its correction too', { payment: 'rejected', correction: 'rejected' }, 'rejected'],
    ['open in a closed run, and corrected', { payment: 'not_sent', correction: 'not_sent' }, 'rejected'],
  ])('%s', (_name, change, status) => {
    expect(storedStatus({ ...IN_RUN, ...change })).toBe(status);
  });

  it('is that of its payment, unless that is created', () => {
    for (const payment of ['rejected', 'unknown', 'not_sent'] satisfies PaymentState[])
      for (const isLeftOut of [true, false])
        for (const isOwn of [true, false])
          expect(storedStatus({ payment, isLeftOut, isOwn, correction: null })).toBe(payment);
  });
});

describe('the state that people are told', () => {
  const ALL: Status[] = [
    'invalid',
    'planned',
    'created',
    'already_created',
    'skipped',
    'rejected',
    'unknown',
    'not_sent',
  ];
  it.each(ALL)('of %s is the same, unless it was corrected, or is open in a closed run', (status) => {
    expect(displayState(status, false, false)).toBe(status);
    expect(displayState(status, false, true)).toBe(status === 'not_sent' ? 'given_up' : status);
    for (const isClosed of [true, false]) expect(displayState(status, true, isClosed)).toBe('corrected');
  });
});

describe('the money of a record', () => {
  it.each([
    ['payout', '1234.5', '1,234.50 EUR'],
    ['result', '6750', '6,750 EUR cents'],
    ['payout', null, ''],
  ] as const)('has its unit: %s %s', (type, amount, text) => {
    expect(recordMoneyText({ amount, currency: 'EUR', type })).toBe(text);
  });
});
