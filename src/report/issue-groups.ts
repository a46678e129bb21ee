/** Issues gathered by what they say, for people: one entry for a thousand rows with the same fault. */
import type { Issue } from '../records/issue.js';
import { printable } from './printable.js';
import { counted } from './table.js';

/** Issues of one group that are shown in full, and places that are named. */
const SHOWN = 3;
const NAMED_PLACES = 10;
/** Groups that are shown; a file with more kinds of faults is the wrong file. */
const LONGEST_LIST = 40;

interface Group {
  readonly severity: Issue['severity'];
  count: number;
  /** All of them say the same. */
  alike: boolean;
  readonly first: Issue[];
  /** The records' lines, or their numbers where they have none. */
  readonly places: number[];
}

export interface IssueLine {
  readonly severity: Issue['severity'];
  /** Indented where it belongs to the line before. */
  readonly text: string;
}

export interface IssueGroups {
  add(issue: Issue): void;
  /** What was added since the last call, errors before warnings; then they are forgotten. */
  take(): IssueLine[];
}

export function startIssueGroups(): IssueGroups {
  let groups = new Map<string, Group>();
  return {
    add: (issue) => {
      const name = JSON.stringify([issue.severity, issue.code, issue.field, issue.file]);
      let group = groups.get(name);
      if (group === undefined)
        groups.set(name, (group = { severity: issue.severity, count: 0, alike: true, first: [], places: [] }));
      addTo(group, issue);
    },
    take: () => {
      const all = [...groups.values()].sort((a, b) => rank(a) - rank(b));
      groups = new Map();
      return [...all.slice(0, LONGEST_LIST).flatMap(groupLines), ...restLines(all)];
    },
  };
}

function addTo(group: Group, issue: Issue): void {
  group.count++;
  if (group.alike && group.first[0] !== undefined && group.first[0].message !== issue.message) group.alike = false;
  if (group.first.length < SHOWN) group.first.push(issue);
  const place = issue.line ?? issue.record;
  if (place !== null && group.places.length < NAMED_PLACES) group.places.push(place);
}

/** Faults of a file come first: what else is said of it may come from them. */
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
      line(`${severity}: ${counted(count, 'record')}: ${printable(example.message)} (${placesText(group)}) ${code}`),
    ];
  if (count <= SHOWN)
    return first.map((issue) => line(`${severity}: ${placeText(issue)}: ${valueText(issue)} ${code}`));
  const field = example.field === null ? '' : ` ${printable(example.field)}`;
  const head = `${severity}: ${counted(count, 'record')}:${field} ${code} (${placesText(group)}), such as`;
  return [line(head), ...first.map((issue) => line(`    ${placeText(issue)}: ${valueText(issue)}`))];
}

function valueText({ value, message }: Issue): string {
  const shown = value === null || value === '' || message.includes(value) ? '' : `; found ${JSON.stringify(value)}`;
  return printable(`${message}${shown}`);
}

/** `payroll.csv, lines 4, 9, 12, …` */
function placesText({ first, places, count }: Group): string {
  const [example] = first;
  const kind = example?.line === null ? 'records' : 'lines';
  const more = count > places.length ? ', …' : '';
  return `${printable(example?.file ?? 'input')}, ${kind} ${places.join(', ')}${more}`;
}

/** The line as an editor numbers it; a spreadsheet has a row for each record, however many lines it takes. */
function placeText({ file, line, record, row }: Issue): string {
  const name = printable(file ?? 'input');
  if (line === null) return record === null ? name : `${name}, record ${record}`;
  return `${name}, line ${line}${row === undefined || row === line ? '' : ` (row ${row} in a spreadsheet)`}`;
}

function restLines(all: readonly Group[]): IssueLine[] {
  const hidden = all.length - LONGEST_LIST;
  const lines: IssueLine[] = [];
  if (hidden > 0) lines.push({ severity: 'error', text: `… and ${hidden} further kinds of issues` });
  const cut =
    hidden > 0 ||
    all.some(({ severity, count, alike }) => severity === 'error' && count > (alike ? NAMED_PLACES : SHOWN));
  if (cut)
    lines.push({
      severity: 'error',
      text: 'Every record with what is wrong with it: in the file that --rejects FILE names, and in --json',
    });
  return lines;
}
