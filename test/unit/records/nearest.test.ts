import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/records/nearest.js';

const NAMES = ['user_id', 'amount', 'title', 'cost_center_key', 'billing_date', 'idempotency_key', 'tasks.0.title'];

describe('the name that was most likely meant', () => {
  it.each<[string, string | null]>([
    ['amuont', 'amount'],
    ['Amount', 'amount'],
    ['userid', 'user_id'],
    ['User-ID', 'user_id'],
    ['cost_centre_key', 'cost_center_key'],
    ['task.0.title', 'tasks.0.title'],
    ['colour', null],
    ['', null],
    ['a'.repeat(61), null],
  ])('%j: %s', (name, expected) => {
    expect(nearest(name, NAMES)).toBe(expected);
  });

  it('is offered as a sentence, or not at all', () => {
    expect(didYouMean('amuont', NAMES)).toBe(' Did you mean "amount"?');
    expect(didYouMean('colour', NAMES)).toBe('');
    expect(didYouMean('amount', [])).toBe('');
  });
});
