/** What the journal keeps of an output file, so that no other file is ever replaced. CONTRACT: "Files it writes". */
/** The run that a call began or continued. */
interface OwnerRun {
  readonly number: number;
  readonly name: string;
}

/** An output file of a call. It is stored before the file appears. */
export interface WrittenFile {
  /** The one full name of the file, however its path was typed. */
  readonly path: string;
  readonly sha256: string;
  /** The run that the call began or continued; null for none. */
  readonly run: OwnerRun | null;
  /** The full names of the input files, if the call sent nothing; else null. */
  readonly inputs: readonly string[] | null;
}

/** What a call may replace files of. */
export interface FileOwner {
  /** The run that it continues; null for none. */
  readonly run: OwnerRun | null;
  /** The full names of its input files. */
  readonly inputs: readonly string[];
}

/** Whether a call may replace a file that nobody has changed since it was written. */
export function isReplaceableBy({ run, inputs }: WrittenFile, owner: FileOwner): boolean {
  if (run !== null && run.number === owner.run?.number) return true;
  return (
    inputs !== null && inputs.length === owner.inputs.length && inputs.every((name, i) => name === owner.inputs[i])
  );
}
