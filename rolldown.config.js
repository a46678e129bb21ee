// What is published: the compiled modules and the packages that they use, as a few files. Loading each module by itself
// takes longer than all other work of a short command. A package that is bundled belongs to devDependencies; only the
// one with binaries for each system stays outside. docs/design/package.md says why.
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
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

export default defineConfig({
  // The program; and what other programs import.
  input: ['dist/main.js', 'dist/library/library.js', 'dist/library/schemas.js'],
  platform: 'node',
  external: ['@photostructure/sqlite'],
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
    codeSplitting: { groups: [{ name: fileOf, debugName: 'loaded at once' }], includeDependenciesRecursively: false },
  },
});

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
