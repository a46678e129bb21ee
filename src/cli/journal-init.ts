/** `journal init`: a journal without payments, made on purpose. CONTRACT: "Sending". */
import { loadSettings } from '../config/config-file.js';
import { journalOptions, journalSecrets } from '../config/journal-location.js';
import { callerFrom } from '../follow-up/command-line.js';
import { createRedactor } from '../config/secrets.js';
import { initJournal } from '../journal/open.js';
import { placeUrl } from '../journal/location.js';
import type { Invocation } from './command.js';
import { print } from './document.js';

/** Returns the exit code. @throws UsageError if there is a journal already, JournalError */
export async function runInit(call: Invocation): Promise<number> {
  const { commandLine, flags, world } = call;
  const settings = await loadSettings(flags, world);
  const caller = callerFrom(commandLine, createRedactor(journalSecrets(settings)), world);
  const options = journalOptions(settings, world);
  await initJournal({ ...options, caller }, world);
  const journal = placeUrl(options.place);
  return print(call, { journal }, [
    `The journal is ready: ${journal}`,
    'It knows of no earlier payment. Runs use it, also with --require-journal.',
  ]);
}
