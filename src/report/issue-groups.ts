/** Issues grouped for people: one entry for a thousand rows with the same error. */
import { type Issue, placeWords } from '../records/issue.js';
import { printable } from './printable.js';
import { counted } from './table.js';

/** The most issues of one group that are shown in full, and the most places that are named. */
const SHOWN = 3;
const NAMED_PLACES = 10;
/** The most groups that are shown; a file with more kinds of errors is the wrong file. */
const LONGEST_LIST = 40;
/** So many columns are named in one list. */
const NAMED_COLUMNS = 20;

interface Group {
  readonly severity: Issue['severity'];
  count: number;
  /** All issues of the group have the same message, and the same value. */
  alike: boolean;
  sameValue: boolean;
  readonly first: Issue[];
  /** The records' lines, or numbers of records without lines, as ranges. */
  readonly places: [from: number, to: number][];
}

export interface IssueLine {
  readonly severity: Issue['severity'];
  /** Indented if it belongs to the line before. */
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
      if (group === undefined) groups.set(name, (group = startGroup(issue)));
      addTo(group, issue);
    },
    take: () => {
      const all = listsOf([...groups.values()].sort((a, b) => rank(a) - rank(b)));
      groups = new Map();
      return [...all.slice(0, LONGEST_LIST).flatMap(linesOf), ...restLines(all)];
    },
  };
}

function startGroup({ severity }: Issue): Group {
  return { severity, count: 0, alike: true, sameValue: true, first: [], places: [] };
}

function addTo(group: Group, issue: Issue): void {
  const { first, places } = group;
  group.count++;
  const [{ message, value } = issue] = first;
  group.alike &&= message === issue.message;
  group.sameValue &&= value === issue.value;
  if (first.length < SHOWN) first.push(issue);
  const place = issue.line ?? issue.record;
  const last = places.at(-1);
  if (place === null) return;
  if (last !== undefined && (last[1] === place || last[1] === place - 1)) last[1] = place;
  else if (places.length <= NAMED_PLACES) places.push([place, place]);
}

/** Faults of a file come first: the other issues of the file may follow from them. */
function rank({ severity, first }: Group): number {
  return severity === 'warning' ? 2 : first[0]?.fault === true ? 0 : 1;
}

/** Each group by itself, but for columns of one file that its rows all have or lack. */
function listsOf(groups: readonly Group[]): Group[][] {
  const lists = new Map<unknown, Group[]>();
  for (const group of groups) {
    const [{ listed, file, code } = {}] = group.first as (Partial<Issue> | undefined)[];
    const name = listed === undefined ? group : JSON.stringify([file, code === 'unknown-field']);
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [group]);
    else list.push(group);
  }
  return [...lists.values()];
}

function linesOf(list: readonly Group[]): IssueLine[] {
  const [group] = list;
  const [example] = group?.first ?? [];
  if (group === undefined || example === undefined) return [];
  if (list.length === 1) return groupLines(group);
  const named = list.slice(0, NAMED_COLUMNS).flatMap(({ first: [issue] }) => issue?.listed ?? []);
  const more = list.length > named.length ? ` and ${list.length - named.length} more` : '';
  const names = printable(named.join(', ')) + more;
  const { severity, code } = example;
  const words =
    code === 'unknown-field'
      ? `${list.length} columns are not fields: ${names}. Map a column with --map COLUMN=FIELD, ignore it with --ignore-column COLUMN, or ignore all of them with --ignore-other-columns`
      : `No column gives ${names}. Add the columns, map those that have another name with --map COLUMN=FIELD, or set one value for all rows with --set FIELD=VALUE`;
  return [{ severity, text: `${severity}: ${printable(example.file ?? 'input')}: ${words} [${code}]` }];
}

function groupLines(group: Group): IssueLine[] {
  const { severity, count, first, alike, sameValue } = group;
  const [example] = first;
  if (example === undefined) return [];
  const code = `[${example.code}]`;
  const line = (text: string): IssueLine => ({ severity, text });
  if (alike && count > 1) {
    const told = `${severity}: ${counted(count, 'record')}: ${withValue(example, sameValue ? '' : 'such as ')}`;
    return [line(`${told} (${placesText(example, group)}) ${code}`)];
  }
  if (count <= SHOWN)
    return first.map((issue) => line(`${severity}: ${placeText(issue)}: ${withValue(issue)} ${code}`));
  const name = example.name ?? example.field;
  const field = name === null ? '' : `: ${printable(name)}`;
  return [
    line(`${severity}: ${counted(count, 'record')}${field} ${code} (${placesText(example, group)}), such as`),
    ...first.map((issue) => line(`    ${placeText(issue)}: ${withValue(issue)}`)),
  ];
}

/** A message, with the value if the message does not contain it. */
function withValue({ message, value }: Issue, before = ''): string {
  if (value === null || value.trim() === '' || message.includes(value.trim())) return printable(message);
  return printable(`${message} (${before}${JSON.stringify(value)})`);
}

/** `payroll.csv, lines 4, 9, 12 to 14, …`; only the file if no place is known. */
function placesText({ file, line }: Issue, { places }: Group): string {
  const name = printable(file ?? 'input');
  if (places.length === 0) return name;
  const named = places.slice(0, NAMED_PLACES).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return `${name}, ${line === null ? 'records' : 'lines'} ${named.join(', ')}${places.length > NAMED_PLACES ? ', …' : ''}`;
}

function placeText({ file, line, record, row }: Issue): string {
  const name = printable(file ?? 'input');
  if (line === null && record === null) return name;
  return `${name}, ${placeWords({ record: record ?? 0, line, row })}`;
}

function restLines(all: readonly (readonly Group[])[]): IssueLine[] {
  const hidden = all.length - LONGEST_LIST;
  const isCut = all
    .flat()
    .some(
      ({ severity, count, alike, places }) =>
        severity === 'error' && (alike ? places.length > NAMED_PLACES : count > SHOWN),
    );
  const more = hidden > 0 ? [`… and ${counted(hidden, 'more kind', 'more kinds')} of issues`] : [];
  const rest = hidden > 0 || isCut ? ['--json tells every issue of every record'] : [];
  return [...more, ...rest].map((text) => ({ severity: 'error', text }));
}
