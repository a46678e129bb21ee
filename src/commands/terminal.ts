/** The reporter and the dialog that a command's output flags ask for. */
import type { OutputOptions } from '../run/options.js';
import { type Dialog, terminalDialog } from '../report/dialog.js';
import { eventReporter } from '../report/events.js';
import type { Reporter } from '../report/reporter.js';
import { terminalReporter } from '../report/terminal.js';
import type { World } from '../world.js';

export function openTerminal(output: OutputOptions, world: World): { reporter: Reporter; dialog: Dialog } {
  const { stdin, stdout, stderr, monotonic, sleep } = world;
  const { color, quiet, progress, json } = output;
  const people = terminalReporter({ stdout, stderr, color, quiet, progress, monotonic, sleep });
  return { reporter: json ? eventReporter(stdout, people) : people, dialog: terminalDialog(stdin, stderr) };
}
