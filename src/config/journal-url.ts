/**
 * `postgresql://…`: the address of a shared journal. What the URL leaves out comes from PostgreSQL's own variables, and
 * from its password file. CONTRACT: "The shared journal".
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { PostgresqlPlace, PostgresqlTls } from '../ledger/place.js';
import type { World } from '../world.js';
import { decoded, HIDDEN } from './secrets.js';

const SCHEME = /^postgres(?:ql)?:\/\//i;
/** Other parameters are refused: one that is passed over in silence could be about safety. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...['schema', 'host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
]);
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export function isPostgresql(url: string): boolean {
  return SCHEME.test(url);
}

/** The same text without the password of a URL in it: what people see, and what commands to go on hold. */
export function withoutPassword(text: string): string {
  return text.replace(/(postgres(?:ql)?:\/\/[^\s:@/?#]*):[^\s/?#]*@/gi, '$1@');
}

/** The journal that a text names, from any folder: a folder by its whole path. */
export function journalFrom(text: string, folder: string): string {
  return text.replace(/^sqlite:(?:\/\/(?=\/))?(.+)$/s, (_all, path: string) => `sqlite:${resolve(folder, path)}`);
}

/** The same without a user: whoever calls then comes under their own name. */
export function withoutUser(text: string): string {
  return text.replace(/(postgres(?:ql)?:\/\/)[^\s/?#]*@/gi, '$1');
}

/** The place's URL with the host, port and database that came from PostgreSQL's variables: on other machines they are others. */
export function withHost({ shown, host, port, database }: PostgresqlPlace): string {
  const url = new URL(shown);
  const { searchParams } = url;
  if (url.hostname === '' && !searchParams.has('host')) {
    if (host.startsWith('/')) searchParams.set('host', host);
    else url.hostname = host.includes(':') ? `[${host}]` : host;
  }
  if (url.port === '' && !searchParams.has('port') && port !== 5432) {
    if (url.hostname === '') searchParams.set('port', String(port));
    else url.port = String(port);
  }
  if (url.pathname.length < 2) url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Where a password stands in what may have been meant as a URL of a database, however it is mistyped. */
const PASSWORDS = [
  /^(?!sqlite:)([a-z][a-z0-9+.-]*:\/{0,2}[^\s:@/?#]*:)(.*)(?=@)/is,
  /^(?!sqlite:)([^\s:@/?#]+:)(?!\/)(.*)(?=@)/is,
  /([?&](?:ssl)?password=)([^&\s]*)/gi,
] as const;

/** The same with a word in the password's place. */
export function hiddenPassword(url: string): string {
  return PASSWORDS.reduce((text, password) => text.replace(password, `$1${HIDDEN}`), url);
}

/** The passwords in a URL, as written and percent-decoded; for hiding them wherever they occur. */
export function passwordsIn(url: string): string[] {
  const written = PASSWORDS.flatMap((password) => {
    return [...url.matchAll(new RegExp(password, 'gi'))].map(([, , found = '']) => found);
  });
  return written.filter((text) => text !== '').flatMap((text) => [text, decoded(text) ?? text]);
}

/**
 * @param name of the setting, for messages. @param folder from which its relative paths start
 * @throws UsageError
 */
export function postgresqlPlace(name: string, text: string, folder: string, world: World): PostgresqlPlace {
  const { env } = world;
  const url = parsed(name, text);
  const parameter = (key: string): string | undefined => url.searchParams.get(key) ?? undefined;
  const unknown = [...url.searchParams.keys()].find((key) => !PARAMETERS.has(key));
  if (unknown !== undefined) throw refusal(name, text, `it does not know the parameter ${JSON.stringify(unknown)}`);
  const schema = parameter('schema') ?? 'gigwork';
  if (!SCHEMA_NAME.test(schema) || schema.startsWith('pg_'))
    throw refusal(name, text, 'schema takes lower-case letters, digits and _');
  const part = (value: string): string | undefined => (value === '' ? undefined : (decoded(value) ?? value));
  const user = part(url.username) ?? set(env['PGUSER']) ?? world.person().user;
  const host = parameter('host') ?? part(url.hostname.replace(/^\[|\]$/g, '')) ?? set(env['PGHOST']) ?? 'localhost';
  const port = Number(parameter('port') ?? (url.port || set(env['PGPORT']) || 5432));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw refusal(name, text, 'the port is no number');
  return {
    ...{ kind: 'postgresql', host, port, user, schema },
    database: part(url.pathname.slice(1)) ?? set(env['PGDATABASE']) ?? user,
    password: part(url.password) ?? set(env['PGPASSWORD']) ?? null,
    tls: tlsOf(parameter, host, folder, (why) => refusal(name, text, why), world),
    shown: withoutPassword(text),
  };
}

function parsed(name: string, text: string): URL {
  try {
    // Of the schemes that a URL may have, this one keeps user, host and path apart without changing any of them.
    const url = new URL(text.replace(SCHEME, 'postgresql://'));
    if (url.hash !== '') throw new UsageError('#');
    for (const part of [url.username, url.password, url.pathname])
      if (decoded(part) === null) throw new UsageError('%');
    return url;
  } catch (cause) {
    const remedy =
      'write it as postgresql://USER@HOST/DATABASE, with other signs than letters and digits percent-encoded';
    throw refusal(name, text, remedy, cause);
  }
}

function refusal(name: string, text: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`${name}: ${hiddenPassword(text)} cannot be used: ${why}`, { cause });
}

/** @param parameter of the URL, by its name. @param folder from which its relative paths start */
function tlsOf(
  parameter: (key: string) => string | undefined,
  host: string,
  folder: string,
  refused: (why: string) => UsageError,
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
  // A socket of this machine has no TLS.
  const mode = host.startsWith('/') ? 'disable' : known === 'allow' ? 'prefer' : known;
  const [cert, key] = [file('sslcert', 'postgresql.crt'), file('sslkey', 'postgresql.key')];
  return { mode, rootCert: file('sslrootcert', 'root.crt'), cert, key };
}

/** An empty variable sets nothing. */
function set(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
