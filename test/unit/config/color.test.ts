import { expect, it } from 'vitest';
import { chooseColor } from '../../../src/config/run-options.js';
import type { World } from '../../../src/world.js';

const terminal = { stdout: { isTTY: true }, stderr: { isTTY: true } } as World;

it.each<[env: Record<string, string>, color: boolean]>([
  [{}, true],
  [{ TERM: 'xterm' }, true],
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
])('on a terminal, with %j', (env, color) => {
  expect(chooseColor({}, { ...terminal, env }).value).toBe(color);
});
