/** `batch prune --before DATE`: removes personal data of finished records; never what protects from paying twice. */
import { EXIT } from '../errors.js';
import type { RunFlags } from '../config/sources.js';
import { startOfDay } from '../config/values.js';
import { counted } from '../report/table.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { withLedger } from './ledger.js';

/** Gives the exit code. @throws JournalError; UsageError for an invalid date */
export async function pruneRecords(
  argv: readonly string[],
  flags: RunFlags & { readonly before: string },
  world: World,
): Promise<number> {
  const before = startOfDay('--before', flags.before);
  return withLedger(flags, argv, world, async (ledger) => {
    const pruned = (await ledger?.prune(before)) ?? 0;
    if (flags.json === true) writeDocument({ before: flags.before, pruned }, world);
    else
      world.stdout.write(
        `Removed the contents and answers of ${counted(pruned, 'finished record')}. Keys, hashes, states and dates stay. To send a rejected one again, import its file.\n`,
      );
    return EXIT.ok;
  });
}
