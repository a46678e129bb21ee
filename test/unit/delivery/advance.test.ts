import { expect, test } from 'vitest';
import { Advance } from '../../../src/delivery/advance.js';
import type { ProgressState, Reporter } from '../../../src/report/reporter.js';

/** What was told of how far it is. */
function told(report: (advance: Advance) => void): (ProgressState | undefined)[] {
  const states: ProgressState[] = [];
  report(new Advance({ progress: (state: ProgressState) => states.push(state) } as unknown as Reporter));
  return states;
}

test('records that an earlier call has settled are counted by state, and are no progress of this one', () => {
  const last = told((advance) => {
    advance.begin(2);
    for (let i = 0; i < 16; i++) advance.known('already_created', false);
    advance.known('created', true);
  }).at(-1);
  expect(last).toMatchObject({ done: 1, total: 2, counts: { already_created: 16, created: 1 } });
});

test('what a stop has left unsent is no progress', () => {
  const last = told((advance) => {
    advance.begin(2);
    advance.known('not_sent', true);
    advance.known('unknown', true);
  }).at(-1);
  expect(last).toMatchObject({ done: 1, total: 2, counts: { not_sent: 1, unknown: 1 } });
});
