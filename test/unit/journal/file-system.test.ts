import { describe, expect, test } from 'vitest';
import { fleetingFileSystem, networkFileSystem, refuseNetworkFolder } from '../../../src/journal/sqlite/file-system.js';

// The numbers are those of Linux, from linux/magic.h and the manual page statfs(2).

describe('file systems', () => {
  test.each([
    [0x6969, 'NFS', 'network'],
    [0xff534d42, 'CIFS', 'network'],
    [0x65735546, 'FUSE', 'network'],
    [0x01021994, 'tmpfs', 'fleeting'],
    [0x794c7630, 'overlay', 'fleeting'],
    [0xef53, 'ext4', 'local'],
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
    ['C:\\Users\\u\\AppData', false],
  ])('on Windows, %s is refused as a share: %s', (path, isShare) => {
    const look = (): void => refuseNetworkFolder(path, 'win32');
    if (isShare) expect(look).toThrow(/network file system \(a share\)/);
    else expect(look).not.toThrow(/a share/);
  });
});
