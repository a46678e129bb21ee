/** The reporter and the dialog that a command's output flags ask for. */
import type { RunOptions } from '../options.js';
import { type Dialog, terminalDialog } from '../report/dialog.js';
import { eventReporter } from '../report/event-reporter.js';
import type { Reporter } from '../report/reporter.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import type { World } from '../world.js';

/** With `--json` the reporter writes for programs, otherwise for people. The dialog asks a person. */
export function openTerminal(options: RunOptions, world: World): { reporter: Reporter; dialog: Dialog } {
  const people = terminalReporter(options, world);
  const reporter = options.output.json ? eventReporter(world.stdout, people) : people;
  return { reporter, dialog: terminalDialog(world.stdin, world.stderr) };
}
