// The commands of the compiled program (dist/), as the reference and the man page describe them.
import { SETTING_NAMES, settingOf } from '../../dist/config/settings.js';
import { PLAIN_CODES } from '../../dist/cli/command.js';
import { buildProgram, ROWS } from '../../dist/program.js';
import { RECORD_SCHEMAS } from '../../dist/records/record-schemas.js';

const NOWHERE = { write: () => true };

/** The program with all its commands. */
export function loadProgram() {
  return buildProgram([], { stdout: NOWHERE, stderr: NOWHERE, env: {} }, () => undefined, RECORD_SCHEMAS);
}

/** The commands that do something, with their full names, examples and exit codes. */
export function leaves(command, path = []) {
  const own = [...path, command.name()];
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
  if (below.length > 0) return below.flatMap((each) => leaves(each, own));
  const { examples, exitCodes = PLAIN_CODES } = ROWS.find(({ name }) => name === own.slice(1).join(' '));
  return [{ name: own.join(' '), command, examples, exitCodes }];
}

/** The variables of settings, with what each sets. */
export function variables() {
  return SETTING_NAMES.map(settingOf).flatMap(({ env, flag, help }) =>
    env === undefined ? [] : [{ env, flag, help }],
  );
}

/** Options by the heading that help shows them under, in order. */
export function groupsOf(command) {
  const groups = new Map();
  for (const option of command.createHelp().visibleOptions(command)) {
    if (option.long === '--help' || option.long === '--help-all') continue;
    const heading = (option.helpGroupHeading ?? 'Options:').replace(/:$/, '');
    groups.set(heading, [...(groups.get(heading) ?? []), option]);
  }
  return groups;
}
