/** `gigwork doctor`: a line for each thing that a run needs. */
import type { Check } from '../doctor/check.js';
import { examine } from '../doctor/doctor.js';
import { EXIT } from '../errors.js';
import { printable } from '../report/printable.js';
import type { RunFlags } from '../config/sources.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

/** Prints the checks; the exit code says whether one failed. */
export async function runDoctor(flags: RunFlags, world: World): Promise<number> {
  const checks = await examine(flags, world);
  const exitCode = checks.some(({ state }) => state === 'fail') ? EXIT.usage : EXIT.ok;
  if (flags.json === true) writeDocument({ exit_code: exitCode, checks }, world);
  else for (const check of checks) world.stdout.write(`${line(check)}\n`);
  return exitCode;
}

const LONGEST_STATE = 4;

function line({ name, state, message, remedy }: Check): string {
  return `${state.padEnd(LONGEST_STATE)}  ${name}: ${printable(message)}${remedy === null ? '' : `\n      → ${printable(remedy)}`}`;
}
