import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nameOfFile } from '../../../src/report/output-paths.js';

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'gigwork-whole-')));
  onTestFinished(() => rmSync(path, { recursive: true }));
  mkdirSync(join(path, 'reports'));
  return path;
}

describe('one name for a file that is not there yet', () => {
  test('however its path is written', async () => {
    const cwd = folder();
    const expected = join(cwd, 'reports', 'r.csv');
    for (const path of ['reports/r.csv', './reports/../reports/r.csv', join(cwd, 'reports', 'r.csv')]) {
      expect(await nameOfFile(path, cwd, 'linux')).toBe(expected);
    }
  });

  test.skipIf(process.platform === 'win32')('through a link to its folder', async () => {
    const cwd = folder();
    symlinkSync('reports', join(cwd, 'link'));
    expect(await nameOfFile('link/r.csv', cwd, 'linux')).toBe(join(cwd, 'reports', 'r.csv'));
  });

  test('where letter case makes no difference', async () => {
    const cwd = folder();
    for (const platform of ['win32', 'darwin'] as const) {
      expect(await nameOfFile('reports/R.CSV', cwd, platform)).toBe(await nameOfFile('reports/r.csv', cwd, platform));
    }
    expect(await nameOfFile('reports/R.csv', cwd, 'linux')).not.toBe(await nameOfFile('reports/r.csv', cwd, 'linux'));
    // Two ways to write one letter.
    expect(await nameOfFile('re\u0301port.csv', cwd, 'darwin')).toBe(
      await nameOfFile('r\u00e9port.csv', cwd, 'darwin'),
    );
  });

  test('in a folder that is not there', async () => {
    const cwd = folder();
    expect(await nameOfFile('none/r.csv', cwd, 'linux')).toBe(join(cwd, 'none', 'r.csv'));
  });
});
