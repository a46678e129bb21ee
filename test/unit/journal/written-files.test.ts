/** What the journal keeps of output files, and how a journal of the version before is brought up to date. */
import { describe, expect, it } from 'vitest';
import { isReplaceableBy, type WrittenFile } from '../../../src/journal/written-file.js';
import { copyJournal } from '../../../src/journal/copy/copy.js';
import { benchOn, DAY, deliver, drafts, START } from './journal-fixtures.js';
import { STORES } from './stores.js';

const PATH = '/desk/report.html';
const NO_RUN = { path: PATH, sha256: 'one', run: null, inputs: ['/desk/p.csv', '-'] };

function hashes(files: readonly WrittenFile[]): string[] {
  return files.map(({ sha256 }) => sha256).toSorted();
}

describe.each(STORES)('files that calls wrote, in $name', (store) => {
  it('are known with their run, or with their inputs, by their whole name', async () => {
    const process = await benchOn(store).process();
    const { run } = await process.pass(drafts('a'));
    const ofRun = { path: '/desk/results.csv', sha256: 'two', run, inputs: null };
    await process.journal.addWrittenFile(NO_RUN, null);
    await process.journal.addWrittenFile(ofRun, null);
    expect(await process.journal.writtenFiles([PATH])).toEqual([NO_RUN]);
    const { number, name } = run;
    const known = await process.journal.writtenFiles(['/desk/results.csv', '/desk/other', PATH]);
    expect(known.toSorted((a, b) => a.sha256.localeCompare(b.sha256))).toEqual([
      NO_RUN,
      { ...ofRun, run: { number, name } },
    ]);
    expect(await process.journal.writtenFiles(['/desk/REPORT.html'])).toEqual([]);
  });

  it('are remembered as long as they may be there, and no longer: a crash may leave the old one or the new one', async () => {
    const { journal } = await benchOn(store).process();
    const add = (sha256: string, replaced: string | null): Promise<void> =>
      journal.addWrittenFile({ ...NO_RUN, sha256 }, replaced);
    const known = async (): Promise<string[]> => hashes(await journal.writtenFiles([PATH]));
    await add('one', null);
    await add('two', 'one');
    expect(await known()).toEqual(['one', 'two']);
    // The second one never appeared.
    await add('three', 'one');
    expect(await known()).toEqual(['one', 'three']);
    await add('three', 'three');
    expect(await known()).toEqual(['three']);
    await add('four', 'of a person');
    expect(await known()).toEqual(['four']);
  });

  it('stay when old payments are pruned, and come along in a copy', async () => {
    const source = benchOn(store);
    const target = benchOn(store);
    const process = await source.process();
    const passed = await process.pass(drafts('a'));
    await deliver(passed);
    await passed.delivery.leave();
    const { number, name } = passed.run;
    const file = { ...NO_RUN, run: { number, name } };
    await process.journal.addWrittenFile(file, null);
    expect(await process.journal.prune(START + DAY)).toBe(1);
    await process.journal.detach();
    const journal = await store.forCopy(source.place);
    const how = { from: 'one', to: 'other', move: true, originalLost: false };
    const { rows } = await copyJournal({ source: journal, openTarget: () => store.forCopy(target.place), ...how });
    await journal.detach();
    expect(rows).toMatchObject({ written_file: 1 });
    expect(await (await target.process()).journal.writtenFiles([PATH])).toEqual([file]);
  });

  it('are unknown in a journal of the version before, which a reader leaves as it is and a sender brings up to date', async () => {
    const bench = benchOn(store);
    const { journal } = await bench.process();
    await journal.addWrittenFile(NO_RUN, null);
    await journal.detach();
    await store.makeOlder(bench.place);
    const reader = (await bench.reader())!;
    expect(await reader.journal.writtenFiles([PATH])).toEqual([]);
    expect(await reader.journal.runs()).toEqual([]);
    // Several at the same moment: one of them changes the tables.
    const senders = await Promise.all([bench.process(), bench.process(), bench.process()]);
    for (const sender of senders) expect(await sender.journal.writtenFiles([PATH])).toEqual([]);
    await senders[0].journal.addWrittenFile(NO_RUN, null);
    expect(await senders[1].journal.writtenFiles([PATH])).toEqual([NO_RUN]);
    expect(await reader.journal.writtenFiles([PATH])).toEqual([]);
    expect(await (await bench.reader())!.journal.writtenFiles([PATH])).toEqual([NO_RUN]);
  });
});

describe('a call may replace an unchanged file', () => {
  const run = { number: 3, name: 'r3' };
  const owner = { run, inputs: ['/desk/p.csv'] };
  it.each<[string, Pick<WrittenFile, 'run' | 'inputs'>, boolean]>([
    ['of the run that it continues', { run, inputs: null }, true],
    ['of another run', { run: { number: 4, name: 'r4' }, inputs: null }, false],
    ['of a call that sent nothing, with the same input', { run: null, inputs: ['/desk/p.csv'] }, true],
    ['of such a call with another input', { run: null, inputs: ['/desk/q.csv'] }, false],
    ['of such a call with one input more', { run: null, inputs: ['/desk/p.csv', '/desk/q.csv'] }, false],
    ['of such a call without a file', { run: null, inputs: [] }, false],
  ])('%s: %o → %s', (_case, file, is) => {
    expect(isReplaceableBy({ path: PATH, sha256: 'one', ...file }, owner)).toBe(is);
  });

  it('but not because neither of them has a run', () => {
    expect(isReplaceableBy({ ...NO_RUN, inputs: null }, { run: null, inputs: [] })).toBe(false);
  });
});
