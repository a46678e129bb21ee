import { expect, test } from 'vitest';
import { hiddenPassword, passwordsIn, withoutPassword } from '../../../src/config/journal-url.js';
import { workspace } from '../../support/cli.js';

const SECRET = 'Top@hemli';

/** A URL with the secret in it, or what somebody might write for one; and the same without. */
const URLS: readonly (readonly [written: string, hidden: string])[] = [
  [`postgresql://u:${SECRET}@h/db`, 'postgresql://u:[hidden]@h/db'],
  [`postgres://u:${SECRET}@h:5432/db?sslmode=require`, 'postgres://u:[hidden]@h:5432/db?sslmode=require'],
  [`postgresql://u:a/${SECRET}@h/db`, 'postgresql://u:[hidden]@h/db'],
  [`postgresql:u:${SECRET}@h/db`, 'postgresql:[hidden]@h/db'],
  [`u:${SECRET}@h/db`, 'u:[hidden]@h/db'],
  [`postgresql:/u:${SECRET}@h/db`, 'postgresql:/u:[hidden]@h/db'],
  [`mysql://u:${SECRET}@h/db`, 'mysql://u:[hidden]@h/db'],
  [`postgresql://u@h/db?password=${SECRET}&sslmode=require`, 'postgresql://u@h/db?password=[hidden]&sslmode=require'],
];

test.each(URLS)('%s is shown without its password', (written, hidden) => {
  expect(hiddenPassword(written)).toBe(hidden);
  expect(passwordsIn(written).some((text) => text.endsWith(SECRET))).toBe(true);
});

// One that can be used, and one that cannot.
test.each(URLS.filter((_url, i) => i === 0 || i === 4))('%s shows its password in no output', async (written) => {
  const work = workspace();
  work.file('r.csv', 'user_id,amount,currency,title,cost_center_key\nu,1,EUR,t,k\n');
  for (const words of [
    ['batch', 'list', '--json'],
    ['config', 'show'],
    ['doctor', '--sandbox', '--json'],
    ['payout', 'create', 'r.csv', '--sandbox', '--yes', '--json', '--journal-timeout', '0'],
    ['journal', 'copy', '--from', written, '--to', 'sqlite:there'],
  ]) {
    const flags = words[0] === 'journal' ? [] : ['--journal', written];
    const { stdout, stderr } = await work.run([...words, ...flags]);
    expect(stdout + stderr, words.join(' ')).not.toMatch(/hemli/);
  }
});

test('what goes on has the URL without its password, whatever is in that', () => {
  expect(withoutPassword(`postgresql://u:${SECRET}@h/db?schema=s`)).toBe('postgresql://u@h/db?schema=s');
  for (const plain of ['postgresql://u@h:5432/db?sslrootcert=a@b', 'postgresql://h/db', 'sqlite:C:/a@b'])
    expect([withoutPassword(plain), hiddenPassword(plain)]).toEqual([plain, plain]);
});
