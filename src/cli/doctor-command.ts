/** `gigwork doctor`: a line for each requirement of a run. */
import type { Check } from '../doctor/finding.js';
import { runChecks } from '../doctor/doctor.js';
import { EXIT } from '../errors.js';
import { printable } from '../report/printable.js';
import { pluralize } from '../report/table.js';
import type { Invocation } from './command.js';
import { print } from './document.js';

/** Prints the checks; the exit code shows whether one failed. */
export async function runDoctor(call: Invocation): Promise<number> {
  const checks = await runChecks(call.flags, call.world);
  const exitCode = checks.some(({ state }) => state === 'fail') ? EXIT.usage : EXIT.ok;
  await print(call, { exit_code: exitCode, checks }, [...checks.flatMap(lines), lastLine(checks)]);
  return exitCode;
}

/** Whether a run could begin now. */
function lastLine(checks: readonly Check[]): string {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  if (failed > 0) return `A run cannot be sent now: ${pluralize(failed, 'check')} failed. Correct that first.`;
  const warned = checks.filter(({ state }) => state === 'warn').length;
  const first = warned === 0 ? '.' : `, with ${pluralize(warned, 'warning')}: read what is said above.`;
  return `All checks passed${first} Whether the service accepts the token shows only when a record is sent.`;
}

const LONGEST_STATE = 4;

function lines({ name, state, message, remedy }: Check): string[] {
  const found = `${state.padEnd(LONGEST_STATE)}  ${name}: ${printable(message)}`;
  return remedy === null ? [found] : [found, `      → ${printable(remedy)}`];
}
