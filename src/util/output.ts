/**
 * Standard output and standard error. What a slow reader has not taken yet slows the run instead of filling its memory;
 * a reader that goes away, or a full disk, ends the output and not the run, since the run is moving money; and nobody who
 * has asked a run to stop waits for a reader that does not read.
 */
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

export interface TerminalStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Why output is lost where nobody reads it to its end: `| head`. */
export const READER_LEFT = 'its reader has ended';

/** How long, after a stop signal, all waits for the reader may take together, milliseconds. */
const PATIENCE_MS = 2000;

export class Output {
  private readonly stream: TerminalStream;
  private readonly monotonic: () => number;
  /** What to do once there is room again, or never will be. */
  private readonly waiting = new Set<() => void>();
  private patienceMs = Infinity;
  /** Ends the patience with whoever is waited for now. */
  private limit: { readonly since: number; readonly timer: NodeJS.Timeout } | null = null;
  private reason: string | null = null;
  /** How many calls of {@link flushed} wait for what was written before. */
  private flushing = 0;

  /** @param monotonic clock for measuring waits, milliseconds */
  constructor(stream: TerminalStream, monotonic: () => number) {
    this.stream = stream;
    this.monotonic = monotonic;
    stream.on('error', (cause: NodeJS.ErrnoException) =>
      this.lose(cause.code === 'EPIPE' ? READER_LEFT : cause.message),
    );
    stream.on('drain', () => this.release());
    stream.on('close', () => this.release());
  }

  get isTTY(): boolean {
    return this.stream.isTTY === true;
  }

  get columns(): number | undefined {
    return this.stream.columns;
  }

  /** For questions that draw on the terminal themselves. */
  get terminal(): TerminalStream {
    return this.stream;
  }

  /** Why some of it did not reach its reader; null where all did. */
  get lost(): string | null {
    return this.reason;
  }

  /** Whoever writes more than a few lines waits for {@link ready} in between. */
  write(text: string): void {
    if (this.reason === null) this.stream.write(text);
  }

  /** Resolves when there is room for more. Signals are heard in between, also where files take all at once. Never rejects. */
  async ready(): Promise<void> {
    await turn();
    if (this.reason === null && this.stream.writableNeedDrain && !this.stream.destroyed) await this.wait();
  }

  /** Resolves when everything was taken, or is lost. Never rejects. */
  async flushed(): Promise<void> {
    this.flushing++;
    this.stream.write('', () => {
      this.flushing--;
      this.release();
    });
    while (this.flushing > 0 && this.reason === null && !this.stream.destroyed) await this.wait();
  }

  /** A stop signal has come: the reader is waited for a moment more, and then the rest of the output is lost. */
  hurry(): void {
    this.patienceMs = Math.min(this.patienceMs, PATIENCE_MS);
    this.release();
  }

  /** Until something has changed. Those who wait at the same time use up the patience once. */
  private wait(): Promise<void> {
    if (this.patienceMs !== Infinity && this.limit === null)
      this.limit = {
        since: this.monotonic(),
        timer: setTimeout(() => this.lose('nobody has read it'), this.patienceMs),
      };
    return new Promise((resolve) => this.waiting.add(resolve));
  }

  private lose(reason: string): void {
    this.reason ??= reason;
    this.release();
  }

  private release(): void {
    if (this.limit !== null) {
      clearTimeout(this.limit.timer);
      this.patienceMs = Math.max(0, this.patienceMs - (this.monotonic() - this.limit.since));
      this.limit = null;
    }
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
