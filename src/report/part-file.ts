/** The temporary file beside a file, which then becomes it. Its name tells the writer, so that leftovers are found. */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A name that no other writer uses. */
export function partName(full: string): string {
  return join(dirname(full), `${beginning(full)}${process.pid}.${randomBytes(4).toString('hex')}.part`);
}

/** Removes temporary files whose writers on this machine ended while they wrote this file. A failure does no harm. */
export async function removeAbandoned(full: string): Promise<void> {
  const folder = dirname(full);
  const own = beginning(full);
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = name.startsWith(own) ? /^(\d+)\.[0-9a-f]{8}\.part$/.exec(name.slice(own.length))?.[1] : undefined;
    if (writer === undefined || isAlive(Number(writer))) continue;
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** With the name of the machine: a process id means something on one machine only. */
function beginning(full: string): string {
  return `.${basename(full)}.${hostname().replace(/[^\w-]/g, '-')}.`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // A process that we must not signal exists.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
