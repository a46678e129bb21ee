import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/config-schema.js';
import { ERROR_CODES, WARNING_CODES } from '../../src/records/issue.js';
import { KINDS } from '../../src/records/kinds.js';
import { gigwork, workspace } from '../support/cli.js';
import { startService, type Responder } from '../support/service.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(`${ROOT}README.md`, 'utf8');

/** A fenced block: its words after the fence, what it says, and the line on which it starts. */
interface Block {
  readonly info: string[];
  readonly text: string;
  readonly line: number;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info = '', 2: text = '', index }) => ({
    info: info.split(' '),
    text,
    line: markdown.slice(0, index).split('\n').length,
  }));
}

interface Step {
  readonly script: Block;
  readonly exitCode: number;
  /** What the reader is shown of its output, or null. */
  readonly picture: Block | null;
}

/** Shell blocks but those marked `no-run`, each with the text block that follows it. */
function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap((script, i) => {
    if (script.info[0] !== 'sh' || script.info.includes('no-run')) return [];
    const next = blocks[i + 1];
    const follows = next?.info.join(' ') === 'text' && next.line === script.line + script.text.split('\n').length + 1;
    const exit = script.info.find((word) => word.startsWith('exit='))?.slice('exit='.length);
    return [{ script, exitCode: Number(exit ?? 0), picture: follows ? next : null }];
  });
}

/** Names of runs differ from call to call. */
const masked = (line: string): string => line.trimEnd().replace(/\b\d{8}-[0-9a-f]{6}\b/g, 'RUN');

/** The first line of the picture that the output does not have, in order; null when it has all. `…` stands for any lines. */
function missingLine(picture: string, output: string): string | null {
  const lines = output.split('\n').map(masked);
  let from = 0;
  for (const wanted of picture.split('\n').map(masked)) {
    if (wanted === '' || wanted === '…') continue;
    const at = lines.indexOf(wanted, from);
    if (at < 0) return wanted;
    from = at + 1;
  }
  return null;
}

/** Runs a script as a shell does for a person: errors end it, both streams on one terminal. */
const SHELL = `
import { spawnSync } from 'node:child_process';
const { status } = spawnSync('sh', ['-e', process.argv[2]], { stdio: 'inherit' });
process.exitCode = status ?? 1;
`;

const hasJq = spawnSync('jq', ['--version']).status === 0;

describe('the commands in the README do what it says', () => {
  const steps = stepsOf(blocksOf(README));
  const space = workspace(afterAll);

  beforeAll(() => {
    symlinkSync(`${ROOT}samples`, space.path('samples'));
    space.file('shell.mjs', SHELL);
    space.file('bin/gigwork', `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/gigwork.js' "$@"\n`);
  });

  test('there are some', () => {
    expect(steps.length).toBeGreaterThan(8);
  });

  for (const { script, exitCode, picture } of steps) {
    test.skipIf(script.info.includes('jq') && !hasJq)(
      `line ${script.line}: ${script.text.split('\n')[0]}`,
      async () => {
        const file = space.file(
          `line-${script.line}.sh`,
          `chmod +x bin/gigwork\nPATH="$PWD/bin:$PATH"\nexec 2>&1\n${script.text}`,
        );
        const { code, stdout } = await space.process([file], { entry: space.path('shell.mjs') });
        expect(code, stdout).toBe(exitCode);
        if (picture !== null) expect(missingLine(picture.text, stdout), stdout).toBeNull();
      },
    );
  }
});

describe('the script for a run with nobody at the terminal ends as its run does', () => {
  const script = blocksOf(README).find(({ text }) => text.includes('\ncase $code in\n'))?.text ?? '';
  const first: Responder = ({ n }) => (n === 1 ? { status: 422, body: '{"error":"no bank details"}' } : undefined);
  const garbled: Responder = () => ({ status: 200, body: 'hello' });

  const cases: [code: number, what: string, respond: Responder | undefined, total: string, said: string][] = [
    [0, 'all created', undefined, '19707.09', ''],
    [3, 'another total', undefined, '19707.00', 'nothing was sent'],
    [4, 'one rejected', first, '19707.09', '"error":"HTTP 422: no bank details"'],
    [5, 'one in doubt', garbled, '19707.09', 'run the same again'],
  ];
  test.skipIf(!hasJq).each(cases)('%i: %s', async (code, _what, respond, total, said) => {
    const service = await startService(respond === undefined ? {} : { respond });
    onTestFinished(() => service.close());
    const space = workspace();
    space.file('shell.mjs', SHELL);
    space.file('payroll.csv', readFileSync(`${ROOT}samples/payroll-2026-11.csv`));
    const program = space.file('bin/gigwork', `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/gigwork.js' "$@"\n`);
    chmodSync(program, 0o755);
    const own = script
      .replace(/^export .*$/m, `export PATH="$PWD/bin:$PATH" GIGWORK_BASE_URL=${service.url} GIGWORK_TOKEN=t`)
      .replace('EUR=19707.09', `EUR=${total}`);
    expect(own).toContain(service.url);
    const ended = await space.process([space.file('script.sh', own)], { entry: space.path('shell.mjs') });
    expect([ended.code, `${ended.stdout}${ended.stderr}`]).toEqual([code, expect.stringContaining(said)]);
  });
});

const ROOMS = readdirSync(`${ROOT}src`, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** Links to headings that are not there, by the rules of GitHub. */
function deadLinks(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...markdown.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link as string);
  return links.filter((link) => !headings.includes(link));
}

/** Rows of the first table after a heading: their cells, as text. */
function tableBelow(heading: string): string[][] {
  const section = README.slice(README.indexOf(`\n${heading}\n`) + 1);
  const table = /^\|.*\n\|[-|: ]+\n((?:\|.*\n)+)/m.exec(section)?.[1] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const named = (text: string): Set<string> =>
  new Set([...text.matchAll(/`([a-z][a-z0-9_-]*)`/g)].map(([, word]) => word as string));

describe('the README names what there is', () => {
  let help = '';

  /** The help of a command and of all below it. */
  async function helpOf(words: string[]): Promise<string> {
    const { stdout } = await gigwork([...words, '--help']);
    const commands = /^Commands:\n((?: {2}.*\n)+)/m.exec(stdout)?.[1] ?? '';
    const names = [...commands.matchAll(/^ {2}(\S+)/gm)]
      .map(([, name]) => name as string)
      .filter((name) => name !== 'help');
    const below = await Promise.all(names.map((name) => helpOf([...words, name])));
    return [stdout, ...below].join('\n');
  }

  beforeAll(async () => {
    help = await helpOf([]);
  });

  const flagsIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])--[a-z][a-z-]*[a-z]/g));

  test('every flag, and no other', () => {
    const fields = Object.values(KINDS).flatMap((kind) =>
      kind.fields.map(({ name }) => `--${name.replaceAll('_', '-')}`),
    );
    const offered = flagsIn(help);
    const shown = flagsIn(README);
    expect([...shown].filter((flag) => !offered.has(flag))).toEqual([]);
    expect([...offered].filter((flag) => !shown.has(flag) && !fields.includes(flag))).toEqual([]);
  });

  test('every field of a record', () => {
    const fields = Object.values(KINDS).flatMap((kind) => kind.fields.map(({ name }) => name));
    expect(fields.filter((field) => !named(README).has(field))).toEqual([]);
  });

  test('every exit code, in the words of the help', () => {
    const inHelp = [...(help.split('\nExit codes:\n')[1] ?? '').matchAll(/^ {2}(\d+) +(.*)$/gm)].map(
      ([, code, words]) => [code, words],
    );
    const unique = inHelp.slice(0, inHelp.findIndex(([code]) => code === '130') + 1);
    expect(unique).toHaveLength(7);
    expect(tableBelow('### Exit codes')).toEqual(unique);
  });

  test('every issue code, and no other', () => {
    const section = README.slice(README.indexOf('\n### Issues\n'), README.indexOf('\n### Events\n'));
    const tables = section.split('\n').filter((line) => line.startsWith('| `'));
    const codes = named(tables.map((line) => line.split('|')[1]).join(' '));
    expect(codes).toEqual(new Set<string>([...ERROR_CODES, ...WARNING_CODES]));
  });

  test('every key of the settings', () => {
    const section = README.slice(README.indexOf('\n### Settings\n'), README.indexOf('\n### The sandbox\n'));
    expect(CONFIG_KEYS.filter((key) => !named(section).has(key))).toEqual([]);
  });

  test('every state of a record', async () => {
    const { summary } = await gigwork(['payout', 'create', '--dry-run', '--json', '--amount', '1']);
    const states = Object.keys(summary.records).filter((state) => !['read', 'valid'].includes(state));
    expect(tableBelow('### Reading the result').map(([state]) => state)).toEqual(
      expect.arrayContaining(states.map((state) => `\`${state}\``)),
    );
    expect(states).toHaveLength(7);
  });

  test('every reason to stop', async () => {
    const { stdout } = await gigwork(['schema', 'event']);
    const reasons = /"stop_reason": \{[^}]*"enum": \[([^\]]*)\]/.exec(stdout)?.[1] ?? '';
    const listed = /`stop_reason` says([^]*?)\. /.exec(README)?.[1] ?? '';
    expect(named(listed)).toEqual(new Set([...reasons.matchAll(/"(\w+)"/g)].map(([, reason]) => reason)));
  });

  test('headings that its links lead to', () => {
    expect(deadLinks(README)).toEqual([]);
  });
});

describe('CONTRIBUTING names what there is', () => {
  const text = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8');

  test('headings that its links lead to', () => {
    expect(deadLinks(text)).toEqual([]);
  });

  test('every point of a crash, and no other', () => {
    const world = readFileSync(`${ROOT}src/world.ts`, 'utf8');
    const points = [...(/CrashPoint =([^;]*);/.exec(world)?.[1] ?? '').matchAll(/'(.*)'/g)].map(([, point]) => point);
    const table = text.slice(text.indexOf('\n## Why each crash point is safe\n'));
    expect([...table.matchAll(/^\| `(\w+:[\w-]+)` \|/gm)].map(([, point]) => point)).toEqual(points);
  });

  test('files', () => {
    const files = [...text.matchAll(/`([\w./-]+\.(?:ts|js|json|jsonc|py))`/g)].map(([, file]) => file as string);
    // Files are named without their room where the text before says which it is.
    const rooms = ROOMS.map((room) => `src/${room}/`);
    const places = ['', 'src/', 'test/', 'test/cli/', 'test/support/', 'samples/', ...rooms];
    const missing = files.filter((file) => !places.some((place) => existsSync(`${ROOT}${place}${file}`)));
    expect(missing).toEqual([]);
  });

  test('every room', () => {
    const table = text.slice(text.indexOf('\n### Rooms\n'), text.indexOf('| to add | touch |'));
    expect(ROOMS.filter((room) => !table.includes(`\n| \`${room}/\` |`))).toEqual([]);
  });

  test('functions and types', () => {
    const sources = ROOMS.flatMap((room) => readdirSync(`${ROOT}src/${room}`).map((file) => `${room}/${file}`));
    const code = [...sources, 'main.ts', 'program.ts', 'world.ts'].map((file) =>
      readFileSync(`${ROOT}src/${file}`, 'utf8'),
    );
    const words = new Set(code.join('\n').match(/\w+/g));
    const names = [...text.matchAll(/`(?:\w+\.)?([A-Za-z]+[a-z][A-Z]\w*)`/g)].map(([, name]) => name as string);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !words.has(name))).toEqual([]);
  });

  test('every script, with the README', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
    const said = `${README}${text}`;
    const untold = Object.keys(scripts).filter(
      (name) => !said.includes(`npm run ${name}`) && !said.includes(`npm ${name}`) && !/^check:|^prepack$/.test(name),
    );
    expect(untold).toEqual([]);
  });
});

test('the tests that SECURITY.md names are there', () => {
  const text = readFileSync(`${ROOT}SECURITY.md`, 'utf8');
  const tests = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path as string);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
});

test.skipIf(NO_TERMINAL !== '')(`the review in the README is the one that a terminal shows${NO_TERMINAL}`, async () => {
  const [, command = '', picture = ''] =
    /```text no-run\n\$ gigwork (.*)\n([^]*?type their total: )/.exec(README) ?? [];
  const space = workspace();
  symlinkSync(`${ROOT}samples`, space.path('samples'));
  const terminal = openTerminal(space, command.split(' '), 120);
  await terminal.shows('type their total: ');
  expect(picture).toMatch(/Largest/);
  expect(terminal.output).toContain(picture);
  terminal.type('');
  expect(await terminal.ended).toBe(2);
});
