import { describe, expect, test } from 'vitest';
import { workspace } from '../support/cli.js';

/** So much that work which grows with the square of it takes many minutes. */
const MUCH = 320_000;

const RECORD = '{"user_id":"u","title":"t","cost_center_key":"k","amount":1';
const HEADER = 'user_id,title,cost_center_key,amount';

function many(length: number, piece: (i: number) => string): string[] {
  return Array.from({ length }, (_, i) => piece(i));
}

/** What a file must not be able to do to the program: keep it busy, or fill the memory or the disk. */
const SHAPES: readonly (readonly [name: string, input: () => string, flags?: readonly string[]])[] = [
  ['columns', () => `${HEADER},${many(MUCH / 8, (i) => `c${i}`).join(',')}\nu,t,k,1${','.repeat(MUCH / 8)}\n`],
  [
    'columns, over rows that are too short',
    () => `${HEADER},${many(MUCH / 64, (i) => `c${i}`).join(',')}\n${'u,t,k,1\n'.repeat(MUCH / 1600)}`,
    ['--pad-short-rows'],
  ],
  ['a column name', () => `${HEADER},${'k'.repeat(MUCH)}\n${'u,t,k,1,\n'.repeat(300)}`],
  ['a column name of digits', () => `${'1'.repeat(MUCH)}x\n1\n`],
  ['a column name of points', () => `amount,${'a.'.repeat(MUCH / 2)}a\n1,1\n`],
  ['zeros in a number', () => `${RECORD},"quantity":1.${'0'.repeat(MUCH)}1}`],
  ['zeros in a cell', () => `${HEADER}\nu,t,k,1.${'0'.repeat(MUCH)}1\n`],
  ['spaces between values', () => `${RECORD}${' '.repeat(MUCH)},"x":1}`, ['--rejects', 'rejects.ndjson']],
  [
    'a name above many values',
    () => `${RECORD},"${'k'.repeat(MUCH)}":{${many(MUCH / 16, (i) => `"${i}":1.0`).join(',')}}}`,
  ],
  [
    'values under names of their own, some of them renamed',
    () => `${RECORD},${many(MUCH / 40, (i) => `"${i}":1.0`).join(',')}}`,
    ['--ignore-column', '17'],
  ],
  ['elements of the wrong type', () => `{"start_at":1,"tasks":[${'1,'.repeat(MUCH)}1]}`],
  ['names given twice', () => `${RECORD}${',"a":1'.repeat(MUCH / 6)}}`],
  ['brackets', () => '{"a":'.repeat(MUCH / 5)],
];

describe('a great many of', () => {
  test.each(SHAPES.map(([name, input, flags = []]) => ({ name, input, flags })))('$name', async ({ input, flags }) => {
    const text = input();
    const type = text.includes('start_at') ? 'gig' : 'payout';
    const words = [type, 'create', '-', '--dry-run', '--json', ...flags];
    const { code, stdout, stderr, summary } = await workspace().run(words, { input: text });
    expect([code, summary.records.valid], stderr.slice(0, 1000)).toEqual([3, 0]);
    expect(stdout.length).toBeLessThan(300 * text.length);
  });
});

test('of a record that is wrong in very many places, the fault that stops the run is told', async () => {
  const record = `{"start_at":1,"tasks":[${'1,'.repeat(5000)}1],"title":"\\ud800"}`;
  const { code, events } = await workspace().run(['gig', 'create', '-', '--dry-run', '--json', '--skip-invalid'], {
    input: record,
  });
  const codes = new Set(events.filter(({ event }) => event === 'issue').map((issue) => issue.code));
  expect([code, codes.has('bad-encoding'), events.length < 1010]).toEqual([3, true, true]);
});
