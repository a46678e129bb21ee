/** `batch list`: what was sent when, from which file, with which totals. */
import { EXIT } from '../errors.js';
import { moneyWords } from '../money/decimal.js';
import { sumByCurrency } from '../money/totals.js';
import { withUnit } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { printable } from '../report/printable.js';
import { countText, tableLines, widthOf } from '../report/table.js';
import { type RunTally, runDocument, tally } from '../outcome/archive.js';
import type { Run } from '../ledger/payment.js';
import type { OutputFlags, TargetFlags } from '../config/flags.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { withLedger } from './ledger.js';

/** Prints the runs, newest first, and gives the exit code. @throws JournalError, UsageError */
export async function listRuns(flags: OutputFlags & TargetFlags, world: World): Promise<number> {
  return withLedger(flags, null, world, async (ledger) => {
    const runs: { run: Run; counted: RunTally }[] = [];
    for (const run of (await ledger?.runs()) ?? [])
      if (ledger !== null) runs.push({ run, counted: await tally(run, ledger) });
    if (flags.json === true) {
      writeDocument({ runs: runs.map(({ run, counted }) => runDocument(run, counted)) }, world);
      return EXIT.ok;
    }
    if (runs.length === 0) world.stdout.write('No run has sent anything yet.\n');
    else for (const line of listLines(runs, widthOf(world.stdout))) world.stdout.write(`${line}\n`);
    return EXIT.ok;
  });
}

/** Shows the money of created records only: records that were left out or rejected were not paid by the run. */
function listLines(runs: readonly { run: Run; counted: RunTally }[], width: number): string[] {
  const columns = [
    { title: 'run' },
    { title: 'started (UTC)' },
    { title: 'batch' },
    { title: 'target' },
    { title: 'state' },
    { title: 'records', align: 'right' as const },
    { title: 'created', align: 'right' as const },
    { title: 'files' },
  ];
  const rows = runs.map(({ run, counted }) => [
    run.name,
    new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' '),
    printable(run.batchId),
    printable(run.target),
    stateText(run, counted),
    String(counted.records.read),
    sumByCurrency(counted.totals.filter(({ status }) => status === 'created'))
      .map(
        ({ type, amount, currency }) =>
          `${withUnit(printable(moneyWords(amount, currency)), type as RecordType)} (${type})`,
      )
      .join(', '),
    run.files.map(({ path }) => printable(path)).join(', '),
  ]);
  return tableLines(columns, rows, width);
}

function stateText(run: Run, { records }: RunTally): string {
  const open = records.unknown + records.not_sent;
  const words = [
    ...(run.closed === null ? [] : ['closed']),
    ...(open === 0 ? ['done'] : [`${countText(open)} open`, ...(run.end === null ? ['cut off or running'] : [])]),
    ...(records.rejected === 0 ? [] : [`${countText(records.rejected)} rejected`]),
  ];
  return words.join(', ');
}
