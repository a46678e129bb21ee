/** A profile that names the sheet of a workbook serves many months. CONTRACT: `known_sheets`. */
import { UsageError } from '../errors.js';
import { shellQuote } from '../util/shell-quote.js';

export interface ProfileSheet {
  readonly profile: string;
  /** Names of the other sheets that a person has decided about. */
  readonly known: ReadonlySet<string>;
}

/** Spreadsheets do not allow sheet names that differ only in letter case. */
export function foldSheetName(name: string): string {
  return name.trim().toLowerCase();
}

const MOST_NAMED = 5;

/**
 * Next month's workbook may still have last month's sheet: then the profile would read the old one again.
 * @param sheet the one that the profile names
 * @param alike the other visible ones with the same header
 * @throws UsageError for one of those that nobody has decided about
 */
export function refuseAlikeSheets(
  { profile, known }: ProfileSheet,
  path: string,
  sheet: string,
  alike: readonly string[],
  platform: NodeJS.Platform,
): void {
  const decided = new Set([...known].map(foldSheetName));
  const open = alike.filter((name) => !decided.has(foldSheetName(name)));
  if (open.length === 0) return;
  const named = open.slice(0, MOST_NAMED);
  const quoted = named.map((name) => JSON.stringify(name)).join(', ');
  const rest = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : '';
  const found = `the profile ${profile} names the sheet ${JSON.stringify(sheet)}, but ${quoted}${rest} ${open.length === 1 ? 'has' : 'have'} the same columns`;
  const flags = [...named, sheet].map((name) => `--sheet ${shellQuote(name, platform)}`);
  throw new UsageError(`${path}: ${found}. Say which sheet you want to pay: ${flags.join(' or ')}`);
}
