import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// A run is meant by its name or by a beginning that no other run shares. Two that share one are never guessed between:
// what is sent on, settled or reported must be the run that the person thinks of.

/** Two runs of one day, each with a record in doubt; a name begins with its day. */
async function twoRuns(): Promise<{ work: Workspace; runs: [string, string]; asked: () => number }> {
  const work = workspace();
  const service = await testService({ respond: () => ({ status: 500 }) });
  const names: string[] = [];
  for (const batch of ['one', 'two']) {
    work.file('p.csv', csv(payouts(1)));
    const { summary } = await work.run([
      ...['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json'],
      ...['--retries', '0', '--batch-id', batch, '--send-similar', '1'],
    ]);
    names.push(summary.run as string);
  }
  return { work, runs: names as [string, string], asked: () => service.requests.length };
}

function sharedLength([one, other]: readonly [string, string]): number {
  return one.split('').findIndex((letter, i) => letter !== other[i]);
}

const NOTE = ['--note', 'asked Anna'];
const SETTLED = ['--record', '1', '--created', ...NOTE];

/** A run of four payouts: the first three are in doubt, the second of which takes two lines; the last is created. */
async function inDoubt() {
  const work = workspace();
  const service = await testService({ respond: ({ body }) => (body.includes('"u4"') ? undefined : { status: 500 }) });
  work.file('p.csv', csv(payouts(4).map((row, i) => (i === 1 ? { ...row, title: 'Bonus\nof November' } : row))));
  const flags = ['--base-url', service.url, '--yes', '--json', '--retries', '0'];
  const { events, summary } = await work.run(['payout', 'create', 'p.csv', ...flags]);
  const run = summary.run as string;
  const first = events.find(({ event, record }) => event === 'record' && record === 1);
  const shown = async () => {
    const { stdout } = await work.run(['batch', 'show', run, '--json']);
    return JSON.parse(stdout) as { outcomes: { line: number; status: string }[]; settled: unknown[] };
  };
  return {
    ...{ work, run, shown, key: first.key as string },
    settle: (...words: string[]) => work.run(['batch', 'settle', run, ...words]),
    states: async () => (await shown()).outcomes.map(({ line, status }) => `${line} ${status}`).join(', '),
  };
}

describe('a run that is meant by its name', () => {
  test('is not guessed where two begin alike, and nothing is sent or settled', async () => {
    const { work, runs, asked } = await twoRuns();
    const before = asked();
    const beginning = runs[0].slice(0, sharedLength(runs));
    for (const args of [
      ['batch', 'show', beginning],
      ['batch', 'resume', beginning],
      ['batch', 'settle', beginning, ...SETTLED],
      ['batch', 'report', beginning, '--report', 'r.csv'],
    ]) {
      const { code, stderr } = await work.run(args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`several runs begin with "${beginning}": `)]);
      for (const run of runs) expect(stderr).toContain(run);
    }
    expect(asked()).toBe(before);
    for (const run of runs) {
      const { stdout } = await work.run(['batch', 'show', run, '--json']);
      expect(JSON.parse(stdout).records).toMatchObject({ unknown: 1 });
    }
  });

  test('is found by a beginning of its own', async () => {
    const { work, runs } = await twoRuns();
    const own = runs[1].slice(0, sharedLength(runs) + 1);
    const { code, stdout } = await work.run(['batch', 'settle', own, ...SETTLED]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`in run ${runs[1]} `)]);
  });
});

describe('several records that are meant by their numbers', () => {
  test('are settled, told and shown one by one', async () => {
    const { work, run, shown, settle, states } = await inDoubt();
    const { code, events } = await settle(...['--record', '3,1-1', '--not-created', '--note', 'asked Anna'], '--json');
    expect([code, events]).toMatchObject([0, [[{ record: 1 }, { record: 3 }]]]);
    expect((await settle('--record', '1-2', '--created', '--id', 'x', ...NOTE)).code).toBe(2);
    expect((await settle('--record', '2', '--created', ...NOTE)).stdout).toMatch(
      /^Line 3 of p\.csv in run .* is now recorded as paid\./,
    );
    expect(await states()).toBe('2 not_sent, 3 created, 5 not_sent, 6 created');
    expect((await shown()).settled).toMatchObject([
      { file: 'p.csv', record: 1, status: 'not_sent', note: 'asked Anna' },
      { file: 'p.csv', record: 3, status: 'not_sent', note: 'asked Anna' },
      { file: 'p.csv', record: 2, status: 'created', note: 'asked Anna' },
    ]);
    const { stdout } = await work.run(['batch', 'show', run]);
    expect(stdout).toContain('Settled by hand');
    expect(stdout.match(/p\.csv +[25] .* not paid +asked Anna$/gm)).toHaveLength(2);
  });
});

describe('records that are meant by their lines', () => {
  test('are those on which the records start, as they are shown; and not the lines within them', async () => {
    const { run, settle, states } = await inDoubt();
    expect(await states()).toBe('2 unknown, 3 unknown, 5 unknown, 6 created');
    const { code, stdout } = await settle('--line', '2,3', '--created', '--note', 'asked Anna');
    expect([code, stdout.split('\n').length]).toEqual([0, 3]);
    expect(stdout).toMatch(new RegExp(`^Line 2 of p\\.csv in run ${run} \\(u1, .*\\) is now recorded as paid\\.`));
    expect((await settle('--line', '5-5', '--not-created', '--note', 'asked Anna')).code).toBe(0);
    expect(await states()).toBe('2 created, 3 created, 5 not_sent, 6 created');
  });
});

describe('what a person says of a record', () => {
  test.each(['--created', '--not-created'])('needs a note: %s', async (word) => {
    const { settle, shown, states } = await inDoubt();
    const before = await states();
    for (const note of [[], ['--note', ' ']]) expect((await settle('--line', '2', word, ...note)).code).toBe(2);
    expect([await states(), (await shown()).settled]).toEqual([before, []]);
  });
});
