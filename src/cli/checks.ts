/** `gigwork doctor`: a line for each requirement of a run. */
import type { Check } from '../doctor/finding.js';
import { examine } from '../doctor/doctor.js';
import { EXIT } from '../errors.js';
import { printable } from '../report/printable.js';
import type { Call } from './command.js';
import { print } from './document.js';

/** Prints the checks; the exit code shows whether one failed. */
export async function runDoctor(call: Call): Promise<number> {
  const checks = await examine(call.flags, call.world);
  const exitCode = checks.some(({ state }) => state === 'fail') ? EXIT.usage : EXIT.ok;
  await print(call, { exit_code: exitCode, checks }, checks.map(line));
  return exitCode;
}

const LONGEST_STATE = 4;

function line({ name, state, message, remedy }: Check): string {
  return `${state.padEnd(LONGEST_STATE)}  ${name}: ${printable(message)}${remedy === null ? '' : `\n      → ${printable(remedy)}`}`;
}
