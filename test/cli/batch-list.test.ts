/** Which runs `batch list` shows. CONTRACT: "`--json`: NDJSON on standard output". */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
import { openDesk } from '../support/desk.js';
import { type Service, startService } from '../support/service.js';
import { localDay } from '../../src/util/local-time.js';

interface Listed {
  readonly run: string;
  readonly started_at: string;
  readonly target: string;
  readonly batch_id: string;
  readonly next: readonly string[] | null;
}

/** Four runs at two targets in three batches, a day after each other; the second is open, the third is closed. */
let work: Workspace;
let service: Service;
const runs: Listed[] = [];

async function listed(flags = ''): Promise<Listed[]> {
  const { code, events } = await work.run(`batch list --json ${flags}`);
  expect(code).toBe(0);
  return events[0].runs;
}

/** Which of the runs, as numbers from 1 in the order in which they were made. */
async function numbers(flags: string): Promise<number[]> {
  return (await listed(flags)).map(({ run }) => 1 + runs.findIndex((each) => each.run === run));
}

beforeAll(async () => {
  work = workspace(afterAll);
  service = await startService({
    basePath: '/base',
    respond: ({ json }) => {
      const { title } = json as { title: string };
      return title === 'away' ? { status: 401, execute: false } : { default: true };
    },
  });
  afterAll(() => service.close());
  const made = [
    ['first', `--base-url ${service.url} --batch-id 2026-10`],
    ['away', `--base-url ${service.url} --batch-id 2026-11`],
    ['away', `--base-url ${service.url} --batch-id 2026-12`],
    ['last', '--sandbox --batch-id 2026-11'],
  ];
  for (const [day, [title, flags]] of made.entries()) {
    work.file('p.csv', csv([{ ...payouts(1)[0]!, title }]));
    const env = hoursAhead(24 * day);
    const { summary } = await work.run(`payout create p.csv --yes --json ${flags}`, { env });
    runs.push({ run: summary.run } as Listed);
  }
  await work.run(`batch close ${runs[2]!.run} --note x`);
  for (const [i, each] of (await listed()).toReversed().entries()) runs[i] = each;
});

describe('batch list', () => {
  test.each<[flags: string, expected: number[]]>([
    ['', [4, 3, 2, 1]],
    ['--target URL', [3, 2, 1]],
    ['--target sandbox', [4]],
    ['--target URL/b', []],
    ['--target URL#account', []],
    ['--target sand', []],
    ["--target 'not an address'", []],
    ['--batch-id 2026-11', [4, 2]],
    ['--batch-id 2026', []],
    ['--limit 1', [4]],
    ['--limit 9', [4, 3, 2, 1]],
    ['--limit 1 --open', [2]],
    ['--limit 2 --target URL', [3, 2]],
  ])('shows those of a target, as the list shows it, and of a batch; the newest first: %s', async (flags, expected) => {
    expect(await numbers(flags.replace('URL', runs[0]!.target))).toEqual(expected);
  });

  test('that can be gone on with: neither finished nor closed', async () => {
    expect(await numbers('--open')).toEqual([2]);
    const [open] = await listed('--open');
    expect(open?.next).toEqual([
      'gigwork',
      'batch',
      'resume',
      open?.run,
      '--state-dir',
      work.stateDir,
      '--yes',
      '--json',
    ]);
    expect(runs.map(({ next }) => next !== null)).toEqual([false, true, false, false]);
  });

  test.each(['UTC', 'Etc/GMT-14', 'Etc/GMT+12'])('since a day, as the list shows it, in the zone %s', async (zone) => {
    const own = process.env['TZ'];
    onTestFinished(() => {
      if (own === undefined) delete process.env['TZ'];
      else process.env['TZ'] = own;
    });
    process.env['TZ'] = zone;
    const days = runs.map(({ started_at: at }) => localDay(Date.parse(at)));
    for (const [i, day] of days.entries())
      expect(await numbers(`--since ${day}`)).toEqual([4, 3, 2, 1].slice(0, 4 - i));
    expect(await numbers('--since 2999-01-01')).toEqual([]);
  });

  test.each([
    ['--since 2026-13-01', /--since takes a day, YYYY-MM-DD; found "2026-13-01"/],
    ['--since 01.11.2026', /--since takes a day/],
    ['--limit 0', /--limit/],
    ['--limit x', /--limit/],
  ])('%s is refused', async (flags, words) => {
    const { code, stdout, stderr } = await work.run(`batch list --json ${flags}`);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)]);
  });
});

test('batch list shows the money that each run has created, and not what it left out', async () => {
  const at = await openDesk();
  const [one, two] = payouts(2).map((row, i) => ({ ...row, amount: 120.5 + i, currency: 'EUR' }));
  await at.send([one!]);
  await at.send([one!, two!], '--skip-created');
  const [heading, left, paid] = (await at.work.run('batch list')).stdout.split('\n');
  expect(heading).toMatch(/records +paid +files$/);
  expect(paid).toContain('120.50 EUR');
  expect(left).toMatch(/ 121\.50 EUR +p\.csv$/);
  const skipped = expect.objectContaining({ status: 'skipped', amount: '120.5' });
  expect((await at.batch('list')).runs[0].totals.payout).toContainEqual(skipped);
});
