/** The rejects file: what has to be mended and imported again. */
import type { World } from '../world.js';
import type { InputOptions, RunOptions } from './options.js';
import type { Prepared } from './prepare.js';

export async function checkRejects(_path: string, _input: InputOptions, _world: World): Promise<void> {
  await Promise.resolve();
}

export async function writeRejects(_path: string, _options: RunOptions, _prepared: Prepared, _world: World): Promise<void> {
  await Promise.resolve();
}
