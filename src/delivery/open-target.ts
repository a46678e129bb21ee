/** Opens the target of a run. Delivering loads its own code: see send-run.ts. */
import { UsageError } from '../errors.js';
import type { RunOptions, SendOptions, Target } from '../options.js';
import type { World } from '../world.js';

export interface OpenTarget {
  readonly baseUrl: string;
  /** Distinguishes sandbox data files; empty for a real target. */
  readonly scope: string;
  close(): Promise<void>;
}

/** Starts the embedded service if it is the target. @throws UsageError when its data file cannot be used */
export async function openTarget(target: Target, world: World): Promise<OpenTarget> {
  if (target.kind === 'url') return { baseUrl: target.baseUrl, scope: '', close: () => Promise.resolve() };
  const { startSandbox } = await import('../sandbox/server.js');
  try {
    // Only a dry run, which starts no service, may have no file.
    const sandbox = await startSandbox({
      file: target.file as string,
      faults: target.faults,
      now: world.now,
      random: world.random,
    });
    return { baseUrl: sandbox.url, scope: sandbox.id, close: () => sandbox.close() };
  } catch (cause) {
    throw new UsageError(`the sandbox cannot be started: ${(cause as Error).message}`, { cause });
  }
}

/** The scope of a target that is not opened: a dry run starts no service. */
export async function targetScope(target: Target): Promise<string> {
  if (target.kind === 'url' || target.file === null) return '';
  const { readSandboxId } = await import('../sandbox/store.js');
  try {
    return readSandboxId(target.file) ?? '';
  } catch (cause) {
    throw new UsageError(`the sandbox cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** The embedded service is on this machine: its connection uses no proxy, credentials or certificates. */
export function connectionOptions({ target, send }: RunOptions): SendOptions {
  return target?.kind === 'sandbox' ? { ...send, headers: {}, readAgain: null, proxy: null, tls: {} } : send;
}
