/** The commands on the journal: on runs that have passed their gate, and on the journal as a whole. */
import { Argument, type Option } from 'commander';
import { INPUT_SETTINGS, type SettingName, settingOf } from '../config/settings.js';
import {
  COLORS,
  type CommandSpec,
  flagsIn,
  flagsOfGroups,
  hideFlags,
  JOURNAL_CODES,
  jsonFlag,
  requiredFlag,
  commandFlag,
  RUN_CODES,
  settingFlag,
} from './command.js';

const RUN = new Argument('<run>', 'name of a run, or the beginning of it, as batch list shows it');

/** @param hidden those that mean nothing to the command */
function stateFlags(hidden: readonly SettingName[] = COLORS): readonly Option[] {
  return hideFlags(flagsOfGroups(['state']), hidden);
}

/** The flags of such a command, with those that name the journal. */
function withPlace(...flags: readonly Option[]): Option[] {
  const json = flags.some(({ long }) => long === '--json') ? [] : [jsonFlag()];
  return [...flags, ...json, settingFlag('profile'), settingFlag('config'), ...stateFlags()];
}

/** What decides about sending, but for the flags that stand above it, and what the call that began the run has decided. */
function flagsOfResume(): SettingName[] {
  return flagsIn('safety', ['dry_run', 'yes']).filter((name) => settingOf(name).ofFirstCall !== true);
}

const RESUME: CommandSpec = {
  name: 'batch resume',
  changes: true,
  operand: RUN,
  help: 'continue a run from the records in the journal, at its own target',
  flags: () => [
    settingFlag('dry_run', 'show what would be sent'),
    settingFlag('base_url', 'must be the run’s own target'),
    settingFlag('sandbox', 'the run went to the sandbox'),
    settingFlag('account', 'must be the run’s own account'),
    settingFlag('yes'),
    ...flagsOfResume().map((name) => settingFlag(name)),
    ...flagsOfGroups(['target', 'faults'], ['base_url', 'sandbox', 'account']),
    // Amounts are computed when records are read.
    ...hideFlags(flagsOfGroups(['output', 'state']), ['explain']),
    ...INPUT_SETTINGS.map((name) => settingFlag(name).helpGroup('How the input is read, for --rejects and --results:')),
  ],
  examples: ['gigwork batch resume 20261120-a1b2c3', 'gigwork batch resume 20261120-a1b2c3 --resend-unknown'],
  exitCodes: RUN_CODES,
  run: async (call) => (await import('./send.js')).resumeRun(call),
};

/** They are about records that are sent. */
const NOT_OF_AN_EXPORT = ['prices', 'allow_negative', 'allow_total_row'] as const;

const RECONCILE: CommandSpec = {
  name: 'batch reconcile',
  changes: true,
  operand: new Argument('<file...>', 'exports of the service: CSV, JSON, NDJSON or .xlsx; - for standard input'),
  help: 'compare with the service’s own list, and settle what is in doubt by it; sends nothing',
  flags: () => [
    requiredFlag('--as-of <time>', 'when the export was made, with its offset: 2026-11-28T18:00:00+01:00'),
    requiredFlag('--note <text>', 'where the export comes from; kept in the log'),
    commandFlag('--run <run>', 'all payments of this run (default: what is in doubt, and what the export names)'),
    commandFlag('--batch-id <name>', 'the same for all runs of this batch'),
    commandFlag('--status-created <words>', 'statuses there that mean created, separated by commas'),
    commandFlag('--status-not-created <words>', 'statuses there that mean not created'),
    commandFlag('--absent <what>', 'not-created: what the export does not have was not created', ['not-created']),
    settingFlag('type', 'type of the rows, if a key is that of two types'),
    settingFlag('yes'),
    settingFlag('dry_run', 'show what would be recorded, and record nothing'),
    jsonFlag('one JSON object per line on standard output'),
    settingFlag('report', '.csv, .xlsx or .ndjson by extension: all that is not simply equal; repeatable'),
    settingFlag('overwrite'),
    ...(['profile', 'config', 'base_url', 'sandbox', 'account', 'allow_http'] as const).map((name) =>
      settingFlag(name).helpGroup('Target:'),
    ),
    ...stateFlags(),
    ...flagsIn('input', NOT_OF_AN_EXPORT).map((name) => settingFlag(name).helpGroup('How the export is read:')),
  ],
  everyday: [
    '--as-of',
    '--note',
    '--run',
    '--batch-id',
    '--status-created',
    '--status-not-created',
    '--absent',
    '--yes',
    '--dry-run',
    '--json',
    '--report',
    '--map',
    '--profile',
    '--base-url',
  ],
  examples: [
    'gigwork batch reconcile list.csv --as-of 2026-11-28T18:00Z --note x --dry-run',
    'gigwork batch reconcile list.csv --as-of 2026-11-28T18:00Z --note asked',
  ],
  exitCodes: {
    0: 'no doubt is left, and nothing differs, is missing or unknown',
    1: 'a fault in gigwork itself, or output that could not be written',
    2: 'usage, configuration, a journal that cannot be used, or no confirmation',
    3: 'the export cannot be read as a whole; nothing was recorded',
    5: 'the journal cannot be reached or used for now',
    6: 'something is left for a person',
  },
  run: async (call) => (await import('./batch-reconcile.js')).reconcileLists(call),
};

/** Commands on runs that have passed their gate. */
export const RUN_COMMANDS: readonly CommandSpec[] = [
  RESUME,
  {
    name: 'batch list',
    help: 'the runs that have sent something, newest first',
    flags: () =>
      withPlace(
        commandFlag('--target <target>', 'only of this target, as the list shows it'),
        commandFlag('--batch-id <name>', 'only of this batch'),
        commandFlag('--open', 'only runs with payments that are open or in doubt'),
        commandFlag('--since <date>', 'only since this day, YYYY-MM-DD'),
        commandFlag('--limit <n>', 'at most so many'),
      ),
    examples: ['gigwork batch list --open', "gigwork batch list --batch-id 2026-11 --json | jq '.runs[0]'"],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-list.js')).listRuns(call),
  },
  {
    name: 'batch show',
    operand: RUN,
    help: 'one run: totals, and what did not go through',
    flags: () => withPlace(),
    examples: ['gigwork batch show 20261120-a1b2c3'],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-show.js')).showRun(call),
  },
  {
    name: 'batch report',
    changes: true,
    operand: new Argument('[run]', 'name of a run, or the beginning of it; or name a batch with --batch-id'),
    help: 'write the report files of a run or of a whole batch, as it stands now',
    flags: () =>
      withPlace(
        commandFlag('--batch-id <name>', 'all runs of this batch, each payment once'),
        commandFlag('--target <target>', 'with --batch-id, where the batch has several: as batch list shows it'),
        settingFlag('report', '.csv, .xlsx, .ndjson or .html by extension; repeatable'),
        settingFlag('task_list'),
        settingFlag('overwrite'),
      ),
    examples: [
      'gigwork batch report --batch-id 2026-11 --report month.html',
      'gigwork batch report 20261120-a1b2c3 --report run.csv',
      'gigwork batch report 20261120-a1b2c3 --task-list tasks.csv',
    ],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-report.js')).writeReports(call),
  },
  {
    name: 'batch find',
    operand: new Argument('[text]', 'part of a user, a title or a reference, in any letter case; or a whole key or id'),
    help: 'payments of all runs, newest first',
    flags: () =>
      withPlace(
        commandFlag('--key <key>', 'only the payments with this key'),
        commandFlag('--limit <n>', 'at most so many'),
      ),
    examples: ['gigwork batch find usr_7f3a91', "gigwork batch find 'bonus november' --json | jq '.payments[].amount'"],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-find.js')).findPayments(call),
  },
  {
    name: 'batch settle',
    changes: true,
    operand: RUN,
    help: 'record what you found in the service about payments in doubt: created, or not',
    flags: () =>
      withPlace(
        commandFlag('--line <n>', 'line of the record in its file; of several, 3,5,9-12'),
        commandFlag('--record <n>', 'the same by the number of the record, from 1'),
        commandFlag('--key <key>', 'the same by the key of the record'),
        commandFlag('--file <path>', 'its file, where the run has several'),
        commandFlag('--created', 'it was created; this is final'),
        commandFlag('--id <id>', 'the id that the service gave it'),
        commandFlag('--not-created', 'it was not created, and will be sent when the run is resumed'),
        commandFlag('--note <text>', 'how you found out; required'),
      ),
    examples: [
      "gigwork batch settle 20261120-a1b2c3 --line 18 --created --note 'seen there'",
      "gigwork batch settle 20261120-a1b2c3 --line 18 --not-created --note 'asked'",
    ],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-settle.js')).settleRecords(call),
  },
  RECONCILE,
  {
    name: 'batch close',
    changes: true,
    operand: RUN,
    help: 'end a run for good: it will not send its open records',
    flags: () => withPlace(requiredFlag('--note <text>', 'why')),
    examples: ["gigwork batch close 20261120-a1b2c3 --note 'paid by transfer, ticket 4711'"],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-close.js')).closeRun(call),
  },
  {
    name: 'batch prune',
    changes: true,
    help: 'remove personal data (contents and answers) of finished records',
    flags: () => withPlace(requiredFlag('--before <date>', 'of runs that ended before this day in UTC, YYYY-MM-DD')),
    examples: ['gigwork batch prune --before 2026-01-01'],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./batch-prune.js')).pruneRecords(call),
  },
];

/** Commands on the journal as a whole. */
export const JOURNAL_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'journal init',
    help: 'make a journal once, or accept one that knows only rehearsals and refused runs; for --require-journal',
    flags: () => hideFlags(withPlace(), ['require_journal']),
    examples: [
      'gigwork journal init --state-dir /srv/pay',
      'gigwork journal init --journal postgresql://payowner@db/pay',
    ],
    exitCodes: { ...JOURNAL_CODES, 2: 'usage, configuration, a journal that cannot be used, or there is one already' },
    run: async (call) => (await import('./journal-init.js')).runInit(call),
  },
  {
    name: 'journal log',
    help: 'who did what, the oldest first: one JSON object a line',
    flags: () =>
      withPlace(
        commandFlag('--since <date>', 'from this day on, in UTC, YYYY-MM-DD'),
        jsonFlag('the same: the log is JSON'),
      ),
    examples: ['gigwork journal log', "gigwork journal log --since 2026-11-01 | jq -c '[.at,.what,.by.user,.note]'"],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./journal-log.js')).printLog(call),
  },
  {
    name: 'journal copy',
    changes: true,
    help: 'bring the history of a journal into an empty one, and compare it',
    flags: () => [
      requiredFlag('--from <url>', 'sqlite:FOLDER or postgresql://USER@HOST/DATABASE'),
      requiredFlag('--to <url>', 'the same for the empty one'),
      commandFlag('--move', 'use the new journal from now on: the original sends nothing more'),
      commandFlag('--original-lost', 'with --move: bring a copy into use whose original is lost'),
      jsonFlag(),
    ],
    examples: [
      'gigwork journal copy --from sqlite:STATE --to sqlite:BACKUP',
      'gigwork journal copy --from sqlite:STATE --to postgresql://anna@db/pay --move',
      'gigwork journal copy --from sqlite:COPY --to sqlite:NEW --move --original-lost',
    ],
    exitCodes: JOURNAL_CODES,
    run: async (call) => (await import('./journal-copy.js')).runCopy(call),
  },
];
