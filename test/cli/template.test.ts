import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { columnPaths } from '../../src/records/field.js';
import { KINDS, RECORD_TYPES } from '../../src/records/kinds.js';
import { inputFields } from '../../src/records/kind.js';
import { gigwork, workspace } from '../support/cli.js';

const FORMATS = ['csv', 'json', 'ndjson'] as const;

describe.each(RECORD_TYPES)('the template of a %s', (type) => {
  test.each(FORMATS)(
    'is an example, as %s, which is refused; said to be a record, it imports without a warning',
    async (format) => {
      const space = workspace();
      const { code, stdout } = await space.run(['template', type, '--format', format]);
      expect(code).toBe(0);
      const file = space.file(`filled.${format}`, stdout);
      for (const command of [
        [type, 'create'],
        ['batch', 'import'],
      ]) {
        const refused = await space.run([...command, file, '--dry-run', '--json']);
        expect(refused.events[0]).toMatchObject({
          severity: 'error',
          code: 'example-row',
          line: format === 'json' ? null : expect.any(Number),
        });
        expect(refused.code).toBe(3);
        const flags = ['--dry-run', '--strict', '--json', '--allow-total-row'];
        const { summary, events } = await space.run([...command, file, ...flags]);
        expect(events.filter(({ event }) => event === 'issue')).toEqual([]);
        expect(summary).toMatchObject({ exit_code: 0, warnings: 0, records: { read: 1, planned: 1 } });
      }
    },
  );

  test('has every column, and says where the meaning of each stands', async () => {
    const { stdout, stderr } = await gigwork(['template', type]);
    expect(stdout.split('\n')[0]?.split(',')).toEqual(columnPaths(inputFields(KINDS[type])));
    expect(stderr).toContain(`gigwork ${type} create --help-all`);
  });
});

describe('gigwork template --output', () => {
  test('takes the format from the extension, and leaves standard output alone', async () => {
    const space = workspace();
    const { code, stdout } = await space.run(['template', 'gig', '--output', 'new.ndjson']);
    expect([code, stdout]).toEqual([0, '']);
    expect(JSON.parse(space.read('new.ndjson'))).toMatchObject({
      title: expect.any(String),
      tasks: [{ base_price: 1500 }],
    });
  });

  test('never writes over a file, which may be a filled-in one', async () => {
    const space = workspace();
    space.file('mine.csv', 'user_id,amount\n');
    const { code, stderr } = await space.run(['template', 'payout', '--output', 'mine.csv']);
    expect([code, space.read('mine.csv')]).toEqual([2, 'user_id,amount\n']);
    expect(stderr).toContain('mine.csv: this file is there already');
  });

  test.each([
    [['payout', '--output', 'x.txt'], /the extension names no format/],
    [['payout', '--format', 'jsn'], /--format takes csv, json or ndjson.*Did you mean "json"\?/s],
    [['payout', '--format', 'csv', '--json'], /--json and --format say two formats/],
    [['payot'], /Did you mean "payout"\?/],
    [['payout', '--output', 'no/such/folder.csv'], /folder/],
  ])('refuses %j', async (args, message) => {
    const space = workspace();
    const { code, stdout, stderr } = await space.run(['template', ...args]);
    expect([code, stdout, existsSync(space.path('x.txt'))]).toEqual([2, '', false]);
    expect(stderr).toMatch(message);
  });
});
