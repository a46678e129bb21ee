/**
 * What the store needs from a database. The store exists once, with a driver for each database.
 *
 * SQL is written for PostgreSQL, in the part of the language that SQLite reads too. Joins are made in the order in
 * which they are written. Each driver translates these:
 *
 * - `$1`: the first value. `= ANY ($1)`: any of a list. `= ANY_KEY ($1)`: any of a list of keys.
 * - `given($2, first bigint, last bigint) g`: the rows of the last value, which is the second one here.
 * - `payments_in(a, b) p`: the payments of a range, to be joined to each row before.
 * - `payments_of(x) s`: the entries of `by_payee` for a payee, to be joined to each row before.
 * - `key_of(p)`, `hash_of(p)`, `key_place_of(p)`: of the payment `p`, for {@link StorageFormat}.
 * - `whole_body = x`: sets a body that contains its key. `bytes_of(x)`: of a hash.
 * - `user_of(e)`: the person who did the event `e`.
 * - `LEFT JOIN open_claim(p.id) c`: the claim on the payment with the outcome `o`, if a process may be sending it.
 * - `claimed c`: all payments that a process may be sending, with `payment`, `process`, `run`, `at`.
 * - `last_claim()`: number of the last claim. `json_list(x)`: a group's values as JSON text.
 * - `greatest(a, b)`, `strpos(text, part)`, and `FOR KEY SHARE`.
 *
 * The aliases are part of these words: `p` is a payment, `o` its outcome, `s` a stretch, `c` a claim. Another word needs
 * a row in `REWRITES` of a dialect (`sqlite/dialect.ts`, `postgresql/dialect.ts`), and a line here. Money is text:
 * SQLite has no exact decimals, so amounts are neither added nor put in order in SQL. Nor is text: its order is that of
 * the database.
 *
 * Rows are lists of cells. True and false are 1 and 0. Integers of 64 bits are read as text, by a cast.
 */
import type { ApprovedRun, Caller } from '../audit-log.js';
import type { Approval, PaymentId } from '../payment.js';
import type { Claims, SendPermit, NewOutcome } from '../plan.js';
import type { JournalError } from '../../errors.js';

export type SqlScalar = string | number | bigint | null;
export type SqlValue = SqlScalar | readonly SqlScalar[] | readonly (readonly SqlScalar[])[];

/** Values for one row. */
export type ColumnValues = Readonly<Record<string, SqlScalar>>;

export interface Transaction {
  /** When it began by the journal's clock, milliseconds since 1970. */
  readonly at: number;
  /** The rows of each opening statement. */
  readonly opened: readonly (readonly unknown[])[];
  readonly rows: <Cells>(text: string, ...values: SqlValue[]) => Promise<Cells[]>;
  /** Returns the number of changed rows. */
  readonly change: (text: string, ...values: SqlValue[]) => Promise<number>;
  /** Adds any number of rows to a table. It takes them one by one, so that their memory is freed soon. */
  readonly insert: (table: string, columns: readonly string[], rows: Iterable<readonly SqlScalar[]>) => Promise<void>;
}

/** Transactions on one connection, one after the other. */
export interface Session {
  /** Work that sees the journal as it is at one moment. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Work that is durable as a whole when it returns, or not done at all. It may be called several times: it changes
   * nothing else.
   * @param opening statements without values that come first, in the same round trip
   */
  write<T>(work: (tx: Transaction) => Promise<T>, opening?: readonly string[]): Promise<T>;
}

/** How keys, hashes and bodies are stored. */
export interface StorageFormat {
  /** @param cell of `key_of` */
  readonly keyOf: (cell: string) => string;
  /** 64 lower-case hexadecimal digits. @param cell of `hash_of` */
  readonly hashOf: (cell: string) => string;
  /** The exact body; null if it was removed. @param place of `key_place_of` */
  readonly bodyOf: (stored: string | null, key: string, place: number | null) => string | null;
}

export interface Driver extends StorageFormat {
  readonly session: Session;
  /** As people name the journal. */
  readonly place: string;
  /** Of its tables: older than this program's only where the journal is only read. */
  readonly version: number;
  /** The database's user, whom nobody else can claim to be; null if user names are only taken from the computer. */
  readonly user: string | null;
  /** Row number of this process; null for one that only reads. */
  readonly self: number | null;
  /** The person who calls the program; null for one that only reads. */
  readonly caller: Caller | null;
  /** The message after other processes have declared this one dead. */
  readonly fencedMessage: string;

  /** The living ones of these processes. */
  readonly aliveProcesses: (tx: Transaction, processes: readonly number[]) => Promise<readonly LiveProcess[]>;
  /** Row numbers of dead processes. @param isTakenOver nobody else takes them over until the end of the transaction */
  readonly deadProcesses: (tx: Transaction, isTakenOver: boolean) => Promise<number[]>;
  /** Called after dead processes were taken over: removes their leftovers outside of the database. */
  readonly tidyUp: () => Promise<void>;

  /** From here to the end of the transaction, no other process claims, settles or passes a gate. */
  readonly lockJournal: (tx: Transaction) => Promise<void>;
  /** Uses up the number of a claim: outcomes from now on have a later number than earlier ones. */
  readonly advanceClaimNumber: (tx: Transaction) => Promise<void>;
  /** Two rows have the same unique value. */
  readonly isConflict: (cause: unknown) => boolean;
  /** The person and time of an event, unless the database writes them itself. */
  readonly auditColumns: (tx: Transaction, caller: Caller, at: number | null) => ColumnValues;
  /** The time of something that began before the transaction, by the journal's clock. @param at by this machine's */
  readonly timeOf: (tx: Transaction, at: number) => number;
  /** Null if the journal cannot know who gave one. */
  readonly approvals: Approvals | null;

  /** See `Delivery.storeAndClaim`. It returns the reason why nothing may be claimed. */
  readonly storeAndClaim: (
    run: number,
    settled: readonly NewOutcome[],
    wanted: readonly PaymentId[],
  ) => Promise<ClaimReply>;
  readonly permit: SendPermit;

  /** Removes further stored parts of answers. @param finished SQL: selects payments, with `before` as the only value */
  readonly pruneResponses: (tx: Transaction, finished: string, before: number) => Promise<void>;
  /** Called after pruning: removed data must not remain in the bytes of the journal. */
  readonly purgeFreeSpace: () => Promise<void>;
  /** Releases the journal. */
  readonly detach: () => Promise<void>;
}

export interface LiveProcess {
  /** Its row number. */
  readonly process: number;
  /** Its machine, and after how many silent seconds it counts as dead; null where the system itself reports its end. */
  readonly lease: { readonly host: string; readonly expiresInSeconds: number } | null;
}

export interface ClaimReply extends Claims {
  /** Why nothing may be claimed, and nothing was; null if it may. */
  readonly refusal: JournalError | null;
}

/** What the journal knows of the approval of a run. */
export interface ApprovalProof {
  /** SQL: joins the proof to the event `approved` of a run. */
  readonly join: string;
  /** SQL: the approved facts, as the approver wrote them. */
  readonly facts: string;
  /** SQL: whether the journal itself proves who gave it. */
  readonly isProof: string;
  /** The description of an approval. */
  readonly note: (note: string, isProof: boolean) => string;
}

/** Approvals in the journal itself, which proves who gave them. */
export interface Approvals extends ApprovalProof {
  readonly give: (run: ApprovedRun, caller: Caller) => Promise<void>;
  /** Those for runs with this digest, newest first. */
  readonly given: (digest: string) => Promise<Approval[]>;
}

/** A journal that is open to be copied from or to, whether it is in use or not. */
export interface CopyDriver extends Driver {
  /** New numbers start after these. */
  readonly continueFrom: (tx: Transaction, last: Counters) => Promise<void>;
  /** The column with the user that another journal recorded for an event. */
  readonly userColumn: string;
  /** Rewords a failure so that it says what to do. */
  readonly explained: (cause: unknown) => unknown;
}

/** The last numbers in use. */
export interface Counters {
  readonly target: number;
  readonly run: number;
  readonly event: number;
  readonly claim: number;
}
