/** `batch prune --before DATE`: removes personal data of finished records; never what protects from paying twice. */
import type { RunFlags } from '../config/sources.js';
import { startOfDay } from '../config/values.js';
import { counted } from '../report/table.js';
import type { Call } from './command.js';
import { print } from './document.js';
import { withLedger } from './ledger.js';

/** Gives the exit code. @throws JournalError; UsageError for an invalid date */
export async function pruneRecords(call: Call<RunFlags & { readonly before: string }>): Promise<number> {
  const { before } = call.flags;
  const day = startOfDay('--before', before);
  return withLedger(call, 'changes', async (ledger) => {
    const pruned = (await ledger?.prune(day)) ?? 0;
    return print(call, { before, pruned }, [
      `Removed the contents and answers of ${counted(pruned, 'finished record')}. Keys, hashes, states and dates stay. To send a rejected one again, import its file.`,
    ]);
  });
}
