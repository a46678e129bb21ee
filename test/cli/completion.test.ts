import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gigwork, type Workspace, workspace } from '../support/cli.js';

function has(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await gigwork(['completion', shell])).stdout;
});

type Environment = Record<string, string>;

/** What a shell prints of a script of its own. */
function printed(shell: string, flags: readonly string[], script: string, words: readonly string[], env: Environment) {
  const call = [...flags, '-c', script, ...(shell === 'fish' ? [] : [shell]), 'gigwork', ...words];
  const output = execFileSync(shell, call, { encoding: 'utf8', env: { ...process.env, ...env }, cwd: env['HOME'] });
  return output.split('\n').filter((line) => line !== '');
}

/** What is offered for the last word, as the shell itself works it out. */
function inBash(words: readonly string[], env: Environment): string[] {
  const call = `COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _gigwork; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return printed('bash', ['--norc'], `${scripts['bash']}\n${call}`, words, env);
}

function inFish(words: readonly string[], env: Environment): string[] {
  const lines = printed('fish', ['-N'], `${scripts['fish']}\ncomplete -C "$argv"`, words, env);
  return lines.map((line) => line.split('\t')[0] ?? '');
}

/** zsh completes at a prompt alone: the functions that take what is offered print it here. */
function inZsh(words: readonly string[], env: Environment): string[] {
  const script = `compdef() { }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" }
compset() { words[CURRENT]="\${words[CURRENT]#*=}" }
_describe() { print -rl -- "\${(@)\${(P@)@[-1]}%%:*}" }
_files() { print -r -- "FILES $@" }; _message() { }
${scripts['zsh']}
words=("$@"); CURRENT=$#; _gigwork`;
  const typed = (words.at(-1) ?? '').replace(/^--[^=]+=/, '');
  return printed('zsh', ['-f'], script, words, env).filter((word) => word.startsWith(typed));
}

const COMMANDS = [
  ...['gig', 'result', 'payout', 'batch', 'setup', 'journal', 'sandbox', 'schema', 'template'],
  ...['config', 'doctor', 'completion', 'help'],
];

/** A journal with two runs, one of them in a batch whose name a shell could run, and a config file with two profiles. */
async function known(): Promise<Known> {
  const work = workspace(afterAll);
  const payout = ['payout', 'create', '--user-id', 'u1', '--amount', '5', '--cost-center-key', 'PP-7', '--sandbox'];
  for (const batch of [BATCH, '2026-12'])
    expect(await work.run([...payout, '--title', batch, '--batch-id', batch])).toMatchObject({ code: 0 });
  work.file('config/gigwork/config.json', JSON.stringify({ profiles: { payroll: {}, events: {} } }));
  const { runs } = JSON.parse((await work.run(['batch', 'list', '--json'])).stdout);
  const bin = dirname(work.file('bin/gigwork', `#!/bin/sh\nexec "${process.execPath}" "${ENTRY}" "$@"\n`));
  chmodSync(join(bin, 'gigwork'), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, GIGWORK_STATE_DIR: work.stateDir, HOME: work.path('home') };
  return {
    work,
    env: { ...env, XDG_CONFIG_HOME: work.path('config') },
    runs: (runs as { run: string }[]).map(({ run }) => run),
  };
}

interface Known {
  readonly work: Workspace;
  readonly env: Record<string, string>;
  /** Newest first. */
  readonly runs: readonly string[];
}

const BATCH = '2026-11 $(touch ran)';
const ENTRY = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));

describe.skipIf(process.platform === 'win32')('the program says what is offered', () => {
  let it: Known;
  beforeAll(async () => {
    it = await known();
  });

  describe.each([
    ['bash', inBash],
    ['fish', inFish],
    ['zsh', inZsh],
  ] as const)('in %s', (shell, offeredWith) => {
    const offered = (words: readonly string[]): string[] => offeredWith(words, it.env);

    test.skipIf(!has(shell))('commands, flags and words', () => {
      expect(offered(['']).toSorted()).toEqual(COMMANDS.toSorted());
      const word = shell === 'bash' ? ['--format', '=', 'nd'] : ['--format=nd'];
      expect(offered(['gig', 'create', ...word])).toEqual([shell === 'fish' ? '--format=ndjson' : 'ndjson']);
    });

    test.skipIf(!has(shell))('files and folders, where they are taken, and nothing where anything is', () => {
      it.work.file('home/prices.csv', '');
      it.work.file('home/state/x', '');
      const files = shell === 'zsh' ? ['FILES'] : shell === 'bash' ? [] : ['prices.csv'];
      expect(
        offered(['payout', 'create', '--prices', shell === 'zsh' ? '' : 'pri']).map((word) => word.trim()),
      ).toEqual(files);
    });
  });

  test.each<[line: string, kind: string, offers: string[]]>([
    ['bat', 'commands', COMMANDS],
    ['payout create file.csv --amo', 'flags', ['--amount']],
    ['gig create --json --expect-', 'flags', ['--expect-count', '--expect-total', '--expect-digest']],
    ['doctor -h', 'flags', ['-h']],
    ['gig create --invitation-mode ', 'words', ['auto', 'manual']],
    ['gig create --format=nd', 'words', ['csv', 'json', 'ndjson', 'xlsx']],
    ['gig create --format = nd', 'words', ['csv', 'json', 'ndjson', 'xlsx']],
    ['batch import --type ', 'words', ['payout', 'result', 'gig']],
    [
      'schema ',
      'words',
      [
        ...[
          'payout',
          'result',
          'gig',
          'event',
          'batch-list',
          'batch-show',
          'batch-find',
          'batch-settle',
          'batch-close',
        ],
        ...['batch-prune', 'batch-report', 'journal-copy', 'journal-log', 'config', 'doctor'],
      ],
    ],
    ['batch list --profile ', 'names', ['payroll', 'events']],
    ['payout create ', 'files', []],
    ['batch list --state-dir ', 'folders', []],
    ['payout create --timeout ', 'value', []],
    ['batch find ', 'nothing', []],
  ])('%j', async (line, kind, offers) => {
    const { code, stdout, stderr } = await it.work.run(['completion', 'offers', '--', ...line.split(' ')]);
    const [first, ...lines] = stdout.split('\n').slice(0, -1);
    expect([code, stderr, first, lines.map((each) => each.split('\t')[0])]).toEqual([0, '', kind, offers]);
  });

  const offers = async (words: string[], env: Environment = {}): Promise<string[]> =>
    (await it.work.run(['completion', 'offers', '--', ...words], { env })).stdout.trimEnd().split('\n').slice(1);

  test.each([
    ['bash', inBash, BATCH.replace(/[ $()]/g, '\\$&')],
    ['fish', inFish, BATCH],
    ['zsh', inZsh, BATCH],
  ] as const)('by %s, which runs nothing of a name', (shell, offered, batch) => {
    if (!has(shell)) return;
    expect(offered(['batch', 'list', '--profile', 'pay'], it.env)).toEqual(['payroll']);
    expect(offered(['payout', 'create', '--batch-id', ''], it.env).toSorted()).toEqual([batch, '2026-12'].toSorted());
    expect(existsSync(it.work.path('home/ran'))).toBe(false);
  });

  test.each(['show', 'report', 'resume', 'settle', 'close'])('runs for batch %s', async (command) => {
    expect((await offers(['batch', command, ''])).toSorted()).toEqual(it.runs.toSorted());
  });

  test('from the journal that the line names, and nothing where there is none', async () => {
    expect(await offers(['batch', 'show', '--state-dir', it.work.path('none'), ''])).toEqual([]);
    expect(existsSync(it.work.path('none'))).toBe(false);
    const named = ['batch', 'show', '--state-dir', it.work.stateDir, ''];
    expect(await offers(named, { GIGWORK_STATE_DIR: it.work.path('none') })).toHaveLength(2);
  });

  test('the newest first, and nothing but names', async () => {
    const { code, stdout, stderr } = await it.work.run(['completion', 'offers', '--', 'batch', 'show', '']);
    expect([code, stdout, stderr]).toEqual([0, ['names', ...it.runs, ''].join('\n'), '']);
  });

  test.each<[string, string[]]>([
    ['a profile that is not there', ['--profile', 'no']],
    ['a profile in three words', ['--profile', '=', 'no']],
    ['a config file that is none', ['--config=p.json']],
    ['a journal of another kind', ['--journal', 'postgresql://db.example/x']],
    ['a file in the place of the journal', ['--state-dir', 'p.json']],
  ])('no word about %s', async (_what, words) => {
    it.work.file('p.json', '{"base_url": 1');
    const line = ['batch', 'show', ...words, ''];
    const { code, stdout, stderr } = await it.work.run(['completion', 'offers', '--', ...line]);
    expect([code, stdout, stderr]).toEqual([0, 'names\n', '']);
  });
});
