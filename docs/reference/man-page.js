// The man page, made from the commands of the compiled program (dist/) as the reference is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** A plugin of rolldown that writes the man page next to the bundle. */
export function manPage(fileName) {
  return {
    name: 'man-page',
    async generateBundle() {
      // Imported here, because dist/ may not exist yet when the configuration is read.
      const { variables, ...commands } = await import('./commands.js');
      const { OVERVIEW } = await import('../../dist/program.js');
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      // The day of the version, so that every build makes the same page.
      const [, date] = /^## \[.*\] - (\d{4}-\d\d-\d\d)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
      this.emitFile({
        type: 'asset',
        fileName,
        source: `${page({ ...commands, OVERVIEW, variables: variables() }, version, date)}\n`,
      });
    },
  };
}

/** Escapes text, so that roff prints every character and takes no line for a request. */
function roff(text) {
  const escaped = text.replace(/[\\'`^~-]|[^\x00-\x7f]/gu, (character) => ESCAPES[character] ?? unicode(character));
  return escaped.replace(/^(?=\.)/gm, '\\&');
}

const ESCAPES = { '\\': '\\e', "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti', '-': '\\-' };

function unicode(character) {
  return `\\[u${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

const bold = (text) => `\\fB${roff(text)}\\fR`;
const italic = (text) => `\\fI${roff(text)}\\fR`;

/** `-h, --help` and `--map <column=field>`: literal words in bold, placeholders in italics. */
function flagTerm({ flags }) {
  return flags
    .split(' ')
    .map((word) => (word.startsWith('-') ? bold(word) : italic(word)))
    .join(' ');
}

/** A term and its text, in two lines. */
const item = (term, text) => [`.IP "${term.replaceAll('"', '""')}" 4`, roff(text)];

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const flagLines = (options) => options.flatMap((option) => item(flagTerm(option), option.description));

/** The flags of a command alone, and the names of those that it shares. Flags of fields are in its help. */
function commandLines({ name, command, groups }, shared) {
  const options = [...groups].flatMap(([heading, found]) => (heading.startsWith('Fields') ? [] : found));
  // `--key` is a file in one command, and a payment's key in another.
  const own = options.filter(({ flags }) => !shared.some((option) => option.flags === flags));
  const taken = shared.filter(({ flags }) => options.some((option) => option.flags === flags));
  const lines = [`.SS ${bold(name)} ${italic(command.usage())}`, roff(sentence(command.description()))];
  if (taken.length > 0) lines.push(`Flags: ${roff(listOf(taken, shared))}.`);
  return [...lines, ...flagLines(own)];
}

function listOf(taken, shared) {
  const missing = shared.filter((option) => !taken.includes(option));
  const names = (options) => options.map(({ long }) => long).join(', ');
  if (missing.length > taken.length) return names(taken);
  return missing.length === 0 ? 'all below' : `all below, but ${names(missing)}`;
}

/** Of `batch import`, which has all flags that commands share. */
const SHARED_GROUPS = ['Input', 'Safety', 'Target', 'Sandbox faults', 'Output'];

/** Variables that `gigwork` follows like other programs. They are not settings. */
const USUAL_VARIABLES = [
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the proxies, and the hosts without one'],
  ['NODE_EXTRA_CA_CERTS', 'a file with more authorities that Node.js trusts'],
  ['NO_COLOR, FORCE_COLOR', 'no colour, or colour without a terminal'],
  ['PGHOST, PGUSER, PGPASSWORD, PGSSLMODE, PGSSLROOTCERT …', 'the parts that the URL of a shared journal lacks'],
  ['XDG_CONFIG_HOME, XDG_STATE_HOME', 'folders of the two paths below'],
];

const FILES = [
  ['~/.config/gigwork/config.json', 'settings and profiles; --config names another file'],
  [
    '~/.local/state/gigwork/journal.db',
    'the journal: every payment and its outcome. Keep it, and back it up with gigwork journal copy; --state-dir names another folder',
  ],
  ['~/.local/state/gigwork/journal.db-wal, journal.db-shm', 'parts of the journal: they belong to journal.db'],
  ['~/.local/state/gigwork/sandbox.db', 'the records of the sandbox; safe to delete'],
];

function environment(variables) {
  const own = variables.map(({ env, flag, help }) => [env, flag === null ? help : `as ${flag}: ${help}`]);
  return [...own, ...USUAL_VARIABLES].flatMap(([name, text]) => item(bold(name), text));
}

function page({ groupsOf, leaves, loadProgram, OVERVIEW, variables }, version, date) {
  const program = loadProgram();
  const commands = leaves(program).map((leaf) => ({ ...leaf, groups: groupsOf(leaf.command) }));
  const { groups } = commands.find(({ name }) => name === 'gigwork batch import');
  const shared = SHARED_GROUPS.flatMap((heading) => groups.get(heading));
  return [
    `.TH GIGWORK 1 ${date} "gigwork ${version}" "User Commands"`,
    '.SH NAME',
    `gigwork \\- ${roff(lowered(program.description()))}`,
    '.SH SYNOPSIS',
    `${bold('gigwork')} ${italic('command')} [${italic('options')}]`,
    '.SH DESCRIPTION',
    roff('Nobody is paid twice, and nobody is silently not paid: running the same command again is always safe.'),
    roff('Nothing is sent until everything has been checked, and what was checked is exactly what is sent.'),
    '.PP',
    `Every command has ${bold('--help')}, with examples. If that shows only the everyday flags, ${bold('--help-all')} shows all.`,
    'Commands that create records take the fields of one record as flags, which their help shows.',
    `${bold('gigwork --version')} prints the version.`,
    '.SH COMMANDS',
    '.PD 0',
    ...commands.flatMap((each) => commandLines(each, shared)),
    '.SH FLAGS',
    ...SHARED_GROUPS.flatMap((heading) => [`.SS ${roff(heading)}`, ...flagLines(groups.get(heading))]),
    '.SH EXIT STATUS',
    ...Object.entries(OVERVIEW.exitCodes).flatMap(([code, meaning]) => item(code, meaning)),
    '.PP',
    roff('Commands that send nothing have fewer of them, and sometimes another meaning, as their help says.'),
    '.SH ENVIRONMENT',
    ...environment(variables),
    '.SH FILES',
    ...FILES.flatMap(([path, text]) => item(bold(path), text)),
    '.PD',
    '.SH EXAMPLES',
    '.nf',
    ...OVERVIEW.examples.map(roff),
    '.fi',
  ].join('\n');
}
