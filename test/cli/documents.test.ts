/** What the documents say is what the program does. CONTRIBUTING.md, "Tests", says how blocks are marked. */
import { existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/config-file.js';
import { gigwork, workspace, type Workspace } from '../support/cli.js';
import {
  type Block,
  blocksOf,
  deadLinks,
  flagsIn,
  missingLine,
  named,
  PAGES,
  proseOf,
  readPage,
  ROOT,
  stepsOf,
  tableBelow,
  WRITTEN_PAGES,
} from '../support/documents.js';
import { type Responder, type Service, startService } from '../support/service.js';
import { type Shell, shellIn } from '../support/shell.js';
import { shellWords } from '../worlds/words.js';

const SERVICE = 'https://gigs.example';
/** The name of a run in the documents. */
const RUN_NAME = /\b\d{8}-[0-9a-f]{6}\b/g;
const hasJq = spawnSync('jq', ['--version']).status === 0;

/** The service of the documents refuses the first record of samples/payouts.csv where a block says `service=reject`. */
const rejects: Responder = ({ body }) =>
  body.includes('usr_06214119cf') ? { status: 422, body: '{"error":"no bank details"}' } : undefined;

/** What a line says that only calls the program: words, and the file that gets its standard output. Null for any other. */
function callOf(line: string): { words: readonly string[]; into: string | undefined } | null {
  const [, call = '#', into] = /^gigwork (.*?)(?: > (\S+))?$/.exec(line) ?? [];
  return /[#|&;<>$`"\\]/.test(call.replaceAll(/'[^']*'/g, '')) ? null : { words: shellWords(call), into };
}

/** Lines that only call the program need no shell, and no process: they are called inside. */
function quickShell(space: Workspace): Shell {
  const shell = shellIn(space);
  return async (script, env = {}) => {
    // Its lines are no commands.
    if (script.includes('<<')) return shell(script, env);
    let code: number | null = 0;
    let output = '';
    // A command goes on behind a backslash or a bar.
    for (const line of script
      .replaceAll(/ *\\\n */g, ' ')
      .replaceAll('|\n', '| ')
      .trimEnd()
      .split('\n')) {
      const call = callOf(line);
      const ended = call === null ? await shell(line, env) : await space.run(call.words, { env });
      if (call?.into !== undefined && 'stdout' in ended) space.file(call.into, ended.stdout as string);
      output += call?.into !== undefined && 'stderr' in ended ? ended.stderr : ended.output;
      code = ended.code;
      if (code !== 0) break;
    }
    return { code, output };
  };
}

/** Blocks that need more than a shell: document-scripts.test.ts runs them. */
const isSpecial = ({ info }: Block): boolean => info.includes('unattended') || info.includes('sandbox');

describe.each(WRITTEN_PAGES)('the commands in %s do what it says', (page) => {
  const blocks = blocksOf(readPage(page));
  const steps = stepsOf(blocks).filter(({ script }) => !isSpecial(script));
  const space = workspace(afterAll);
  let shell: Shell;
  let service: Service;

  beforeAll(async () => {
    symlinkSync(`${ROOT}samples`, space.path('samples'));
    for (const { info, text } of blocks) if (info.join(' ') === 'json config') space.file('config.json', text);
    shell = quickShell(space);
    service = await startService();
  });
  afterAll(() => service.close());

  async function newestRun(): Promise<string> {
    const { output } = await shell('gigwork batch list --json');
    return (JSON.parse(output) as { runs: { run: string }[] }).runs[0]?.run ?? '';
  }

  for (const { script, exitCode, picture } of steps) {
    const { info, line } = script;
    test.skipIf(info.includes('jq') && !hasJq)(`line ${line}: ${script.text.split('\n')[0]}`, async () => {
      let { text } = script;
      if (info.includes('newest')) text = text.replace(RUN_NAME, await newestRun());
      if (text.includes(SERVICE) && info.some((word) => word.startsWith('service')))
        text = text.replaceAll(SERVICE, service.url);
      service.responder(info.includes('service=reject') ? rejects : undefined);
      const { code, output } = await shell(text, { PAYROLL_TOKEN: 'secret of the test' });
      expect(code, output).toBe(exitCode);
      if (picture !== null) expect(missingLine(picture.text, output), output).toBeNull();
    });
  }

  test.runIf(blocks.some(({ info }) => info[0] === 'json'))('its JSON can be read', () => {
    const texts = blocks.filter(({ info }) => info[0] === 'json').map(({ text }) => text);
    expect(() => texts.map((text) => JSON.parse(text) as unknown)).not.toThrow();
  });

  test('commands that are not run are scripts of package.json, or an installation', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
    const unrun = blocks.filter(({ info }) => info[0] === 'sh' && info.includes('no-run'));
    const commands = unrun.flatMap(({ text }) => text.split(/\n|&&/)).map((line) => line.replace(/#.*/, '').trim());
    const isKnown = (command: string): boolean => {
      const script = /^npm run (\S+)$/.exec(command)?.[1];
      if (script !== undefined) return script in scripts;
      return /^(npm (ci|cit|test|pack|i -g --offline \.\/\S+)|sha256sum (-c )?\S+( > \S+)?|npx vitest (run|related) \S+|\.ci\/run)?$/.test(
        command,
      );
    };
    expect(commands.filter((command) => !isKnown(command))).toEqual([]);
  });
});

describe('the documents name what there is', () => {
  let help = '';
  const commands: string[] = [];

  /** The help of a command and of all below it. */
  async function helpOf(words: string[]): Promise<string> {
    commands.push(['gigwork', ...words].join(' '));
    const brief = await gigwork([...words, '--help']);
    const { stdout } = brief.stdout.includes('--help-all') ? await gigwork([...words, '--help-all']) : brief;
    const list = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout)?.[1] ?? '';
    const names = [...list.matchAll(/^ {2}(\S+)/gm)]
      .map(([, name]) => name as string)
      .filter((name) => name !== 'help');
    const below = await Promise.all(names.map((name) => helpOf([...words, name])));
    return [stdout, ...below].join('\n');
  }

  beforeAll(async () => {
    help = await helpOf([]);
  });

  test.each(PAGES)('%s: no other flag', (page) => {
    const offered = flagsIn(help);
    const ofOthers = ['--dry', '--offline', '--ignore-scripts', '--seed', '--rounds', '--inputs', '--version'];
    const shown = [...flagsIn(readPage(page).replace(/^<!--.*-->$/gm, ''))];
    // The changelog names flags that are gone.
    if (page === 'CHANGELOG.md') return;
    expect(shown.filter((flag) => !offered.has(flag) && !ofOthers.includes(flag))).toEqual([]);
  });

  test.each(WRITTEN_PAGES)('%s: no other command', (page) => {
    const shown = [...proseOf(readPage(page)).matchAll(/`gigwork ([a-z][^`]*)`/g)].map(([, words]) => words as string);
    const isKnown = (words: string): boolean =>
      commands.some((name) => name !== 'gigwork' && `gigwork ${words} `.startsWith(`${name} `));
    expect(shown.filter((words) => !isKnown(words))).toEqual([]);
  });

  test('every key of the settings', () => {
    const text = readPage('docs/operations.md');
    const section = text.slice(text.indexOf('\n## Settings\n'), text.indexOf('\n## The check: doctor\n'));
    expect([...CONFIG_KEYS, 'profiles'].filter((key) => !named(section).has(key))).toEqual([]);
  });

  test('every state of a record, and what to do', async () => {
    const { summary } = await gigwork(['payout', 'create', '--dry-run', '--json', '--amount', '1']);
    const states = Object.keys(summary.records).filter((state) => !['read', 'valid'].includes(state));
    const told = tableBelow(readPage('docs/finance.md'), '## Reading the result').map(([state]) => state);
    expect(new Set(told)).toEqual(new Set(states.map((state) => `\`${state}\``)));
  });

  test.each(PAGES)('%s: pages and headings that its links lead to', (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  test('every page can be reached from the README', () => {
    const readme = readPage('README.md');
    expect(PAGES.filter((page) => page !== 'README.md' && !readme.includes(`](${page})`))).toEqual([]);
  });

  test.each([
    ['README.md', 10],
    ['CONTRIBUTING.md', 9],
    ['docs/finance.md', 18],
  ])('%s has at most %i KB', (page, most) => {
    expect(statSync(`${ROOT}${page}`).size).toBeLessThanOrEqual(most * 1024);
  });
});

const FOLDERS = readdirSync(`${ROOT}src`, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe('how it is built is told of the code that there is', () => {
  const DESIGN = WRITTEN_PAGES.filter((page) => page.startsWith('docs/design/') || page === 'CONTRIBUTING.md');

  test('every point of a crash, and no other', () => {
    const world = readPage('src/world.ts');
    const points = [...(/Failpoint =([^;]*);/.exec(world)?.[1] ?? '').matchAll(/'(.*)'/g)].map(([, point]) => point);
    const table = tableBelow(readPage('docs/design/crash-safety.md'), '## Why each crash point is safe');
    expect(table.map(([point]) => point)).toEqual(points.map((point) => `\`${point}\``));
  });

  test('every folder', () => {
    const told = tableBelow(readPage('docs/design/architecture.md'), '## The folders').map(([folder]) => folder);
    expect(FOLDERS.filter((folder) => !told.includes(`\`${folder}/\``))).toEqual([]);
    expect(told.filter((name) => /^`\w+\/`$/.test(name ?? '') && !FOLDERS.includes((name ?? '').slice(1, -2)))).toEqual(
      [],
    );
  });

  test.each(DESIGN)('%s: files', (page) => {
    const files = [...readPage(page).matchAll(/`([\w./-]+\.(?:ts|js|json|jsonc|py|md))`/g)].map(
      ([, file]) => file as string,
    );
    // Files are named without their folder where the text before says which it is.
    const folders = FOLDERS.map((folder) => `src/${folder}/`);
    const databases = ['src/journal/store/', 'src/journal/sqlite/', 'src/journal/postgresql/'];
    const places = ['', 'src/', 'src/delivery/http/', 'test/', 'test/cli/', 'samples/', ...databases, ...folders];
    // The documentation of the service and the contract are no part of the repository.
    const missing = files.filter((file) => !places.some((place) => existsSync(`${ROOT}${place}${file}`)));
    expect(missing).toEqual([]);
  });

  test('functions and types', () => {
    const sources = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const words = new Set(sources.flatMap((file) => readPage(`src/${file}`).match(/\w+/g) ?? []));
    const names = DESIGN.flatMap((page) => readPage(page).match(/(?<=`(?:\w+\.)?)[A-Za-z]+[a-z][A-Z]\w*(?=`)/g) ?? []);
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });

  test('the tests that show what is defended', () => {
    const tests = [...readPage('docs/design/security.md').matchAll(/`(test\/[\w./-]+)`/g)].map(
      ([, path]) => path as string,
    );
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });
});
