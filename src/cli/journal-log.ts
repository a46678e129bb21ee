/** `journal log`: who did what, from the journal's log. CONTRACT: "`--json`". */
import { startOfDay } from '../config/parsers.js';
import { EXIT } from '../errors.js';
import { type AuditEvent, flagsDocument, type AuditEntry } from '../journal/audit-log.js';
import { escapeControls } from '../report/printable.js';
import type { Invocation, FlagsWith } from './command.js';
import { withOpenJournal } from './with-journal.js';

/** Events per read. */
const PAGE = 500;

/** Prints the log, oldest first, and returns the exit code. @throws JournalError; UsageError for an invalid date */
export async function printLog(call: Invocation<FlagsWith<'since'>>): Promise<number> {
  const { flags, world } = call;
  const since = flags.since === undefined ? 0 : startOfDay('--since', flags.since);
  const given = new Set<number>();
  return withOpenJournal(call, 'reads', async (journal) => {
    if (journal === null) return EXIT.ok;
    for (let after = 0; ;) {
      const page = await journal.events(since, after, PAGE);
      const last = page.at(-1);
      if (last === undefined) return EXIT.ok;
      for (const { number, deed } of page) if (deed.what === 'approved' && deed.of === null) given.add(number);
      const told = page.filter(({ deed }) => !isToldBefore(deed, given, since));
      const lines = told.map((event) => `${escapeControls(JSON.stringify(eventDocument(event)))}\n`);
      world.stdout.write(lines.join(''));
      await world.stdout.ready();
      after = last.number;
    }
  });
}

/**
 * Whether this approval of a sent run repeats one that a person gave in this journal. One that names no such event is
 * told: its sender may have made it up.
 */
function isToldBefore(deed: AuditEvent, given: ReadonlySet<number>, since: number): boolean {
  if (deed.what !== 'approved' || deed.of === null || deed.of.event === null) return false;
  return given.has(deed.of.event) || deed.of.at < since;
}

function eventDocument({ at, run, by, version, commandLine, note, deed }: AuditEntry): object {
  const time = new Date(at).toISOString();
  return { at: time, what: deed.what, run, by, version, command_line: commandLine, note, ...factsOf(deed) };
}

/** The facts that only actions of this kind have. */
function factsOf(deed: AuditEvent): object {
  switch (deed.what) {
    case 'run':
      return { goes_on: deed.goesOn };
    case 'ended':
      return { exit_code: deed.exitCode, stop_reason: deed.stopReason };
    case 'approved':
      return approvedDocument(deed);
    case 'settled': {
      const { file, record, line, key, status } = deed;
      return { file, record, line, key, status };
    }
    case 'pruned':
      return { before: new Date(deed.before).toISOString(), count: deed.count };
    case 'copied':
      return { from: deed.from, to: deed.to, move: deed.move, rows: deed.rows };
    case 'closed':
      return {};
  }
}

function approvedDocument({
  digest,
  target,
  batchId,
  count,
  totals,
  flags,
  of,
}: AuditEvent & { what: 'approved' }): object {
  const by = of === null ? null : { user: of.user, host: of.host, at: new Date(of.at).toISOString() };
  const said = by === null ? {} : { approved_by: by };
  return { digest, target, batch_id: batchId, count, totals, flags: flagsDocument(flags), ...said };
}
