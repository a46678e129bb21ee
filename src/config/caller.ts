/** Who calls the program, and how: what the journal's log keeps of each call that changes something. */
import type { Caller } from '../ledger/event.js';
import { shellWord } from '../util/shell-word.js';
import { version } from '../version.js';
import type { World } from '../world.js';
import { HIDDEN, type Secrets } from './secrets.js';

/**
 * @param argv words after `gigwork`
 * @param fields names of the record's fields that are given as flags. Their values are left out: they are personal data,
 *   which the journal keeps with the record, and which pruning could not take out of the log
 */
export function callerOf(
  argv: readonly string[],
  secrets: Secrets,
  world: World,
  fields: readonly string[] = [],
): Caller {
  const words = shownCall(argv, fields).map((word) => secrets.hide(word));
  const commandLine = ['gigwork', ...words.map((word) => shellWord(word, world.platform))].join(' ');
  return { by: world.person(), version: version(), commandLine };
}

/** The words of a call without the values of headers, and of the fields of these names. */
export function shownCall(argv: readonly string[], fields: readonly string[] = []): string[] {
  const hidden = new Set(fields.map((field) => `--${field.replaceAll('_', '-')}`));
  return argv.map((word, i) => {
    const [name = ''] = word.split('=', 1);
    if (word !== name && isLeftOut(name, hidden)) return `${name}=${shownValue(name, word.slice(name.length + 1))}`;
    const option = argv[i - 1] ?? '';
    return isLeftOut(option, hidden) ? shownValue(option, word) : word;
  });
}

/** Every header may be a secret, whatever its name is. */
function isLeftOut(option: string, hidden: ReadonlySet<string>): boolean {
  return option === '--header' || hidden.has(option);
}

/** Of a header, its name is shown. */
function shownValue(option: string, value: string): string {
  const colon = option === '--header' ? value.indexOf(':') : -1;
  return colon < 0 ? HIDDEN : `${value.slice(0, colon)}: ${HIDDEN}`;
}
