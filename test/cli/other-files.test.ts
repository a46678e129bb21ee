/** A run that goes on from other files than it began with: what it tells is what stands in the files that were read last. */
import { expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { type Desk, desk, FIRST, recordsOf, SECOND, THIRD } from '../support/desk.js';

const WRONG = (user: string) => ({ ...FIRST, user_id: user, title: '' });

/** Begins with one invalid row before three good ones, and goes on with two files that have other invalid rows. */
async function goneOn(stopsAt: number): Promise<Desk & { run: string }> {
  const at = await desk((n) => ({ status: n === 2 || n === stopsAt ? 401 : 201 }));
  const begun = await at.send([WRONG('u-old'), FIRST, SECOND, THIRD], '--skip-invalid');
  expect(begun.summary.records).toMatchObject({ read: 4, invalid: 1, created: 1, not_sent: 2 });
  at.work.file('a.csv', csv([FIRST, WRONG('u-a'), SECOND]));
  at.work.file('b.csv', csv([THIRD, WRONG('u-b1'), WRONG('u-b2')]));
  const { summary } = await at.sendFiles(['a.csv', 'b.csv'], '--skip-invalid');
  expect(summary).toMatchObject({ run: begun.summary.run, records: { read: 6, invalid: 3, already_created: 1 } });
  return { ...at, run: begun.summary.run };
}

const place = ({ file, record, status }: Record<string, unknown>) =>
  `${file as string} ${record as number} ${status as string}`;
const PLACES = (second: string, third: string) => [
  'a.csv 1 created',
  'a.csv 2 invalid',
  `a.csv 3 ${second}`,
  `b.csv 1 ${third}`,
  'b.csv 2 invalid',
  'b.csv 3 invalid',
];

test('batch show and batch list tell the records of these files, and add up to them', async () => {
  const { batch, run } = await goneOn(4);
  const shown = await batch('show', run);
  expect(shown.files).toMatchObject(['a.csv', 'b.csv'].map((path) => ({ path, records: 3 })));
  expect(shown.records).toMatchObject({ read: 6, valid: 3, invalid: 3 });
  expect(shown.outcomes.map(place)).toEqual(PLACES('created', 'not_sent'));
  expect(shown.outcomes[1]).toMatchObject({ key: null, error: expect.stringContaining('title') });
  expect((await batch('list')).runs[0].records).toEqual(shown.records);
});

test('a resumed run tells them, and its reports have them in input order', async () => {
  const { work, service, run } = await goneOn(3);
  const resumed = await work.run(`batch resume ${run} --yes --json --report resumed.csv`);
  const records = { read: 6, invalid: 3, created: 2, already_created: 1 };
  expect(resumed.summary).toMatchObject({ exit_code: 4, records });
  const told = recordsOf(resumed).map(place);
  expect(told.toSorted()).toEqual(PLACES('created', 'created').with(0, 'a.csv 1 already_created').toSorted());
  await work.run(`batch report ${run} --report later.csv`);
  for (const report of ['resumed.csv', 'later.csv']) {
    const lines = work.read(report).trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(0, 2).join(' '))).toEqual(
      PLACES('', '').map((text) => text.split(' ', 2).join(' ')),
    );
  }
  expect(service.executions.size).toBe(3);
});

test('batch prune takes the reasons of invalid rows', async () => {
  const { work, run, batch } = await goneOn(0);
  await work.run('batch prune --before 2999-01-01');
  const { outcomes } = await batch('show', run);
  expect(outcomes.map(({ error }: { error: string | null }) => error)).toEqual(Array(6).fill(null));
});
