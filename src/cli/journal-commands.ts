/** `journal …`: the commands on the journal as a whole. Each is loaded when it is called. */
import type { Command } from 'commander';
import type { World } from '../world.js';
import type { CopyFlags } from './journal-copy.js';
import { stored, storedExitCodes } from './batch-commands.js';
import { addExamples, type Done, type Flags, single } from './command-flags.js';

export function addJournal(program: Command, argv: readonly string[], world: World, done: Done): void {
  const journal = program.command('journal').description('the journal as a whole: log, copy');
  const log = stored(
    journal
      .command('log')
      .description('who did what, the oldest first: one JSON object a line')
      .addOption(single('--since <date>', 'from this day on, in UTC, YYYY-MM-DD')),
    'the same: the log is JSON',
  );
  const examples = ['gigwork journal log', 'gigwork journal log --since 2026-11-01 | jq -c [.at,.what,.by.user,.note]'];
  addExamples(log, examples, storedExitCodes('the log is printed')).action(async (flags: Flags) => {
    const { printLog } = await import('./journal-log.js');
    done(await printLog(flags, world));
  });
  const copy = journal
    .command('copy')
    .description('bring the history of a journal into an empty one, and compare it')
    .addOption(single('--from <url>', 'sqlite:FOLDER or postgresql://USER@HOST/DATABASE').makeOptionMandatory())
    .addOption(single('--to <url>', 'the same for the empty one').makeOptionMandatory())
    .option('--move', 'use the new journal from now on: the original sends nothing more')
    .option('--original-lost', 'with --move: bring a copy into use whose original is lost')
    .option('--json', 'one JSON document on standard output');
  const copies = [
    'gigwork journal copy --from sqlite:STATE --to sqlite:BACKUP',
    'gigwork journal copy --from sqlite:STATE --to postgresql://anna@db/pay --move',
    'gigwork journal copy --from sqlite:BACKUP --to sqlite:STATE --move --original-lost',
  ];
  addExamples(copy, copies, storedExitCodes('all of it is copied, and equal')).action(async (flags: CopyFlags) => {
    const { runCopy } = await import('./journal-copy.js');
    done(await runCopy(argv, flags, world));
  });
}
