/**
 * `postgresql://…`: the address of a shared journal. Missing parts come from PostgreSQL's variables, and from its
 * password file. CONTRACT: "The shared journal".
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { PostgresqlPlace, PostgresqlTls, ServerAddress } from '../journal/location.js';
import { isThisMachine } from '../util/loopback.js';
import type { World } from '../world.js';
import { percentDecoded, REDACTED } from './secrets.js';

const SCHEME = /^postgres(?:ql)?:\/\//i;
/** Scheme and user; hosts; path; parameters. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^?]*)(.*)$/is;
/** Other parameters are refused: silently ignoring one could weaken security. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'schema',
  'user',
  'password',
  'host',
  'port',
  'application_name',
  'connect_timeout',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
]);
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const USUAL_PORT = 5432;
/** Seconds. */
const USUAL_TIMEOUT = 10;
const LONGEST_TIMEOUT = 600;

export function isPostgresql(url: string): boolean {
  return SCHEME.test(url);
}

/** The same text without the password of a URL in it: for people, and for commands that continue. */
export function withoutPassword(text: string): string {
  return without(/(?:ssl)?password/, text.replace(/(postgres(?:ql)?:\/\/[^\s:@/?#]*):[^\s/?#]*@/gi, '$1@'));
}

/** The journal in a setting's text, so that it works from any folder: a folder gets its full path. */
export function absoluteJournal(text: string, folder: string): string {
  return text.replace(/^sqlite:(?:\/\/(?=\/))?(.+)$/s, (_all, path: string) => `sqlite:${resolve(folder, path)}`);
}

/** The same without a user: other callers then use their names. */
export function withoutUser(text: string): string {
  return without(/user/, text.replace(/(postgres(?:ql)?:\/\/)[^\s/?#]*@/gi, '$1'));
}

/** Removes parameters from the URLs in a text. */
function without(name: RegExp, text: string): string {
  const parameter = new RegExp(`([?&])${name.source}=[^&\\s]*(?:&|(?=\\s|$))`, 'gi');
  return text.replace(/postgres(?:ql)?:\/\/\S+/gi, (url) => url.replace(parameter, '$1').replace(/[?&]$/, ''));
}

/** The place's URL with the hosts, ports and database from PostgreSQL's variables: other machines may differ. */
export function withHost({ shown, servers, database }: PostgresqlPlace): string {
  const [, head = '', , path = '', query = ''] = URL_PARTS.exec(shown) ?? [];
  const parameters = new URLSearchParams(query);
  for (const name of ['host', 'port']) parameters.delete(name);
  // The folder of a socket can only be a parameter.
  const isSocket = servers.some(({ host }) => host.startsWith('/'));
  if (isSocket) {
    parameters.set('host', servers.map(({ host }) => host).join());
    if (servers.some(({ port }) => port !== USUAL_PORT)) parameters.set('port', servers.map(({ port }) => port).join());
  }
  const hosts = isSocket ? '' : servers.map(addressText).join();
  const named = path.length < 2 ? `/${encodeURIComponent(database)}` : path;
  return `${head}${hosts}${named}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`;
}

function addressText({ host, port }: ServerAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}${port === USUAL_PORT ? '' : `:${port}`}`;
}

/** The place of a password in a possible database URL, however it is mistyped. */
const PASSWORDS = [
  /^(?!sqlite:)([a-z][a-z0-9+.-]*:\/{0,2}[^\s:@/?#]*:)(.*)(?=@)/is,
  /^(?!sqlite:)([^\s:@/?#]+:)(?!\/)(.*)(?=@)/is,
  /([?&](?:ssl)?password=)([^&\s]*)/gi,
] as const;

/** The same with a word in the password's place. */
export function hiddenPassword(url: string): string {
  return PASSWORDS.reduce((text, password) => text.replace(password, `$1${REDACTED}`), url);
}

/** The passwords in a URL, as written and percent-decoded; for hiding them wherever they occur. */
export function passwordsIn(url: string): string[] {
  const written = PASSWORDS.flatMap((password) => {
    return [...url.matchAll(new RegExp(password, 'gi'))].map(([, , found = '']) => found);
  });
  return written.filter((text) => text !== '').flatMap((text) => [text, percentDecoded(text) ?? text]);
}

/**
 * @param name of the setting, for messages
 * @param folder from which its relative paths start
 * @throws UsageError
 */
export function postgresqlPlace(name: string, text: string, folder: string, world: World): PostgresqlPlace {
  const refused = (why: string, cause?: unknown): UsageError =>
    new UsageError(`${name}: ${hiddenPassword(text)} cannot be used: ${why}`, { cause });
  const { first, hosts, ports } = parseUrl(text, refused);
  const parameter = parametersOf(first.searchParams, refused);
  const { env } = world;
  /** A part of the URL, else the parameter, else PostgreSQL's variable. */
  const said = (key: string, part: string, variable: string): string | undefined => {
    const written = set(percentDecoded(part) ?? part);
    const given = parameter(key);
    if (written !== undefined && given !== undefined) throw refused(`${key} is given twice; leave one out`);
    return written ?? given ?? set(env[variable]);
  };
  const schema = parameter('schema') ?? 'gigwork';
  if (!SCHEMA_NAME.test(schema) || schema.startsWith('pg_'))
    throw refused('schema takes lower-case letters, digits and _');
  const user = said('user', first.username, 'PGUSER') ?? world.person().user;
  const timeout = Number(parameter('connect_timeout') ?? set(env['PGCONNECT_TIMEOUT']) ?? USUAL_TIMEOUT);
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > LONGEST_TIMEOUT)
    throw refused(`connect_timeout takes whole seconds, 1 to ${LONGEST_TIMEOUT}`);
  const servers = serversOf(said('host', hosts, 'PGHOST') ?? 'localhost', said('port', ports, 'PGPORT'), refused);
  const tls = tlsOf(parameter, folder, refused, world);
  const isChecked = tls.mode.startsWith('verify-') || (tls.mode === 'require' && tls.rootCert !== null);
  if (isChecked && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && !servers.every(({ host }) => isThisMachine(host)))
    throw refused(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: certificates are not checked, so anybody could answer in place of the database. Unset the variable. If the database has a certificate authority that Node.js does not know, name its certificate with sslrootcert',
    );
  return {
    kind: 'postgresql',
    user,
    schema,
    connectMs: timeout * 1e3,
    servers,
    database: set(percentDecoded(first.pathname.slice(1))) ?? set(env['PGDATABASE']) ?? user,
    password: said('password', first.password, 'PGPASSWORD') ?? null,
    applicationName: parameter('application_name') ?? set(env['PGAPPNAME']) ?? 'gigwork',
    tls,
    shown: withoutPassword(text),
  };
}

type Refused = (why: string, cause?: unknown) => UsageError;

/** @returns the URL with the first host; hosts and ports as lists, empty if there are none */
function parseUrl(text: string, refused: Refused): { first: URL; hosts: string; ports: string } {
  const [, head = '', list = '', path = '', query = ''] = URL_PARTS.exec(text) ?? [];
  try {
    const urls = list.split(',').map((host) => {
      if (host === '' && list !== '') throw new UsageError('a host without a name');
      // Of the schemes that a URL may have, this one separates user, host and path without changing them.
      return new URL(`${head.replace(SCHEME, 'postgresql://')}${host}${path}${query}`);
    });
    const [first] = urls as [URL];
    if (first.hash !== '') throw new UsageError('#');
    for (const part of [first.username, first.password, first.pathname, list])
      if (percentDecoded(part) === null) throw new UsageError('%');
    const ports = urls.map(({ port }) => port);
    return {
      first,
      hosts: urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')).join(),
      ports: ports.every((port) => port === '') ? '' : ports.map((port) => port || USUAL_PORT).join(),
    };
  } catch (cause) {
    const remedy =
      'write it as postgresql://USER@HOST/DATABASE, with other signs than letters and digits percent-encoded';
    throw refused(remedy, cause);
  }
}

/** @throws UsageError for an unknown or duplicate parameter */
function parametersOf(given: URLSearchParams, refused: Refused): (key: string) => string | undefined {
  for (const key of given.keys()) {
    if (!PARAMETERS.has(key)) throw refused(`it does not know the parameter ${JSON.stringify(key)}`);
    if (given.getAll(key).length > 1) throw refused(`${key} is given twice; leave one out`);
    // Most likely a variable that is not set: another journal would know nothing of earlier payments.
    if (given.get(key) === '') throw refused(`${key} is empty. Give it a value, or leave it out`);
  }
  return (key) => given.get(key) ?? undefined;
}

/** A single port applies to all hosts. */
function serversOf(hosts: string, ports = `${USUAL_PORT}`, refused: Refused): ServerAddress[] {
  const names = hosts.split(',');
  const numbers = ports.split(',').map(Number);
  if (numbers.length > 1 && numbers.length !== names.length)
    throw refused(
      `it has ${names.length} hosts and ${numbers.length} ports; give one port for each host, or one for all`,
    );
  if (numbers.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
    throw refused('the port is not a number');
  return names.map((host, i) => ({ host, port: numbers[i] ?? numbers[0] ?? USUAL_PORT }));
}

/** @param parameter of the URL, by its name. @param folder from which its relative paths start */
function tlsOf(
  parameter: (key: string) => string | undefined,
  folder: string,
  refused: Refused,
  { env, cwd }: World,
): PostgresqlTls {
  const written = parameter('sslmode') ?? set(env['PGSSLMODE']) ?? 'prefer';
  const known = MODES.find((mode) => mode === written);
  if (known === undefined) throw refused(`sslmode takes ${MODES.join(', ')}`);
  const file = (key: string, usual: string): string | null => {
    const own = parameter(key);
    const given = own ?? set(env[`PG${key.toUpperCase()}`]);
    if (given !== undefined) return given === 'system' ? given : resolve(own === undefined ? cwd() : folder, given);
    const path = env['HOME'] === undefined ? null : join(env['HOME'], '.postgresql', usual);
    return path !== null && existsSync(path) ? path : null;
  };
  const cert = file('sslcert', 'postgresql.crt');
  const key = file('sslkey', 'postgresql.key');
  return {
    mode: known === 'allow' ? 'prefer' : known,
    rootCert: file('sslrootcert', 'root.crt'),
    cert,
    key,
    password: parameter('sslpassword') ?? null,
  };
}

/** An empty text sets nothing. */
function set(value: string | null | undefined): string | undefined {
  return value === '' || value === null ? undefined : value;
}
