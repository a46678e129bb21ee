/** Brings all of one journal into an empty one, and compares what arrived. CONTRACT: "The shared journal". */
import { createHash } from 'node:crypto';
import { JournalError, UsageError } from '../../errors.js';
import { goesOnNote, movedWords } from '../moved.js';
import { type Archive, type Kind, KINDS, type KindName, type Row } from './archive.js';

export interface CopyOptions {
  readonly source: Archive;
  readonly target: Archive;
  /** As people name them. */
  readonly from: string;
  readonly to: string;
  /** The copy takes the original's place. */
  readonly move: boolean;
}

export interface Copied {
  /** How many of each kind. */
  readonly rows: Readonly<Record<KindName, number>>;
  /** Unfinished runs, which go on in one of the two alone. */
  readonly unfinished: number;
}

/** Rows that are read at once. */
const PAGE = 1000;

/** @throws UsageError, JournalError; then nothing has changed, unless the message says so */
export async function copyJournal(options: CopyOptions): Promise<Copied> {
  const { source, target, from, to, move } = options;
  await requireUsed(options);
  await source.begin(move);
  if (await source.isBusy())
    throw new UsageError(
      `the journal ${from} is in use: a run is being sent at this moment. Wait until it has ended: where its machine is gone, that takes a minute at most`,
    );
  await target.begin(true);
  if (!(await target.isEmpty()))
    throw new UsageError(
      `the journal ${to} is not empty, and a history is only copied into an empty one. Name another one`,
    );
  const rows = await copyRows(source, target, options);
  const unfinished = await source.unfinished();
  const deed = { what: 'copied', from, to, move, rows } as const;
  if (!move) await close(target, unfinished, goesOnNote(from, 'which this one is a copy of'));
  await target.tell(deed);
  if (!move) await target.commit();
  // What was seen of the original is settled: a copy tells it afterwards, as a change of its own.
  if (!move) await source.commit().then(() => source.begin(true));
  await source.tell(deed);
  // First the original, so that never both of them send.
  if (move) await source.setMoved(to);
  await source.commit();
  if (move) await finish(options, unfinished);
  return { rows, unfinished: unfinished.length };
}

/** A move that was cut off in the middle can be made again. @throws JournalError */
async function requireUsed({ source, from, to, move }: CopyOptions): Promise<void> {
  const moved = await source.movedTo();
  if (moved !== null && !(move && moved === to)) throw new JournalError(movedWords(from, moved));
}

async function finish({ source, target, from, to }: CopyOptions, unfinished: readonly number[]): Promise<void> {
  try {
    await target.commit();
  } catch (cause) {
    throw new JournalError(
      `the journal ${from} is marked as moved to ${to}, and it is not known whether the copy there is durable: ${(cause as Error).message}. Look with gigwork batch list --journal ${to}; if there is nothing, run the same command again`,
      { cause },
    );
  }
  await source.begin(true);
  await close(source, unfinished, goesOnNote(to, 'to which this one was moved'));
  await source.commit();
}

async function close(journal: Archive, runs: readonly number[], note: string): Promise<void> {
  for (const run of runs) await journal.setClosed(run, await journal.tell({ what: 'closed' }, note, run));
}

async function copyRows(source: Archive, target: Archive, { from, to }: CopyOptions): Promise<Copied['rows']> {
  const sums: [Kind, Sum][] = [];
  for (const kind of KINDS) sums.push([kind, await sumOf(source, kind, (rows) => target.write(kind, rows))]);
  await target.setLastClaim(await source.lastClaim());
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

async function sumOf(journal: Archive, kind: Kind, each?: (rows: readonly Row[]) => Promise<void>): Promise<Sum> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after: Row | null = null; ;) {
    const rows: Row[] = await journal.page(kind, after, PAGE);
    if (rows.length > 0) await each?.(rows);
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE) return { count, hash: hash.digest('hex') };
  }
}
