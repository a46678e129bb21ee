import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/config-schema.js';
import { ERROR_CODES, WARNING_CODES } from '../../src/records/issue.js';
import { KINDS } from '../../src/records/kinds.js';
import { gigwork } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(`${ROOT}README.md`, 'utf8');

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
