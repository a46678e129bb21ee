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

describe('file systems that several machines see at once', () => {
  test.each([
    [0x6969, 'NFS'],
    [0x517b, 'SMB'],
    [0xff534d42, 'CIFS'],
    [0xfe534d42, 'SMB2'],
    [0x5346414f, 'AFS'],
    [0x00c36400, 'Ceph'],
    [0x01021997, '9P'],
    [0x0bd00bd0, 'Lustre'],
    [0x47504653, 'GPFS'],
    [0x65735546, 'FUSE'],
  ])('%i is %s', (type, name) => {
    expect(networkFileSystem(type)).toBe(name);
    // As a signed number of 32 bits, too.
    expect(networkFileSystem(type | 0)).toBe(name);
  });

  test.each([
    ['ext4', 0xef53],
    ['XFS', 0x58465342],
    ['Btrfs', 0x9123683e],
    ['ZFS', 0x2fc12fc1],
    ['tmpfs', 0x01021994],
    ['overlayfs', 0x794c7630],
    ['FAT', 0x4d44],
    ['NTFS', 0x5346544e],
    ['a Windows disk', 0],
    ['APFS, as macOS counts', 26],
  ])('%s is local', (_name, type) => {
    expect(networkFileSystem(type)).toBeNull();
  });

  test.each([
    ['\\\\server\\share\\gigwork', true],
    ['//server/share', true],
    ['\\\\?\\UNC\\server\\share', true],
    ['\\\\?\\C:\\Users\\u', false],
    ['\\\\.\\C:\\Users', false],
    ['C:\\Users\\u\\AppData', false],
    ['/home/u', false],
  ])('the path %s on Windows: %s', (path, expected) => {
    expect(isShare(path)).toBe(expected);
  });
});

describe('file systems that are thrown away', () => {
  test.each([
    [0x01021994, 'tmpfs'],
    [0x858458f6, 'ramfs'],
    [0x794c7630, 'overlay'],
  ])('%i is %s', (type, name) => {
    expect(fleetingFileSystem(type)).toBe(name);
    expect(fleetingFileSystem(type | 0)).toBe(name);
    expect(networkFileSystem(type)).toBeNull();
  });

  test.each([0xef53, 0x58465342, 0x9123683e, 0x6969, 0])('%i is not', (type) => {
    expect(fleetingFileSystem(type)).toBeNull();
  });

  test.runIf(isTmpfs('/dev/shm'))('are warned about in words, on Linux alone', () => {
    expect(storageWarning('/dev/shm', 'linux')).toMatch(/\/dev\/shm is on tmpfs, which is gone.*--state-dir/);
    expect(storageWarning('/dev/shm', 'darwin')).toBeNull();
  });

  test('the folder of the sources is looked at for real', () => {
    const isFleeting = fleetingFileSystem(statfsSync(import.meta.dirname).type) !== null;
    expect(storageWarning(import.meta.dirname, 'linux') !== null).toBe(isFleeting);
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
