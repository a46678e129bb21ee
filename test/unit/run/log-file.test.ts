import type { FileHandle } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogFile, openToAppend } from '../../../src/run/attempt-log.js';
import { temporaryFolder } from '../ledger/stores.js';

/** A file whose writes can be made to fail, or to take a part only. @param most bytes of each write in turn */
async function started(...most: (number | 'fails')[]): Promise<{ log: LogFile; text: () => string }> {
  const path = join(temporaryFolder(), 'log.ndjson');
  const file = await openToAppend(path);
  const write = async (bytes: Buffer): Promise<{ bytesWritten: number }> => {
    const length = most.shift() ?? bytes.length;
    if (length === 'fails') throw new Error('no space left on device');
    return file.write(bytes, 0, length);
  };
  const handle = { write, close: () => file.close() } as unknown as FileHandle;
  return { log: new LogFile(handle), text: () => readFileSync(path, 'utf8') };
}

/** Writes each line by itself: the next one when the one before is written, or lost. */
async function writeEach(log: LogFile, lines: readonly string[]): Promise<string | null> {
  for (const line of lines) {
    log.write(line);
    await new Promise((resolve) => setImmediate(resolve));
    await (log as unknown as { writing: Promise<void> | null }).writing;
  }
  return log.end();
}

describe('lines that are appended to a file', () => {
  it('are whole, and in their order', async () => {
    const { log, text } = await started();
    const lines = Array.from({ length: 5000 }, (_, i) => `line ${i} ${'x'.repeat(100)}`);
    for (const line of lines) log.write(line);
    expect(await log.end()).toBeNull();
    expect(text()).toBe(`${lines.join('\n')}\n`);
    expect(await log.end()).toBeNull();
  });

  it('begin anew after one of which the disk took a part only', async () => {
    const { log, text } = await started(3, 'fails');
    expect(
      await writeEach(
        log,
        ['one', 'torn', 'two'].map((line) => `${line} of them`),
      ),
    ).toBe('up to 2 of its lines are missing: the disk took only a part of them');
    expect(text()).toBe('one\ntwo of them\n');
  });

  it('are lost where more wait than memory allows, and that is told', async () => {
    const { log, text } = await started();
    const line = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 9; i++) log.write(line);
    expect(await log.end()).toMatch(/^up to [45] of its lines are missing: the disk is too slow$/);
    expect(text().split('\n').length - 1).toBeGreaterThan(3);
  });
});
