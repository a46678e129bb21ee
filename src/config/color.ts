/** Whether output may have colour. */
import type { World } from '../world.js';
import { type Chosen, DEFAULT, type Settings, variable } from './sources.js';

/** The first that is set decides: flag, NO_COLOR, FORCE_COLOR; else whether outputs are terminals. Empty is not set. */
export function chooseColor(
  { flags, env }: Pick<Settings, 'flags' | 'env'>,
  { stdout, stderr }: World,
): Chosen<boolean> {
  if (flags.color !== undefined)
    return { value: flags.color, origin: { from: 'flag', source: flags.color ? '--color' : '--no-color' } };
  const off = variable('NO_COLOR', env);
  if (off.value !== undefined) return { ...off, value: false };
  const on = variable('FORCE_COLOR', env);
  if (on.value !== undefined) return { ...on, value: true };
  if (env['TERM'] === 'dumb') return { value: false, origin: { from: 'environment', source: 'TERM' } };
  return { value: stdout.isTTY && stderr.isTTY, origin: DEFAULT };
}
