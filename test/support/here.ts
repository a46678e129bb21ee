/** The whole program inside this process, at a clock that stands still: some hundred runs a second. */
import { Readable } from 'node:stream';
import { Kept, loadBundle } from './inside.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function* cut(bytes: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** 2026-11-15, near the dates of the records. */
const NOW = Date.UTC(2026, 10, 15);

/**
 * Runs the program to its end. Its clock stands still, so no wait ends by itself.
 * @param folder the working directory, which also holds settings and state
 * @param sizes of the pieces in which the bytes of standard input come, used over and over
 */
export async function runHere(
  words: readonly string[],
  folder: string,
  bytes: Buffer = Buffer.alloc(0),
  sizes: readonly number[] = [1 << 20],
): Promise<Ended> {
  const { main } = await loadBundle();
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await main(words, {
    stdin: Readable.from(cut(bytes, sizes)),
    stdout,
    stderr,
    env: { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder },
    platform: process.platform,
    cwd: () => folder,
    now: () => NOW,
    utcOffset: () => 0,
    monotonic: () => 0,
    random: () => 0.5,
    // Time stands still: a wait ends only when it is aborted.
    sleep: (_ms, signal) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
    onStopSignal: () => undefined,
    person: () => ({ user: 'clerk', host: 'desk' }),
    exitNow: () => {
      throw new Error('nothing asked for this');
    },
    reached: () => undefined,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
