/**
 * Standard output and standard error. A slow reader slows the run, so that output does not fill the memory. If a reader
 * goes away or a disk is full, only the output ends: the run is moving money and continues. After a stop signal, nobody
 * waits long for a reader that does not read.
 */
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

export interface TerminalStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Why output is lost if nobody reads it to its end: `| head`. */
export const READER_LEFT = 'the program that read it has ended';

/** Limit after a stop signal for all waits for the reader together, milliseconds. */
const PATIENCE_MS = 2000;

export class Output {
  private readonly stream: TerminalStream;
  private readonly monotonic: () => number;
  /** Called once there is room again, or never will be. */
  private readonly waiting = new Set<() => void>();
  private patienceMs = Infinity;
  /** Ends the present waits for the reader. */
  private limit: { readonly since: number; readonly timer: NodeJS.Timeout } | null = null;
  private reason: string | null = null;
  /** How many calls of {@link flushed} wait for earlier output. */
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

  /** Why some output did not reach its reader; null if all did. */
  get lost(): string | null {
    return this.reason;
  }

  /** Callers that write more than a few lines wait for {@link ready} in between. */
  write(text: string): void {
    if (this.reason === null) this.stream.write(text);
  }

  /** Resolves when there is room. Handles signals meanwhile, even if a file takes everything at once. Never rejects. */
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

  /** A stop signal has come: waits a moment more for the reader, then the rest of the output is lost. */
  hurry(): void {
    this.patienceMs = Math.min(this.patienceMs, PATIENCE_MS);
    this.release();
  }

  /** Until something has changed. Waits at the same time count against the limit only once. */
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
