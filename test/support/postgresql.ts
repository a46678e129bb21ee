import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './ports.js';

/** A server of PostgreSQL in a temporary folder, on loopback, without passwords. It ends with this process at the latest. */
export interface Server {
  readonly port: number;
  /** Says SQL as the server's superuser. */
  say(sql: string, database?: string): string;
  url(user: string, database?: string): string;
  /** Runs a script as the program psql does, as the server's superuser, with variables such as `schema=gigwork`. */
  runScript(path: string, variables?: readonly string[], database?: string): void;
  start(): Promise<void>;
  /** Ends it, and removes its folder. */
  end(): Promise<void>;
  /** A copy that follows it, until it is promoted. */
  standby(): Promise<Server>;
  /** @param mode `fast` ends sessions in order; `immediate` is a crash */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
}

/** What every server of the tests has: a database, and a user who may make schemas in it. */
export const DATABASE = 'journal';
export const USER = 'clerk';

/** The folder of the server's programs; null where there is none. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const named = process.env['TEST_POSTGRESQL'];
  const folders = [
    ...(named === undefined ? [] : [named]),
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => isThere(join(folder, 'initdb')) && isThere(join(folder, 'postgres'))) ?? null;
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const PROGRAMS = findPrograms();

/** Says which tests are left out, and how they are run. */
export const LEFT_OUT =
  'PostgreSQL is not installed (Debian: apt-get install postgresql), or name its bin folder in TEST_POSTGRESQL';

/** Ends the server as it is told to; without a word, since whoever started it is gone, it removes the folder too. */
const KEEPER =
  '"$@" > "$0/log" 2>&1 < /dev/null & read -r how; kill "-${how:-QUIT}" $!; wait; [ -n "$how" ] || rm -rf "$0"';

/** The server refuses to run as root. */
function asAnother(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
    : [command, [...args]];
}

/** The server must own what it reads. */
function giveAway(path: string): void {
  if (process.getuid?.() !== 0) return;
  const ids = execFileSync('sh', ['-c', 'id -u postgres; id -g postgres'], { encoding: 'utf8' }).trim().split('\n');
  chownSync(path, Number(ids[0]), Number(ids[1]));
}

function run(command: string, args: readonly string[], input?: string): string {
  const [program, words] = asAnother(command, args);
  return execFileSync(program, words, {
    encoding: 'utf8',
    cwd: '/',
    ...(input === undefined ? {} : { input }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

let shared: Promise<Server> | null = null;

/** One server for all tests of this process. */
export function sharedServer(): Promise<Server> {
  return (shared ??= startServer());
}

export interface ServerOptions {
  /** Further ones, as `name=value`. */
  readonly settings?: readonly string[];
  /** Users need one. */
  readonly passwords?: boolean;
  /** On the disk, as for measurements; otherwise in memory where that can be had: what is durable there needs no disk. */
  readonly onDisk?: boolean;
  /** It offers TLS with these, as PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Makes the files of a new server: once in a run of the tests, and copies of them from then on. */
async function makeData(programs: string, data: string): Promise<void> {
  const suite = process.env['TEST_SUITE'];
  const template = suite === undefined ? null : join(suite, 'server');
  const made = join(template ?? '', 'made');
  if (template === null || isFirst(template)) {
    run(join(programs, 'initdb'), [
      '-D',
      template === null ? data : join(template, 'data'),
      '-A',
      'trust',
      '-U',
      'postgres',
      '--no-sync',
      '--no-instructions',
      '-E',
      'UTF8',
      '--locale=C',
    ]);
    if (template !== null) writeFileSync(made, '');
  }
  if (template === null) return;
  while (!existsSync(made)) await delay(20);
  run('cp', ['-a', join(template, 'data'), data]);
}

/** Whether no other process of the tests has made this folder; then it is there now, and the server's. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
  giveAway(folder);
  return true;
}

/** @param of port of the server that it is a standby of; null for one of its own */
export async function startServer(options: ServerOptions = {}, of: number | null = null): Promise<Server> {
  const { settings = [], passwords = false, onDisk = false, tls } = options;
  if (PROGRAMS === null) throw new Error(LEFT_OUT);
  const programs = PROGRAMS;
  const memory = '/dev/shm';
  const folder = mkdtempSync(join(!onDisk && isThere(memory) ? memory : tmpdir(), 'gigwork-pg-'));
  giveAway(folder);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  if (of === null) await makeData(programs, data);
  else
    run(join(programs, 'pg_basebackup'), [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(of),
      '-U',
      'postgres',
      '-R',
      '-N',
      '-c',
      'fast',
    ]);
  const port = await freePort();
  const fixed = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    'shared_buffers=64MB',
    'logging_collector=off',
  ];
  // Passwords are for those who come over the network; psql of the tests comes through the socket.
  if (passwords) {
    const rules = join(folder, 'hba.conf');
    writeFileSync(rules, 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n', { mode: 0o644 });
    fixed.push(`hba_file=${rules}`);
  }
  for (const name of ['key', 'cert'] as const) {
    if (tls === undefined) continue;
    writeFileSync(join(folder, name), tls[name], { mode: 0o600 });
    giveAway(join(folder, name));
  }
  if (tls !== undefined)
    fixed.push('ssl=on', `ssl_key_file=${join(folder, 'key')}`, `ssl_cert_file=${join(folder, 'cert')}`);
  const flags = [...fixed, ...settings].flatMap((setting) => ['-c', setting]);
  const log = join(folder, 'log');
  let keeper: ChildProcessWithoutNullStreams | null = null;
  const start = async (): Promise<void> => {
    const [program, words] = asAnother('sh', ['-c', KEEPER, folder, join(programs, 'postgres'), '-D', data, ...flags]);
    keeper = spawn(program, words, { cwd: '/', stdio: 'pipe' });
    for (let tries = 0; ; tries++) {
      if (spawnSync(join(programs, 'pg_isready'), ['-q', '-h', folder, '-p', String(port)]).status === 0) return;
      if (tries === 600 || keeper.exitCode !== null) throw new Error(`the server does not start: ${run('cat', [log])}`);
      await delay(50);
    }
  };
  const stop = async (mode: 'fast' | 'immediate' = 'immediate'): Promise<void> => {
    if (keeper === null || keeper.exitCode !== null) return;
    const ended = once(keeper, 'exit');
    keeper.stdin.end(`${mode === 'fast' ? 'INT' : 'QUIT'}\n`);
    await ended;
  };
  await start();
  const end = async (): Promise<void> => {
    // Without a word, the keeper removes the folder.
    if (keeper === null || keeper.exitCode !== null) return;
    const ended = once(keeper, 'exit');
    keeper.stdin.end();
    await ended;
  };
  const standby = (): Promise<Server> => startServer(options, port);
  const psql = (database: string, more: readonly string[], sql: string): string => {
    const at = ['-h', folder, '-p', String(port), '-U', 'postgres', '-d', database];
    return run(join(programs, 'psql'), [...at, '-v', 'ON_ERROR_STOP=1', ...more], sql).trim();
  };
  const say = (sql: string, database = DATABASE): string => psql(database, ['-qAt'], sql);
  if (of === null) say(`CREATE ROLE ${USER} LOGIN; CREATE DATABASE ${DATABASE} OWNER ${USER};`, 'postgres');
  const url = (user: string, database = DATABASE): string => `postgresql://${user}@127.0.0.1:${port}/${database}`;
  const runScript: Server['runScript'] = (path, variables = [], database = DATABASE) => {
    const set = variables.flatMap((variable) => ['-v', variable]);
    psql(database, ['-q', ...set], readFileSync(path, 'utf8'));
  };
  return { port, say, url, runScript, start, stop, end, standby };
}
