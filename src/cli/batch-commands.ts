/** `batch …`: the commands on runs that have passed their gate. Each is loaded when it is called. */
import type { Command } from 'commander';
import type { World } from '../world.js';
import type { ExitCode } from './help.js';
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

/** Commands on runs that have passed their gate. */
export function addRunCommands(batch: Command, argv: readonly string[], world: World, done: Done): void {
  addList(batch, world, done);
  const show = stored(
    batch.command('show').argument('<run>', RUN).description('one run: totals, and what did not go through'),
  );
  const shown = storedExitCodes('the run is shown, whatever became of it', BAD_RUN);
  addExamples(show, ['gigwork batch show 20261120-a1b2c3'], shown).action(async (run: string, flags: Flags) => {
    const { showRun } = await import('./batch-show.js');
    done(await showRun(run, flags, world));
  });
  const report = stored(
    batch
      .command('report')
      .argument('<run>', RUN)
      .description('write the report files of a run')
      .option('--report <file>', '.csv, .ndjson or .html by extension; repeatable', collect),
  );
  const reported = storedExitCodes('the files are written', BAD_RUN);
  addExamples(report, ['gigwork batch report 20261120-a1b2c3 --report run.csv'], reported).action(
    async (run: string, flags: Flags) => {
      const { reportRun } = await import('./batch-report.js');
      done(await reportRun(run, flags, world));
    },
  );
  addFind(batch, world, done);
  addResume(batch, argv, world, done);
  addSettle(batch, argv, world, done);
  addClose(batch, argv, world, done);
  addPrune(batch, argv, world, done);
}

const BAD_RUN = 'usage, configuration, a journal that cannot be used, or no such run';

/** Exit codes of the commands on the journal. @param done what 0 means, @param usage what 2 means */
export function storedExitCodes(
  done: string,
  usage = 'usage, configuration, or a journal that cannot be used',
): ExitCode[] {
  return [...plainExitCodes(done, usage), { code: '5', meaning: 'the journal cannot be reached or used for now' }];
}

const RUN = 'name of a run, or the beginning of it, as batch list shows it';

/** Flags of the commands on the journal. Add a command's own flags first: help lists later ones under "Output:". */
export function stored(command: Command, json = 'one JSON document on standard output'): Command {
  command.option('--json', json);
  for (const name of ['profile', 'config'] as const) addSetting(command, name);
  return addGroups(command, ['state']);
}

function addList(batch: Command, world: World, done: Done): void {
  const list = stored(
    batch
      .command('list')
      .description('the runs that have sent something, newest first')
      .addOption(single('--target <target>', 'only of this target, as the list shows it'))
      .addOption(single('--batch-id <name>', 'only of this batch'))
      .option('--open', 'only what can be gone on with')
      .addOption(single('--since <date>', 'only since this day in UTC, YYYY-MM-DD'))
      .addOption(single('--limit <n>', 'at most so many')),
  );
  const examples = ['gigwork batch list --open', 'gigwork batch list --batch-id 2026-11 --json | jq .runs[0]'];
  addExamples(list, examples, storedExitCodes('the runs are listed')).action(async (flags: Flags) => {
    const { listRuns } = await import('./batch-list.js');
    done(await listRuns(flags, world));
  });
}

function addFind(batch: Command, world: World, done: Done): void {
  const find = stored(
    batch
      .command('find')
      .argument('<text>', 'part of a user, a title or a reference, in any letter case; or a whole key or id')
      .description('payments of all runs, newest first'),
  );
  const examples = [
    'gigwork batch find usr_7f3a91',
    "gigwork batch find 'bonus november' --json | jq .payments[].amount",
  ];
  addExamples(find, examples, storedExitCodes('what was found is printed, nothing too')).action(
    async (text: string, flags: Flags) => {
      const { findPayments } = await import('./batch-find.js');
      done(await findPayments(text, flags, world));
    },
  );
}

/** What a run that goes on says otherwise, or was told once for all by the call that began it. */
const OF_THE_FIRST_CALL = ['dry_run', 'yes', 'batch_id', 'key_columns', 'skip_invalid'] as const;

function addResume(batch: Command, argv: readonly string[], world: World, done: Done): void {
  const resume = batch
    .command('resume')
    .argument('<run>', RUN)
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
    const { resumeRun } = await import('./batch-resume.js');
    done(await resumeRun(run, argv, flags, world));
  });
}

function addSettle(batch: Command, argv: readonly string[], world: World, done: Done): void {
  const settle = stored(
    batch
      .command('settle')
      .argument('<run>', RUN)
      .description('record what you found in the service about payments in doubt: created, or not')
      .addOption(single('--line <n>', 'line of the record in its file; of several, 3,5,9-12'))
      .addOption(single('--record <n>', 'the same by the number of the record, from 1'))
      .addOption(single('--key <key>', 'the same by the key of the record'))
      .addOption(single('--file <path>', 'its file, where the run has several'))
      .option('--created', 'it was created; this is final')
      .addOption(single('--id <id>', 'the id that the service gave it'))
      .option('--not-created', 'it was not created, and will be sent when the run is resumed')
      .addOption(single('--note <text>', 'how you found out; required')),
  );
  const examples = [
    "gigwork batch settle 20261120-a1b2c3 --line 18 --created --id gig_51c2 --note 'seen in the service'",
    "gigwork batch settle 20261120-a1b2c3 --line 18 --not-created --note 'asked the service desk, ticket 4711'",
  ];
  const codes = storedExitCodes(
    'the records are settled',
    `${BAD_RUN}; or one of them is not in doubt: then none is settled`,
  );
  addExamples(settle, examples, codes).action(async (run: string, flags: Flags) => {
    const { settleRecords } = await import('./batch-settle.js');
    done(await settleRecords(run, argv, flags, world));
  });
}

function addClose(batch: Command, argv: readonly string[], world: World, done: Done): void {
  const close = stored(
    batch
      .command('close')
      .argument('<run>', RUN)
      .description('end a run for good: it will not send its open records')
      .addOption(single('--note <text>', 'why').makeOptionMandatory()),
  );
  const codes = storedExitCodes(
    'the run is closed',
    `${BAD_RUN}; or it is live or closed, or has nothing open or rejected`,
  );
  const examples = ["gigwork batch close 20261120-a1b2c3 --note 'paid by bank transfer, ticket 4711'"];
  addExamples(close, examples, codes).action(async (run: string, flags: Flags & { note: string }) => {
    const { closeRun } = await import('./batch-close.js');
    done(await closeRun(run, argv, flags, world));
  });
}

function addPrune(batch: Command, argv: readonly string[], world: World, done: Done): void {
  const before = single('--before <date>', 'of runs that ended before this day in UTC, YYYY-MM-DD');
  const prune = stored(
    batch
      .command('prune')
      .description('remove personal data (contents and answers) of finished records')
      .addOption(before.makeOptionMandatory()),
  );
  const codes = storedExitCodes('contents and answers are removed');
  addExamples(prune, ['gigwork batch prune --before 2026-01-01'], codes).action(
    async (flags: Flags & { before: string }) => {
      const { pruneRecords } = await import('./batch-prune.js');
      done(await pruneRecords(argv, flags, world));
    },
  );
}
