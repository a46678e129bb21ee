/** `batch list`: the runs, with time, files and totals. */
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { printable } from '../report/printable.js';
import { statusCounts, wordingFor } from '../report/status-text.js';
import type { TableColumn } from '../report/table.js';
import { amountText, typeName } from '../report/totals-table.js';
import { runDocument } from '../report/event-reporter.js';
import { isOpen, type RunTally, tallyRun } from '../report/stored-records.js';
import type { Journal } from '../journal/journal.js';
import type { Run } from '../journal/payment.js';
import { toWords } from '../follow-up/command-line.js';
import { resumeStoredCommand } from '../follow-up/commands.js';
import { startOfDay, wholeNumber } from '../config/parsers.js';
import { localTime } from '../util/local-time.js';
import type { Invocation, FlagsWith } from './command.js';
import { printList } from './document.js';
import { withOpenJournal } from './with-journal.js';

type ListFlags = FlagsWith<'target' | 'batch_id' | 'since' | 'limit', 'open'>;

interface ListedRun {
  readonly run: Run;
  readonly counted: RunTally;
}

/** Prints the runs, newest first, and returns the exit code. @throws JournalError, UsageError */
export async function listRuns(call: Invocation<ListFlags>): Promise<number> {
  const { flags, world, commandLine } = call;
  const isWanted = filterOf(flags);
  const limit = flags.limit === undefined ? Infinity : wholeNumber('--limit', flags.limit, 1);
  return withOpenJournal(call, 'reads', async (journal, settings) => {
    const runs = (await journal?.runs()) ?? [];
    return printList(call, {
      name: 'runs',
      items: listedRuns(runs.filter(isWanted), journal, flags.open === true, limit),
      json: ({ run, counted }) => {
        const sources = { commandLine, settings, platform: world.platform };
        const next = isOpen(run, counted) ? toWords(resumeStoredCommand(run, sources)) : null;
        return JSON.stringify(runDocument(run, counted, next));
      },
      columnsFor: runColumns,
      none: runs.length > 0 ? 'No run is like that.' : 'No run has sent anything yet.',
    });
  });
}

/** @throws UsageError */
function filterOf({ target, batch_id: batchId, since }: ListFlags): (run: Run) => boolean {
  const from = since === undefined ? -Infinity : startOfDay('--since', since, 'local');
  return (run) =>
    run.startedAt >= from &&
    (batchId === undefined || run.batchId === batchId) &&
    (target === undefined || run.target === target);
}

/** Counts only the listed runs, because counting reads each of their payments. */
async function* listedRuns(
  runs: readonly Run[],
  journal: Journal | null,
  onlyOpen: boolean,
  limit: number,
): AsyncGenerator<ListedRun, void> {
  let left = limit;
  for (const run of runs) {
    if (left === 0 || journal === null) return;
    const counted = await tallyRun(run, journal);
    // A closed run sends nothing more, but its doubts stay until a person has settled them.
    if (onlyOpen && !isOpen(run, counted) && counted.records.unknown === 0) continue;
    left--;
    yield { run, counted };
  }
}

function runColumns(runs: readonly ListedRun[]): TableColumn<ListedRun>[] {
  const { noun, paid } = wordingFor(runs.flatMap(({ counted }) => counted.totals));
  return [
    { title: 'run', cell: ({ run }) => run.name },
    { title: 'started', cell: ({ run }) => localTime(run.startedAt) },
    { title: 'batch', cell: ({ run }) => printable(run.batchId) },
    { title: 'target', cell: ({ run }) => printable(run.target) },
    { title: 'state', cell: stateText },
    { title: 'records', align: 'right', cell: ({ counted }) => String(counted.records.read) },
    {
      title: noun === 'record' ? 'paid or created' : paid,
      align: 'right',
      cell: ({ counted }) =>
        sumByCurrency(createdTotals(counted))
          .map((sum) => `${amountText(sum)}${sum.type === 'payout' ? '' : ` (${typeName(sum.type, 2)})`}`)
          .join(', '),
    },
    { title: 'files', cell: ({ run }) => run.files.map(({ path }) => printable(path)).join(', ') },
  ];
}

/** The run did not pay those that were left out or rejected. */
function createdTotals({ totals }: RunTally): TotalRow[] {
  return totals.filter(({ status }) => status === 'created');
}

/** The states that a list tells: all that did not go as planned. */
const NOTABLE = ['rejected', 'corrected', 'unknown', 'not_sent', 'given_up'];

function stateText({ run, counted }: ListedRun): string {
  const { records, totals } = counted.shown;
  const notable = Object.entries(records).filter(([name]) => NOTABLE.includes(name));
  const isUnfinished = isOpen(run, counted);
  const texts = statusCounts(Object.fromEntries(notable), totals);
  // Somebody is not paid by a run with refused records: it has ended, and is not done.
  const isDone = !isUnfinished && (records['rejected'] ?? 0) === 0;
  if (run.closed !== null) texts.unshift('closed');
  else if (isDone) texts.unshift('done');
  if (isUnfinished && run.end === null) texts.push('cut off or running');
  return texts.join(', ');
}
