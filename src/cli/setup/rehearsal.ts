/** Tries a new profile on its file, in a dry run that people see; and prints the messages when it is made. */
import { type Profile, rehearsal } from '../../config/profiles.js';
import { printable } from '../../report/printable.js';
import { widthOf, wrapped } from '../../report/table.js';
import type { SummaryReport } from '../../report/reporter.js';
import { runRecords } from '../../run.js';
import { commandText } from '../../util/shell-word.js';
import type { World } from '../../world.js';
import { writeDocument } from '../document.js';
import { openTerminal } from '../records.js';
import { monthlyWords, type SetupCall } from './setup-call.js';
import { mostlyAnyDates } from '../../input/setup/named-columns.js';
import type { Survey } from '../../input/setup/survey.js';
import { usualField } from '../../input/usual-names.js';

/** Shows a message to a person. */
export type Say = (text: string) => void;

export interface Rehearsed {
  readonly exitCode: number;
  /** Null if a signal ended it. */
  readonly summary: SummaryReport | null;
  /** The file has a fault that does not belong to a record. */
  readonly isFaulty: boolean;
}

/**
 * A dry run that shows the effect of a profile on its file: the same preparation as every run. All its output goes to
 * standard error: standard output is for the result of setup.
 */
export async function rehearse(
  { file, flags, place }: SetupCall,
  { answers, kind: { type } }: Survey,
  name: string,
  profile: Profile,
  world: World,
): Promise<Rehearsed> {
  const { format, prices, quiet, color, debug } = flags;
  const { allowNegative, allowTotalRow } = answers;
  // The run checks flags about columns and fields: a person may have changed these answers since.
  const { map, set, ignoreColumns } = flags.yes === true ? flags : {};
  const kept = { format, prices, allowNegative, allowTotalRow, quiet, color, debug, map, set, ignoreColumns };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const options = await rehearsal({ command: `${type} create`, type, file, flags: given }, name, profile, place, world);
  const { reporter, dialog } = openTerminal(options, { ...world, stdout: world.stderr });
  let summary: SummaryReport | null = null;
  let isFaulty = false;
  const listening: typeof reporter = {
    ...reporter,
    issue: (issue) => {
      isFaulty ||= issue.fault === true;
      reporter.issue(issue);
    },
    summary: (report) => {
      summary = report;
      return reporter.summary(report);
    },
  };
  const exitCode = await runRecords(options, world, listening, dialog);
  return { exitCode, summary, isFaulty };
}

/** Columns that distinguish payments but are not sent: reported before the profile is written. */
export function unsentLines({ names, fields, evidence, kind }: Survey): string[] {
  const sent = new Set(fields.columns.flatMap(({ name, path }) => [name, path]));
  const unsent = names.flatMap((name) => {
    const column = evidence.columns.get(name);
    return name === '' || sent.has(name) || column === undefined || column.filled === 0 ? [] : [{ name, column }];
  });
  const areDates = unsent.filter(({ column }) => mostlyAnyDates(column));
  const references = unsent.filter(
    (each) => usualField(each.name, kind.type)?.field === 'reference_id' && !areDates.includes(each),
  );
  const line = (path: string | null | undefined, what: string, then: string, found: typeof unsent): string[] => {
    if (path === undefined || path === null || found.length === 0) return [];
    const listed = found.map(({ name }) => JSON.stringify(name)).join(', ');
    return [`Not sent: the ${what} under ${listed}.${sent.has(path) ? '' : ` ${then}`}`];
  };
  const date = kind.fields.find((field) => field.kind === 'date')?.name;
  return [
    ...line(date, 'dates', 'Without a date, the service takes the time of creation.', areDates),
    ...line(kind.reference, 'references', 'Two payments of one person for one purpose then look alike.', references),
  ];
}

/** @property written as it is in the config file now, if it is not only printed */
interface MadeProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly written: Profile;
}

/** Prints the profile, or shows where it is, and the command for every month. */
export function tellEnd(
  call: SetupCall,
  survey: Survey,
  { name, profile, written }: MadeProfile,
  { records }: SummaryReport,
  say: Say,
  world: World,
): void {
  const { flags, place } = call;
  const isPrinted = flags.print === true;
  const command = monthlyWords(call, survey, name, world);
  if ((records['invalid'] ?? 0) > 0)
    say('Some rows named above cannot be sent: correct them in the file first. Until then, nothing of it is sent.');
  if (flags.json === true) {
    writeDocument({ profile: name, config: isPrinted ? null : place.path, settings: profile, command, records }, world);
  } else if (isPrinted) {
    world.stdout.write(`${JSON.stringify(profile, null, 2)}\n`);
    say(`Nothing was written. Put this under "profiles", as "${name}", into a config file.`);
  } else {
    say(`The profile ${name} is in ${place.path}. Nothing was sent.`);
    // An earlier profile of this name may have had an address.
    const hasAddress = 'base_url' in written || place.config.base_url !== undefined;
    if (!hasAddress && (world.env['GIGWORK_BASE_URL'] ?? '') === '') say(NO_ADDRESS);
    say("Every month, with that month's file and name:");
    const lines = wrapped(printable(commandText(command, world.platform)), widthOf(world.stdout));
    world.stdout.write(`${lines.join('\n')}\n`);
  }
}

const NO_ADDRESS =
  'This command still needs the address of the service: add --base-url URL, or set it up again with it. To try it out, add --sandbox.';
