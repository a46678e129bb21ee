/** `batch …` and `journal …`: the commands on the journal. Each is loaded when it is called. */
import { type Command, Option } from 'commander';
import type { World } from '../world.js';
import type { ExitCode } from './help.js';
import type { CopyFlags } from './journal-copy.js';
import {
  addExamples,
  addGroups,
  addSetting,
  collect,
  type Done,
  type Flags,
  flagsIn,
  plainExitCodes,
  single,
} from './command-flags.js';

/** How a command was called. */
interface Call {
  /** What stands behind its name; empty where it takes nothing. */
  readonly operand: string;
  readonly argv: readonly string[];
  readonly flags: Flags;
  readonly world: World;
}

/** A command that reads or changes the journal, and sends nothing. */
interface StoredCommand {
  readonly name: string;
  readonly operand?: readonly [name: string, help: string];
  readonly help: string;
  readonly options?: () => readonly Option[];
  /** What `--json` gives; one document where this is left out. */
  readonly json?: string;
  readonly examples: readonly string[];
  /** What exit codes 0 and 2 mean. */
  readonly done: string;
  readonly usage?: string;
  /** Gives the exit code. The flags are those of `options`, and the parser has found the mandatory ones. */
  readonly run: (call: Call) => Promise<number>;
}

const RUN = ['<run>', 'name of a run, or the beginning of it, as batch list shows it'] as const;
const BAD_RUN = 'usage, configuration, a journal that cannot be used, or no such run';

const BATCH_COMMANDS: readonly StoredCommand[] = [
  {
    name: 'list',
    help: 'the runs that have sent something, newest first',
    options: () => [
      single('--target <target>', 'only of this target, as the list shows it'),
      single('--batch-id <name>', 'only of this batch'),
      new Option('--open', 'only what can be gone on with'),
      single('--since <date>', 'only since this day in UTC, YYYY-MM-DD'),
      single('--limit <n>', 'at most so many'),
    ],
    examples: ['gigwork batch list --open', 'gigwork batch list --batch-id 2026-11 --json | jq .runs[0]'],
    done: 'the runs are listed',
    run: async ({ flags, world }) => (await import('./batch-list.js')).listRuns(flags, world),
  },
  {
    name: 'show',
    operand: RUN,
    help: 'one run: totals, and what did not go through',
    examples: ['gigwork batch show 20261120-a1b2c3'],
    done: 'the run is shown, whatever became of it',
    usage: BAD_RUN,
    run: async ({ operand, flags, world }) => (await import('./batch-show.js')).showRun(operand, flags, world),
  },
  {
    name: 'report',
    operand: RUN,
    help: 'write the report files of a run',
    options: () => [
      new Option('--report <file>', '.csv, .ndjson or .html by extension; repeatable').argParser(collect),
    ],
    examples: ['gigwork batch report 20261120-a1b2c3 --report run.csv'],
    done: 'the files are written',
    usage: BAD_RUN,
    run: async ({ operand, flags, world }) => (await import('./batch-report.js')).reportRun(operand, flags, world),
  },
  {
    name: 'find',
    operand: ['<text>', 'part of a user, a title or a reference, in any letter case; or a whole key or id'],
    help: 'payments of all runs, newest first',
    examples: ['gigwork batch find usr_7f3a91', "gigwork batch find 'bonus november' --json | jq .payments[].amount"],
    done: 'what was found is printed, nothing too',
    run: async ({ operand, flags, world }) => (await import('./batch-find.js')).findPayments(operand, flags, world),
  },
  {
    name: 'settle',
    operand: RUN,
    help: 'record what you found in the service about payments in doubt: created, or not',
    options: () => [
      single('--line <n>', 'line of the record in its file; of several, 3,5,9-12'),
      single('--record <n>', 'the same by the number of the record, from 1'),
      single('--key <key>', 'the same by the key of the record'),
      single('--file <path>', 'its file, where the run has several'),
      new Option('--created', 'it was created; this is final'),
      single('--id <id>', 'the id that the service gave it'),
      new Option('--not-created', 'it was not created, and will be sent when the run is resumed'),
      single('--note <text>', 'how you found out; required'),
    ],
    examples: [
      "gigwork batch settle 20261120-a1b2c3 --line 18 --created --id gig_51c2 --note 'seen in the service'",
      "gigwork batch settle 20261120-a1b2c3 --line 18 --not-created --note 'asked the service desk, ticket 4711'",
    ],
    done: 'the records are settled',
    usage: `${BAD_RUN}; or one of them is not in doubt: then none is settled`,
    run: async ({ operand, argv, flags, world }) =>
      (await import('./batch-settle.js')).settleRecords(operand, argv, flags, world),
  },
  {
    name: 'close',
    operand: RUN,
    help: 'end a run for good: it will not send its open records',
    options: () => [single('--note <text>', 'why').makeOptionMandatory()],
    examples: ["gigwork batch close 20261120-a1b2c3 --note 'paid by bank transfer, ticket 4711'"],
    done: 'the run is closed',
    usage: `${BAD_RUN}; or it is live or closed, or has nothing open or rejected`,
    run: async ({ operand, argv, flags, world }) =>
      (await import('./batch-close.js')).closeRun(operand, argv, flags, world),
  },
  {
    name: 'prune',
    help: 'remove personal data (contents and answers) of finished records',
    options: () => [
      single('--before <date>', 'of runs that ended before this day in UTC, YYYY-MM-DD').makeOptionMandatory(),
    ],
    examples: ['gigwork batch prune --before 2026-01-01'],
    done: 'contents and answers are removed',
    run: async ({ argv, flags, world }) =>
      (await import('./batch-prune.js')).pruneRecords(argv, flags as Flags & { before: string }, world),
  },
];

const LOG: StoredCommand = {
  name: 'log',
  help: 'who did what, the oldest first: one JSON object a line',
  options: () => [single('--since <date>', 'from this day on, in UTC, YYYY-MM-DD')],
  json: 'the same: the log is JSON',
  examples: ['gigwork journal log', 'gigwork journal log --since 2026-11-01 | jq -c [.at,.what,.by.user,.note]'],
  done: 'the log is printed',
  run: async ({ flags, world }) => (await import('./journal-log.js')).printLog(flags, world),
};

const COPY_EXAMPLES = [
  'gigwork journal copy --from sqlite:STATE --to sqlite:BACKUP',
  'gigwork journal copy --from sqlite:STATE --to postgresql://anna@db/pay --move',
  'gigwork journal copy --from sqlite:BACKUP --to sqlite:STATE --move --original-lost',
];

/** Commands on runs that have passed their gate. */
export function addRunCommands(batch: Command, argv: readonly string[], world: World, done: Done): void {
  addResume(batch, argv, world, done);
  for (const command of BATCH_COMMANDS) addStored(batch, command, argv, world, done);
}

/** Commands on the journal as a whole. */
export function addJournal(program: Command, argv: readonly string[], world: World, done: Done): void {
  const journal = program.command('journal').description('the journal as a whole: log, copy');
  addStored(journal, LOG, argv, world, done);
  const copy = journal
    .command('copy')
    .description('bring the history of a journal into an empty one, and compare it')
    .addOption(single('--from <url>', 'sqlite:FOLDER or postgresql://USER@HOST/DATABASE').makeOptionMandatory())
    .addOption(single('--to <url>', 'the same for the empty one').makeOptionMandatory())
    .option('--move', 'use the new journal from now on: the original sends nothing more')
    .option('--original-lost', 'with --move: bring a copy into use whose original is lost')
    .option('--json', 'one JSON document on standard output');
  addExamples(copy, COPY_EXAMPLES, storedExitCodes('all of it is copied, and equal')).action(
    async (flags: CopyFlags) => {
      const { runCopy } = await import('./journal-copy.js');
      done(await runCopy(argv, flags, world));
    },
  );
}

/** Its own flags come first: help lists later ones under "Output:". */
function addStored(group: Command, command: StoredCommand, argv: readonly string[], world: World, done: Done): void {
  const { name, operand, help, options, json = 'one JSON document on standard output', examples, run } = command;
  const added = group.command(name).description(help);
  if (operand !== undefined) added.argument(...operand);
  for (const option of options?.() ?? []) added.addOption(option);
  added.option('--json', json);
  for (const setting of ['profile', 'config'] as const) addSetting(added, setting);
  addExamples(addGroups(added, ['state']), examples, storedExitCodes(command.done, command.usage));
  added.action(async () => {
    const [word = ''] = added.args;
    done(await run({ operand: word, argv, flags: added.opts(), world }));
  });
}

/** Exit codes of the commands on the journal. @param done what 0 means, @param usage what 2 means */
function storedExitCodes(done: string, usage = 'usage, configuration, or a journal that cannot be used'): ExitCode[] {
  return [...plainExitCodes(done, usage), { code: '5', meaning: 'the journal cannot be reached or used for now' }];
}

/** What a run that goes on says otherwise, or was told once for all by the call that began it. */
const OF_THE_FIRST_CALL = ['dry_run', 'yes', 'batch_id', 'key_columns', 'skip_invalid'] as const;

function addResume(batch: Command, argv: readonly string[], world: World, done: Done): void {
  const resume = batch
    .command('resume')
    .argument(...RUN)
    .description('go on with a run from the journal alone, at its stored target');
  addSetting(resume, 'dry_run', 'show what would be sent');
  addSetting(resume, 'base_url', 'must be the run’s own target');
  addSetting(resume, 'sandbox', 'the run went to the sandbox');
  addSetting(resume, 'account', 'must be the run’s own account');
  addSetting(resume, 'yes');
  for (const name of flagsIn('safety', OF_THE_FIRST_CALL)) addSetting(resume, name);
  addGroups(resume, ['target', 'faults', 'output', 'state'], ['base_url', 'sandbox', 'account']);
  // They are refused with the command that can: only the input has what rejects and results are made of.
  for (const flag of ['--rejects', '--results']) resume.options.find(({ long }) => long === flag)?.hideHelp();
  addExamples(resume, [
    'gigwork batch resume 20261120-a1b2c3',
    'gigwork batch resume 20261120-a1b2c3 --resend-unknown',
  ]).action(async (run: string, flags: Flags) => {
    const { resumeRun } = await import('./records.js');
    done(await resumeRun(run, argv, flags, world));
  });
}
