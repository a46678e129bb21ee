/** Which runs `batch list` shows. CONTRACT: "`--json`: NDJSON on standard output". */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
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

const list = (...flags: string[]): Promise<CliResult> => work.run(['batch', 'list', ...flags]);

async function listed(...flags: string[]): Promise<Listed[]> {
  const { code, stdout } = await list('--json', ...flags);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { runs: Listed[] }).runs;
}

/** Which of the runs, as numbers from 1 in the order in which they were made. */
async function numbers(...flags: string[]): Promise<number[]> {
  return (await listed(...flags)).map(({ run }) => 1 + runs.findIndex((each) => each.run === run));
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
    { title: 'first', flags: ['--base-url', service.url, '--batch-id', '2026-10'] },
    { title: 'away', flags: ['--base-url', service.url, '--batch-id', '2026-11'] },
    { title: 'away', flags: ['--base-url', service.url, '--batch-id', '2026-12'] },
    { title: 'last', flags: ['--sandbox', '--batch-id', '2026-11'] },
  ];
  for (const [day, { title, flags }] of made.entries()) {
    work.file('p.csv', csv([{ ...payouts(1)[0]!, title }]));
    const env = hoursAhead(24 * day);
    const { summary } = await work.run(['payout', 'create', 'p.csv', '--yes', '--json', ...flags], { env });
    runs.push({ run: summary.run } as Listed);
  }
  await work.run(['batch', 'close', runs[2]!.run, '--note', 'given up']);
  for (const [i, each] of (await listed()).toReversed().entries()) runs[i] = each;
});

describe('batch list', () => {
  test('shows all of them, the newest first', async () => {
    expect(await numbers()).toEqual([4, 3, 2, 1]);
  });

  test('of a target, as the list shows it', async () => {
    const [{ target }] = runs as [Listed];
    expect(await numbers('--target', target)).toEqual([3, 2, 1]);
    expect(await numbers('--target', 'sandbox')).toEqual([4]);
    for (const other of [`${target}/b`, `${target}#account`, 'sand', 'not an address'])
      expect([other, await numbers('--target', other)]).toEqual([other, []]);
  });

  test('of a batch, by its whole name', async () => {
    expect(await numbers('--batch-id', '2026-11')).toEqual([4, 2]);
    expect(await numbers('--batch-id', '2026')).toEqual([]);
  });

  test('that can be gone on with: neither finished nor closed', async () => {
    expect(await numbers('--open')).toEqual([2]);
    const [open] = await listed('--open');
    expect(open?.next).toEqual(['gigwork', 'batch', 'resume', open?.run, '--state-dir', work.stateDir, '--yes']);
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
    for (const [i, day] of days.entries()) expect(await numbers('--since', day)).toEqual([4, 3, 2, 1].slice(0, 4 - i));
    expect(await numbers('--since', '2999-01-01')).toEqual([]);
  });

  test('at most so many, of those that fit', async () => {
    expect(await numbers('--limit', '1')).toEqual([4]);
    expect(await numbers('--limit', '9')).toEqual([4, 3, 2, 1]);
    expect(await numbers('--limit', '1', '--open')).toEqual([2]);
    expect(await numbers('--limit', '2', '--target', runs[0]!.target)).toEqual([3, 2]);
  });

  test.each([
    [['--since', '2026-13-01'], /--since takes a day, YYYY-MM-DD; found "2026-13-01"/],
    [['--since', '01.11.2026'], /--since takes a day/],
    [['--limit', '0'], /--limit/],
    [['--limit', 'x'], /--limit/],
  ])('%j is refused', async (flags, words) => {
    const { code, stdout, stderr } = await list('--json', ...flags);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });
});
