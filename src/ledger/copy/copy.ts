/** Brings all of one journal into an empty one, and compares what arrived. CONTRACT: "The shared journal". */
import { createHash } from 'node:crypto';
import { JournalError, UsageError } from '../../errors.js';
import type { Deed } from '../event.js';
import { cellsOf, notInUseWords, requireInUse, type Standing } from '../standing.js';
import { addEvent } from '../store/log.js';
import type { OpenJournal } from '../store/driver.js';
import {
  countersFor,
  isBusy,
  isEmpty,
  type Kind,
  KINDS,
  type KindName,
  lastPaymentAt as lastPaymentIn,
  page,
  standingOf,
  type Row,
  unfinished as unfinishedIn,
  write,
} from './archive.js';

export interface CopyOptions {
  readonly source: OpenJournal;
  /** Opens the other one, once nothing speaks against the copy. */
  readonly openTarget: () => Promise<OpenJournal>;
  /** Their URLs, without passwords. */
  readonly from: string;
  readonly to: string;
  /** The target is used from now on, instead of the source. */
  readonly move: boolean;
  /** The source is a copy, and comes into use because its original is lost. */
  readonly originalLost: boolean;
}

export interface Copied {
  /** How many of each kind. */
  readonly rows: Readonly<Record<KindName, number>>;
  readonly unfinished: number;
  /** The source's lost original; null where the source was in use. */
  readonly lost: { readonly journal: string; readonly at: number } | null;
  /** See `lastPaymentAt` of the archive. */
  readonly lastPaymentAt: number | null;
}

/** Rows that are read at once. */
const PAGE = 1000;

/** @throws UsageError, JournalError; then nothing has changed, unless the message says so */
export async function copyJournal(options: CopyOptions): Promise<Copied> {
  const { source, from, move } = options;
  await source.begin(move);
  const standing = await standingOf(source);
  requireCopyable(standing, options);
  if (await isBusy(source))
    throw new UsageError(
      `the journal ${from} is in use: a run is being sent at this moment. Wait until it has ended: where its machine is gone, that takes a minute at most`,
    );
  const target = await options.openTarget();
  try {
    return await copyInto(target, standing, options);
  } finally {
    await target.leave();
  }
}

/** @throws UsageError, JournalError for a journal that cannot be copied, or moved, in this way */
export function requireCopyable(standing: Standing, { from, to, move, originalLost }: CopyWay): void {
  const { copyOf, movedTo } = standing;
  // A move that was cut off in the middle is made again.
  const isCutOff = movedTo !== null && movedTo.at === null && movedTo.journal === to && move;
  if (movedTo !== null && !isCutOff) requireInUse(from, standing);
  if (copyOf === null && originalLost)
    throw new UsageError(`--original-lost is for a copy, and ${from} is not a copy. Leave the flag out`);
  if (copyOf !== null && move && !originalLost)
    throw new UsageError(
      `the journal ${from} is a copy of ${copyOf.journal}. Move the original instead. If the original is lost, add --original-lost`,
    );
}

type CopyWay = Pick<CopyOptions, 'from' | 'to' | 'move' | 'originalLost'>;

async function copyInto(target: OpenJournal, standing: Standing, options: CopyOptions): Promise<Copied> {
  const { source, from, to, move } = options;
  await target.begin(true);
  if (!(await isEmpty(target))) {
    // It may be this very history, whose arrival the source has not heard of.
    if (standing.movedTo !== null) requireInUse(from, standing);
    throw new UsageError(
      `the journal ${to} is not empty, and a history is only copied into an empty one. Name another one`,
    );
  }
  const at = await source.now();
  const rows = await copyRows(source, target, options);
  const [unfinished, lastPaymentAt] = [await unfinishedIn(source), await lastPaymentIn(source)];
  const deed: Deed = { what: 'copied', from, to, move, rows };
  await tell(target, deed);
  await (move ? finishMove : finishCopy)(target, { standing, deed, at }, options);
  return { rows, unfinished, lost: move ? standing.copyOf : null, lastPaymentAt };
}

interface Ending {
  /** Of the source. */
  readonly standing: Standing;
  readonly deed: Deed;
  /** When the source was copied. */
  readonly at: number;
}

async function finishCopy(
  target: OpenJournal,
  { standing, deed, at }: Ending,
  { source, from }: CopyOptions,
): Promise<void> {
  // A copy of a copy has the original's history as it was when the first one was made.
  await setStanding(target, { copyOf: standing.copyOf ?? { journal: from, at }, movedTo: null });
  await target.commit();
  // What was seen of the source is settled: it tells the copy in a transaction of its own.
  await source.commit();
  await source.begin(true);
  await tell(source, deed);
  await source.commit();
}

/** First the source stops, then the target begins: never do both of them send. */
async function finishMove(
  target: OpenJournal,
  { standing, deed }: Ending,
  { source, from, to }: CopyOptions,
): Promise<void> {
  await tell(source, deed);
  await setStanding(source, { ...standing, movedTo: { journal: to, at: null } });
  await source.commit();
  try {
    await target.commit();
  } catch (cause) {
    const { message } = cause as Error;
    throw new JournalError(`${notInUseWords(from, await standingOf(source)) ?? ''}. (${message})`, { cause });
  }
  await source.begin(true);
  await setStanding(source, { ...standing, movedTo: { journal: to, at: await source.now() } });
  await source.commit();
}

async function tell(journal: OpenJournal, deed: Deed): Promise<void> {
  await addEvent(journal, journal.tx, deed, {});
}

async function setStanding({ tx }: OpenJournal, to: Standing): Promise<void> {
  const set = 'UPDATE journal SET copy_of = $1, copied_at = $2, moved_to = $3, moved_at = $4';
  await tx.change(set, ...cellsOf(to));
}

async function copyRows(source: OpenJournal, target: OpenJournal, { from, to }: CopyOptions): Promise<Copied['rows']> {
  const sums: [Kind, Sum][] = [];
  for (const kind of KINDS) sums.push([kind, await sumOf(source, kind, (rows) => write(target, kind, rows))]);
  await target.continueFrom(target.tx, await countersFor(target, source));
  for (const [kind, { count, hash }] of sums) {
    const arrived = await sumOf(target, kind);
    if (arrived.count !== count || arrived.hash !== hash)
      throw new JournalError(
        `the copy in ${to} is not equal to ${from}: of ${kind.name}, ${count} rows were read and ${arrived.count} arrived, or their contents differ. Nothing was kept of it`,
      );
  }
  return Object.fromEntries(sums.map(([{ name }, { count }]) => [name, count])) as Copied['rows'];
}

interface Sum {
  readonly count: number;
  /** SHA-256 over all rows. */
  readonly hash: string;
}

async function sumOf(journal: OpenJournal, kind: Kind, each?: (rows: readonly Row[]) => Promise<void>): Promise<Sum> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after: Row | null = null; ;) {
    const rows: Row[] = await page(journal, kind, after, PAGE);
    if (rows.length > 0) await each?.(rows);
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE) return { count, hash: hash.digest('hex') };
  }
}
