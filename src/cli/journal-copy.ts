/** `journal copy`: copies the history of one journal into another. CONTRACT: "The shared journal". */
import { parseJournalUrl } from '../config/journal-location.js';
import { callerFrom } from '../follow-up/command-line.js';
import { passwordsIn, withHost } from '../config/journal-url.js';
import { createRedactor } from '../config/secrets.js';
import { UsageError } from '../errors.js';
import {
  type Copied,
  copyJournal,
  type CopyMode,
  openForCopy,
  requireCopyable,
  requireLost,
} from '../journal/copy/copy.js';
import type { Caller } from '../journal/audit-log.js';
import type { Journal } from '../journal/journal.js';
import { openJournal } from '../journal/open.js';
import { type FolderPlace, placeUrl, type PostgresqlPlace } from '../journal/location.js';
import { pluralize } from '../report/table.js';
import { localTime } from '../util/local-time.js';
import type { World } from '../world.js';
import type { Invocation, FlagsWith } from './command.js';
import { print } from './document.js';

type CopyPlace = FolderPlace | PostgresqlPlace;

type CopyFlags = FlagsWith<never, 'move' | 'original_lost'> & { readonly from: string; readonly to: string };

/** Returns the exit code. @throws JournalError, UsageError */
export async function runCopy(call: Invocation<CopyFlags>): Promise<number> {
  const { commandLine, flags, world } = call;
  const move = flags.move ?? false;
  const originalLost = flags.original_lost ?? false;
  if (originalLost && !move)
    throw new UsageError('--original-lost goes with --move: it brings a copy into use whose original is lost');
  const one = parseJournalUrl('--from', flags.from, world);
  const other = parseJournalUrl('--to', flags.to, world);
  const caller = callerFrom(commandLine, createRedactor([...passwordsIn(flags.from), ...passwordsIn(flags.to)]), world);
  const from = urlOf(one);
  const to = urlOf(other);
  if (identityOf(one) === identityOf(other)) throw new UsageError('--from and --to name the same journal');
  const way = { from, to, move, originalLost };
  await makeReady(one, way, caller, world);
  const source = await openForCopy(one, caller, world);
  try {
    const copied = await copyJournal({ source, openTarget: () => openForCopy(other, caller, world), ...way });
    return await print(call, { from, to, move, ...copyDocument(copied) }, copyLines(copied, from, to, move));
  } finally {
    await source.detach();
  }
}

/** As journals store it, for people on other machines too. */
function urlOf(place: CopyPlace): string {
  return place.kind === 'file' ? placeUrl(place) : withHost(place);
}

function identityOf(place: CopyPlace): string {
  if (place.kind === 'file') return place.folder;
  const { servers, database, schema } = place;
  return JSON.stringify([servers, database, schema]);
}

/** First takes over the claims of dead processes. @throws JournalError, UsageError */
async function makeReady(place: CopyPlace, way: CopyMode, caller: Caller, world: World): Promise<void> {
  const use = async <T>(by: Caller | null, work: (journal: Journal) => Promise<T>): Promise<T> => {
    const opened = await openJournal({ place, required: false, timeoutMs: 0, caller: by }, world);
    if (opened === null) throw new UsageError(`there is no journal in ${way.from}`);
    try {
      return await work(opened.journal);
    } finally {
      await opened.journal.detach();
    }
  };
  const status = await use(null, (journal) => journal.status());
  requireCopyable(status, way);
  const { copyOf, movedTo } = status;
  if (copyOf !== null && way.move) await requireLost(parseJournalUrl('the original', copyOf.journal, world), world);
  if (copyOf === null && movedTo === null) await use(caller, (journal) => journal.recover());
}

function copyDocument({ rows, unfinished, lost, lastPaymentAt }: Copied): object {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  const last_payment_at = time(lastPaymentAt);
  const original_lost = lost === null ? null : { journal: lost.journal, copied_at: time(lost.at) };
  return { rows, unfinished, last_payment_at, original_lost };
}

function copyLines(
  { rows, unfinished, lost, lastPaymentAt }: Copied,
  from: string,
  to: string,
  move: boolean,
): string[] {
  const done = `${pluralize(rows.payment, 'payment')} of ${pluralize(rows.run, 'run')} ${move ? 'moved' : 'copied'} from ${from} to ${to}, and compared: they are equal.`;
  if (!move) return [done, `No run sends from ${to}: it is for reading and restoring.`];
  const resume = unfinished === 0 ? '' : ` ${pluralize(unfinished, 'unfinished run')} can be resumed there.`;
  const moved = `${from} sends nothing any more. Use the new journal from now on: --journal ${to}.${resume}`;
  if (lost === null) return [done, moved];
  const newest = lastPaymentAt === null ? 'It has no payment' : `Its newest payment is of ${localTime(lastPaymentAt)}`;
  return [
    done,
    moved,
    `Careful: this history ends on ${localTime(lost.at)}, when ${lost.journal} was copied. ${newest}.`,
    'It does not know what was paid after that. Sending those payments now pays them again.',
    'Find them in the service, or in the reports of those runs, before you send anything.',
  ];
}
