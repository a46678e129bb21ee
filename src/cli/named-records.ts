/** The run and the records that a person names on the command line. */
import { recordsOf } from '../batch/ledger-rows.js';
import type { NumberRange } from '../config/values.js';
import { UsageError } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Run, StoredRecord } from '../ledger/payment.js';

/** The run that a person names, by its full name or by a beginning that no other run shares. @throws UsageError */
export async function findRun(ledger: Ledger, name: string): Promise<Run> {
  // Every name begins with the empty text. Most likely, a variable of a script was never set.
  if (name === '') throw noSuchRun(name);
  const found = await ledger.runs({ beginning: name });
  const exact = found.find((run) => run.name === name);
  if (exact !== undefined) return exact;
  const [run] = found;
  if (run === undefined) throw noSuchRun(name);
  if (found.length > 1)
    throw new UsageError(`several runs begin with "${name}": ${found.map((each) => each.name).join(', ')}`);
  return run;
}

/** The refusal of a name that no run has. */
export function noSuchRun(name: string): UsageError {
  return new UsageError(`there is no run "${name}"; see: gigwork batch list`);
}

/** Which records of a run a person means. */
export type Named = { readonly by: 'key'; readonly key: string } | NumberedRecords;

interface NumberedRecords {
  readonly by: 'record' | 'line';
  readonly ranges: readonly NumberRange[];
  /** Its path, as the run has it; may be undefined when the run has only one file. */
  readonly file: string | undefined;
}

/** The records that a person means, in the order of the input. @throws UsageError when the run lacks one of them */
export async function findRecords(run: Run, named: Named, ledger: Ledger): Promise<StoredRecord[]> {
  if (named.by !== 'key') return findNumbered(run, named, ledger);
  for await (const record of recordsOf(run, ledger)) if (record.key === named.key) return [record];
  throw new UsageError(`run ${run.name} has no record with the key ${named.key}`);
}

async function findNumbered(run: Run, { by, ranges, file }: NumberedRecords, ledger: Ledger): Promise<StoredRecord[]> {
  const wanted = file === undefined ? null : run.files.findIndex(({ path }) => path === file);
  if (wanted === -1)
    throw new UsageError(`run ${run.name} has no file ${file}; it has ${run.files.map(({ path }) => path).join(', ')}`);
  if (wanted === null && run.files.length > 1)
    throw new UsageError(`run ${run.name} has several files; say which one with --file`);
  const numbered = new Map<number, StoredRecord>();
  for await (const record of recordsOf(run, ledger)) {
    const number = by === 'record' ? record.record : record.line;
    if (record.file !== (wanted ?? 0) || number === null) continue;
    if (ranges.some(({ first, last }) => number >= first && number <= last)) numbered.set(number, record);
  }
  for (const { first, last } of ranges) {
    for (let number = first; number <= last; number++) {
      if (!numbered.has(number)) throw new UsageError(`run ${run.name} has no record ${noun(by)}${number}`);
    }
  }
  return [...numbered.values()].sort((one, other) => one.index - other.index);
}

function noun(by: NumberedRecords['by']): string {
  return by === 'line' ? 'on line ' : '';
}
