/** Desks on one shared journal: each call is a process with a way of its own to the database. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type CliResult, type RunningCli, type RunningInside, workspace, type Workspace } from '../../support/cli.js';
import { CRASH_ENTRY } from '../../support/crash.js';
import { type CutProxy, startCutProxy } from './cut-proxy.js';
import { DATABASE, type Server, sharedServer, USER } from '../../support/postgresql.js';
import type { Service } from '../../support/service.js';

/** Milliseconds. */
export const LEASE_MS = 3000;

export interface Desks {
  readonly work: Workspace;
  readonly server: Server;
  readonly schema: string;
  /** The journal's address over this port, or over the server's own. */
  url(port?: number): string;
  /** A way to the server that can be cut. */
  way(): Promise<CutProxy>;
  /** Starts `gigwork …` on the journal. Machines know each other by the database alone, so it runs inside this process. */
  begin(words: readonly string[], options?: StartOptions): RunningInside;
  /** The same as a process, which can be killed and held. */
  start(words: readonly string[], options?: StartOptions): RunningCli;
  /** Runs it to its end. */
  run(words: readonly string[], options?: StartOptions): Promise<CliResult>;
}

export interface StartOptions {
  /** Of the way to the database. */
  readonly port?: number;
  readonly env?: Record<string, string>;
  readonly flags?: readonly string[];
}

export async function desks(own?: Server): Promise<Desks> {
  const server = own ?? (await sharedServer());
  const schema = `s_${randomUUID().replaceAll('-', '')}`;
  if (own === undefined) onTestFinished(() => void server.say(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  const work = workspace();
  const url = (port = server.port): string =>
    `postgresql://${USER}@127.0.0.1:${port}/${DATABASE}?schema=${schema}&sslmode=disable`;
  const given = (words: readonly string[], { port, flags = [] }: StartOptions): string[] => [
    ...words,
    '--journal',
    url(port),
    ...flags,
  ];
  const withLease = ({ env = {} }: StartOptions) => ({ env: { TEST_LEASE_MS: String(LEASE_MS), ...env } });
  const begin: Desks['begin'] = (words, options = {}) => work.begin(given(words, options), withLease(options));
  return {
    work,
    server,
    schema,
    url,
    begin,
    start: (words, options = {}) =>
      work.start(given(words, options), {
        entry: CRASH_ENTRY,
        ...withLease(options),
      }),
    run: (words, options) => begin(words, options).result,
    way: async () => {
      const proxy = await startCutProxy(server.port);
      onTestFinished(() => proxy.close());
      return proxy;
    },
  };
}

/** Words that send a file. A request takes less than the lease. */
export function sending(command: string, file: string, { url }: Pick<Service, 'url'>, timeout = '1'): string[] {
  const target = ['--base-url', url, '--yes', '--json', '--no-progress', '--timeout', timeout];
  return [...command.split(' '), file, ...target, '--journal-timeout', '20'];
}
