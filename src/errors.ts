/** Exit codes, and the errors that carry one. CONTRACT: "Exit codes". */

export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  refused: 3,
  partly: 4,
  /** Not done; calling again may succeed without anybody's help. */
  again: 5,
  /** Not done; a person has to act first. */
  person: 6,
} as const;

/** The call itself is wrong (flags, settings, missing files): exit 2, nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The journal cannot be used: nothing is sent without it. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  /** A later call may find it usable, without anybody's help: exit 5 instead of 2. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { readonly isPassing?: boolean } = {},
  ) {
    super(message, options);
    this.isPassing = isPassing;
  }
}
