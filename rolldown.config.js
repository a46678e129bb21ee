// What is published: the compiled modules as a few files. Loading each by itself takes longer than all other work of a
// short command. Packages stay outside.
import { join, parse } from 'node:path';
import { defineConfig } from 'rolldown';

/** Where loading begins, what every command needs first: each becomes one file with all that it loads at once. */
const ENTRIES = ['main.js', 'program.js', 'commands/records.js', 'journal/sqlite.js', 'send/client.js'];

export default defineConfig({
  input: 'dist/main.js',
  platform: 'node',
  external: /^(?!\.{0,2}\/)/,
  logLevel: 'warn',
  // Modules are put together by what loads them at once, wherever else they are loaded later.
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'bundle',
    format: 'esm',
    cleanDir: true,
    codeSplitting: { groups: [{ name: fileOf, debugName: 'loaded at once' }], includeDependenciesRecursively: false },
  },
});

/** Named after the first entry that loads a module at once; null for modules of commands that few wait for. */
function fileOf(id, chunking) {
  const entry = ENTRIES.find((name) => loadedBy(join(import.meta.dirname, 'dist', name), chunking).has(id));
  return entry === undefined ? null : parse(entry).name;
}

const loaded = new Map();

/** A module and all that it imports, directly or not. */
function loadedBy(entry, chunking) {
  if (!loaded.has(entry)) {
    const modules = new Set([entry]);
    for (const id of modules)
      for (const imported of chunking.getModuleInfo(id)?.importedIds ?? []) modules.add(imported);
    loaded.set(entry, modules);
  }
  return loaded.get(entry);
}
