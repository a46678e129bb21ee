/** Desks on one shared journal: each call is a process with a way of its own to the database. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type CliResult, type RunningCli, workspace, type Workspace } from '../../support/cli.js';
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
  /** Starts `gigwork …` on the journal, as a process. */
  start(words: readonly string[], options?: StartOptions): RunningCli;
  /** Runs it to its end, inside this process: for what another desk finds. */
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
  const lease = { TEST_LEASE_MS: String(LEASE_MS) };
  const start: Desks['start'] = (words, { port, env = {}, flags = [] } = {}) =>
    work.start([...words, '--journal', url(port), ...flags], { entry: CRASH_ENTRY, env: { ...lease, ...env } });
  return {
    ...{ work, server, schema, url, start },
    way: async () => {
      const proxy = await startCutProxy(server.port);
      onTestFinished(() => proxy.close());
      return proxy;
    },
    run: (words, { port, env = {}, flags = [] } = {}) =>
      work.run([...words, '--journal', url(port), ...flags], { env: { ...lease, ...env } }),
  };
}

/** Words that send a file. A request takes less than the lease. */
export function sending(command: string, file: string, { url }: Pick<Service, 'url'>, timeout = '1'): string[] {
  const target = ['--base-url', url, '--yes', '--json', '--no-progress', '--timeout', timeout];
  return [...command.split(' '), file, ...target, '--journal-timeout', '20'];
}
