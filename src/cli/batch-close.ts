/** `batch close <run>`: ends an unfinished run for good. What is open in it is not sent by it any more. */
import type { OutputFlags, TargetFlags } from '../config/flags.js';
import { EXIT, UsageError } from '../errors.js';
import { findRun, runDocument, tally } from '../outcome/archive.js';
import { counted } from '../report/table.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { withRun } from './ledger.js';

/** Gives the exit code. @throws JournalError; UsageError for a run that is finished, closed or being delivered */
export async function closeRun(
  name: string,
  argv: readonly string[],
  flags: OutputFlags & TargetFlags & { readonly note?: string },
  world: World,
): Promise<number> {
  const note = flags.note?.trim() ?? '';
  if (note === '') throw new UsageError('closing a run needs a --note that says why: it cannot be taken back');
  return withRun(name, flags, argv, world, async (run, ledger) => {
    await ledger.close(run, note);
    const closed = await findRun(ledger, run.name);
    const summed = await tally(closed, ledger);
    if (flags.json === true) writeDocument(runDocument(closed, summed, null), world);
    else {
      const { not_sent: open, unknown } = summed.records;
      const doubt = unknown === 0 ? '' : ` ${counted(unknown, 'record stays', 'records stay')} in doubt until settled.`;
      world.stdout.write(
        `Run ${run.name} is closed: ${counted(open, 'open record is', 'open records are')} not sent by it any more.${doubt} This cannot be taken back; records that are still to be paid are imported anew.\n`,
      );
    }
    return EXIT.ok;
  });
}
