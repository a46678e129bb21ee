import { expect, it } from 'vitest';
import type { Journal, RunHead } from '../../../src/journal/journal.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import { Entries } from '../../../src/batch/table.js';
import { KeyIndex } from '../../../src/batch/key-index.js';
import { digestOf } from '../../../src/preflight/continuing.js';
import type { SafetyOptions } from '../../../src/options.js';
import { findStanding, type Standing } from '../../../src/preflight/standing.js';
import { benchOn, gate, type Process, records, START, TARGET } from '../journal/kit.js';
import { STORES } from '../journal/stores.js';

const HEAD: RunHead = { command: 'payout create', target: TARGET, scope: '', batchId: 'default', startedAt: START };
const PLANNED = records('a', 'b');

function standingAt(journal: Journal): { standing: Standing; digest: string } {
  const entries = new Entries();
  for (const each of PLANNED)
    entries.addValid(each, { ...each, key: RecordKey.of(each.key as string), keySource: 'content', amount: null });
  const prepared = {
    ...{ entries, index: new KeyIndex(entries), files: [], readings: [] },
    ...{
      faulty: false,
      bodies: [],
      invalidated: [],
      replaces: new Map<number, string>(),
      toldCreated: new Set<number>(),
    },
  };
  const safety = {
    batchId: 'default',
    batchNamed: false,
    keyLifetimeMs: 1,
    payAgain: null,
  } as unknown as SafetyOptions;
  const standing = findStanding({
    ...{ prepared, safety, journal, resume: null },
    ...{
      target: { name: TARGET, scope: '' },
      now: () => START,
      invalidate: () => undefined,
      refused: new Set(),
      isSameAs: () => false,
    },
  });
  return { standing, digest: digestOf(TARGET, entries) };
}

/** Stores the records and goes to the gate. */
function pass({ journal }: Process, version: number, digest: string) {
  const preparing = journal.prepare(HEAD);
  preparing.store(PLANNED);
  return preparing.pass({ ...gate(PLANNED), digest, version });
}

it.each(STORES)(
  'a run that passes its gate while another with its digest is looked for is noticed, in $name',
  (store) => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { digest } = standingAt(one.journal);
    const overtaken: Journal = {
      ...one.journal,
      continuable: (query) => {
        const found = one.journal.continuable(query);
        if (found === null && !query.payAgain) expect(pass(other, 0, digest)).not.toBeNull();
        return found;
      },
    };
    const { standing } = standingAt(overtaken);
    expect(standing.continued).toBeNull();
    expect(pass(one, standing.version, digest)).toBeNull();
    expect(standingAt(overtaken).standing.continued).not.toBeNull();
  },
);

it.each(STORES)(
  'a run that passes its gate while the one that goes on is compared with the others is noticed, in $name',
  (store) => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { digest } = standingAt(one.journal);
    expect(pass(one, 0, digest)).not.toBeNull();
    const overtaken: Journal = {
      ...one.journal,
      continuable: (query) => {
        const found = one.journal.continuable(query);
        if (!query.payAgain) other.pass(records('c'), { digest: 'other' });
        return found;
      },
    };
    const { version, continued } = standingAt(overtaken).standing;
    expect(continued).not.toBeNull();
    expect(one.journal.join(continued!.run, { version, decisions: [], placing: null })).toBeNull();
  },
);
