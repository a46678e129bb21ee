/** The log of attempts: JSON lines in the file of `--log-file`; lines for people on standard error with `--debug`. */
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { AttemptLogEntry } from '../delivery/sender.js';
import { UsageError } from '../errors.js';
import { systemErrorText } from '../input/source.js';
import type { RunOptions } from '../options.js';
import { escapeControls } from '../report/printable.js';
import type { Reporter } from '../report/reporter.js';
import { type FileNames, isAnyOf } from '../report/output-paths.js';
import type { World } from '../world.js';

/** Names of standard error. It is not opened by its name: that fails if it is a socket, or a file of another user. */
const STANDARD_ERROR: readonly string[] = ['-', '/dev/stderr', '/dev/fd/2', '/proc/self/fd/2'];

export function isStandardError(path: string): boolean {
  return STANDARD_ERROR.includes(path);
}

/**
 * @param path of a file, or a name of standard error
 * @param kept files that must stay as they are: inputs, settings, and the files of the state
 * @throws UsageError when nothing can be appended to it, or it is one of these
 */
export async function openLog(path: string, kept: FileNames, world: World): Promise<LogFile> {
  if (isStandardError(path)) return new LogFile(world.stderr.terminal, false);
  const full = resolve(world.cwd(), path);
  const file = await openToAppend(full).catch((cause: NodeJS.ErrnoException) => {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `the folder ${dirname(full)} is not there`,
      ELOOP: 'it is a link; name the file itself',
      ENXIO: 'nobody reads this pipe',
    };
    const reason = reasons[cause.code ?? ''] ?? systemErrorText(cause);
    throw new UsageError(`--log-file ${path}: it cannot be appended to: ${reason}`, { cause });
  });
  // Checked after opening: whatever its name is, this is the file.
  if (!(await isAnyOf(file.fd, kept, world.cwd()))) return new LogFile(file.createWriteStream());
  await file.close();
  throw new UsageError(
    `--log-file ${path}: this is a file of the input, of the settings or of the journal, and it would be changed; name another file`,
  );
}

interface AttemptLog {
  /** Name of the run. */
  readonly run: string;
  readonly prepared: PreparedRecords;
  readonly baseUrl: string;
  readonly file: LogFile | null;
  readonly options: RunOptions;
  readonly reporter: Reporter;
}

/** Null if there is no log: then attempts cost nothing extra. */
export function attemptLog(log: AttemptLog): ((attempt: AttemptLogEntry) => void) | null {
  const { run, prepared, baseUrl, file, reporter } = log;
  const { debug } = log.options.output;
  if (file === null && !debug) return null;
  const line = ({ index, key, attempt, path, at, ms, status, error, requestId }: AttemptLogEntry): string => {
    const { file: input, record } = prepared.entries.placeOf(index);
    const told = {
      time: new Date(at).toISOString(),
      run,
      file: prepared.files[input]?.path ?? '',
      record,
      key,
      attempt,
      method: 'POST',
      url: `${baseUrl}${path}`,
      status,
      ms,
      error,
      request_id: requestId,
    };
    return escapeControls(JSON.stringify(told));
  };
  return (attempt) => {
    if (debug) reporter.note(words(attempt));
    file?.write(line(attempt));
  };
}

function words({ path, key, attempt, status, error, ms }: AttemptLogEntry): string {
  return `POST ${path} ${key}, attempt ${attempt}: ${status === null ? error : `HTTP ${status}`}, ${ms} ms`;
}

const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** Windows lacks these. A pipe without a reader is refused, without waiting; links are not followed. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/**
 * Opens the file, or makes it, readable only by its owner. A path that is not a file, such as `/dev/stdout`, may be a
 * link.
 * @throws the error of the system; ELOOP for a link to a file, or a broken link
 */
export async function openToAppend(path: string): Promise<FileHandle> {
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  return open(path, isFile ? APPEND | O_NOFOLLOW : APPEND, 0o600);
}

/** The most output that waits for a slow disk, bytes. More is lost: neither run nor memory waits for a log. */
const MOST_WAITING = 4 * 1024 * 1024;
/** How long the end of the run waits for the disk, milliseconds. */
const LAST_WAIT_MS = 2000;
const TOO_SLOW = 'the disk is too slow';

/** A file to which several processes append lines at once: each line is within one write. */
export class LogFile {
  private readonly stream: Writable;
  private readonly isOwn: boolean;
  /** Why lines are missing from the file. */
  private reason: string | null = null;
  private ended: Promise<string | null> | null = null;

  /** @param isOwn whether only the log uses the stream, and closes it; standard error is shared */
  constructor(stream: Writable, isOwn = true) {
    this.stream = stream;
    this.isOwn = isOwn;
    this.stream.on('error', ({ message }) => void (this.reason ??= message));
  }

  /** Appends a line, without its end, as soon as the file takes it. Never waits, and never throws. */
  write(line: string): void {
    if (this.stream.writableLength > MOST_WAITING) this.reason ??= TOO_SLOW;
    else if (this.stream.writable) this.stream.write(`${line}\n`);
  }

  /** Waits for lines that are not written yet, and closes the file. @returns why lines are missing from it, or null */
  end(): Promise<string | null> {
    this.ended ??= this.finish();
    return this.ended;
  }

  private async finish(): Promise<string | null> {
    // The program waits for standard error at its end.
    if (!this.isOwn) return this.reason;
    this.stream.end();
    try {
      await finished(this.stream, { signal: AbortSignal.timeout(LAST_WAIT_MS) });
    } catch (cause) {
      this.reason ??= (cause as Error).name === 'AbortError' ? TOO_SLOW : (cause as Error).message;
    }
    return this.reason;
  }
}
