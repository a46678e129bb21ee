import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogFile, openToAppend } from '../../../src/run/attempt-log.js';
import { temporaryFolder } from '../journal/stores.js';

async function started(): Promise<{ log: LogFile; text: () => string }> {
  const path = join(temporaryFolder(), 'log.ndjson');
  return { log: new LogFile((await openToAppend(path)).createWriteStream()), text: () => readFileSync(path, 'utf8') };
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

  it('are lost where more wait than memory allows, and that is told', async () => {
    const { log, text } = await started();
    const line = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 9; i++) log.write(line);
    expect(await log.end()).toBe('the disk is too slow');
    expect(text().split('\n').length - 1).toBeGreaterThan(3);
  });
});
