import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gigwork } from '../support/cli.js';
import { blocksOf } from '../support/documents.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
type Json = any;

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const manifest = (): Json => JSON.parse(read(installed, 'package.json'));
const locked = (): Json => JSON.parse(read(ROOT, 'package-lock.json')).packages;

/** Runs npm with an empty cache and no network. */
function npm(...words: string[]): string {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: join(dir, 'cache') };
  const shell = process.platform === 'win32';
  return execFileSync('npm', words, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe', shell });
}

let dir = '';
/** Where the package is once it is installed. */
let installed = '';

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'gigwork-package-'));
  // The bundle is there already: to build it again would pull it from under the other tests.
  const prefix = join(dir, 'prefix');
  mkdirSync(prefix);
  // It is packed first, and not linked.
  npm('install', '--global', '--install-links', '--ignore-scripts', '--prefix', prefix, ROOT);
  installed = join(prefix, process.platform === 'win32' ? '' : 'lib', 'node_modules', 'gigwork');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The files below a folder, by their path in it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

describe('what npm installs, without a network, is what was tested', () => {
  test('it runs', () => {
    const cli = join(installed, manifest().bin.gigwork);
    const args = [cli, 'payout', 'create', '-', '--sandbox', '--state-dir', join(dir, 'state'), '--quiet'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      input: read(ROOT, 'samples/payouts.csv'),
      encoding: 'utf8',
      cwd: dir,
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('5 paid');
  });

  test('it brings all packages in the bundle, so the installation resolves and runs nothing', () => {
    const { dependencies, optionalDependencies, peerDependencies, scripts } = manifest();
    expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined]);
    expect(Object.keys(scripts).filter((name) => name.endsWith('install'))).toEqual([]);
    expect(filesIn(installed).filter((name) => /node_modules|binding\.gyp|\.(c|h|cpp)$/.test(name))).toEqual([]);
    expect(locked()[''].devDependencies['@photostructure/sqlite']).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('SQLite comes for each system that its package knows', () => {
    const binaries = filesIn(join(installed, 'bundle', 'sqlite', 'prebuilds'));
    const { os, cpu } = locked()['node_modules/@photostructure/sqlite'];
    for (const system of os)
      for (const processor of cpu)
        expect(binaries.filter((name) => name.startsWith(`${system}-${processor}`))).not.toEqual([]);
    const bytes = filesIn(installed).reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
    expect(bytes).toBeLessThan(25_000_000);
  });

  test('the code is byte for byte that of this folder', () => {
    const files = filesIn(join(ROOT, 'bundle'));
    expect(filesIn(join(installed, 'bundle')).toSorted()).toEqual(files.toSorted());
    for (const file of files)
      expect([file, read(installed, 'bundle', file) === read(ROOT, 'bundle', file)]).toEqual([file, true]);
  });

  test('it loads nothing that does not come with it', () => {
    const own = new Set(builtinModules);
    for (const file of filesIn(join(installed, 'bundle')).filter((name) => name.endsWith('.js'))) {
      const code = read(installed, 'bundle', file);
      const importing = /^(?:import|export)\b[^'"\n]*?\bfrom "([^"]+)";$|\b(?:__require|import)\("([^"]+)"\)/gm;
      const foreign = [...code.matchAll(importing)]
        .map(([, from, called]) => from ?? called ?? '')
        .filter((name) => !/^(\.\/|node:)/.test(name) && !own.has(name));
      expect([file, foreign]).toEqual([file, []]);
    }
  });

  test('the lock file and the settings of npm name no host', () => {
    expect(read(ROOT, 'package-lock.json')).not.toMatch(/"resolved"/);
    expect(read(ROOT, '.npmrc')).not.toMatch(/:\/\/|registry\s*=/);
  });
});

test('the licences of what is bundled come with it', () => {
  const notices = read(installed, 'bundle', 'THIRD-PARTY.txt');
  for (const name of ['chalk', 'commander', 'csv-parse', 'undici', 'zod']) {
    const { version } = locked()[`node_modules/${name}`];
    expect(notices).toMatch(new RegExp(`^${name} ${version} \\(MIT\\)\n\n[^-]*Copyright`, 'm'));
  }
});

describe('a project that imports it', () => {
  const PAGE = blocksOf(read(ROOT, 'docs/library.md')).filter(({ info }) => info[0] === 'ts');
  let project = '';

  beforeAll(() => {
    project = join(dir, 'project');
    cpSync(join(ROOT, 'samples/library'), project, { recursive: true });
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(installed, join(project, 'node_modules/gigwork'), 'junction');
  });

  /** What the compiler says of files of the project; empty if it is content. */
  function compile(files: readonly string[], ...flags: string[]): string {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const config = { extends: './tsconfig.json', files };
    writeFileSync(join(project, 'tsconfig.test.json'), JSON.stringify(config));
    const args = [compiler, '-p', 'tsconfig.test.json', ...flags];
    return spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).stdout;
  }

  test('the sample compiles and pays, and again pays nobody', () => {
    expect(PAGE[0]?.text).toBe(read(ROOT, 'samples/library/pay.ts'));
    expect(compile(['pay.ts'])).toBe('');
    for (const status of ['created', 'already_created']) {
      const env = { PATH: process.env['PATH'] ?? '' };
      const ended = spawnSync(process.execPath, ['pay.js'], { cwd: project, encoding: 'utf8', env });
      const lines = [`usr_7f3a92 1200 ${status}`, `usr_55c0d2 89.9 ${status}`];
      expect([ended.status, ended.stderr, ended.stdout.trim().split('\n').toSorted()]).toEqual([
        0,
        '',
        lines.toSorted(),
      ]);
    }
  });

  test.each([['nodenext'], ['node20'], ['preserve', '--moduleResolution', 'bundler']])(
    'every program of its page compiles, as a module of %s',
    (module, ...flags) => {
      for (const [i, { text }] of PAGE.entries()) writeFileSync(join(project, `page${i}.ts`), text);
      const files = PAGE.map((_, i) => `page${i}.ts`);
      expect(compile(files, '--noEmit', '--module', module, '--exactOptionalPropertyTypes', ...flags)).toBe('');
    },
  );

  test('the compiler knows what is wrong', () => {
    const wrong = [
      `submit('payuot', []);`,
      `submit('payout', ['text']);`,
      `submit('payout', [], { batchID: '2026-11' });`,
      `submit('payout', [], { retries: '5' });`,
      `resume('run', { batchId: '2026-11' });`,
      `const amount: Payout['amount'] = '12';`,
      `validate('gig', {})[0]?.code === 'no-code';`,
      `const id: number = payout.parse({}).user_id;`,
    ];
    const head = `import { resume, submit, validate, type Payout } from 'gigwork';\nimport { payout } from 'gigwork/schemas';\n`;
    const typed = wrong.map((line) => `// @ts-expect-error -- it must not compile\n${line}`).join('\n');
    writeFileSync(join(project, 'wrong.ts'), `${head}${typed}\nexport { amount, id };\n`);
    expect(compile(['wrong.ts'], '--noEmit')).toBe('');
  });

  test('infers with zod from the schemas, as with its own', () => {
    symlinkSync(join(ROOT, 'node_modules/zod'), join(project, 'node_modules/zod'), 'junction');
    const text = `import type * as z from 'zod';
      import type { GigResult } from 'gigwork';
      import type { gigResult } from 'gigwork/schemas';
      export const same = (body: z.infer<typeof gigResult>): GigResult => body;
      export const back = (body: GigResult): z.input<typeof gigResult> => body;`;
    writeFileSync(join(project, 'infers.ts'), text);
    expect(compile(['infers.ts'], '--noEmit', '--skipLibCheck')).toBe('');
  });
});

describe('the man page', () => {
  /** Its text, without what makes words bold and what stands for one character. */
  const text = (): string =>
    read(installed, ...manifest().man)
      .replace(/\\f[BIR]/g, '')
      .replace(/\\-/g, '-');

  /** What commander lists below a heading. */
  async function listed(words: string[], asked: string, line: RegExp): Promise<string[]> {
    const { stdout } = await gigwork([...words, asked]);
    return [...stdout.matchAll(line)].map(([, name]) => name as string).filter((name) => name !== 'help');
  }

  test('has at most 500 lines', () => {
    expect(text().split('\n').length).toBeLessThanOrEqual(500);
  });

  test('has every command, and every flag of every command but those of fields', async () => {
    const page = text();
    const commands = /^ {2}([a-z]+)(?: \[| <| {2})/gm;
    for (const group of await listed([], '--help', commands)) {
      const { stdout } = await gigwork([group, '--help']);
      const below = stdout.includes('\nCommands:\n') ? await listed([group], '--help', commands) : [];
      for (const words of below.length === 0 ? [[group]] : below.map((name) => [group, name])) {
        expect(page).toMatch(new RegExp(`^\\.SS gigwork ${words.join(' ')} `, 'm'));
        const flags = await listed(words, '--help-all', /^ {2}(--[\w-]+)/gm);
        const fields = await listed(words, '--help-all', /^ {2}(--[\w-]+)(?= <(?:value|time|json)>)/gm);
        for (const flag of flags.filter((name) => name !== '--help-all' && !fields.includes(name)))
          expect(page).toMatch(new RegExp(`^\\.IP "${flag}(?: <.*>|\\[=.*\\])?" 4$`, 'm'));
      }
    }
  });

  test('has the variables and the files', () => {
    const [, variables = '', files = ''] = /\.SH ENVIRONMENT\n([^]*)\.SH FILES\n([^]*)\.SH EXAMPLES/.exec(text()) ?? [];
    for (const name of ['BASE_URL', 'TOKEN', 'PROFILE', 'CONFIG', 'STATE_DIR', 'JOURNAL', 'DEBUG'])
      expect(variables).toContain(`.IP "GIGWORK_${name}" 4\n`);
    expect(files).toMatch(/config\.json[^]*journal\.db/);
  });

  const linters = [
    ['groff', ['-man', '-ww', '-z', '-Tutf8']],
    ['mandoc', ['-T', 'lint', '-W', 'warning']],
  ] as const;
  for (const [tool, words] of linters)
    test.skipIf(spawnSync(tool, ['--version']).error !== undefined)(`${tool} has nothing to say against it`, () => {
      const path = join(installed, ...manifest().man);
      const { status, stdout, stderr } = spawnSync(tool, [...words, path], { encoding: 'utf8' });
      expect([status, stdout, stderr]).toEqual([0, '', '']);
    });
});
