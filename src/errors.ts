/** Exit codes, and the errors that carry one. CONTRACT: "Exit codes". */

export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  refused: 3,
  partly: 4,
  unfinished: 5,
} as const;

/** The call itself is wrong (flags, settings, files that are not there): exit 2, nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The journal cannot be used: nothing is sent without it. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}
