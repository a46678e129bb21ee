/** `journal …`: the commands on the journal as a whole. Each is loaded when it is called. */
import type { Command } from 'commander';
import type { World } from '../world.js';
import { BAD_STORE, stored } from './batch-commands.js';
import { addExamples, type Done, type Flags, plainExitCodes, single } from './flags.js';

export function addJournal(program: Command, world: World, done: Done): void {
  const journal = program.command('journal').description('the journal as a whole: log');
  const log = stored(
    journal
      .command('log')
      .description('who did what, the oldest first: one JSON object a line')
      .addOption(single('--since <date>', 'from this day on, in UTC, YYYY-MM-DD')),
    'the same: the log is JSON',
  );
  const examples = ['gigwork journal log', 'gigwork journal log --since 2026-11-01 | jq -c [.at,.what,.by.user,.note]'];
  addExamples(log, examples, plainExitCodes('the log is printed', BAD_STORE)).action(async (flags: Flags) => {
    const { printLog } = await import('./journal-log.js');
    done(await printLog(flags, world));
  });
}
