/** `batch close <run>` ends a run for good. */
import { ROWS_PER_QUERY, pagesOf } from '../journal/pages.js';
import type { RunFlags } from '../config/resolve.js';
import { UsageError } from '../errors.js';
import { type CommandText, journalCommandText } from '../follow-up/commands.js';
import type { Journal } from '../journal/journal.js';
import type { Run } from '../journal/payment.js';
import { runDocument } from '../report/event-reporter.js';
import { settleTexts } from '../report/in-doubt-text.js';
import { wordingFor } from '../report/status-text.js';
import { type RunTally, tallyRun } from '../report/stored-records.js';
import { pluralize, widthOf } from '../report/table.js';
import { attentionLines } from './batch-show.js';
import type { Invocation } from './command.js';
import { print } from './document.js';
import { findRun, withRun } from './with-journal.js';

/** Returns the exit code. @throws JournalError; UsageError if the run is live, closed or has nothing to close */
export async function closeRun(call: Invocation<RunFlags & { readonly note: string }>): Promise<number> {
  const note = call.flags.note.trim();
  if (note === '') throw new UsageError('closing a run needs a --note that says why: it cannot be undone');
  return withRun(call, 'changes', async (run, journal, settings) => {
    await journal.close(run, note);
    const closed = await findRun(journal, run.name);
    const summed = await tallyRun(closed, journal);
    const { platform, stdout } = call.world;
    const command = journalCommandText({ commandLine: call.commandLine, settings, platform });
    return print(call, runDocument(closed, summed, null), [
      ...closedLines(run.name, summed, await openElsewhere(closed, journal), command),
      ...(await attentionLines(closed, journal, widthOf(stdout))),
    ]);
  });
}

/** Its open payments that another run may still send, by that run's name. */
async function openElsewhere(run: Run, journal: Journal): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const page of pagesOf((from) => journal.sums(run, from, ROWS_PER_QUERY))) {
    const open = page.flatMap(({ payment, state }) => (payment !== null && state === 'not_sent' ? payment : []));
    for (const { run: other } of open.length === 0 ? [] : await journal.byId(open))
      if (other.number !== run.number && !other.isClosed) counts.set(other.name, (counts.get(other.name) ?? 0) + 1);
  }
  return counts;
}

function closedLines(
  run: string,
  { records, totals, doubts }: RunTally,
  others: ReadonlyMap<string, number>,
  command: CommandText,
): string[] {
  const { not_sent: open, rejected } = records;
  const { pay } = wordingFor(totals.filter(({ status }) => status === 'not_sent'));
  const them = (count: number): string => (count === 1 ? 'it' : 'them');
  const givenUp = [...others.values()].reduce((left, count) => left - count, open);
  return [
    `Run ${run} is closed. This cannot be undone.`,
    ...(givenUp === 0
      ? []
      : [
          `It will not send its ${pluralize(givenUp, 'open record')}. To ${pay} ${them(givenUp)}, import ${them(givenUp)} again.`,
        ]),
    ...[...others].map(
      ([name, count]) =>
        `${pluralize(count, 'record is', 'records are')} open in run ${name} too, which can still send ${them(count)}. To look at that run: ${command(`batch show ${name}`)}`,
    ),
    ...(rejected === 0 ? [] : [`gigwork will not remind you of its ${pluralize(rejected, 'refused record')} again.`]),
    ...settleTexts(doubts, run, command),
  ];
}
