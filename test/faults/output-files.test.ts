import { appendFileSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { selfSigned } from '../support/certificate.js';
import { type CliResult, type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

const isPosix = process.platform !== 'win32';
const NEVER = 'http://127.0.0.1:9';

/** A file that is read beside the input, and the words that make the program read it. */
interface Read {
  readonly what: string;
  readonly name: string;
  readonly words: readonly string[];
  /** The command, where it is not a payout from p.csv. */
  readonly command?: readonly string[];
}

const PAYOUT = ['payout', 'create', 'p.csv'];
const FLAGS = ['gig', 'create', '--title', 'T', '--description', 'D', '--url', 'https://x.example'];
const TIMES = ['--start-at', '1800000000', '--end-at', '1800003600'];

const READ: Read[] = [
  { what: 'the input', name: 'p.csv', words: [] },
  { what: '--prices', name: 'prices.csv', words: ['--prices', 'prices.csv'] },
  { what: '--config', name: 'config.csv', words: ['--config', 'config.csv'] },
  { what: '--ca', name: 'ca.csv', words: ['--ca', 'ca.csv'] },
  { what: '--cert', name: 'cert.csv', words: ['--cert', 'cert.csv', '--key', 'key.csv'] },
  { what: '--key', name: 'key.csv', words: ['--cert', 'cert.csv', '--key', 'key.csv'] },
  { what: 'the token’s file', name: 'keys/token.csv', words: ['--config', 'keys/config.json'] },
  { what: 'a header’s file', name: 'keys/header.csv', words: ['--config', 'keys/config.json'] },
  { what: 'a profile’s token', name: 'keys/other.csv', words: ['--config', 'keys/config.json', '--profile', 'p'] },
  {
    what: '--set field=@file',
    name: 'query.csv',
    words: ['--set', 'filter_query=@query.csv'],
    command: ['gig', 'create', 'g.ndjson'],
  },
  {
    what: 'a record’s flag with @file',
    name: 'query.csv',
    words: ['--filter-query', '@query.csv'],
    command: [...FLAGS, ...TIMES],
  },
  {
    what: 'set in the config file',
    name: 'query.csv',
    words: ['--config', 'set.json'],
    command: ['gig', 'create', 'g.ndjson'],
  },
];

function withFiles(): Workspace {
  const work = workspace();
  const { key, cert } = selfSigned();
  work.file('p.csv', csv(payouts(2)));
  work.file('g.ndjson', ndjson(gigs(2).map(({ filter_query: _left, ...gig }) => gig)));
  work.file('prices.csv', 'gig_task_id,base_price\nt1,5\n');
  work.file('config.csv', '{"timeout": 5}');
  for (const name of ['ca.csv', 'cert.csv']) work.file(name, cert);
  work.file('key.csv', key);
  work.file('query.csv', '{"city":"Berlin"}');
  work.file('set.json', '{"set": {"filter_query": "@query.csv"}}');
  const profiles = { p: { token: { file: 'other.csv' } } };
  const config = { token: { file: 'token.csv' }, headers: { 'X-Key': { file: 'header.csv' } }, profiles };
  work.file('keys/config.json', JSON.stringify(config));
  for (const name of ['token', 'header', 'other']) work.file(`keys/${name}.csv`, `the ${name}\n`);
  return work;
}

/** Everything in the workspace, by path; what lies in the home folder is not the person's. */
function contents(work: Workspace): Record<string, string> {
  const names = readdirSync(work.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );
}

function expectSpared(result: CliResult, named: string): void {
  expect([result.code, result.stdout], result.stderr).toEqual([2, '']);
  expect(result.stderr).toContain(named);
  expect(result.stderr).toMatch(/written over; name another file/);
}

describe('an output is never written over', () => {
  test.each(READ)('$what, by whatever name', async ({ name, words, command = PAYOUT }) => {
    const work = withFiles();
    const spellings = [name, work.path(name), `./keys/../${name}`];
    if (isPosix) {
      symlinkSync(work.path(name), work.path('link.csv'));
      linkSync(work.path(name), work.path('hard.csv'));
      spellings.push('link.csv', 'hard.csv');
    }
    const before = contents(work);
    for (const path of spellings) {
      const result = await work.run([...command, ...words, '--base-url', NEVER, '--yes', '--report', path]);
      expectSpared(result, path);
    }
    if (command.includes('--title')) return;
    expectSpared(await work.run([...command, ...words, '--base-url', NEVER, '--yes', '--rejects', name]), name);
    expectSpared(await work.run([...command, ...words, '--dry-run', '--report', name]), name);
    expect(contents(work)).toEqual(before);
  });

  test.each(['journal.db', 'journal.db-wal', 'sandbox.db', 'JOURNAL.DB'])('%s in the state directory', async (name) => {
    const work = withFiles();
    mkdirSync(work.stateDir, { mode: 0o700 });
    const names = [join(work.stateDir, name), `state/../state/${name}`];
    if (isPosix) {
      symlinkSync(work.stateDir, work.path('way'));
      names.push(`way/${name}`);
    }
    for (const path of names) {
      const result = await work.run([...PAYOUT, '--sandbox', '--rejects', path]);
      expectSpared(result, path);
    }
    expect(readdirSync(work.stateDir)).toEqual([]);
  });

  test.each([
    ['batch report', (run: string) => ['batch', 'report', run, '--report', '../p.csv']],
    ['batch resume', (run: string) => ['batch', 'resume', run, '--report', '../p.csv']],
  ])('the input of a run, by a name from another folder: %s', async (_what, command) => {
    const work = withFiles();
    const input = work.read('p.csv');
    const { summary } = await work.run(['payout', 'create', 'p.csv', '--sandbox', '--yes', '--json']);
    mkdirSync(work.path('elsewhere'));
    const { code, stderr } = await work.run(command(summary?.run ?? ''), { cwd: work.path('elsewhere') });
    expect([code, work.read('p.csv')]).toEqual([2, input]);
    expect(stderr).toMatch(/\.\.\/p\.csv(?: is|: this is) an input file/);
  });

  test('but an empty file is with --overwrite, also where the run has read one', async () => {
    const work = withFiles();
    work.file('empty.csv', '');
    work.file('made.csv', '');
    const { summary } = await work.run(['payout', 'create', 'p.csv', 'empty.csv', '--sandbox', '--yes', '--json']);
    const words = ['batch', 'report', summary?.run ?? '', '--report', 'made.csv'];
    expect((await work.run(words)).code).toBe(2);
    const { code } = await work.run([...words, '--overwrite']);
    expect([summary?.exit_code, code, work.read('made.csv').split('\r\n').length]).toEqual([0, 0, 4]);
  });

  test('the input of a run that goes on from the journal, or is reported later', async () => {
    const work = withFiles();
    const { code } = await work.run([...PAYOUT, '--sandbox']);
    expect(code).toBe(0);
    const listed = await work.run(['batch', 'list', '--json']);
    const [{ run }] = (JSON.parse(listed.stdout) as { runs: [{ run: string }] }).runs;
    const before = work.read('p.csv');
    expectSpared(await work.run(['batch', 'report', run, '--report', 'p.csv']), 'p.csv');
    expectSpared(await work.run(['batch', 'resume', run, '--report', './p.csv']), 'p.csv');
    expectSpared(
      await work.run(['batch', 'report', run, '--config', 'config.csv', '--report', 'config.csv']),
      'config',
    );
    const keys = ['--config', 'keys/config.json', '--report', 'keys/token.csv'];
    expectSpared(await work.run(['batch', 'report', run, ...keys]), 'token.csv');
    expect(work.read('keys/token.csv')).toBe('the token\n');
    expect(work.read('p.csv')).toBe(before);
  });
});

describe('two outputs of one name', () => {
  test.each([
    ['spelled in two ways', 'out.csv', './out.csv'],
    ['through a folder that is a link', 'dir/out.csv', 'way/out.csv'],
  ])('%s are refused', async (_how, report, rejects) => {
    const work = withFiles();
    mkdirSync(work.path('dir'));
    symlinkSync(work.path('dir'), work.path('way'), 'junction');
    const result = await work.run([...PAYOUT, '--sandbox', '--report', report, '--rejects', rejects]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/named for two output files/);
    expect(readdirSync(work.dir)).not.toContain('out.csv');
    expect(readdirSync(work.path('dir'))).toEqual([]);
  });
});

describe('an output that cannot be written is noticed before anything is sent', () => {
  test.each([
    [
      'in a folder that is not there',
      'none/r.csv',
      /folder .*none is not there or cannot be written; name another file/,
    ],
    ['below a file', 'p.csv/r.csv', /folder .*p\.csv/],
    ['a folder', 'keys', /this is a folder|must end in one of/],
    ['a name that is too long', `${'x'.repeat(300)}.csv`, /name is too long; name another file/],
  ])('%s', async (_what, path, words) => {
    const work = withFiles();
    const service = await testService();
    for (const flag of ['--report', '--rejects']) {
      const result = await work.run([...PAYOUT, '--base-url', service.url, '--yes', flag, path]);
      expect(result.code, result.stderr).toBe(2);
      expect(result.stderr).toMatch(words);
    }
    expect(service.requestCount).toBe(0);
  });
});

describe('an input that changes while it is read', () => {
  test('is refused, and nothing is sent', async () => {
    const work = withFiles();
    const service = await testService();
    const path = work.file('big.csv', csv(payouts(3000)));
    const change = setInterval(() => appendFileSync(path, '\n'), 1);
    const running = work.run(['payout', 'create', 'big.csv', '--base-url', service.url, '--yes', '--json']);
    const result = await running.finally(() => clearInterval(change));
    expect(result.summary).toMatchObject({ exit_code: 3, stop_reason: 'invalid_input' });
    expect(result.stdout).toContain('the file changed while it was read; close it in other programs');
    expect(service.requestCount).toBe(0);
  });
});
