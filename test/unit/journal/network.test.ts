import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isShare, networkFileSystem, refuseNetworkFolder } from '../../../src/journal/network.js';

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
