import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { columnPaths } from '../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../src/records/record-schemas.js';
import { RECORD_TYPES } from '../../src/records/types.js';
import { gigwork, workspace, workspaceWith } from '../support/cli.js';
import { issuesOf } from '../support/desk.js';

describe.each(RECORD_TYPES)('the template of a %s', (type) => {
  test.each(['csv', 'json', 'ndjson'])(
    'is an example, as %s, which is refused; said to be a record, it imports without a warning',
    async (format) => {
      const { code, stdout } = await gigwork(`template ${type} --format ${format}`);
      expect(code).toBe(0);
      const space = workspaceWith({ [`filled.${format}`]: stdout });
      for (const command of [`${type} create`, 'batch import']) {
        const refused = await space.run(`${command} filled.${format} --dry-run --json`);
        const line = format === 'json' ? null : expect.any(Number);
        const example = { severity: 'error', code: 'example-row', line };
        expect([refused.code, refused.events[0]]).toMatchObject([3, example]);
        const read = await space.run(`${command} filled.${format} --dry-run --json --strict --allow-total-row`);
        expect(issuesOf(read)).toEqual([]);
        expect(read.summary).toMatchObject({ exit_code: 0, warnings: 0, records: { read: 1, planned: 1 } });
      }
    },
  );

  test('has every column, and says where the meaning of each stands', async () => {
    const { stdout, stderr } = await gigwork(`template ${type}`);
    expect(stdout.split('\n')[0]?.split(',')).toEqual(columnPaths(RECORD_SCHEMAS[type].inputFields));
    expect(stderr).toContain(`gigwork ${type} create --help-all`);
  });
});

describe('gigwork template --output', () => {
  test('takes the format from the extension, and leaves standard output alone', async () => {
    const space = workspace();
    expect(await space.run('template gig --output new.ndjson')).toMatchObject({ code: 0, stdout: '' });
    const gig = { title: expect.any(String), tasks: [{ base_price: 1500 }] };
    expect(JSON.parse(space.read('new.ndjson'))).toMatchObject(gig);
  });

  test('never writes over a file, which may be a filled-in one', async () => {
    const space = workspaceWith({ 'mine.csv': 'user_id,amount\n' });
    const { code, stderr } = await space.run('template payout --output mine.csv');
    expect([code, space.read('mine.csv')]).toEqual([2, 'user_id,amount\n']);
    expect(stderr).toContain('mine.csv: this file is there already');
  });

  test.each([
    ['payout --output x.txt', /the extension names no format/],
    ['payout --format jsn', /--format takes csv, json or ndjson.*Did you mean "json"\?/s],
    ['payout --format csv --json', /--json and --format say two formats/],
    ['payot', /Did you mean "payout"\?/],
    ['payout --output no/such/folder.csv', /folder/],
  ])('refuses %s', async (words, message) => {
    const space = workspace();
    const { code, stdout, stderr } = await space.run(`template ${words}`);
    expect([code, stdout, existsSync(space.path('x.txt'))]).toEqual([2, '', false]);
    expect(stderr).toMatch(message);
  });
});
