/** What an installation puts on a machine. Everything that runs is in the tarball, so its files are the installation's. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MB } from './scratch.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SQLITE = 'node_modules/';

/** The tarball is not written: npm says what would be in it. */
export async function installed() {
  const words = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const [{ files, size }] = JSON.parse(
    execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const sizeOf = (prefix) => files.reduce((sum, file) => sum + (file.path.startsWith(prefix) ? file.size : 0), 0) / MB;
  const all = sizeOf('');
  const detail = `download ${(size / MB).toFixed(1)}; SQLite and what it brings ${sizeOf(SQLITE).toFixed(1)}`;
  return [
    { question: 'installed, MB', ratio: all, first: '39', goal: '31', detail },
    {
      question: 'the same without SQLite',
      ratio: all - sizeOf(SQLITE),
      first: '10.5',
      goal: '2.5',
      detail: `bundle ${sizeOf('bundle/').toFixed(1)}, documents and samples ${(sizeOf('docs/') + sizeOf('samples/')).toFixed(1)}`,
    },
  ];
}
