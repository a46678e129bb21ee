/** A file that lines are appended to, by several processes at once: each line is within one write. */
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface LogFile {
  /** Appends a line, without its end, as soon as the file takes it. Never waits, and never throws. */
  write(line: string): void;
  /** Waits for what is not written yet, and closes the file. @returns why lines are missing from it, or null */
  end(): Promise<string | null>;
}

const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** Windows lacks these. A pipe that nobody reads is refused instead of waited for; links are not followed. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/**
 * Opens the file, and makes it where there is none: readable by its owner only. What is no file, such as `/dev/stderr`,
 * may be a link.
 * @throws the error of the system; ELOOP for a link to a file, or to nothing
 */
export async function openToAppend(path: string): Promise<FileHandle> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  return open(path, isFile ? APPEND | O_NOFOLLOW : APPEND, 0o600);
}

/** Characters of one write, but for the last line. */
const PIECE = 64 * 1024;
/** What may wait for a slow disk, in characters; more is lost, since neither the run nor the memory waits for a log. */
const MOST_WAITING = 4 * 1024 * 1024;
/** How long the end of the run waits for the disk, milliseconds. */
const LAST_WAIT_MS = 2000;
const TOO_SLOW = 'the disk is too slow';
const LINE_FEED = 0x0a;

/** @param file opened by {@link openToAppend} */
export function startLogFile(file: FileHandle): LogFile {
  return new AppendedFile(file);
}

class AppendedFile implements LogFile {
  private readonly file: FileHandle;
  private waiting: string[] = [];
  private size = 0;
  private writing: Promise<void> | null = null;
  /** The last write has left a part of a line. */
  private isTorn = false;
  /** Lines that are not known to be in the file. */
  private missing = 0;
  private reason: string | null = null;
  private ended: Promise<string | null> | null = null;

  constructor(file: FileHandle) {
    this.file = file;
  }

  write(line: string): void {
    this.missing++;
    if (this.size + line.length > MOST_WAITING) return this.fail(TOO_SLOW);
    this.waiting.push(`${line}\n`);
    this.size += line.length + 1;
    this.writing ??= this.empty();
  }

  end(): Promise<string | null> {
    this.ended ??= this.finish();
    return this.ended;
  }

  private async finish(): Promise<string | null> {
    const written = new AbortController();
    const longest = delay(LAST_WAIT_MS, null, { signal: written.signal }).catch(() => null);
    await Promise.race([this.writing, longest]);
    written.abort();
    if (this.writing === null) await this.file.close().catch((cause: Error) => this.fail(cause.message));
    else this.fail(TOO_SLOW);
    return this.reason === null ? null : `up to ${this.missing} of its lines are missing: ${this.reason}`;
  }

  private async empty(): Promise<void> {
    while (this.waiting.length > 0) await this.append(this.take()).catch((cause: Error) => this.fail(cause.message));
    this.writing = null;
  }

  private take(): string[] {
    let [count, size] = [0, 0];
    while (count < this.waiting.length && size < PIECE) size += (this.waiting[count++] as string).length;
    this.size -= size;
    return this.waiting.splice(0, count);
  }

  private async append(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(`${this.isTorn ? '\n' : ''}${lines.join('')}`);
    const { bytesWritten } = await this.file.write(bytes);
    this.isTorn = bytesWritten > 0 && bytes[bytesWritten - 1] !== LINE_FEED;
    if (bytesWritten < bytes.length) throw new Error('the disk took only a part of them');
    this.missing -= lines.length;
  }

  private fail(reason: string): void {
    this.reason ??= reason;
  }
}
