import { DatabaseSync } from '@photostructure/sqlite';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { beginSending, send, startSending, states } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import type { Reply, Service } from '../support/service.js';

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}

test('a journal that cannot be read any more once records were sent is no call that sent nothing', async () => {
  const work = workspace();
  const service = await testService({
    respond: ({ n }) => {
      if (n < 3) return { status: n === 1 ? 201 : 401 };
      const db = new DatabaseSync(join(work.stateDir, 'journal.db'));
      db.exec('DROP TABLE outcome');
      db.close();
      return { status: 201 };
    },
  });
  work.file('p.csv', csv(payouts(2)));
  const flags = ['--concurrency', '1', '--report', 'r.csv'];
  const first = await send(work, 'payout create', 'p.csv', service, flags);
  expect(first.summary).toMatchObject({ exit_code: 6, records: { created: 1, not_sent: 1 } });
  const { summary, events } = await send(work, 'payout create', 'p.csv', service, flags);
  expect(summary).toMatchObject({
    exit_code: 6,
    stop_reason: 'journal',
    run: first.summary.run,
    records: { already_created: 1, unknown: 1 },
  });
  expect(events.filter(({ event }) => event === 'record')).toHaveLength(2);
  expect(service.requestCount).toBe(3);
});

/** A disk of its own, of so many megabytes; null where it cannot be mounted. */
function smallDisk(work: Workspace, megabytes: number): string | null {
  const folder = work.path('disk');
  mkdirSync(folder);
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)) return null;
  onTestFinished(() => void run('umount', '-l', folder));
  return folder;
}

const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return run('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt');
})();
if (!canMount) console.log('skipped: a full disk needs one that can be filled, and only root on Linux may mount it');

/** Fills a disk to its last byte. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'a');
  for (let size = 1 << 16; size > 0; size >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size, 1));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
    }
  }
  closeSync(file);
}

function makeRoom(folder: string): void {
  rmSync(join(folder, 'filler'));
}

/** The journal refuses: nothing is sent, and the message names the file and the remedy. */
function expectRefused({ code, summary, stderr }: CliResult, service: Service, words: string | RegExp): void {
  expect(code).toBe(2);
  expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'journal' });
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain('Internal error in gigwork');
  expect(service.requestCount).toBe(0);
}

const RECORDS = 150;

describe.skipIf(!canMount)('a full disk', () => {
  test('before anything is sent', async () => {
    const work = workspace();
    const disk = smallDisk(work, 40) as string;
    const service = await testService();
    work.file('p.csv', csv(payouts(RECORDS)));
    const flags = ['--state-dir', join(disk, 'state')];
    fill(disk);
    const { code, stdout } = await work.run(['doctor', ...flags]);
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/fail {2}state directory: .* is almost full: \d MB are free/),
    ]);
    expectRefused(await send(work, 'payout create', 'p.csv', service, flags), service, /almost full: \d MB/);
    makeRoom(disk);
    const result = await send(work, 'payout create', 'p.csv', service, flags);
    expect(result.summary).toMatchObject({ exit_code: 0, records: { created: RECORDS } });
  });

  test('with a journal on it: the run does not begin, reads nothing, and leaves nothing behind', async () => {
    const work = workspace();
    const disk = smallDisk(work, 40) as string;
    const service = await testService();
    work.file('one.csv', csv(payouts(1, 7)));
    const flags = ['--state-dir', disk];
    await send(work, 'payout create', 'one.csv', service, flags);
    fill(disk);
    // Standard input shows that nothing was read: the call would wait for it.
    const refused = await send(work, 'payout create', '-', service, [...flags, '--format', 'csv']);
    expect(refused.summary).toMatchObject({ exit_code: 2, stop_reason: 'journal' });
    expect(refused.stderr).toContain('almost full');
    expect(service.requestCount).toBe(1);
    makeRoom(disk);
    const listed = await work.run(['batch', 'list', '--json', '--state-dir', disk]);
    expect((JSON.parse(listed.stdout) as { runs: unknown[] }).runs).toHaveLength(1);
  });

  test.each([
    { command: 'payout create', rows: ndjson(payouts(RECORDS)) },
    { command: 'gig create', rows: ndjson(gigs(RECORDS)) },
  ])(
    'in the middle ($command): the run stops, and run again it loses and doubles nothing',
    async ({ command, rows }) => {
      const work = workspace();
      const disk = smallDisk(work, 40) as string;
      const service = await testService({
        respond: ({ n }): Reply => {
          if (n === 60) fill(disk);
          return { default: true };
        },
      });
      work.file('r.ndjson', rows);
      const flags = ['--state-dir', disk, '--concurrency', '4'];
      const full = await send(work, command, 'r.ndjson', service, flags);
      const { created = 0, unknown = 0, not_sent: notSent = 0 } = states(full);
      // Another call could put more gigs in doubt.
      const isSafe = command === 'payout create' || unknown === 0;
      expect(full.summary).toMatchObject({ exit_code: isSafe ? 5 : 6, stop_reason: 'journal' });
      expect(created + unknown + notSent).toBe(RECORDS);
      // What is called created was carried out; what was carried out and could not be written down is unknown.
      expect(service.ledgerTotal()).toBeGreaterThanOrEqual(created);
      expect(service.ledgerTotal()).toBeLessThanOrEqual(created + unknown);
      expect(notSent).toBeGreaterThan(0);
      makeRoom(disk);
      const again = await send(work, command, 'r.ndjson', service, flags);
      const isKeyed = command === 'payout create';
      expect(again.summary).toMatchObject({ exit_code: isKeyed || unknown === 0 ? 0 : 6, run: full.summary.run });
      expect(states(again)['unknown'] ?? 0).toBe(isKeyed ? 0 : unknown);
      expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
      if (isKeyed) expect(service.ledgerTotal()).toBe(RECORDS);
    },
  );

  test('in the middle, with room again before the last answer: everything is written down, no gig is in doubt', async () => {
    const work = workspace();
    const disk = smallDisk(work, 40) as string;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const service = await testService({
      respond: async ({ n }) => {
        if (n === 60) await released;
        if (n === 61) fill(disk);
        return { default: true };
      },
    });
    work.file('g.ndjson', ndjson(gigs(RECORDS)));
    const flags = ['--state-dir', disk, '--concurrency', '4'];
    const running = beginSending(work, 'gig create', 'g.ndjson', service, flags);
    await running.said(/Finishing open requests/);
    makeRoom(disk);
    release();
    const full = await running.result;
    const sent = service.ledgerTotal();
    expect(states(full)).toEqual({ created: sent, not_sent: RECORDS - sent });
    expect(full.summary).toMatchObject({ exit_code: 5, stop_reason: 'journal' });
    const again = await send(work, 'gig create', 'g.ndjson', service, flags);
    expect(again.summary).toMatchObject({ exit_code: 0, records: { already_created: sent, created: RECORDS - sent } });
    expect(service.ledgerTotal()).toBe(RECORDS);
  });

  test('reports and templates that do not fit are said, and what was sent stays sent', async () => {
    const work = workspace();
    const disk = smallDisk(work, 1) as string;
    fill(disk);
    work.file('p.csv', csv(payouts(50)));
    const report = join(disk, 'r.csv');
    const template = join(disk, 't.csv');
    const { summary, stderr: words } = await send(work, 'payout create', 'p.csv', await testService(), [
      '--report',
      report,
    ]);
    expect(summary).toMatchObject({ exit_code: 1, records: { created: 50 } });
    expect(words).toMatch(/r\.csv could not be written: ENOSPC/);
    const later = ['batch', 'report', summary.run, '--state-dir', work.stateDir, '--report', 'FILE'];
    expect(summary.remedies).toMatchObject([
      { code: 'report', command: expect.arrayContaining(later), placeholders: ['FILE'] },
    ]);
    for (const [args, named] of [
      [['batch', 'report', summary.run as string, '--report', report], `--report ${report}`],
      [['template', 'payout', '--output', template], `--output ${template}`],
    ] as const) {
      const { code, stderr } = await work.run([...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${named}: it could not be written: ENOSPC`)]);
    }
    expect(readdirSync(disk)).toEqual(['filler']);
  });
});

describe.skipIf(!canMount)('a state directory that cannot be written', () => {
  test('new', async () => {
    const work = workspace();
    const disk = smallDisk(work, 40) as string;
    expect(run('mount', '-o', 'remount,ro', disk)).toBe(true);
    const service = await testService();
    work.file('p.csv', csv(payouts(2)));
    for (const stateDir of [disk, join(disk, 'below')]) {
      expectRefused(
        await send(work, 'payout create', 'p.csv', service, ['--state-dir', stateDir]),
        service,
        '--state-dir',
      );
    }
  });

  test('with a journal in it', async () => {
    const work = workspace();
    const disk = smallDisk(work, 40) as string;
    const service = await testService();
    work.file('p.csv', csv(payouts(2)));
    const flags = ['--state-dir', disk];
    // A process, since nothing that is open for writing may be left on a disk that turns read-only.
    await startSending(work, 'payout create', 'p.csv', service, flags).result;
    expect(run('mount', '-o', 'remount,ro', disk)).toBe(true);
    const result = await send(work, 'payout create', 'p.csv', service, flags);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('--state-dir');
    expect(service.requestCount).toBe(2);
    const doctor = await work.run(['doctor', ...flags]);
    expect(doctor.code).toBe(2);
    expect(doctor.stdout).toMatch(/cannot be written, and the journal is in it\n +→ make this folder writable/);
    expect(doctor.stdout).not.toContain('--state-dir');
  });
});

const DAMAGED = /journal\.db is damaged, or is not a journal of gigwork\. Keep it/;

describe('a journal file that is', () => {
  /** A workspace in which a run was made, and then something happened to its journal. */
  async function spoilt(
    spoil: (file: string) => void,
  ): Promise<{ work: Workspace; service: Service; result: CliResult }> {
    const work = workspace();
    const before = await testService();
    work.file('p.csv', csv(payouts(20)));
    await send(work, 'payout create', 'p.csv', before);
    const file = join(work.stateDir, 'journal.db');
    spoil(file);
    const bytes = readFileSync(file);
    const service = await testService();
    const result = await send(work, 'payout create', 'p.csv', service);
    // Whatever it is, it is kept as it is.
    expect(readFileSync(file).equals(bytes)).toBe(true);
    return { work, service, result };
  }

  test.each([
    ['no database', (file: string) => writeFileSync(file, 'Dear diary,\n'.repeat(1000)), DAMAGED],
    [
      'garbled behind its header',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(0x5a, 4096);
        writeFileSync(file, bytes);
      },
      DAMAGED,
    ],
    ['cut short', (file: string) => truncateSync(file, 8192), DAMAGED],
    ['empty', (file: string) => truncateSync(file, 0), /journal\.db is empty \(0 bytes\), so the journal is damaged/],
    [
      'another program’s',
      (file: string) => {
        rmSync(file);
        const db = new DatabaseSync(file);
        db.exec('CREATE TABLE recipe (name TEXT)');
        db.close();
      },
      /journal\.db is not a journal of gigwork\. Move it away/,
    ],
    [
      'a newer gigwork’s',
      (file: string) => {
        const db = new DatabaseSync(file);
        db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
      },
      /journal\.db was written by a newer gigwork \(journal version 99, this one knows \d+\)\. Update gigwork/,
    ],
  ])('%s: refused before anything is sent', async (_, spoil, words) => {
    const { work, service, result } = await spoilt(spoil);
    expectRefused(result, service, words);
    for (const command of ['list', 'show x', 'resume x --base-url http://127.0.0.1:9']) {
      const looked = await work.run(['batch', ...command.split(' ')]);
      expect(looked.code, command).toBe(2);
      expect(looked.stderr).toMatch(words);
    }
  });
});
