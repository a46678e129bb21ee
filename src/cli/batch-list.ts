/** `batch list`: what was sent when, from which file, with which totals. */
import { EXIT } from '../errors.js';
import { sumByCurrency } from '../money/totals.js';
import { moneyText } from '../records/money-text.js';
import { printable } from '../report/printable.js';
import { countText, minuteText, tableLines, widthOf } from '../report/table.js';
import { type RunTally, tally } from '../report/stored-records.js';
import { isOpen, runDocument } from '../report/stored-runs.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Run } from '../ledger/payment.js';
import { onwardOf } from '../config/onward.js';
import type { RunFlags } from '../config/sources.js';
import { isTargetNamed } from '../config/target.js';
import { startOfDay, wholeNumber } from '../config/values.js';
import type { World } from '../world.js';
import { writeList } from './document.js';
import { withLedger } from './ledger.js';

/** Which runs are listed. */
interface ListFlags extends RunFlags {
  readonly target?: string;
  readonly batchId?: string;
  readonly open?: boolean;
  readonly since?: string;
  readonly limit?: string;
}

interface Listed {
  readonly run: Run;
  readonly counted: RunTally;
}

/** Prints the runs, newest first, and gives the exit code. @throws JournalError, UsageError */
export async function listRuns(flags: ListFlags, world: World): Promise<number> {
  const isWanted = filterOf(flags);
  const limit = flags.limit === undefined ? Infinity : wholeNumber('--limit', flags.limit, 1);
  return withLedger(flags, null, world, async (ledger, settings) => {
    const listed = ledger === null ? noRuns() : listedRuns(ledger, isWanted, flags.open === true, limit);
    if (flags.json === true) {
      const documents = mapped(listed, ({ run, counted }) => {
        const next = isOpen(run, counted) ? onwardOf(run, settings, world) : null;
        return JSON.stringify(runDocument(run, counted, next));
      });
      await writeList({}, 'runs', documents, world);
      return EXIT.ok;
    }
    const rows: string[][] = [];
    for await (const { run, counted } of listed) rows.push(rowOf(run, counted));
    const isFiltered = (ledger === null ? [] : await ledger.runs()).length > 0;
    const lines =
      rows.length > 0
        ? tableLines(COLUMNS, rows, widthOf(world.stdout))
        : [isFiltered ? 'No run is like that.' : 'No run has sent anything yet.'];
    for (const line of lines) {
      world.stdout.write(`${line}\n`);
      await world.stdout.ready();
    }
    return EXIT.ok;
  });
}

/** @throws UsageError */
function filterOf({ target, batchId, since }: ListFlags): (run: Run) => boolean {
  const from = since === undefined ? -Infinity : startOfDay('--since', since);
  return (run) =>
    run.startedAt >= from &&
    (batchId === undefined || run.batchId === batchId) &&
    (target === undefined || isTargetNamed(run.target, target));
}

/** Counts only the runs that are listed: that takes a look at each of their payments. */
async function* listedRuns(
  ledger: Ledger,
  isWanted: (run: Run) => boolean,
  onlyOpen: boolean,
  limit: number,
): AsyncGenerator<Listed, void> {
  let left = limit;
  for (const run of await ledger.runs()) {
    if (left === 0) return;
    if (!isWanted(run)) continue;
    const counted = await tally(run, ledger);
    if (onlyOpen && !isOpen(run, counted)) continue;
    left--;
    yield { run, counted };
  }
}

async function* noRuns(): AsyncGenerator<Listed, void> {}

async function* mapped<From, To>(items: AsyncIterable<From>, change: (item: From) => To): AsyncGenerator<To, void> {
  for await (const item of items) yield change(item);
}

const COLUMNS = [
  { title: 'run' },
  { title: 'started (UTC)' },
  { title: 'batch' },
  { title: 'target' },
  { title: 'state' },
  { title: 'records', align: 'right' as const },
  { title: 'created', align: 'right' as const },
  { title: 'files' },
];

/** Shows the money of created records only: records that were left out or rejected were not paid by the run. */
function rowOf(run: Run, counted: RunTally): string[] {
  return [
    run.name,
    minuteText(run.startedAt),
    printable(run.batchId),
    printable(run.target),
    stateText(run, counted),
    String(counted.records.read),
    sumByCurrency(counted.totals.filter(({ status }) => status === 'created'))
      .map(({ type, amount, currency }) => `${printable(moneyText(amount, currency, type))} (${type})`)
      .join(', '),
    run.files.map(({ path }) => printable(path)).join(', '),
  ];
}

function stateText(run: Run, { records }: RunTally): string {
  const { unknown, not_sent: open } = records;
  const isDone = open === 0 && unknown === 0;
  const words = [
    ...(run.closed === null ? (isDone ? ['done'] : []) : ['closed']),
    ...(open === 0 ? [] : [`${countText(open)} ${run.closed === null ? 'open' : 'not sent'}`]),
    ...(unknown === 0 ? [] : [`${countText(unknown)} in doubt`]),
    ...(!isDone && run.end === null ? ['cut off or running'] : []),
    ...(records.rejected === 0 ? [] : [`${countText(records.rejected)} rejected`]),
  ];
  return words.join(', ');
}
