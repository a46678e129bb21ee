/** Copies a whole journal into an empty one, and compares the result. CONTRACT: "The shared journal". */
import { createHash } from 'node:crypto';
import { JournalError, UsageError } from '../../errors.js';
import type { World } from '../../world.js';
import type { Caller, AuditEvent } from '../audit-log.js';
import type { Journal } from '../journal.js';
import { openJournal } from '../open.js';
import {
  type FolderPlace,
  type JournalLocation,
  placeUrl,
  type PostgresqlPlace,
  statusCells,
  inactiveReason,
  requireActive,
  type JournalStatus,
} from '../location.js';
import { remedyOf } from '../postgresql/failures.js';
import { SQLITE_CORRUPT, SQLITE_NOTADB } from '../sqlite/failures.js';
import type { CopyDriver, Transaction } from '../store/driver.js';
import { addEvent } from '../store/audit-queries.js';
import { markIntended } from '../store/run-queries.js';
import { readStatus } from '../store/transactions.js';
import {
  countersFor,
  isBusy,
  isEmptyJournal,
  type CopyTable,
  COPY_TABLES,
  type TableName,
  newestPaymentAt,
  readPage,
  type CopyRow,
  type Side,
  countUnfinished,
  writeRows,
} from './tables.js';

/** @throws JournalError */
export async function openForCopy(
  place: FolderPlace | PostgresqlPlace,
  caller: Caller,
  world: World,
): Promise<CopyDriver> {
  if (place.kind === 'postgresql')
    return (await import('../postgresql/postgresql.js')).openPostgresqlCopy(place, caller, world);
  const { now, platform } = world;
  return (await import('../sqlite/sqlite.js')).openSqliteCopy({ folder: place.folder, caller, now, platform });
}

export interface CopyMode {
  /** URLs without passwords. */
  readonly from: string;
  readonly to: string;
  /** From now on, people use the target instead of the source. */
  readonly move: boolean;
  /** The source is a copy, and comes into use because its original is lost. */
  readonly originalLost: boolean;
}

export interface CopyOptions extends CopyMode {
  readonly source: CopyDriver;
  /** Opens the other one, after all checks of the source. */
  readonly openTarget: () => Promise<CopyDriver>;
}

export interface Copied {
  /** How many of each kind. */
  readonly rows: Readonly<Record<TableName, number>>;
  readonly unfinished: number;
  /** The source's lost original; null if the source was in use. */
  readonly lost: { readonly journal: string; readonly at: number } | null;
  /** When the newest payment was created or came into doubt, milliseconds since 1970; null if there is none. */
  readonly lastPaymentAt: number | null;
}

/** Rows per read. */
const PAGE_ROWS = 1000;

/** @throws UsageError, JournalError; then nothing has changed, unless the message says so */
export async function copyJournal(options: CopyOptions): Promise<Copied> {
  await options.source.session.read((tx) => requireReady(tx, options));
  const target = await options.openTarget();
  try {
    return await (options.move ? makeMove : makeCopy)(target, options);
  } finally {
    await target.detach();
  }
}

/** @throws UsageError, JournalError for a journal that cannot be copied now, or not with these options */
async function requireReady(tx: Transaction, options: CopyOptions): Promise<JournalStatus> {
  const status = await readStatus(tx);
  requireCopyable(status, options);
  if (!(await isBusy(tx))) return status;
  throw new UsageError(
    `the journal ${options.from} is in use: a run is being sent at this moment. Wait until it has ended: where its machine is gone, that takes a minute at most`,
  );
}

/** @throws UsageError, JournalError for a journal that cannot be copied or moved with these options */
export function requireCopyable(status: JournalStatus, { from, to, move, originalLost }: CopyMode): void {
  const { copyOf, movedTo } = status;
  // A move that was cut off is repeated.
  const isCutOff = movedTo !== null && movedTo.at === null && movedTo.journal === to && move;
  if (movedTo !== null && !isCutOff) requireActive(from, status);
  if (copyOf === null && originalLost)
    throw new UsageError(`--original-lost is for a copy, and ${from} is not a copy. Leave the flag out`);
  if (copyOf !== null && move && !originalLost)
    throw new UsageError(
      `the journal ${from} is a copy of ${copyOf.journal}. Move the original instead. If the original is lost, add --original-lost`,
    );
}

/** A snapshot: other processes may use the source meanwhile. A separate transaction adds the event to the source. */
async function makeCopy(target: CopyDriver, options: CopyOptions): Promise<Copied> {
  const { source, from } = options;
  const { copied, event } = await target.session.write((into) =>
    source.session.read(async (tx) => {
      const status = await requireReady(tx, options);
      const done = await copyInto(target, into, { driver: source, tx }, status, options);
      // A copy of a copy names the first original, and the time of the first copy.
      await writeStatus(into, { copyOf: status.copyOf ?? { journal: from, at: tx.at }, movedTo: null });
      return done;
    }),
  );
  await source.session.write((tx) => addEvent(source, tx, event, {}));
  return copied;
}

/**
 * First the source stops, then the target begins, so they never both send. Therefore the transaction on the source is
 * inside the one on the target.
 */
async function makeMove(target: CopyDriver, options: CopyOptions): Promise<Copied> {
  const { source, from, to } = options;
  let moving = null as JournalStatus | null;
  try {
    const { copied } = await target.session.write(async (into) => {
      const [done, status] = await source.session.write(async (tx) => {
        await source.lockJournal(tx);
        const before = await requireReady(tx, options);
        const moved = await copyInto(target, into, { driver: source, tx }, before, options);
        const after = { ...before, movedTo: { journal: to, at: null } };
        await addEvent(source, tx, moved.event, {});
        await writeStatus(tx, after);
        return [moved, after] as const;
      });
      moving = status;
      return done;
    });
    await source.session.write((tx) => writeStatus(tx, { copyOf: copied.lost, movedTo: { journal: to, at: tx.at } }));
    return copied;
  } catch (cause) {
    if (moving === null) throw cause;
    throw new JournalError(`${inactiveReason(from, moving) ?? ''}. (${(cause as Error).message})`, { cause });
  }
}

async function copyInto(
  driver: CopyDriver,
  into: Transaction,
  source: Side,
  status: JournalStatus,
  { from, to, move }: CopyOptions,
): Promise<{ readonly copied: Copied; readonly event: AuditEvent }> {
  // This code runs inside the source's transaction, which must not treat a failure of the target as its own.
  const target = { driver, tx: explaining(into, driver) };
  await driver.lockJournal(target.tx);
  if (!(await isEmptyJournal(target.tx))) {
    // The source may have moved here already without learning that everything arrived.
    if (status.movedTo !== null) requireActive(from, status);
    throw new UsageError(
      `the journal ${to} is not empty, and a history is only copied into an empty one. Name another one`,
    );
  }
  await markIntended(target.tx);
  const rows = await copyRows(source, target, from, to);
  const unfinished = await countUnfinished(source.tx);
  const lastPaymentAt = await newestPaymentAt(source.tx);
  const lost = move ? status.copyOf : null;
  const event: AuditEvent = { kind: 'copied', from, to, move, rows, ...(lost === null ? {} : { lost }) };
  await addEvent(driver, target.tx, event, {});
  return { copied: { rows, unfinished, lost, lastPaymentAt }, event };
}

function explaining(tx: Transaction, { explained }: CopyDriver): Transaction {
  const told =
    <Values extends unknown[], T>(call: (...values: Values) => Promise<T>) =>
    async (...values: Values): Promise<T> => {
      try {
        return await call(...values);
      } catch (cause) {
        throw explained(cause);
      }
    };
  return { ...tx, rows: told(tx.rows) as typeof tx.rows, change: told(tx.change), insert: told(tx.insert) };
}

async function writeStatus(tx: Transaction, to: JournalStatus): Promise<void> {
  const set = 'UPDATE journal SET copy_of = $1, copied_at = $2, moved_to = $3, moved_at = $4';
  await tx.change(set, ...statusCells(to));
}

async function copyRows(source: Side, target: Side, from: string, to: string): Promise<Copied['rows']> {
  const sums: [CopyTable, TableSum][] = [];
  for (const kind of COPY_TABLES) sums.push([kind, await sumOf(source, kind, (rows) => writeRows(target, kind, rows))]);
  await target.driver.continueFrom(target.tx, await countersFor(target.tx, source.tx));
  for (const [kind, { count, hash }] of sums) {
    const arrived = await sumOf(target, kind);
    if (arrived.count !== count || arrived.hash !== hash)
      throw new JournalError(
        `the copy in ${to} is not equal to ${from}: of ${kind.name}, ${count} rows were read and ${arrived.count} arrived, or their contents differ. Nothing was kept of it`,
      );
  }
  return Object.fromEntries(sums.map(([{ name }, { count }]) => [name, count])) as Copied['rows'];
}

interface TableSum {
  readonly count: number;
  /** SHA-256 over all rows. */
  readonly hash: string;
}

async function sumOf(
  side: Side,
  kind: CopyTable,
  each?: (rows: readonly CopyRow[]) => Promise<void>,
): Promise<TableSum> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after: CopyRow | null = null; ;) {
    const rows: CopyRow[] = await readPage(side, kind, after, PAGE_ROWS);
    if (rows.length > 0) await each?.(rows);
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE_ROWS) return { count, hash: hash.digest('hex') };
  }
}

/** A copy comes into use only if its original is lost. @throws UsageError if the original can be reached, or may be */
export async function requireLost(place: JournalLocation, world: World): Promise<void> {
  const name = placeUrl(place);
  const found = await useOfOriginal(place, world);
  if (found !== null) throw new UsageError(`the original ${name} is not lost: ${found}`);
}

/** Why the original does not count as lost; null if it does. */
async function useOfOriginal(place: JournalLocation, world: World): Promise<string | null> {
  try {
    const opened = await openJournal({ place, caller: null, required: false, timeoutMs: 0 }, world);
    if (opened === null) return null;
    try {
      return await useOf(opened.journal);
    } finally {
      await opened.journal.detach();
    }
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
    return isGone(cause.cause) ? null : `something is there. ${cause.message}`;
  }
}

async function useOf(journal: Journal): Promise<string | null> {
  const { copyOf, movedTo } = await journal.status();
  if (movedTo !== null) return `it was moved to ${movedTo.journal}`;
  // A copy in the original's place, or a journal without any run, is not the original.
  return copyOf !== null || (await journal.runs()).length === 0 ? null : 'it is in use. Use it instead of the copy';
}

const NO_DATABASE = '3D000';

/** Whether this failure means that nobody can open it: it is damaged, or nothing answers at its address. */
function isGone(cause: unknown): boolean {
  const { code, errcode = 0 } = (cause ?? {}) as { readonly code?: string; readonly errcode?: number };
  if ([SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff)) return true;
  if (code === NO_DATABASE || code === 'ENOTFOUND') return true;
  // Codes of PostgreSQL begin with a digit: then a server has answered.
  return remedyOf(cause) === 'wait' && !/^\d/.test(code ?? '');
}
