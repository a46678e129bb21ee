import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeProfile } from '../../../src/setup/profile.js';

// What has happened to the config file while setup was asking.

function config(text: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.json');
  if (text !== null) writeFileSync(path, text);
  return path;
}

const PROFILE = { decimal: 'comma' } as const;

it('goes into the file as it is now, behind its byte order mark', async () => {
  const path = config('\ufeff{"retries": 3}');
  await writeProfile(path, 'bank', PROFILE, undefined);
  expect(readFileSync(path, 'utf8')).toBe(
    '\ufeff{"retries": 3,\n  "profiles": {\n    "bank": {\n      "decimal": "comma"\n    }\n  }}',
  );
  expect(readdirSync(join(path, '..'))).toEqual(['config.json']);
});

it('replaces the profile that the person has seen, and no other', async () => {
  const path = config('{"profiles": {"bank": {"negate": true}}}');
  await expect(writeProfile(path, 'bank', PROFILE, undefined)).rejects.toThrow('another profile "bank" now');
  await expect(writeProfile(path, 'bank', PROFILE, { negate: false })).rejects.toThrow('another profile "bank" now');
  expect(readFileSync(path, 'utf8')).toContain('"negate"');
  await writeProfile(path, 'bank', PROFILE, { negate: true });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ profiles: { bank: PROFILE } });
});

it.each(['{"profiles": ', '{"profils": {}}', '[]'])('leaves a file alone that is broken by now: %s', async (text) => {
  const path = config(text);
  await expect(writeProfile(path, 'bank', PROFILE, undefined)).rejects.toThrow(/config file/);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

it('says why a file cannot be written', async () => {
  const path = config('not a folder');
  await expect(writeProfile(join(path, 'config.json'), 'bank', PROFILE, undefined)).rejects.toThrow(
    /config\.json could not be written/,
  );
});
