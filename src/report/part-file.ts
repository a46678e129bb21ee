/** The file that is written first, beside the one it becomes. Its name says who writes it, so that leftovers are found. */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A name that no other writer uses. */
export function partName(full: string): string {
  return join(dirname(full), `${beginning(full)}${process.pid}.${randomBytes(4).toString('hex')}.part`);
}

/** Removes what processes of this machine left behind that ended while they wrote this file. Failing at it does no harm. */
export async function removeAbandoned(full: string): Promise<void> {
  const folder = dirname(full);
  const own = beginning(full);
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = name.startsWith(own) ? /^(\d+)\.[0-9a-f]{8}\.part$/.exec(name.slice(own.length))?.[1] : undefined;
    if (writer === undefined || isAlive(Number(writer))) continue;
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Process numbers mean something on one machine only. */
function beginning(full: string): string {
  return `.${basename(full)}.${hostname().replace(/[^\w-]/g, '-')}.`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // One that must not be signalled is there.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
