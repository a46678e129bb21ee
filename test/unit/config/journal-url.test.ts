import { expect, test } from 'vitest';
import {
  hiddenPassword,
  passwordsIn,
  postgresqlPlace,
  withHost,
  withoutPassword,
  withoutUser,
} from '../../../src/config/journal-url.js';
import { workspace } from '../../support/cli.js';
import { quietWorld } from '../../support/inside.js';

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

test('neither password nor user of a parameter is left in it', () => {
  const url = `postgresql://h/db?user=u&password=${SECRET}&schema=s&sslpassword=${SECRET}`;
  expect(withoutPassword(url)).toBe('postgresql://h/db?user=u&schema=s');
  expect(withoutUser(withoutPassword(url))).toBe('postgresql://h/db?schema=s');
  expect(withoutPassword(`--journal postgresql://h/db?password=${SECRET} --yes`)).toBe(
    '--journal postgresql://h/db --yes',
  );
});

const ENV = { PGUSER: 'anna', PGHOST: 'x,y', PGPORT: '6000', PGDATABASE: 'pay' };

function placeOf(rest: string, env: Record<string, string> = {}) {
  return postgresqlPlace('--journal', `postgresql://${rest}`, '/', { ...quietWorld(), env });
}

test.each([
  ['u@h/db', {}, 'h:5432', 'u@h/db'],
  ['u@h,[::1]:6000/db?schema=s', {}, 'h:5432 ::1:6000', 'u@h,[::1]:6000/db?schema=s'],
  ['/db?host=h,i&port=1,2&user=u', {}, 'h:1 i:2', 'h:1,i:2/db?user=u'],
  ['/db?host=/run/pg,/tmp&port=7&user=u', {}, '/run/pg:7 /tmp:7', '/db?user=u&host=%2Frun%2Fpg%2C%2Ftmp&port=7%2C7'],
  ['', ENV, 'x:6000 y:6000', 'x:6000,y:6000/pay'],
  ['h', ENV, 'h:6000', 'h:6000/pay'],
] as const)('servers of %s %j', (rest, env, servers, whole) => {
  const place = placeOf(rest, env);
  expect(place.servers.map(({ host, port }) => `${host}:${port}`).join(' ')).toBe(servers);
  expect(withHost(place)).toBe(`postgresql://${whole}`);
});

test('what the parameters say holds', () => {
  const place = placeOf('h?user=u&password=p&application_name=night&connect_timeout=3&sslmode=disable&sslpassword=q');
  expect(place).toMatchObject({ user: 'u', password: 'p', applicationName: 'night', connectMs: 3000 });
  expect(place.tls).toMatchObject({ mode: 'disable', password: 'q' });
});

test.each([
  ['u@h/db?options=-c%20x', '"options"'],
  ...['schema', 'user', 'password', 'host', 'port', 'sslmode', 'sslcert', 'connect_timeout', 'application_name'].map(
    (key) => [`db.example/pay?${key}=`, `${key} is empty. Give it a value, or leave it out`],
  ),
  ['u@h,i/db?target_session_attrs=any', '"target_session_attrs"'],
  ['u@h/db?sslmode=require&sslmode=disable', 'sslmode is given twice'],
  ['u@h/db?user=v', 'user is given twice'],
  ['u:p@h/db?password=q', 'password is given twice'],
  ['u@h/db?host=i', 'host is given twice'],
  ['u@h:1/db?port=2', 'port is given twice'],
  ['u@h,i,j/db?port=1,2', '3 hosts and 2 ports'],
  ['u@h,,i/db', 'write it as'],
  ['u@h/db?connect_timeout=soon', 'connect_timeout takes'],
])('%s is refused: %s', (rest, words) => {
  expect(() => placeOf(rest)).toThrow(words);
});
