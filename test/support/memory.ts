/**
 * Vitest's global setup: the files of the tests are kept in memory where there is room, so that no test waits for the disk;
 * and TEST_SUITE names a folder for what all processes of a run of the tests have in common.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** Room that is enough for all that the tests keep at a time, in bytes. Containers often have less. */
const ENOUGH = 4 * 2 ** 30;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}

/** What is durable for a process that is killed needs no disk. A folder that `TMPDIR` names is taken as it is. */
export function setup(): () => void {
  if (process.env['TMPDIR'] === undefined && hasRoom(MEMORY)) process.env['TMPDIR'] = MEMORY;
  const suite = mkdtempSync(join(tmpdir(), 'gigwork-suite-'));
  // The server of the database is another user.
  chmodSync(suite, 0o755);
  process.env['TEST_SUITE'] = suite;
  return () => rmSync(suite, { recursive: true, force: true });
}
