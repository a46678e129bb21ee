import { expect, it } from 'vitest';
import { proxyFor } from '../../../../src/delivery/http/proxy-used.js';

const PROXIES = { http: 'http://proxy.example:3128', https: 'http://proxy.example:3129' };
const LOCAL = { http: 'http://127.0.0.1:3128', https: 'http://localhost:3129' };

it.each<[origin: string, proxy: typeof PROXIES, used: string | null]>([
  ['https://gigs.example', PROXIES, PROXIES.https],
  ['http://gigs.example', PROXIES, PROXIES.http],
  ['https://127.0.0.1:8443', PROXIES, PROXIES.https],
  // In the clear, and past this machine: another one would read it.
  ['http://127.0.0.1:8080', PROXIES, null],
  ['http://localhost:8080', PROXIES, null],
  ['http://[::1]:8080', PROXIES, null],
  ['http://127.0.0.1:8080', LOCAL, LOCAL.http],
  ['http://gigs.example', LOCAL, LOCAL.http],
])('%s, with %j', (origin, proxy, used) => {
  expect(proxyFor(origin, proxy)).toBe(used);
});

it.each([
  ['gigs.example', true],
  ['gigs.example:443', true],
  ['other.example, .example', true],
  ['*.Example', true],
  ['*', true],
  ['gigs.example:80', false],
  ['igs.example', false],
  ['', false],
])('NO_PROXY=%s excepts the service: %s', (no, isExcepted) => {
  expect(proxyFor('https://gigs.example', { ...PROXIES, no })).toBe(isExcepted ? null : PROXIES.https);
});

it('none is used where none is set', () => {
  expect([proxyFor('https://gigs.example', null), proxyFor('http://gigs.example', { https: 'x' })]).toEqual([
    null,
    null,
  ]);
});
