import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { paying } from '../support/fixtures.js';

// Where the journal is kept: flag, environment, profile, config file. The sandbox's data is in the state directory.

interface Named {
  readonly flags?: string;
  readonly env?: Record<string, string>;
  readonly config?: object;
}

/** Runs in the sandbox and gives the folders that hold the journal and the sandbox's data. */
async function places({ flags = '', env = {}, config = {} }: Named): Promise<[string[], string[]]> {
  const work = paying(1, config);
  const options = { env: { GIGWORK_STATE_DIR: '', ...env } };
  const { summary } = await work.run(`payout create p.csv --sandbox --yes --json ${flags}`, options);
  expect(summary).toMatchObject({ exit_code: 0, records: { created: 1 } });
  // Commands on runs look at the same place, and going on finds the same sandbox.
  const list = await work.run(`batch list --json ${flags}`, options);
  expect(list.events[0].runs).toHaveLength(1);
  const resumed = await work.run(`batch resume ${summary.run} --json ${flags}`, options);
  expect(resumed.summary).toMatchObject({ exit_code: 0, records: { already_created: 1 } });
  const holds = (file: string): string[] => FOLDERS.filter((folder) => existsSync(work.path(`${folder}/${file}`)));
  return [holds('journal.db'), holds('sandbox.db')];
}

/** The default is below the home's state. */
const DEFAULT = 'home/state/gigwork';
/** What a config file names starts from its own folder, wherever the person is. */
const BESIDE = 'config/gigwork/one';
const FOLDERS = [DEFAULT, BESIDE, 'one', 'two'];
const JOURNAL = { journal: 'sqlite:one' };
const VARIABLE = { GIGWORK_JOURNAL: 'sqlite:one' };
const PROFILE = { profiles: { p: JOURNAL } };
const TWO = '--state-dir two';

describe('where journal and sandbox are', () => {
  test.each<[string, Named, journal: string, sandbox: string]>([
    ['nowhere named', {}, DEFAULT, DEFAULT],
    ['--journal', { flags: '--journal sqlite:one' }, 'one', DEFAULT],
    ['--state-dir', { flags: TWO }, 'two', 'two'],
    ['both in the environment', { env: { ...VARIABLE, GIGWORK_STATE_DIR: 'two' } }, 'one', 'two'],
    ['a journal in the config file', { config: JOURNAL }, BESIDE, DEFAULT],
    ['--state-dir beside the config file', { flags: TWO, config: JOURNAL }, BESIDE, 'two'],
    ['--state-dir beside a profile', { flags: `${TWO} --profile p`, config: PROFILE }, BESIDE, 'two'],
    ['--state-dir beside GIGWORK_JOURNAL', { flags: TWO, env: VARIABLE }, 'one', 'two'],
  ])('%s', async (_what, named, journal, sandbox) => {
    expect(await places(named)).toEqual([[journal], [sandbox]]);
  });
});

describe('without a home folder', () => {
  const env = {
    HOME: '',
    USERPROFILE: '',
    APPDATA: '',
    LOCALAPPDATA: '',
    XDG_CONFIG_HOME: '',
    XDG_STATE_HOME: '',
    GIGWORK_STATE_DIR: '',
  };
  const SERVICE = '--base-url https://gigs.example';

  test.each([
    ['to a service', SERVICE, 'https://gigs.example'],
    ['to the sandbox', '--sandbox', 'sandbox'],
    ['to nowhere', '', null],
  ])('a dry run %s works, and writes what the command line names', async (_what, flags, target) => {
    const work = paying();
    const { summary, stderr } = await work.run(`payout create p.csv --dry-run --json --report r.csv ${flags}`, { env });
    expect(summary, stderr).toMatchObject({ exit_code: 0, target, records: { planned: 1 } });
    expect(readdirSync(work.dir).toSorted()).toEqual(['config', 'home', 'p.csv', 'r.csv']);
  });

  const PLACELESS = 'there is no home folder to keep the journal in; name a state folder with --state-dir';
  test.each([
    [`payout create p.csv ${SERVICE} --dry-run --require-journal`, 'nor a home folder to keep one in, and'],
    ['payout create p.csv --sandbox', PLACELESS],
    [`payout create p.csv ${SERVICE} --yes`, PLACELESS],
    ['batch list', PLACELESS],
    ['batch resume 1 --dry-run', PLACELESS],
    ['sandbox', PLACELESS],
    ['doctor', PLACELESS],
  ])('%s is refused', async (words, said) => {
    const { code, output } = await paying().run(words, { env });
    expect([code, output]).toEqual([2, expect.stringContaining(said)]);
  });
});
