import { statSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { build } from '../../support/build.js';
import { workspace } from '../../support/cli.js';

const SETTINGS = { compilerOptions: { strict: true, rootDir: 'src', outDir: 'dist', types: [] }, include: ['src'] };

/** Of its own: the program's imports a package, which is not installed beside these files. */
const BUNDLING = "export default { input: 'dist/main.js', output: { dir: 'bundle', cleanDir: true } };";

/** A source that lies in the past, as sources do when a test run starts. */
function project() {
  const space = workspace();
  const source = (text: string) => {
    const path = space.file('src/main.ts', text);
    for (const old of [path, space.path('src')]) utimesSync(old, 1_000, 1_000);
  };
  utimesSync(space.file('tsconfig.json', JSON.stringify(SETTINGS)), 1_000, 1_000);
  utimesSync(space.file('rolldown.config.js', BUNDLING), 1_000, 1_000);
  return { ...space, source, output: () => space.read('dist/main.js'), bundle: () => space.read('bundle/main.js') };
}

test('builds once, and again when a source is newer; a failed build is told, and not taken for a good one', () => {
  const { dir, source, output, bundle, path, file } = project();
  source('export const a: number = 1;');
  build(dir);
  expect([output(), bundle()]).toEqual([expect.stringContaining('a = 1'), expect.stringContaining('a = 1')]);
  utimesSync(file('dist/main.js', 'marked'), 2_000, 2_000);
  file('bundle/main.js', 'marked');
  build(dir);
  expect([output(), bundle()]).toEqual(['marked', 'marked']);
  source('export const a: number = "one";');
  utimesSync(path('src/main.ts'), Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  expect(() => build(dir)).toThrow(/TS2322/);
  expect(statSync(path('dist/main.js')).mtimeMs).toBe(0);
});
