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

/** Faults of a file come first: the other issues of the file may follow from them. */
function rank({ severity, first }: Group): number {
  return severity === 'warning' ? 2 : first[0]?.fault === true ? 0 : 1;
}

function groupLines({ severity, count, first, alike, places }: Group): IssueLine[] {
  const [example] = first;
  if (example === undefined) return [];
  const code = `[${example.code}]`;
  const line = (text: string): IssueLine => ({ severity, text });
  if (alike && count > 1) {
    const told = `${severity}: ${counted(count, 'record')}: ${withValue(example)}`;
    return [line(`${told} (${placesText(example, places, count)}) ${code}`)];
  }
  if (count <= SHOWN)
    return first.map((issue) => line(`${severity}: ${placeText(issue)}: ${withValue(issue)} ${code}`));
  const field = example.field === null ? '' : `: ${printable(example.field)}`;
  return [
    line(`${severity}: ${counted(count, 'record')}${field} ${code} (${placesText(example, places, count)}), such as`),
    ...first.map((issue) => line(`    ${placeText(issue)}: ${withValue(issue)}`)),
  ];
}

/** A message, and the value where it does not show it itself. */
function withValue({ message, value }: Issue): string {
  if (value === null || value.trim() === '' || message.includes(value.trim())) return printable(message);
  return printable(`${message} (${JSON.stringify(value)})`);
}

/** `payroll.csv, lines 4, 9, 12, …`; only the file where no place is known. */
function placesText({ file, line }: Issue, places: readonly number[], count: number): string {
  const name = printable(file ?? 'input');
  if (places.length === 0) return name;
  return `${name}, ${line === null ? 'records' : 'lines'} ${places.join(', ')}${count > places.length ? ', …' : ''}`;
}

function placeText({ file, line, record, row }: Issue): string {
  const name = printable(file ?? 'input');
  if (line === null && record === null) return name;
  return `${name}, ${placeWords({ record: record ?? 0, line, row })}`;
}

function restLines(all: readonly Group[]): IssueLine[] {
  const hidden = all.length - LONGEST_LIST;
  const isCut = all.some(
    ({ severity, count, alike }) => severity === 'error' && count > (alike ? NAMED_PLACES : SHOWN),
  );
  const more = hidden > 0 ? [`… and ${counted(hidden, 'more kind', 'more kinds')} of issues`] : [];
  const rest = hidden > 0 || isCut ? ['--json tells every issue of every record'] : [];
  return [...more, ...rest].map((text) => ({ severity: 'error', text }));
}
