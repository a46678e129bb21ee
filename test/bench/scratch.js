/** What the questions share: a folder for their files, fresh state directories, and the words of a call that sends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Gone when the bench ends. */
const folder = mkdtempSync(join(tmpdir(), 'gigwork-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const file = (name) => join(folder, name);
export const script = (name) => fileURLToPath(new URL(name, import.meta.url));

let states = 0;
/** A state directory that nothing was ever written to. */
export const freshState = () => ({ GIGWORK_STATE_DIR: file(`state-${states++}`) });

export const target = ({ port }) => ['--base-url', `http://127.0.0.1:${port}`, '--yes', '--concurrency', '32'];

export const MB = 1024 * 1024;
export const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
