/** A clerk in tests of faults: a file of payouts, one of gigs, and the service to which they are sent again and again. */
import { expect } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import type { CliResult, InsideOptions, ProcessOptions, RunningCli, RunningInside } from '../support/cli.js';
import { type Workspace, workspaceWith } from '../support/cli.js';
import * as sending from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import type { Service, ServiceOptions } from '../support/service.js';

const FILES = { payout: 'p.csv', gig: 'g.ndjson' } as const;
export type Type = keyof typeof FILES;
export const TYPES = ['payout', 'gig'] as const;

/** Another file than the type's own, and another target than the service. */
export interface Otherwise {
  readonly file?: string;
  readonly to?: string | { readonly url: string };
}

export interface Clerk {
  readonly work: Workspace;
  readonly service: Service;
  /** Sends the file of this type, as `send` in crash.ts does. */
  send(type: Type, flags?: readonly string[], options?: InsideOptions & Otherwise): Promise<CliResult>;
  /** The same, returned while it runs. */
  begin(type: Type, flags?: readonly string[], options?: InsideOptions & Otherwise): RunningInside;
  /** The same as a process of its own. */
  start(type: Type, flags?: readonly string[], options?: ProcessOptions & Otherwise): RunningCli;
}

/** A workspace with so many payouts in p.csv and as many gigs in g.ndjson, and a service. */
export async function startClerk(n: number, options: ServiceOptions = {}): Promise<Clerk> {
  const work = workspaceWith({ [FILES.payout]: csv(payouts(n)), [FILES.gig]: ndjson(gigs(n)) });
  const service = await testService(options);
  const words = (type: Type, { file = FILES[type], to = service }: Otherwise) =>
    [work, `${type} create`, file, to] as const;
  return {
    work,
    service,
    send: (type, flags, { file, to, ...more } = {}) => sending.send(...words(type, { file, to }), flags, more),
    begin: (type, flags, more = {}) => sending.beginSending(...words(type, more), flags, more),
    start: (type, flags, more = {}) => sending.startSending(...words(type, more), flags, more),
  };
}

/** It ended so: its exit code, what its summary counts, and whatever else the summary says. */
export function expectEnded(result: CliResult, code: number, records: object, more: object = {}): void {
  expect(result.summary, result.stderr).toMatchObject({ exit_code: code, records, ...more });
  expect(result.code).toBe(code);
}

/** What `batch list` tells of each run. */
// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
export async function runsOf(work: Workspace): Promise<any[]> {
  return JSON.parse((await work.run(['batch', 'list', '--json'])).stdout).runs;
}
