import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Claims, Settled } from '../../../src/ledger/claims.js';
import type { Draft, PaymentId, Run } from '../../../src/ledger/payment.js';
import { AT, NO_SKIPS, pointers, START } from './kit.js';

export const CHILD_MAIN = fileURLToPath(new URL('child-main.js', import.meta.url));

/** A real process on a ledger. It ends with the test at the latest. Whatever is asked of a dead one fails. */
export interface Child {
  readonly isNew: boolean;
  prepare(drafts: readonly Draft[]): Promise<{ readonly number: number; readonly name: string }>;
  /** Passes the gate with what it has prepared; null where the history has changed. */
  pass(number: number, drafts: readonly Draft[], version: number, digest?: string): Promise<Run | null>;
  join(run: Run, version: number): Promise<Run | null>;
  exchange(settled: readonly Settled[], wanted: readonly PaymentId[]): Promise<Claims>;
  version(): Promise<number>;
  leave(): Promise<void>;
  /** Kills it, as power loss would. */
  kill(): Promise<void>;
}

/** Starts a process that opens the ledger of a folder and takes over what others left. */
export async function startChild(folder: string): Promise<Child> {
  const child = spawn(process.execPath, [CHILD_MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async <T>(command: string, values: object = {}): Promise<T> => {
    child.stdin.write(`${JSON.stringify({ do: command, ...values }, bigAsText)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('the process has ended');
    return (JSON.parse(value) as { answer: T }).answer;
  };
  const { isNew } = await ask<{ isNew: boolean }>('open', { folder });
  const plan = {
    ...{ target: AT, batchId: 'default', skips: NO_SKIPS, lifetimeMs: null, approval: null },
    ...{ sends: [], givenUp: [], replaced: [], bodies: [], delivers: true },
  };
  return {
    isNew,
    prepare: (drafts) => {
      const head = { command: 'payout create', ...AT, batchId: 'default', startedAt: START, headers: [] };
      return ask('prepare', { head, drafts });
    },
    pass: (number, drafts, version, digest = 'digest') => {
      const files = [{ path: 'payouts.csv', sha256: 'f1', records: drafts.length }];
      const list = { files, records: pointers(number, drafts), invalid: [] };
      return ask('commit', { plan: { ...plan, version, digest, list }, run: null });
    },
    join: (run, version) => ask('commit', { plan: { ...plan, version, digest: run.digest, list: null }, run }),
    exchange: (settled, wanted) => ask('exchange', { settled, wanted }),
    version: () => ask('version', { target: AT }),
    leave: () => ask('leave'),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function bigAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
