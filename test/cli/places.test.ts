import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';

// Where the journal is kept: flag, environment, profile, config file. The sandbox's data is in the state directory.

interface Named {
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
  readonly config?: object;
}

function space(config: object = {}): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  work.file('config/gigwork/config.json', JSON.stringify(config));
  return work;
}

/** Runs in the sandbox and gives the folders that hold the journal and the sandbox's data. */
async function places({ flags = [], env = {}, config = {} }: Named): Promise<[string[], string[]]> {
  const work = space(config);
  const options = { env: { GIGWORK_STATE_DIR: '', ...env } };
  const args = ['payout', 'create', 'p.csv', '--sandbox', '--yes', '--json', ...flags];
  const { summary } = await work.run(args, options);
  expect(summary).toMatchObject({ exit_code: 0, records: { created: 1 } });
  // Commands on runs look at the same place, and going on finds the same sandbox.
  const list = await work.run(['batch', 'list', '--json', ...flags], options);
  expect(list.events[0].runs).toHaveLength(1);
  const resumed = await work.run(['batch', 'resume', summary.run, '--json', ...flags], options);
  expect(resumed.summary).toMatchObject({ exit_code: 0, records: { already_created: 1 } });
  const holds = (file: string): string[] => FOLDERS.filter((folder) => existsSync(work.path(`${folder}/${file}`)));
  return [holds('journal.db'), holds('sandbox.db')];
}

/** The default is below the home's state. */
const DEFAULT = 'home/state/gigwork';
/** What a config file names starts from its own folder, wherever the person is. */
const BESIDE_CONFIG = 'config/gigwork/one';
const FOLDERS = [DEFAULT, BESIDE_CONFIG, 'one', 'two'];
const ONE = 'sqlite:one';

describe('where journal and sandbox are', () => {
  test.each<[string, Named, journal: string, sandbox: string]>([
    ['nowhere named', {}, DEFAULT, DEFAULT],
    ['--journal', { flags: ['--journal', ONE] }, 'one', DEFAULT],
    ['--state-dir', { flags: ['--state-dir', 'two'] }, 'two', 'two'],
    ['both in the environment', { env: { GIGWORK_JOURNAL: ONE, GIGWORK_STATE_DIR: 'two' } }, 'one', 'two'],
    ['a journal in the config file', { config: { journal: ONE } }, BESIDE_CONFIG, DEFAULT],
    [
      '--state-dir beside the config file',
      { flags: ['--state-dir', 'two'], config: { journal: ONE } },
      BESIDE_CONFIG,
      'two',
    ],
    [
      '--state-dir beside a profile',
      {
        flags: ['--state-dir', 'two'],
        env: { GIGWORK_PROFILE: 'p' },
        config: { profiles: { p: { journal: ONE } } },
      },
      BESIDE_CONFIG,
      'two',
    ],
    [
      '--state-dir beside GIGWORK_JOURNAL',
      { flags: ['--state-dir', 'two'], env: { GIGWORK_JOURNAL: ONE } },
      'one',
      'two',
    ],
  ])('%s', async (_what, named, journal, sandbox) => {
    expect(await places(named)).toEqual([[journal], [sandbox]]);
  });
});

describe('without a home folder', () => {
  const HOMELESS = {
    ...{ HOME: '', USERPROFILE: '', APPDATA: '', LOCALAPPDATA: '' },
    ...{ XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', GIGWORK_STATE_DIR: '' },
  };

  test.each([
    ['to a service', ['--base-url', 'https://gigs.example'], 'https://gigs.example'],
    ['to the sandbox', ['--sandbox'], 'sandbox'],
    ['to nowhere', [], null],
  ])('a dry run %s works, and writes what the command line names', async (_what, flags, target) => {
    const work = space();
    const args = ['payout', 'create', 'p.csv', '--dry-run', '--json', '--report', 'r.csv', ...flags];
    const { summary, stderr } = await work.run(args, { env: HOMELESS });
    expect(summary, stderr).toMatchObject({ exit_code: 0, target, records: { planned: 1 } });
    expect(readdirSync(work.dir).toSorted()).toEqual(['config', 'home', 'p.csv', 'r.csv']);
  });

  test('a dry run that requires a journal is refused, and so is whatever needs one', async () => {
    const work = space();
    const dry = ['payout', 'create', 'p.csv', '--base-url', 'https://gigs.example', '--dry-run', '--require-journal'];
    const { code, stderr } = await work.run(dry, { env: HOMELESS });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('there is no journal of earlier payments, nor a home folder to keep one in, and'),
    ]);
    for (const args of [
      ['payout', 'create', 'p.csv', '--sandbox'],
      ['payout', 'create', 'p.csv', '--base-url', 'https://gigs.example', '--yes'],
      ['batch', 'list'],
      ['batch', 'resume', '1', '--dry-run'],
      ['sandbox'],
      ['doctor'],
    ]) {
      const refused = await work.run(args, { env: HOMELESS });
      expect([args, refused.code]).toEqual([args, 2]);
      expect(refused.stdout + refused.stderr).toContain(
        'there is no home folder to keep the journal in; name a state folder with --state-dir',
      );
    }
  });
});
