import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Claim, SettledRecord } from '../../../src/journal/delivery.js';
import type { Gate, RunHead, StoredRun } from '../../../src/journal/journal.js';
import type { PlannedRecord } from '../../../src/journal/record.js';
import { gate, START, TARGET } from './kit.js';

const MAIN = fileURLToPath(new URL('child-main.js', import.meta.url));

/** A real process on a journal. It ends with the test at the latest. */
export interface Child {
  prepare(records: readonly PlannedRecord[], over?: Partial<RunHead>): Promise<string>;
  pass(records: readonly PlannedRecord[], version: number, over?: Partial<Gate>): Promise<boolean>;
  join(run: StoredRun, version: number): Promise<boolean>;
  exchange(settled: readonly SettledRecord[], free: number, ahead?: number): Promise<Claim>;
  /** Kills it, as power loss would. */
  kill(): Promise<void>;
}

/** Starts a process that opens the journal of a folder and takes over what others left. */
export async function startChild(folder: string): Promise<Child> {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async <T>(command: string, values: object): Promise<T> => {
    child.stdin.write(`${JSON.stringify({ do: command, ...values }, plain)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('the process has ended');
    return (JSON.parse(value) as { answer: T }).answer;
  };
  await ask('open', { folder });
  return {
    prepare: (records, over = {}) => {
      const head = {
        command: 'payout create',
        target: TARGET,
        scope: '',
        batchId: 'default',
        startedAt: START,
        ...over,
      };
      return ask('prepare', { head, records });
    },
    pass: (records, version, over = {}) => ask('pass', { gate: { ...gate(records), version, ...over } }),
    join: (run, version) => ask('join', { run, version }),
    exchange: (settled, free, ahead = 0) => ask('exchange', { settled, free, ahead }),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Bytes as lists of numbers. */
function plain(this: unknown, _name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'Buffer') return value;
  return (value as unknown as { data: number[] }).data;
}
