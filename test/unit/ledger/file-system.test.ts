import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  fleetingFileSystem,
  isShare,
  networkFileSystem,
  refuseNetworkFolder,
  storageWarning,
} from '../../../src/ledger/sqlite/file-system.js';

// The numbers are those of Linux, from linux/magic.h and the manual page statfs(2).

describe('file systems', () => {
  test.each([
    [0x6969, 'NFS', 'network'],
    [0x517b, 'SMB', 'network'],
    [0xff534d42, 'CIFS', 'network'],
    [0xfe534d42, 'SMB2', 'network'],
    [0x5346414f, 'AFS', 'network'],
    [0x00c36400, 'Ceph', 'network'],
    [0x01021997, '9P', 'network'],
    [0x0bd00bd0, 'Lustre', 'network'],
    [0x47504653, 'GPFS', 'network'],
    [0x65735546, 'FUSE', 'network'],
    [0x01021994, 'tmpfs', 'fleeting'],
    [0x858458f6, 'ramfs', 'fleeting'],
    [0x794c7630, 'overlay', 'fleeting'],
    [0xef53, 'ext4', 'local'],
    [0x58465342, 'XFS', 'local'],
    [0x9123683e, 'Btrfs', 'local'],
    [0x2fc12fc1, 'ZFS', 'local'],
    [0x4d44, 'FAT', 'local'],
    [0x5346544e, 'NTFS', 'local'],
    [0, 'a Windows disk', 'local'],
    [26, 'APFS, as macOS counts', 'local'],
  ])('%i is %s: %s', (type, name, kind) => {
    // As a signed number of 32 bits, too.
    for (const each of [type, type | 0]) {
      expect(networkFileSystem(each)).toBe(kind === 'network' ? name : null);
      expect(fleetingFileSystem(each)).toBe(kind === 'fleeting' ? name : null);
    }
  });

  test.each([
    ['\\\\server\\share\\gigwork', true],
    ['//server/share', true],
    ['\\\\?\\UNC\\server\\share', true],
    ['\\\\?\\C:\\Users\\u', false],
    ['\\\\.\\C:\\Users', false],
    ['C:\\Users\\u\\AppData', false],
    ['/home/u', false],
  ])('the path %s on Windows is a share: %s', (path, expected) => {
    expect(isShare(path)).toBe(expected);
  });

  test.runIf(isTmpfs('/dev/shm'))('are warned about in words, on Linux alone', () => {
    expect(storageWarning('/dev/shm', 'linux')).toMatch(/\/dev\/shm is on tmpfs, which is gone.*--state-dir/);
    expect(storageWarning('/dev/shm', 'darwin')).toBeNull();
  });
});

function isTmpfs(folder: string): boolean {
  return existsSync(folder) && fleetingFileSystem(statfsSync(folder).type) === 'tmpfs';
}

test('a share is refused on Windows', () => {
  expect(() => refuseNetworkFolder('\\\\server\\share', 'win32')).toThrow(/network file system \(a share\)/);
});

test('the folder of the tests is looked at for real', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-network-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const isNetwork = networkFileSystem(statfsSync(folder).type) !== null;
  const look = (): void => refuseNetworkFolder(folder, process.platform);
  if (isNetwork) expect(look).toThrow(/network file system/);
  else expect(look).not.toThrow();
});
