/** The reporter and the dialog that a command's output flags ask for. */
import { furtherWords } from '../util/shell-word.js';
import type { RunOptions } from '../options.js';
import { type Dialog, terminalDialog } from '../report/dialog.js';
import { eventReporter } from '../report/event-reporter.js';
import type { Reporter } from '../report/reporter.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import type { World } from '../world.js';

/** With `--json` the reporter writes for programs, otherwise for people. The dialog asks a person. */
export function openTerminal(options: RunOptions, world: World): { reporter: Reporter; dialog: Dialog } {
  const { stdin, stdout, stderr, env, monotonic, sleep } = world;
  const live = stderr.isTTY && env['TERM'] !== 'dumb';
  const { color, quiet, progress, json, rejects } = options.output;
  const journalFlags = furtherWords(options.place, options.platform);
  const people = terminalReporter({
    ...{ stdout, stderr, live, color, quiet, progress, monotonic, sleep },
    ...{ rejects, journalFlags, platform: options.platform },
  });
  return { reporter: json ? eventReporter(stdout, people) : people, dialog: terminalDialog(stdin, stderr) };
}
