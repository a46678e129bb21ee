/** `batch report <run>`: the report files of a run, made later. */
import { UsageError } from '../errors.js';
import { reportFormat } from '../report/report-formats.js';
import { checkOutputs, journalFolders } from '../report/whole-file.js';
import type { RecordReport } from '../report/record-report.js';
import { printable } from '../report/printable.js';
import { storedHead, storedReports, tally } from '../report/stored-records.js';
import { journalPlace } from '../config/journal.js';
import { settingsFiles } from '../config/settings.js';
import { responseRules } from '../config/target.js';
import type { Call } from './command.js';
import { print, writeNamed } from './document.js';
import { withRun } from './open-journal.js';

/** Writes the files and gives the exit code. @throws JournalError; UsageError for a run or a file that cannot be used */
export async function reportRun(call: Call): Promise<number> {
  const { world } = call;
  const paths = call.flags.report ?? [];
  if (paths.length === 0) throw new UsageError('name the file to write with --report, such as --report run.html');
  const reports = paths.map((path) => ({ path, format: reportFormat(path) }));
  return withRun(call, 'reads', async (run, ledger, settings) => {
    const inputs = [...run.files.map((file) => file.path), ...settingsFiles(settings, [])];
    const kept = { inputs, folders: journalFolders(journalPlace(settings, world)), run };
    const named = paths.map((path) => ({ flag: '--report', path }));
    await checkOutputs(named, kept, world);
    const head = storedHead(run, await tally(run, ledger), world.now());
    const idPath = responseRules(settings, run.target).id;
    async function* rows(): AsyncGenerator<RecordReport, void> {
      for await (const { report } of storedReports(run, ledger, idPath)) yield report;
    }
    for (const { path, format } of reports) await writeNamed('--report', path, world.cwd(), format(head, rows));
    return print(call, { run: run.name, reports: paths }, [`${paths.map(printable).join(', ')} written.`]);
  });
}
