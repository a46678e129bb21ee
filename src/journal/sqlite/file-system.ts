/** File systems where the journal is not safe: network drives and temporary storage. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { JournalError } from '../../errors.js';

/** File systems on which SQLite's shared memory does not work: two machines would not see each other's locks. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x01021997, '9P'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  // FUSE may be a network drive, and many of its file systems do not lock.
  [0x65735546, 'FUSE'],
]);

/** File systems whose files are gone when the machine or the container ends. */
const FLEETING_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0x794c7630, 'overlay'],
]);

/** Null for any other. @param type from `statfs` on Linux */
export function networkFileSystem(type: number): string | null {
  // If the type is a signed number, values above 2^31 are negative.
  return NETWORK_FILE_SYSTEMS.get(type >>> 0) ?? null;
}

/** Null for any other. @param type from `statfs` on Linux */
export function fleetingFileSystem(type: number): string | null {
  return FLEETING_FILE_SYSTEMS.get(type >>> 0) ?? null;
}

/** A warning for a folder that does not outlive the machine or the container; null for any other. */
export function storageWarning(folder: string, platform: NodeJS.Platform): string | null {
  const name = platform === 'linux' ? fleetingFileSystem(statfsSync(folder).type) : null;
  if (name === null) return null;
  const end = name === 'overlay' ? 'thrown away with its container' : 'gone when the machine stops';
  return `the state folder ${folder} is on ${name}, which is ${end}: what was paid would be forgotten, and could be paid again. Name a folder on a disk with --state-dir.`;
}

/**
 * The smallest free space for a run, bytes. A file of 10,000 records takes 10 MB of the journal. On a full disk,
 * SQLite's shared memory file may not fit: then the system kills the process in the middle.
 */
const LEAST_ROOM = 32_000_000;

/** @param folder the journal's, or an existing one above it. @throws JournalError if its disk is too full */
export function requireRoom(folder: string): void {
  const { blocks, bavail, bsize } = statfsSync(existingAbove(folder));
  const free = bavail * bsize;
  // Zero blocks: the system does not report its free space.
  if (blocks === 0 || free >= LEAST_ROOM) return;
  throw new JournalError(
    `the disk of the state folder ${folder} is almost full: ${Math.floor(free / 1_000_000)} MB are free, and a run begins with ${LEAST_ROOM / 1_000_000} MB at least. Make room there and run the command again.`,
  );
}

/** The folder, or the nearest existing one above it. */
export function existingAbove(folder: string): string {
  // A missing drive has no folder above it.
  return existsSync(folder) || folder === dirname(folder) ? folder : existingAbove(dirname(folder));
}

/** Whether a full path of Windows names another machine: `\\server\share`, also in the long form `\\?\UNC\`. */
function isShare(path: string): boolean {
  return /^[\\/]{2}(?:[?.][\\/]UNC[\\/]|[^\\/?.])/i.test(path);
}

/** @throws JournalError for a folder where the journal is not safe */
export function refuseNetworkFolder(folder: string, platform: NodeJS.Platform): void {
  const share = platform === 'win32' && isShare(folder) ? 'a share' : null;
  const name = share ?? networkFileSystem(statfsSync(folder).type);
  if (name === null) return;
  throw new JournalError(
    `the state folder ${folder} is on a network file system (${name}), where the journal is not safe. Name a local folder with --state-dir.`,
  );
}
