/** Doubts about a call as a whole, which need no look at its records: its batch, and files that were changed. */
import { basename, resolve } from 'node:path';
import { whyChanged } from '../prepare/inputs.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { namedProfile } from '../follow-up/flags.js';
import { RECORDS_PATH, STDIN } from '../input/source.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { Journal } from '../journal/journal.js';
import type { TargetName } from '../journal/payment.js';
import type { RunOptions } from '../options.js';
import { type Issue, warning } from '../records/issue.js';
import { printable } from '../report/printable.js';
import { openIn } from './origins.js';

interface Doubted {
  readonly options: RunOptions;
  readonly prepared: PreparedRecords;
  readonly target: TargetName;
  readonly journal: Journal;
  readonly cwd: string;
}

/** @throws JournalError */
export async function* callDoubts(doubted: Doubted): AsyncIterable<Issue> {
  if (doubted.options.resume === null) yield* noBatch(doubted);
  else yield* changedSince(doubted);
}

/** The last run of this profile, or of a file of this name, was for a named batch: this time the name is missing. */
async function* noBatch({ options, prepared, target, journal }: Doubted): AsyncIterable<Issue> {
  if (options.safety.batchNamed || prepared.replaces.size > 0) return;
  const names = options.input.files
    .filter((path) => path !== STDIN && path !== RECORDS_PATH)
    .map((path) => basename(path));
  const profile = namedProfile(options.settings);
  const last = await journal.lastRunLike(target, names, profile);
  if (last === null || last.batchId === DEFAULT_BATCH) return;
  const what = last.isOfProfile
    ? `The last run of the profile ${profile ?? ''}`
    : 'The last run of a file of this name';
  const message = `No batch is named: name it with --batch-id. ${what} was for batch ${last.batchId} (run ${last.name})`;
  yield { ...warning('no-batch', null, printable(message), last.batchId), ...NOWHERE };
}

/** A run that is resumed sends what it has read, and not what its file has now. */
async function* changedSince({ options, journal, cwd }: Doubted): AsyncIterable<Issue> {
  const { resume } = options;
  for (const file of resume?.files ?? []) {
    const path = resolve(cwd, resume?.inputCall.folder ?? '', file.path);
    // A file that is gone says nothing.
    if (resume === null || (await whyChanged(path, file.sha256, cwd))?.endsWith(HAS_CHANGED) !== true) continue;
    const open = await openIn(resume, journal);
    const message = `${file.path} ${HAS_CHANGED}. The run sends its open records as they were then. ${open}. To send the file as it is now, close this run if it has open records, and import the file again`;
    yield { ...warning('changed-since', null, printable(message), file.path), ...NOWHERE, file: file.path };
  }
}

const HAS_CHANGED = 'has changed since the run read it';
const NOWHERE = { file: null, record: null, line: null };
