/** `batch prune` removes personal data of finished records. */
import { startOfDay } from '../config/parsers.js';
import type { RunFlags } from '../config/resolve.js';
import { pluralize } from '../report/table.js';
import type { Invocation } from './command.js';
import { print } from './document.js';
import { withOpenJournal } from './with-journal.js';

/** Keeps all that protects from paying twice; returns the exit code. @throws JournalError; UsageError */
export async function pruneRecords(call: Invocation<RunFlags & { readonly before: string }>): Promise<number> {
  const { before } = call.flags;
  const day = startOfDay('--before', before);
  return withOpenJournal(call, 'changes', async (journal) => {
    const pruned = (await journal?.prune(day)) ?? 0;
    return print(call, { before, pruned }, [
      `Removed the contents and answers of ${pluralize(pruned, 'finished record')}. Keys, hashes, states and dates stay. To send a refused one again, import its file.`,
    ]);
  });
}
