import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../../src/util/atomic-file.js';

function room(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('is made with those above it, in the mode that is asked for', () => {
  const folder = join(room(), 'a', 'b', 'c');
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o755);
  expect(statSync(folder).isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
});

it('is not made within a file', () => {
  const folder = room();
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file', 'a', 'b'))).toThrow(/ENOTDIR|EEXIST|ENOENT/);
});

it.skipIf(process.platform !== 'linux')('is not tried without end where the system takes none', () => {
  expect(() => makeFolder('/proc/gigwork/a')).toThrow(/ENOENT/);
  expect(() => mkdirSync('/proc/gigwork')).toThrow(/ENOENT/);
});
