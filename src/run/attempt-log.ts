/** The log of attempts: lines of JSON in the file of `--log-file`, and words on standard error with `--debug`. */
import { dirname, resolve } from 'node:path';
import type { Prepared } from '../batch/prepare.js';
import type { AttemptTold } from '../delivery/sender.js';
import { UsageError } from '../errors.js';
import { reasonOf } from '../input/source.js';
import type { RunOptions } from '../options.js';
import { type LogFile, openToAppend, startLogFile } from '../report/log-file.js';
import { escapeControls } from '../report/printable.js';
import type { Reporter } from '../report/reporter.js';
import { type FileNames, isAnyOf } from '../report/whole-file.js';
import type { World } from '../world.js';

/**
 * @param kept files that must stay as they are: inputs, settings, and what belongs to the state
 * @throws UsageError when nothing can be appended to it, or it is one of these
 */
export async function openLog(path: string, kept: FileNames, world: World): Promise<LogFile> {
  const full = resolve(world.cwd(), path);
  const file = await openToAppend(full).catch((cause: NodeJS.ErrnoException) => {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `the folder ${dirname(full)} is not there`,
      ELOOP: 'it is a link; name the file itself',
      ENXIO: 'nobody reads this pipe',
    };
    const reason = reasons[cause.code ?? ''] ?? reasonOf(cause);
    throw new UsageError(`--log-file ${path}: it cannot be appended to: ${reason}`, { cause });
  });
  // Looked at when it is open: whatever its name is, this is the file.
  if (!(await isAnyOf(file.fd, kept, world.cwd()))) return startLogFile(file);
  await file.close();
  throw new UsageError(
    `--log-file ${path}: this is a file of the input, of the settings or of the journal, and it would be changed; name another file`,
  );
}

interface AttemptLog {
  /** Name of the run. */
  readonly run: string;
  readonly prepared: Prepared;
  readonly baseUrl: string;
  readonly file: LogFile | null;
  readonly options: RunOptions;
  readonly reporter: Reporter;
}

/** What is to be told of every attempt; null where there is no log: then nothing is done for it. */
export function attemptLog(log: AttemptLog): ((attempt: AttemptTold) => void) | null {
  const { run, prepared, baseUrl, file, reporter } = log;
  const { debug } = log.options.output;
  if (file === null && !debug) return null;
  const line = ({ index, key, attempt, path, at, ms, status, error, requestId }: AttemptTold): string => {
    const { file: input, record } = prepared.entries.placeOf(index);
    const told = {
      time: new Date(at).toISOString(),
      run,
      file: prepared.files[input]?.path ?? '',
      ...{ record, key, attempt, method: 'POST', url: `${baseUrl}${path}`, status, ms, error, request_id: requestId },
    };
    return escapeControls(JSON.stringify(told));
  };
  return (attempt) => {
    if (debug) reporter.note(words(attempt));
    file?.write(line(attempt));
  };
}

function words({ path, key, attempt, status, error, ms }: AttemptTold): string {
  return `POST ${path} ${key}, attempt ${attempt}: ${status === null ? error : `HTTP ${status}`}, ${ms} ms`;
}
