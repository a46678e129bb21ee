/** `journal log`: who did what, from the journal's log. CONTRACT: "`--json`". */
import { startOfDay } from '../config/parsers.js';
import { EXIT } from '../errors.js';
import { type AuditEvent, flagsDocument, type AuditEntry } from '../journal/audit-log.js';
import { amountUnit, type RecordType } from '../records/types.js';
import { escapeControls } from '../report/printable.js';
import type { Invocation, FlagsWith } from './command.js';
import { withOpenJournal } from './with-journal.js';

/** Events per read. */
const EVENTS_PER_PAGE = 500;

/** Prints the log, oldest first, and returns the exit code. @throws JournalError; UsageError for an invalid date */
export async function printLog(call: Invocation<FlagsWith<'since'>>): Promise<number> {
  const { flags, world } = call;
  const since = flags.since === undefined ? 0 : startOfDay('--since', flags.since);
  const given = new Set<number>();
  return withOpenJournal(call, 'reads', async (journal) => {
    if (journal === null) return EXIT.ok;
    for (let after = 0; ;) {
      const page = await journal.events(since, after, EVENTS_PER_PAGE);
      const last = page.at(-1);
      if (last === undefined) return EXIT.ok;
      for (const { number, event } of page) if (event.kind === 'approved' && event.of === null) given.add(number);
      const told = page.filter(({ event }) => !isToldBefore(event, given, since));
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
function isToldBefore(event: AuditEvent, given: ReadonlySet<number>, since: number): boolean {
  if (event.kind !== 'approved' || event.of === null || event.of.event === null) return false;
  return given.has(event.of.event) || event.of.at < since;
}

function eventDocument({ at, run, by, version, commandLine, note, event }: AuditEntry): object {
  const time = new Date(at).toISOString();
  return { at: time, what: event.kind, run, by, version, command_line: commandLine, note, ...factsOf(event) };
}

/** The facts that only actions of this kind have. */
function factsOf(event: AuditEvent): object {
  switch (event.kind) {
    case 'run':
      return { goes_on: event.goesOn };
    case 'ended':
      return { exit_code: event.exitCode, stop_reason: event.stopReason };
    case 'approved':
      return approvedDocument(event);
    case 'settled': {
      const { file, record, line, key, status, list } = event;
      const settled = { file, record, line, key, status };
      if (list === undefined) return settled;
      return { ...settled, sha256: list.sha256, as_of: new Date(list.asOf).toISOString() };
    }
    case 'pruned':
      return { before: new Date(event.before).toISOString(), count: event.count };
    case 'copied':
      return { from: event.from, to: event.to, move: event.move, rows: event.rows };
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
}: AuditEvent & { kind: 'approved' }): object {
  const by = of === null ? null : { user: of.user, host: of.host, at: new Date(of.at).toISOString() };
  const said = by === null ? {} : { approved_by: by };
  const sums = totals.map((row) => ({ ...row, unit: amountUnit(row.type as RecordType) }));
  return { digest, target, batch_id: batchId, count, totals: sums, flags: flagsDocument(flags), ...said };
}
