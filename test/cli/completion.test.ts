/** What is offered at the next Tab. CONTRACT: "Help". */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_SCHEMAS } from '../../src/records/record-schemas.js';
import { RECORD_TYPES, type RecordType } from '../../src/records/types.js';
import { CONFIG, gigwork, type Workspace, workspace } from '../support/cli.js';
import { ROOT } from '../support/documents.js';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await gigwork(`completion ${shell}`)).stdout;
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
  const typed = (words.at(-1) ?? '').replace(/^.*=/, '');
  return printed('zsh', ['-f'], script, words, env).filter((word) => word.startsWith(typed));
}

const COMMANDS = [
  'gig',
  'result',
  'payout',
  'batch',
  'setup',
  'journal',
  'sandbox',
  'schema',
  'template',
  'config',
  'doctor',
  'completion',
  'help',
];

const fieldNames = (...types: RecordType[]): string[] => [
  ...new Set(types.flatMap((type) => RECORD_SCHEMAS[type].fields.map(({ name }) => name))),
];

const BATCH = '2026-11 $(touch ran)';

interface Known {
  readonly work: Workspace;
  readonly env: Record<string, string>;
  /** Newest first. */
  readonly runs: readonly string[];
}

/** A journal with two runs, one of them in a batch whose name a shell could run, and a config file with two profiles. */
async function known(): Promise<Known> {
  const work = workspace(afterAll);
  const payout = 'payout create --user-id u1 --amount 5 --cost-center-key PP-7 --sandbox';
  for (const batch of [BATCH, '2026-12'])
    expect((await work.run(`${payout} --title '${batch}' --batch-id '${batch}'`)).code).toBe(0);
  work.file(CONFIG, '{"profiles": {"payroll": {}, "events": {}}}');
  const { runs } = (await work.run('batch list --json')).events[0] as { runs: { run: string }[] };
  const program = work.file('bin/gigwork', `#!/bin/sh\nexec "${process.execPath}" "${ROOT}bin/gigwork.js" "$@"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${dirname(program)}:${process.env['PATH']}`, GIGWORK_STATE_DIR: work.stateDir };
  const home = { HOME: work.path('home'), XDG_CONFIG_HOME: work.path('config') };
  return { work, env: { ...env, ...home }, runs: runs.map(({ run }) => run) };
}

describe.skipIf(process.platform === 'win32')('the program says what is offered', () => {
  let it: Known;
  beforeAll(async () => {
    it = await known();
  });

  const SHELLS = { bash: inBash, fish: inFish, zsh: inZsh };
  describe.each(['bash', 'fish', 'zsh'] as const)('in %s', (shell) => {
    const offered = (words: readonly string[]): string[] => SHELLS[shell](words, it.env);

    test.skipIf(!has(shell))('commands, flags and words', () => {
      expect(offered(['']).toSorted()).toEqual(COMMANDS.toSorted());
      expect(offered(['help', '']).toSorted()).toEqual(COMMANDS.toSorted());
      expect(offered(['help', 'config', ''])).toContain('show');
      expect(offered(['help', 'config', 'show', ''])).toEqual([]);
      const word = shell === 'bash' ? ['--format', '=', 'nd'] : ['--format=nd'];
      expect(offered(['gig', 'create', ...word])).toEqual([shell === 'fish' ? '--format=ndjson' : 'ndjson']);
    });

    test.skipIf(!has(shell))('files and folders, where they are taken, and nothing where anything is', () => {
      it.work.file('home/prices.csv', '');
      it.work.file('home/state/x', '');
      const files = { zsh: ['FILES'], bash: [], fish: ['prices.csv'] }[shell];
      const typed = shell === 'zsh' ? '' : 'pri';
      expect(offered(['payout', 'create', '--prices', typed]).map((word) => word.trim())).toEqual(files);
    });

    test.skipIf(!has(shell))('fields, after the column, before the value, and one after the other', () => {
      const mapped = shell === 'bash' ? ['Betrag', '=', 'am'] : ['Betrag=am'];
      expect(offered(['payout', 'create', '--map', ...mapped])).toEqual([
        shell === 'fish' ? 'Betrag=amount' : 'amount',
      ]);
      expect(offered(['payout', 'create', '--set', 'ti'])).toEqual(['title=']);
      const both = shell === 'bash' ? String.raw`user_id\,amount` : 'user_id,amount';
      expect(offered(['payout', 'create', '--key-columns', 'user_id,am'])).toEqual([both]);
    });

    test.skipIf(!has(shell))('names, of which nothing is run', () => {
      const quoted = shell === 'bash' ? BATCH.replace(/[ $()]/g, '\\$&') : BATCH;
      expect(offered(['batch', 'list', '--profile', 'pay'])).toEqual(['payroll']);
      expect(offered(['payout', 'create', '--batch-id', '']).toSorted()).toEqual([quoted, '2026-12'].toSorted());
      expect(existsSync(it.work.path('home/ran'))).toBe(false);
    });
  });

  const FORMATS = ['csv', 'json', 'ndjson', 'xlsx'];
  const SCHEMAS =
    'payout result gig openapi event batch-list batch-show batch-find batch-settle batch-close batch-prune batch-report batch-reconcile ' +
    'journal-copy journal-log config doctor';
  test.each<[line: string, kind: string, offers: string[]]>([
    ['bat', 'commands', COMMANDS],
    ['help bat', 'commands', COMMANDS],
    ['help journal ', 'commands', ['init', 'log', 'copy', 'help']],
    ['help payout create ', 'nothing', []],
    ['payout create file.csv --amo', 'flags', ['--amount']],
    ['gig create --json --expect-', 'flags', ['--expect-count', '--expect-total', '--expect-digest']],
    ['doctor -h', 'flags', ['-h']],
    ['gig create --invitation-mode ', 'words', ['auto', 'manual']],
    ['gig create --format=nd', 'words', FORMATS],
    ['gig create --format = nd', 'words', FORMATS],
    ['batch import --type ', 'words', ['payout', 'result', 'gig']],
    ['schema ', 'words', SCHEMAS.split(' ')],
    ['gig create --set total', 'fields', fieldNames('gig').map((name) => `${name}=`)],
    ['batch import --map Betrag=', 'fields', fieldNames(...RECORD_TYPES)],
    ['batch import --map Bet', 'value', []],
    ['payout create --set title=', 'value', []],
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

  test.each(['show', 'report', 'resume', 'settle', 'close'])('runs for batch %s, the newest first', async (command) => {
    expect(await offers(['batch', command, ''])).toEqual(it.runs);
  });

  test('runs and columns of an export for batch reconcile', async () => {
    expect(await offers(['batch', 'reconcile', 'x.csv', '--run', ''])).toEqual(it.runs);
    expect(await offers(['batch', 'reconcile', 'x.csv', '--map', 'Nr=id'])).toContain('idempotency_key');
  });

  test('from the journal that the line names, and nothing where there is none', async () => {
    expect(await offers(['batch', 'show', '--state-dir', it.work.path('none'), ''])).toEqual([]);
    expect(existsSync(it.work.path('none'))).toBe(false);
    const named = ['batch', 'show', '--state-dir', it.work.stateDir, ''];
    expect(await offers(named, { GIGWORK_STATE_DIR: it.work.path('none') })).toHaveLength(2);
  });

  test.each([
    '--profile no',
    '--profile = no',
    '--config=p.json',
    '--journal postgresql://db.example/x',
    '--state-dir p.json',
  ])('no word about what cannot be read: %s', async (flags) => {
    it.work.file('p.json', '{"base_url": 1');
    const { code, output } = await it.work.run(`completion offers -- batch show ${flags} ''`);
    expect([code, output]).toEqual([0, 'names\n']);
  });
});
