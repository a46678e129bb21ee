// What is published: the compiled modules and the packages that they use, as a few files. Loading each module by itself
// takes longer than all other work of a short command. All packages are devDependencies. The one with binaries has a
// folder of its own, where it finds them. docs/design/package.md says why.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse, sep } from 'node:path';
import { defineConfig } from 'rolldown';
import { declarations } from './docs/reference/declarations.js';
import { manPage } from './docs/reference/man-page.js';
import { notices } from './docs/reference/notices.js';

/** The modules that begin a file: each becomes one file with all modules that it imports statically. */
const ENTRIES = [
  'main.js',
  'program.js',
  'cli/batch-show.js',
  'cli/config-show.js',
  'records/record-schemas.js',
  'cli/send.js',
  'journal/sqlite/sqlite.js',
  'journal/postgresql/postgresql.js',
  'delivery/http/dispatcher.js',
];

const SQLITE = '@photostructure/sqlite';

const program = defineConfig({
  // The program; and what other programs import.
  input: ['dist/main.js', 'dist/library/library.js', 'dist/library/schemas.js'],
  platform: 'node',
  external: [SQLITE],
  // What it gives Node.js, UMD, finds its own files by a require that no bundler follows.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  plugins: [
    notices('THIRD-PARTY.txt'),
    manPage('gigwork.1'),
    declarations('types', ['library/library.js', 'library/schemas.js']),
  ],
  logLevel: 'warn',
  // A module belongs to the file of the entry that imports it statically, even if others import it dynamically.
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'bundle',
    format: 'esm',
    cleanDir: true,
    // V8 keeps a file of ASCII alone in half the memory, and reads it sooner. The types have the comments.
    charset: 'ascii',
    comments: { jsdoc: false },
    paths: { [SQLITE]: './sqlite/dist/sqlite.js' },
    codeSplitting: { groups: [{ name: fileOf, debugName: 'loaded at once' }], includeDependenciesRecursively: false },
  },
});

/** SQLite's driver. It looks for its binaries in the folder above its file. */
const driver = defineConfig({
  input: { sqlite: SQLITE },
  platform: 'node',
  plugins: [notices('THIRD-PARTY.txt'), binaries('prebuilds')],
  logLevel: 'warn',
  output: { dir: 'bundle/sqlite', entryFileNames: 'dist/[name].js', format: 'esm' },
});

export default [program, driver];

/** A plugin that copies a folder with the binaries of all systems, and none of the sources. */
function binaries(folder) {
  return {
    name: 'binaries',
    generateBundle() {
      const from = join(import.meta.dirname, 'node_modules', SQLITE, folder);
      const names = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.node'));
      for (const name of names) {
        const fileName = `${folder}/${name.split(sep).join('/')}`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(from, name)) });
      }
    },
  };
}

/** The file is named after the first entry that imports the module statically; null for modules of rarer commands. */
function fileOf(id, chunking) {
  const entry = ENTRIES.find((name) => loadedBy(join(import.meta.dirname, 'dist', name), chunking).has(id));
  return entry === undefined ? null : parse(entry).name;
}

const loaded = new Map();

/** A module and all that it imports, directly or not. */
function loadedBy(entry, chunking) {
  if (!loaded.has(entry)) {
    if (!existsSync(entry)) throw new Error(`rolldown.config.js names ${entry}, which is not there`);
    const modules = new Set([entry]);
    for (const id of modules)
      for (const imported of chunking.getModuleInfo(id)?.importedIds ?? []) modules.add(imported);
    loaded.set(entry, modules);
  }
  return loaded.get(entry);
}
