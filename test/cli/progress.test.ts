import { describe, expect, it } from 'vitest';
import { paying, testService } from '../support/fixtures.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const ERASE = '\r\u001b[K';

/** Lines that were drawn over each other, in order. */
function frames(output: string): string[] {
  return output
    .split(ERASE)
    .slice(1)
    .map((text) => text.split('\n')[0] ?? '');
}

describe.skipIf(NO_TERMINAL !== '')(`progress on a terminal${NO_TERMINAL}`, () => {
  it('is one line, with what fits', async () => {
    const columns = 40;
    const ws = paying(300);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const service = await testService({ respond: ({ n }) => (n > 100 ? gate.then(() => undefined) : undefined) });
    const terminal = openTerminal(ws, ['payout', 'create', 'p.csv', '--yes', '--base-url', service.url], columns);
    await terminal.shows('sending 100/300  33%');
    open();
    expect(await terminal.ended).toBe(0);
    const lines = frames(terminal.output);
    const drawn = lines.filter((line) => line.startsWith('sending'));
    expect(drawn.filter((line) => Array.from(line).length >= columns)).toEqual([]);
    // Nothing of it is left above the totals.
    expect(lines.at(-1)).toBe('');
  });

  it('is not there with --no-progress', async () => {
    const ws = paying(60);
    const { url } = await testService();
    const terminal = openTerminal(ws, ['payout', 'create', 'p.csv', '--yes', '--no-progress', '--base-url', url]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.output).not.toContain(ERASE);
    expect(terminal.output).not.toContain('sending');
  });
});

describe('progress elsewhere', () => {
  it('is a whole line now and then, and nothing is written over', async () => {
    const ws = paying(300);
    const { stderr, code } = await ws.run('payout create p.csv --sandbox');
    expect(code).toBe(0);
    const [first, ...rest] = stderr.trimEnd().split('\n');
    expect(first).toBe('p.csv: csv, utf-8, comma');
    // On a slow machine a run may last longer than the time between two lines.
    expect(rest.filter((line) => !/^(reading|sending) [\d,/]+ /.test(line))).toEqual([]);
  });
});
