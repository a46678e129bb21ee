import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const GENERATOR = fileURLToPath(new URL('../../docs/reference/generate.js', import.meta.url));

test('the pages of the reference say what the code says; npm run docs writes them anew', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [GENERATOR, '--check'], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});
