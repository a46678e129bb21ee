import { expect, it } from 'vitest';
import type { Journal } from '../../../src/journal/journal.js';
import { Entries } from '../../../src/run/entries.js';
import { KeyIndex } from '../../../src/run/key-index.js';
import { findStanding, type StandingContext } from '../../../src/run/standing.js';
import { benchOn, gate, records, START, TARGET } from '../journal/kit.js';
import { STORES } from '../journal/stores.js';

const SAFETY = { batchId: 'default', batchNamed: false, keyLifetimeMs: 86_400_000, payAgain: null };

function contextOf(journal: Journal): StandingContext {
  const entries = new Entries();
  for (const each of records('a', 'b')) {
    entries.addValid(each, { ...each, key: each.key as string, keySource: 'content', amount: null });
  }
  const prepared = {
    entries,
    index: new KeyIndex(entries),
    files: [],
    readings: [],
    faulty: false,
    bodies: [],
    invalidated: [],
  };
  return {
    prepared,
    safety: SAFETY as unknown as StandingContext['safety'],
    target: { name: TARGET, scope: '' },
    journal,
    now: () => START,
    resume: null,
    invalidate: () => undefined,
  };
}

it.each(STORES)('a run that passes its gate just after it was looked for is noticed at the gate, in $name', (store) => {
  const bench = benchOn(store);
  const [mine, other] = [bench.process(), bench.process()];
  const preparing = mine.prepare(records('a', 'b'));
  const late: Journal = {
    ...mine.journal,
    continuable: (query) => {
      const found = mine.journal.continuable(query);
      other.pass(records('a', 'b'), { digest: 'another' });
      return found;
    },
  };
  const { history, continued } = findStanding(contextOf(late));
  expect(continued).toBeNull();
  expect(preparing.pass({ ...gate(records('a', 'b')), version: history.version })).toBeNull();
});
