/** `journal copy`: the history of one journal in another one. CONTRACT: "The shared journal". */
import { callerOf } from '../config/caller.js';
import { passwordsIn } from '../config/journal-url.js';
import { placeOfUrl } from '../config/places.js';
import { secretsOf } from '../config/secrets.js';
import { EXIT, UsageError } from '../errors.js';
import type { Archive } from '../ledger/copy/archive.js';
import { type Copied, copyJournal } from '../ledger/copy/copy.js';
import type { Caller } from '../ledger/event.js';
import { openLedger } from '../ledger/open.js';
import type { FolderPlace, PostgresqlPlace } from '../ledger/place.js';
import { counted } from '../report/table.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

type Place = FolderPlace | PostgresqlPlace;

export interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly move?: boolean;
  readonly json?: boolean;
}

/** Gives the exit code. @throws JournalError, UsageError */
export async function runCopy(argv: readonly string[], flags: CopyFlags, world: World): Promise<number> {
  const [source, target] = [placeOfUrl('--from', flags.from, world), placeOfUrl('--to', flags.to, world)];
  const caller = callerOf(argv, secretsOf([...passwordsIn(flags.from), ...passwordsIn(flags.to)]), world);
  const [from, to] = [urlOf(source), urlOf(target)];
  if (from === to) throw new UsageError('--from and --to name the same journal');
  await requireJournal(source, from, world);
  const move = flags.move ?? false;
  const copied = await withArchives([source, target], caller, world, (one, other) =>
    copyJournal({ source: one, target: other, from, to, move }),
  );
  if (flags.json === true) writeDocument({ from, to, move, ...copied }, world);
  else world.stdout.write(`${wordsOf(copied, from, to, move).join('\n')}\n`);
  return EXIT.ok;
}

/** As the flag takes it, without a password. */
function urlOf(place: Place): string {
  return place.kind === 'file' ? `sqlite:${place.folder}` : place.shown;
}

async function requireJournal(place: Place, name: string, world: World): Promise<void> {
  const present = await openLedger({ place, required: false, timeoutMs: 0, caller: null }, world);
  if (present === null) throw new UsageError(`there is no journal in ${name}`);
  await present.ledger.leave();
}

/** What dead processes left under way is taken over first; in one that was moved, nothing is. */
async function recover(place: Place, caller: Caller, source: Archive, world: World): Promise<void> {
  if ((await source.movedTo()) !== null) return;
  const opened = await openLedger({ place, required: false, timeoutMs: 0, caller }, world);
  await opened?.ledger.recover();
  await opened?.ledger.leave();
}

async function withArchives<T>(
  [from, to]: readonly [Place, Place],
  caller: Caller,
  world: World,
  work: (source: Archive, target: Archive) => Promise<T>,
): Promise<T> {
  const source = await openArchive(from, caller, world);
  try {
    await recover(from, caller, source, world);
    const target = await openArchive(to, caller, world);
    try {
      return await work(source, target);
    } finally {
      await target.leave();
    }
  } finally {
    await source.leave();
  }
}

async function openArchive(place: Place, caller: Caller, world: World): Promise<Archive> {
  if (place.kind === 'postgresql')
    return (await import('../ledger/copy/postgresql-archive.js')).openSharedArchive(place, caller);
  return (await import('../ledger/copy/sqlite-archive.js')).openFileArchive(place.folder, caller, world);
}

function wordsOf({ rows, unfinished }: Copied, from: string, to: string, move: boolean): string[] {
  const runs = counted(unfinished, 'unfinished run');
  return [
    `${counted(rows.payment, 'payment')} of ${counted(rows.run, 'run')} ${move ? 'moved' : 'copied'} from ${from} to ${to}, and compared: they are equal.`,
    move
      ? `Nothing is sent by ${from} any more. Name the new one from now on: --journal ${to}${unfinished === 0 ? '' : `, where ${runs} can go on`}`
      : `Runs go on in ${from} alone${unfinished === 0 ? '' : `: ${runs} there, closed in the copy`}.`,
  ];
}
