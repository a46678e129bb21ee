import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Reply, SeenRequest, ServiceSettings } from './service.js';

/** When the client is killed: its request has arrived, or was carried out, or was answered. */
export type KillMoment = 'arrived' | 'carried-out' | 'answered';

/** A line on the standard input of service-main.js. */
export type ServiceCommand =
  | { do: 'script'; replies: Reply[]; otherwise?: Reply }
  | { do: 'kill'; when: KillMoment; nth: number }
  | { do: 'victim'; pid: number }
  | { do: 'requests' | 'ledger' | 'refuse' | 'accept' | 'spare' };

/** The service in a process of its own, for tests that measure or flood and must not share a thread with it. */
export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Answers the next requests with `replies`, in order of arrival, and all later ones with `otherwise`. */
  script(replies: Reply[], otherwise?: Reply): Promise<void>;
  /** The client is killed at this moment of the `nth` request from now on; `victim` names it once it is started. */
  kill(when: KillMoment, nth: number): Promise<void>;
  victim(pid: number): Promise<void>;
  /** Nobody is killed any more. */
  spare(): Promise<void>;
  requests(): Promise<SeenRequest[]>;
  requestCount(): Promise<number>;
  executions(): Promise<Map<string, number>>;
  ledgerTotal(): Promise<number>;
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}

interface Ledger {
  requestCount: number;
  executions: [string, number][];
}

/** Starts service-main.js. Throws when it ends before it listens; what it says goes to standard error. */
export async function startServiceProcess(settings: ServiceSettings = {}): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL('service-main.js', import.meta.url));
  const child = spawn(process.execPath, [main, JSON.stringify(settings)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  const read = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the service process has ended');
    return JSON.parse(value);
  };
  const { url, port } = (await read()) as { url: string; port: number };

  // One command at a time: answers have no number, and belong to commands by their order.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <T>(command: ServiceCommand): Promise<T> => {
    const answer = last.then(async () => {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      return ((await read()) as { result: T }).result;
    });
    last = answer.catch(() => {});
    return answer;
  };
  const ledger = () => ask<Ledger>({ do: 'ledger' });

  return {
    url,
    port,
    pid: child.pid!,
    script: (replies, otherwise) => ask({ do: 'script', replies, ...(otherwise && { otherwise }) }),
    kill: (when, nth) => ask({ do: 'kill', when, nth }),
    victim: (pid) => ask({ do: 'victim', pid }),
    spare: () => ask({ do: 'spare' }),
    requests: () => ask({ do: 'requests' }),
    requestCount: async () => (await ledger()).requestCount,
    executions: async () => new Map((await ledger()).executions),
    ledgerTotal: async () => (await ledger()).executions.reduce((sum, [, count]) => sum + count, 0),
    refuse: () => ask({ do: 'refuse' }),
    accept: () => ask({ do: 'accept' }),
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
