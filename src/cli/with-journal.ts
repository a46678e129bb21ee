/** Opens the journal for the commands on earlier runs, and finds the run that a person names. */
import { loadSettings } from '../config/config-file.js';
import { journalOptions, journalSecrets } from '../config/journal-location.js';
import { callerFrom, type CommandLine } from '../follow-up/command-line.js';
import { journalCommandText } from '../follow-up/commands.js';
import type { RunFlags, SettingSources } from '../config/resolve.js';
import { createRedactor } from '../config/secrets.js';
import { UsageError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import { openJournal } from '../journal/open.js';
import type { Run } from '../journal/payment.js';
import type { World } from '../world.js';

/** A call of a command on the journal. */
interface JournalCall {
  readonly operands: readonly string[];
  readonly flags: RunFlags;
  readonly commandLine: CommandLine;
  readonly world: World;
  /** If they are read already. */
  readonly settings?: SettingSources;
}

/**
 * Runs `work` on the journal that the settings name.
 * @param work gets null if there is no journal. None is made: it would know of no payments
 * @param interrupted ends the wait for a shared journal; without it, a signal ends the process
 * @throws JournalError, UsageError
 */
export async function withOpenJournal<T>(
  call: JournalCall,
  access: 'reads' | 'changes',
  work: (journal: Journal | null, settings: SettingSources) => Promise<T>,
  interrupted?: AbortSignal,
): Promise<T> {
  const { flags, commandLine, world } = call;
  const settings = call.settings ?? (await loadSettings(flags, world));
  // These commands take no header and no record: the journal's password is the only secret on their command line.
  const caller = access === 'reads' ? null : callerFrom(commandLine, createRedactor(journalSecrets(settings)), world);
  const options = { ...journalOptions(settings, world), interrupted };
  let opened = await openJournal({ ...options, caller: null }, world);
  if (opened !== null && caller !== null) {
    await opened.journal.detach();
    opened = await openJournal({ ...options, caller }, world);
  }
  const journal = opened?.journal ?? null;
  try {
    if (caller !== null) await journal?.recover();
    return await work(journal, settings);
  } finally {
    await journal?.detach();
  }
}

/** Runs `work` on the run in the first operand. @throws JournalError; UsageError for no such run, or several */
export async function withRun<T>(
  call: JournalCall,
  access: 'reads' | 'changes',
  work: (run: Run, journal: Journal, settings: SettingSources) => Promise<T>,
  interrupted?: AbortSignal,
): Promise<T> {
  const [name = ''] = call.operands;
  const withName = async (journal: Journal | null, settings: SettingSources): Promise<T> => {
    const list = listCommand(call, settings);
    if (journal === null) throw noSuchRun(name, list);
    return work(await findRun(journal, name, list), journal, settings);
  };
  return withOpenJournal(call, access, withName, interrupted);
}

/** Lists the runs of the call's journal. */
export function listCommand({ commandLine, world }: JournalCall, settings: SettingSources): string {
  return journalCommandText({ commandLine, settings, platform: world.platform })('batch list');
}

/**
 * The run that a person names, by its full name or by a beginning that no other run shares.
 * @param list the command that shows all names
 * @throws UsageError
 */
export async function findRun(journal: Journal, name: string, list = 'gigwork batch list'): Promise<Run> {
  // Every name begins with the empty text. Most likely, a variable of a script was never set.
  if (name === '') throw noSuchRun(name, list);
  const found = await journal.runs({ beginning: name });
  const exact = found.find((run) => run.name === name);
  if (exact !== undefined) return exact;
  const [run] = found;
  if (run === undefined) throw noSuchRun(name, list);
  if (found.length > 1)
    throw new UsageError(`several runs begin with "${name}": ${found.map((each) => each.name).join(', ')}`);
  return run;
}

export function noSuchRun(name: string, list: string): UsageError {
  return new UsageError(`there is no run "${name}"; see: ${list}`);
}
