/** A finance desk in tests: a service that counts payments, and the payouts that are sent there again and again. */
import { expect } from 'vitest';
import { csv, payouts, type PayoutRow, type Row } from './builders.js';
import { type CliResult, workspace, type Workspace } from './cli.js';
import { hoursAhead } from './crash.js';
import { testService } from './fixtures.js';
import { businessRow, type Reply, type Service } from './service.js';

export interface Desk {
  readonly work: Workspace;
  readonly service: Service;
  /** Writes the rows to `p.csv`, or another file, and sends them. */
  send(rows: readonly object[], ...flags: string[]): Promise<CliResult>;
  /** Sends files that exist already. */
  sendFiles(files: readonly string[], ...flags: string[]): Promise<CliResult>;
  /** Writes the rows to `r.csv` and sends them as what the command says, such as `gig`. */
  create(type: string, rows: readonly object[], ...flags: string[]): Promise<CliResult>;
  /** Runs a command that the program has printed, as it stands but for flags behind it. */
  runPrinted(words: readonly string[], ...more: string[]): Promise<CliResult>;
  /** Goes on with a run by its name. */
  resume(run: string, ...flags: string[]): Promise<CliResult>;
  /** `gigwork batch …` with one JSON document as its answer. */
  batch(...words: string[]): Promise<Json>;
  /** The same desk, so many hours later. */
  later(hours: number): Desk;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
type Json = any;

/** Each request is answered by its number, from 1. */
export async function openDesk(respond?: (n: number) => Reply): Promise<Desk> {
  const service = await testService(respond === undefined ? {} : { respond: ({ n }) => respond(n) });
  return deskOf(workspace(), service, 0);
}

/** Each record of these users is answered so, and all others as usual. */
export async function openDeskAnswering(replies: Readonly<Record<string, Reply>>): Promise<Desk> {
  const service = await testService({ respond: ({ json }) => replies[(json as { user_id: string }).user_id] });
  return deskOf(workspace(), service, 0);
}

/** What becomes of records under these answers. */
export const ANSWERS = {
  open: { status: 401 },
  created: { status: 201 },
  unknown: { fault: 'reset-after' },
  rejected: { status: 422 },
} as const;
const STATES = { open: 'not_sent', created: 'created', unknown: 'unknown', rejected: 'rejected' } as const;

export interface Sent extends Desk {
  readonly run: string;
  /** The key of the first record. */
  readonly key: string;
}

/** A desk whose first call left its rows in this state; from then on the service answers as usual. */
export async function sent(state: keyof typeof ANSWERS, rows: readonly object[], ...flags: string[]): Promise<Sent> {
  return sentAt(await openDesk(), state, rows, ...flags);
}

/** The same at a desk that was used before. */
export async function sentAt(
  at: Desk,
  state: keyof typeof ANSWERS,
  rows: readonly object[],
  ...flags: string[]
): Promise<Sent> {
  at.service.responder(() => ANSWERS[state]);
  const result = await at.send(rows, '--retries', '0', '--rejects', 'rejects.csv', '--overwrite', ...flags);
  at.service.responder(undefined);
  expect(result.summary.records).toMatchObject({ [STATES[state]]: rows.length });
  return { ...at, run: result.summary.run, key: recordsOf(result)[0].key };
}

function deskOf(work: Workspace, service: Service, hours: number): Desk {
  const env = hoursAhead(hours);
  const target = ['--base-url', service.url, '--yes', '--json', '--concurrency', '1'];
  const create = (type: string, files: readonly string[], flags: readonly string[]): Promise<CliResult> =>
    work.run([type, 'create', ...files, ...target, ...flags], { env });
  const sendFiles: Desk['sendFiles'] = (files, ...flags) => create('payout', files, flags);
  return {
    work,
    service,
    send: (rows, ...flags) => {
      work.file('p.csv', csv(rows as PayoutRow[]));
      return sendFiles(['p.csv'], ...flags);
    },
    sendFiles,
    create: (type, rows, ...flags) => {
      work.file('r.csv', csv(rows as Row[]));
      return create(type, ['r.csv'], flags);
    },
    runPrinted: ([, ...words], ...more) => {
      const json = words.includes('--json') ? [] : ['--json'];
      return work.run([...words, ...json, ...more], { env });
    },
    resume: (run, ...flags) =>
      work.run(['batch', 'resume', run, '--yes', '--json', '--concurrency', '1', ...flags], { env }),
    batch: async (...words) => JSON.parse((await work.run(['batch', ...words, '--json'], { env })).stdout),
    later: (more) => deskOf(work, service, hours + more),
  };
}

export const ROWS = payouts(4);
export const [FIRST, SECOND, THIRD, FOURTH] = ROWS as [PayoutRow, PayoutRow, PayoutRow, PayoutRow];
export const DEARER = { ...SECOND, amount: SECOND.amount + 1 };
export const EDITED = ROWS.map((row) => (row === SECOND ? DEARER : row));

export function times({ executions }: Service, row: PayoutRow): number {
  return executions.get(businessRow('payout', row)) ?? 0;
}

/** Issue codes with how often they came up. */
export function issues({ events }: CliResult, severity: 'error' | 'warning' = 'error'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event, code, severity: found } of events) {
    if (event === 'issue' && found === severity) counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** The issue events, of one code or of all, in the order in which they were told. */
export function issuesOf({ events }: CliResult, code?: string): Json[] {
  return events.filter((event) => event.event === 'issue' && (code === undefined || event.code === code));
}

/** The record events in the order of the input, of one file. */
export function recordsOf({ events }: CliResult): Json[] {
  return events.filter(({ event }) => event === 'record').sort((one, other) => one.record - other.record);
}

/** The states of the records, in the order of the input. */
export function statesOf(result: CliResult): string[] {
  return recordsOf(result).map(({ status }) => status);
}

/** The command of the one remedy that has this word. */
export function remedyOf({ summary }: CliResult, word: string): string[] {
  const found = summary.remedies.filter(({ command }: { command: string[] }) => command.includes(word));
  expect(found).toHaveLength(1);
  return found[0].command;
}

/** The row as the rejects file has it: with the key of the payment that it corrects. */
export function correcting(row: object, key: string): Row {
  return { ...row, gigwork_key: key, gigwork_error: 'HTTP 422' };
}

/** How often each of these was paid. */
export function paid({ service }: Desk, ...rows: readonly PayoutRow[]): number[] {
  return rows.map((row) => times(service, row));
}

/** Expects that the run was refused with these errors, and that nothing was sent. */
export function expectRefused(result: CliResult, reason: string, found: Record<string, number>): void {
  expect(result.summary).toMatchObject({ exit_code: 3, stop_reason: reason, run: null });
  expect(issues(result)).toEqual(found);
}

export function expectDone(result: CliResult, records: Record<string, number>): void {
  expect(result.summary).toMatchObject({ exit_code: 0, stop_reason: null, records });
}

/** The row with a key of its own. */
export function own<Of extends object>(row: Of, key: string): Of & Row {
  return { ...row, idempotency_key: key };
}
