/** Issues grouped for people: one entry for a thousand rows with the same fault. */
import { type Issue, placeWords } from '../records/issue.js';
import { printable } from './printable.js';
import { counted } from './table.js';

/** How many issues of one group are shown in full, and how many places are named. */
const SHOWN = 3;
const NAMED_PLACES = 10;
/** How many groups are shown; a file with more kinds of faults is the wrong file. */
const LONGEST_LIST = 40;

interface Group {
  readonly severity: Issue['severity'];
  count: number;
  /** All issues of the group have the same message. */
  alike: boolean;
  readonly first: Issue[];
  /** The records' lines, or their numbers where they have none. */
  readonly places: number[];
  /** The records' rows in a spreadsheet. */
  readonly rows: number[];
}

export interface IssueLine {
  readonly severity: Issue['severity'];
  /** Indented where it belongs to the line before. */
  readonly text: string;
}

export interface IssueGroups {
  add(issue: Issue): void;
  /** The lines for all issues added since the last call, errors before warnings. */
  take(): IssueLine[];
}

/** @param rejects the file or folder that `--rejects` names, or null */
export function startIssueGroups(rejects: string | null = null): IssueGroups {
  let groups = new Map<string, Group>();
  return {
    add: (issue) => {
      if (issue.summed === true) return;
      const name = JSON.stringify([issue.severity, issue.code, issue.field, issue.file]);
      let group = groups.get(name);
      if (group === undefined)
        groups.set(
          name,
          (group = { severity: issue.severity, count: 0, alike: true, first: [], places: [], rows: [] }),
        );
      addTo(group, issue);
    },
    take: () => {
      const all = [...groups.values()].sort((a, b) => rank(a) - rank(b));
      groups = new Map();
      return [...all.slice(0, LONGEST_LIST).flatMap(groupLines), ...restLines(all, rejects)];
    },
  };
}

function addTo(group: Group, issue: Issue): void {
  group.count++;
  if (group.alike && group.first[0] !== undefined && group.first[0].message !== issue.message) group.alike = false;
  if (group.first.length < SHOWN) group.first.push(issue);
  const place = issue.line ?? issue.record;
  if (place === null || group.places.length >= NAMED_PLACES) return;
  group.places.push(place);
  group.rows.push(issue.row ?? place);
}

/** Faults of a file come first: the other issues of the file may follow from them. */
function rank({ severity, first }: Group): number {
  return severity === 'warning' ? 2 : first[0]?.fault === true ? 0 : 1;
}

function groupLines(group: Group): IssueLine[] {
  const { severity, count, first, alike } = group;
  const line = (text: string): IssueLine => ({ severity, text });
  const [example] = first;
  if (example === undefined) return [];
  const code = `[${example.code}]`;
  if (alike && count > 1)
    return [
      line(
        `${severity}: ${counted(count, 'record')}: ${withValues(example.message, example.field === null ? [] : first, count)} (${placesText(group)}) ${code}`,
      ),
    ];
  if (count <= SHOWN)
    return first.map((issue) =>
      line(`${severity}: ${placeText(issue)}: ${withValues(issue.message, [issue])} ${code}`),
    );
  const field = example.field === null ? '' : `: ${printable(example.field)}`;
  const head = `${severity}: ${counted(count, 'record')}${field} ${code} (${placesText(group)}), such as`;
  return [line(head), ...first.map((issue) => line(`    ${placeText(issue)}: ${withValues(issue.message, [issue])}`))];
}

/** A message, and the values that it does not show itself. */
function withValues(message: string, issues: readonly Issue[], count = issues.length): string {
  const values = new Set(issues.flatMap(({ value }) => (value === null || isShown(value, message) ? [] : [value])));
  if (values.size === 0) return printable(message);
  // `open-unknown` is about a record that is not in the file: the value was not found there, it is the record's key.
  const what = issues.some(({ code }) => code === 'open-unknown') ? 'key' : 'found';
  const found = `${what} ${Array.from(values, (value) => JSON.stringify(value)).join(', ')}${count > issues.length ? ', …' : ''}`;
  return printable(
    /[.?!]$/.test(message) ? `${message} ${found.charAt(0).toUpperCase()}${found.slice(1)}` : `${message}; ${found}`,
  );
}

function isShown(value: string, message: string): boolean {
  return value.trim() === '' || message.includes(value.trim());
}

/**
 * `payroll.csv, lines 4, 9, 12, …`, with the rows in a spreadsheet where they differ; only the file where no place is
 * known.
 */
function placesText({ first, places, rows, count }: Group): string {
  const [example] = first;
  if (places.length === 0) return printable(example?.file ?? 'input');
  const kind = example?.line === null ? 'records' : 'lines';
  const more = count > places.length ? ', …' : '';
  const named = `${printable(example?.file ?? 'input')}, ${kind} ${places.join(', ')}${more}`;
  const differ = rows.some((row, i) => row !== places[i]);
  return differ ? `${named}; in a spreadsheet rows ${rows.join(', ')}${more}` : named;
}

function placeText({ file, line, record, row }: Issue): string {
  const name = printable(file ?? 'input');
  if (line === null && record === null) return name;
  return `${name}, ${placeWords({ record: record ?? 0, line, row })}`;
}

function restLines(all: readonly Group[], rejects: string | null): IssueLine[] {
  const hidden = all.length - LONGEST_LIST;
  const lines: IssueLine[] = [];
  if (hidden > 0) lines.push({ severity: 'error', text: `… and ${hidden} further kinds of issues` });
  const cut = all.filter(
    ({ severity, count, alike }) => severity === 'error' && count > (alike ? NAMED_PLACES : SHOWN),
  );
  if (hidden <= 0 && cut.length === 0) return lines;
  const isRejected = hidden > 0 || cut.some(({ first }) => first.some(({ code }) => !REPEATS.has(code)));
  const file = rejects === null ? 'in the file that --rejects FILE names, and ' : `in ${printable(rejects)}, and `;
  lines.push({
    severity: 'error',
    text: `Every record with what is ${isRejected ? `wrong with it: ${file}` : 'said of it: '}in --json`,
  });
  return lines;
}

/** Issues of valid records, which are in no rejects file. */
const REPEATS: ReadonlySet<string> = new Set(['created-before', 'open-before', 'not-rejected', 'similar-record']);
