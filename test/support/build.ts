import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** When a path was last changed, in milliseconds; 0 where there is none. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The last change below a folder. Folders count too: a file that was deleted leaves its trace only there. */
function newestIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return [folder, ...paths].reduce((newest, path) => Math.max(newest, changedAt(path)), 0);
}

/** Builds `root` unless it is built: src/ to dist/, and dist/ to bundle/, the man page beside it. Throws what the compiler or the bundler says. */
export function build(root: string): void {
  compile(root);
  bundle(root);
}

function compile(root: string): void {
  const output = join(root, 'dist', 'main.js');
  if (changedAt(output) > Math.max(newestIn(join(root, 'src')), changedAt(join(root, 'tsconfig.json')))) return;
  const started = new Date();
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  // The compiler writes its output in spite of type errors, and a source may change while it runs. So the output's
  // time says which sources it stands for: those from before the start, or none.
  if (changedAt(output) > 0) utimesSync(output, started, status === 0 ? started : new Date(0));
  if (status !== 0) throw new Error(`the build failed:\n${stdout}${stderr}`);
}

function bundle(root: string): void {
  const output = join(root, 'bundle', 'main.js');
  const makers = [
    'dist/main.js',
    'rolldown.config.js',
    'docs/reference/man-page.js',
    'docs/reference/notices.js',
    'docs/reference/declarations.js',
  ];
  if (changedAt(output) > Math.max(...makers.map((path) => changedAt(join(root, path))))) return;
  const bundler = join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundler, '--config'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}${stderr}`);
}

/** Vitest's global setup: builds the program, so that the tests run the present sources. */
export function setup(): void {
  build(ROOT);
}
