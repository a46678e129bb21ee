import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { History, HistoryMatch } from '../../../src/journal/history.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import { Entries } from '../../../src/batch/table.js';
import { compareWithHistory } from '../../../src/preflight/repeats.js';

// One content, in the input and in the history, under keys of which some are the same.

const HASH = '0'.repeat(64);

function entriesOf(keys: readonly string[]): Entries {
  const entries = new Entries();
  keys.forEach((key, i) =>
    entries.addValid(
      { file: 0, record: i + 1, line: i + 2 },
      {
        ...{ type: 'payout', currency: null, costCenter: null, amount: null },
        ...{ key: RecordKey.of(key), keySource: 'own', bodyHash: HASH },
      },
    ),
  );
  return entries;
}

function matchOf(key: string, at: number): HistoryMatch {
  const place = {
    run: '20261120-a1b2c3',
    type: 'payout' as const,
    batchId: 'default',
    file: 'p.csv',
    files: 1,
    record: at,
    line: at + 1,
  };
  const match = {
    ...place,
    at,
    moment: at + 1,
    key,
    bodyHash: HASH,
    amount: '1',
    currency: 'EUR',
  };
  return { ...match, state: at % 3 === 0 ? 'unknown' : 'created', outcome: null };
}

function historyOf(keys: readonly string[]): History {
  const matches = keys.map(matchOf);
  return {
    isEmpty: keys.length === 0,
    version: 1,
    byKey: (key) => matches.find((match) => match.key === key) ?? null,
    byContent: () => [...matches],
    byLikeness: () => [],
    unknown: () => [],
    wasRejected: () => false,
    rejected: () => [],
  };
}

function repeatsOf(input: readonly string[], history: readonly string[]) {
  return compareWithHistory(entriesOf(input), historyOf(history), {
    ...{ batchId: 'default', batchNamed: false, strict: false, refused: new Set<number>(), decidedUntil: 0 },
    ...{ skip: () => false, stored: () => null, leftOutSince: () => false, isInInput: (key) => input.includes(key) },
    bodyHash: () => HASH,
  }).repeats;
}

const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 8 });

test('each earlier record stands for one record of the input, those under its keys for themselves', () => {
  fc.assert(
    fc.property(keys, keys, (input, history) => {
      const repeats = repeatsOf(input, history);
      const known = input.filter((key) => history.includes(key));
      const others = history.filter((key) => !input.includes(key));
      const byContent = repeats.filter(({ code, inDoubt }) => code === 'same-content' && !inDoubt);
      // As many as there are records on both sides that no key explains, the first of the input among them.
      const open = input.flatMap((key, i) => (known.includes(key) ? [] : [i]));
      expect(byContent.map(({ index }) => index)).toEqual(open.slice(0, others.length));
      // Each for another one, the oldest first.
      expect(byContent.map(({ match }) => match.key)).toEqual(others.slice(0, open.length));
      // Under the same key: a repeat where it was created; in doubt, it is sent again with the same bytes.
      const created = known.filter((key) => history.indexOf(key) % 3 !== 0);
      expect(repeats.filter(({ code }) => code === 'created-before').map(({ match }) => match.key)).toEqual(created);
      // What was created and nothing accounts for stands beside records in doubt.
      const left = others.slice(open.length).filter((key) => history.indexOf(key) % 3 !== 0);
      const beside = repeats.filter(({ inDoubt }) => inDoubt);
      expect(beside.map(({ match }) => match.key)).toEqual(left.slice(0, known.length - created.length));
    }),
  );
});
