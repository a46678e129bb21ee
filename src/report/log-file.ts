/** A file that lines are appended to, by several processes at once: each line is within one write. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { World } from '../world.js';

export interface LogFile {
  /** Appends a line, without its end, as soon as the file takes it. Never waits, and never throws. */
  write(line: string): void;
  /** Waits for what is not written yet, and closes the file. @returns why lines are missing from it, or null */
  end(): Promise<string | null>;
}

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
/** Windows has no such flag. A pipe that nobody reads is refused instead of waited for. */
const APPEND = O_WRONLY | O_APPEND | O_CREAT | ((O_NONBLOCK as number | undefined) ?? 0);

/** Opens the file, and makes it where there is none: readable by its owner only. @throws the error of the system */
export function openToAppend(path: string): Promise<FileHandle> {
  return open(path, APPEND, 0o600);
}

/** Bytes of one write, but for a longer line. */
const PIECE = 64 * 1024;
/** What may wait for a slow disk, in characters; more is lost, since neither the run nor the memory waits for a log. */
const MOST_WAITING = 4 * 1024 * 1024;
/** How long the end of the run waits for the disk, milliseconds. */
const LAST_WAIT_MS = 2000;

/** @param file opened by {@link openToAppend} */
export function startLogFile(file: FileHandle, sleep: World['sleep']): LogFile {
  return new AppendedFile(file, sleep);
}

class AppendedFile implements LogFile {
  private readonly file: FileHandle;
  private readonly sleep: World['sleep'];
  private waiting: string[] = [];
  private size = 0;
  private writing: Promise<void> | null = null;
  /** The last write has left a part of a line. */
  private isTorn = false;
  private lost = 0;
  private reason = '';
  private ended: Promise<string | null> | null = null;

  constructor(file: FileHandle, sleep: World['sleep']) {
    this.file = file;
    this.sleep = sleep;
  }

  write(line: string): void {
    if (this.size + line.length > MOST_WAITING) return this.lose(1, 'the disk is too slow');
    this.waiting.push(`${line}\n`);
    this.size += line.length;
    this.writing ??= this.empty();
  }

  end(): Promise<string | null> {
    this.ended ??= this.finish();
    return this.ended;
  }

  private async finish(): Promise<string | null> {
    const written = new AbortController();
    await Promise.race([this.writing, this.sleep(LAST_WAIT_MS, written.signal)]);
    written.abort();
    if (this.writing === null) await this.file.close().catch((cause: Error) => this.lose(0, cause.message));
    else this.lose(this.waiting.length, 'the disk is too slow');
    return this.reason === '' ? null : `up to ${this.lost} of its lines are missing: ${this.reason}`;
  }

  private async empty(): Promise<void> {
    while (this.waiting.length > 0) {
      const lines = this.take();
      await this.append(lines).catch((cause: Error) => this.lose(lines.length, cause.message));
    }
    this.writing = null;
  }

  private take(): string[] {
    let [count, size] = [0, 0];
    while (count < this.waiting.length && (count === 0 || size + (this.waiting[count] as string).length <= PIECE))
      size += (this.waiting[count++] as string).length;
    this.size -= size - count;
    return this.waiting.splice(0, count);
  }

  private async append(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(`${this.isTorn ? '\n' : ''}${lines.join('')}`);
    const { bytesWritten } = await this.file.write(bytes);
    this.isTorn = bytesWritten > 0 && bytes[bytesWritten - 1] !== 0x0a;
    if (bytesWritten < bytes.length) throw new Error('the disk took only a part of them');
  }

  private lose(lines: number, reason: string): void {
    this.lost += lines;
    if (this.reason === '') this.reason = reason;
  }
}
