// The types of the library: what its modules declare, without the types of the program behind it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * A plugin of rolldown that puts the declarations of these modules, and of those that they name, next to the bundle.
 * @param entries modules below dist/
 * @throws for one that names a package: its types would have to be installed, too
 */
export function declarations(folder, entries) {
  return {
    name: 'declarations',
    generateBundle() {
      const dist = join(import.meta.dirname, '../../dist');
      const files = new Set(entries.map((entry) => join(dist, entry)));
      for (const file of files) {
        const path = file.replace(/\.js$/, '.d.ts');
        if (!existsSync(path)) throw new Error(`${path} is not there: tsc writes it`);
        const source = readFileSync(path, 'utf8');
        for (const [, name] of source.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
          if (!name.startsWith('.')) throw new Error(`${path} names the package ${name}`);
          files.add(join(dirname(file), name));
        }
        const fileName = `${folder}/${relative(dist, path).replaceAll('\\', '/')}`;
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}
