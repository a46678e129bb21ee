/** Issues grouped for people: one entry for a thousand rows with the same error. */
import { type Issue, type IssueCode, positionText } from '../records/issue.js';
import { printable } from './printable.js';
import { pluralize } from './table.js';

/** The most issues of one group that are shown in full, and the most places that are named. */
const SHOWN_IN_FULL = 3;
const NAMED_PLACES = 10;
/** The most groups that are shown; a file with more kinds of errors is the wrong file. */
const MOST_ISSUE_GROUPS = 40;
/** So many columns are named in one list. */
const NAMED_COLUMNS = 20;

class IssueGroup {
  readonly severity: Issue['severity'];
  /** Position of its file among those with issues. */
  readonly file: number;
  issues = 0;
  /** An issue about a column stands for many. */
  records = 0;
  /** All issues of the group have the same message, and the same value. */
  alike = true;
  sameValue = true;
  /** In the order of their places, like the ranges of these. */
  readonly first: Issue[] = [];
  readonly places: [from: number, to: number][] = [];
  /** The first place that is not kept. */
  beyond = Infinity;

  constructor({ severity }: Issue, file: number) {
    this.severity = severity;
    this.file = file;
  }

  /** Some issues are found later than those of further records: a duplicate, or a record that the history knows. */
  add(issue: Issue): void {
    const { first } = this;
    this.issues++;
    this.records += issue.count ?? 1;
    const [{ message, value } = issue] = first;
    this.alike &&= message === issue.message;
    this.sameValue &&= value === issue.value;
    const place = placeNumber(issue);
    const at = first.findLastIndex((each) => placeNumber(each) <= place) + 1;
    first.splice(at, 0, issue);
    if (first.length > SHOWN_IN_FULL) first.pop();
    if (place < this.beyond) this.addPlace(place);
  }

  private addPlace(place: number): void {
    const { places } = this;
    const at = places.findLastIndex(([from]) => from <= place);
    let range = places[at];
    if (range === undefined || range[1] < place - 1) places.splice(at + 1, 0, (range = [place, place]));
    range[1] = Math.max(range[1], place);
    const next = places[places.indexOf(range) + 1];
    if (next?.[0] === range[1] + 1) {
      range[1] = next[1];
      places.splice(places.indexOf(next), 1);
    }
    const [dropped] = places.splice(NAMED_PLACES);
    if (dropped !== undefined) [this.beyond] = dropped;
  }
}

/** A kind of warning in one sentence. */
export interface RepeatedWarning {
  readonly code: IssueCode;
  readonly records: number;
  readonly text: string;
}

export interface IssueLine {
  readonly severity: Issue['severity'];
  /** Indented if it belongs to the line before. */
  readonly text: string;
  /** The same in short, for the question; null for errors, and for a line that belongs to the one before. */
  readonly again: RepeatedWarning | null;
}

/** Issues as they are found, until they are told. */
export class IssueGroups {
  private groups = new Map<string, IssueGroup>();
  private readonly files: (string | null)[] = [];

  add(issue: Issue): void {
    const name = JSON.stringify([issue.severity, issue.code, issue.field, issue.file]);
    let group = this.groups.get(name);
    if (!this.files.includes(issue.file)) this.files.push(issue.file);
    if (group === undefined) this.groups.set(name, (group = new IssueGroup(issue, this.files.indexOf(issue.file))));
    group.add(issue);
  }

  /** The lines for all issues added since the last call, errors before warnings. */
  take(): IssueLine[] {
    const all = listsOf([...this.groups.values()].sort(byPlace));
    this.groups = new Map();
    return [...all.slice(0, MOST_ISSUE_GROUPS).flatMap(listLines), ...restLines(all)];
  }
}

/** The record's line, or its number if records have no lines; infinite if no record is named. */
function placeNumber({ line, record }: Issue): number {
  return line ?? record ?? Infinity;
}

/** By weight, and then in the order of the files and their records. */
function byPlace(one: IssueGroup, other: IssueGroup): number {
  const placeOf = ({ first: [issue] }: IssueGroup): number => (issue === undefined ? Infinity : placeNumber(issue));
  const here = placeOf(one);
  const there = placeOf(other);
  return rank(one) - rank(other) || one.file - other.file || (here < there ? -1 : Number(here > there));
}

/** Faults of a file come first: the other issues of the file may follow from them. */
function rank({ severity, first }: IssueGroup): number {
  if (severity === 'warning') return 2;
  return first[0]?.fault === true ? 0 : 1;
}

/** Each group by itself, but for columns of one file that its rows all have or lack. */
function listsOf(groups: readonly IssueGroup[]): IssueGroup[][] {
  const lists = new Map<unknown, IssueGroup[]>();
  for (const group of groups) {
    const [{ listed, file, code } = {}] = group.first as (Partial<Issue> | undefined)[];
    const name = listed === undefined ? group : JSON.stringify([file, code === 'unknown-field']);
    const list = lists.get(name);
    if (list === undefined) lists.set(name, [group]);
    else list.push(group);
  }
  return [...lists.values()];
}

function listLines(list: readonly IssueGroup[]): IssueLine[] {
  const [group] = list;
  const [example] = group?.first ?? [];
  if (group === undefined || example === undefined) return [];
  if (list.length === 1) return groupLines(group);
  const named = list.slice(0, NAMED_COLUMNS).map(({ first: [issue] }) => issue?.listed);
  const more = list.length > named.length ? ` and ${list.length - named.length} more` : '';
  const names = printable(named.join(', ')) + more;
  const { severity, code } = example;
  const advice =
    code === 'unknown-field'
      ? `${list.length} columns are not fields: ${names}. Map a column with --map COLUMN=FIELD, ignore it with --ignore-column COLUMN, or ignore all of them with --ignore-other-columns`
      : `No column gives ${names}. Add the columns, map those that have another name with --map COLUMN=FIELD, or set one value for all rows with --set FIELD=VALUE`;
  return [{ severity, text: `${severity}: ${printable(example.file ?? 'input')}: ${advice} [${code}]`, again: null }];
}

function groupLines(group: IssueGroup): IssueLine[] {
  const { severity, issues, records, first, alike, sameValue } = group;
  const [example] = first;
  if (example === undefined) return [];
  const code = `[${example.code}]`;
  const line = (text: string, again: RepeatedWarning | null = null): IssueLine => ({ severity, text, again });
  const again = severity === 'warning' ? repeatedWarning(example, group) : null;
  if (alike && issues > 1) {
    const head = `${severity}: ${pluralize(records, 'record')}: ${withValue(example, sameValue ? '' : 'such as ')}`;
    return [line(`${head} (${placesText(example, group)}) ${code}`, again)];
  }
  if (issues <= SHOWN_IN_FULL)
    return first.map((issue, i) =>
      line(`${severity}: ${issuePlaceText(issue)}: ${withValue(issue)} ${code}`, i === 0 ? again : null),
    );
  const name = example.name ?? example.field;
  const field = name === null ? '' : `: ${printable(name)}`;
  return [
    line(
      `${severity}: ${pluralize(records, 'record')}${field} ${code} (${placesText(example, group)}), such as`,
      again,
    ),
    ...first.map((issue) => line(`    ${issuePlaceText(issue)}: ${withValue(issue)}`)),
  ];
}

/** `3 records (pay.csv, lines 4, 9, 12): …`, with the message of the first. */
function repeatedWarning(example: Issue, group: IssueGroup): RepeatedWarning {
  const { issues, records } = group;
  const { code } = example;
  if (issues === 1) return { code, records, text: `${issuePlaceText(example)}: ${withValue(example)}` };
  const place = `${pluralize(records, 'record')} (${placesText(example, group)})`;
  return { code, records, text: `${place}: ${withValue(example, group.sameValue ? '' : 'such as ')}` };
}

/** A message, with the value if the message does not contain it. */
function withValue({ message, value }: Issue, before = ''): string {
  if (value === null || value.trim() === '' || message.includes(value.trim())) return printable(message);
  return printable(`${message} (${before}${JSON.stringify(value)})`);
}

/** `payroll.csv, lines 4, 9, 12 to 14, …`; only the file if no place is known. */
function placesText({ file, line }: Issue, { places, beyond }: IssueGroup): string {
  const name = printable(file ?? 'input');
  if (places.length === 0) return name;
  const named = places.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return `${name}, ${line === null ? 'records' : 'lines'} ${named.join(', ')}${beyond < Infinity ? ', …' : ''}`;
}

function issuePlaceText({ file, line, record, row }: Issue): string {
  const name = printable(file ?? 'input');
  if (line === null && record === null) return name;
  return `${name}, ${positionText({ record: record ?? 0, line, row })}`;
}

function restLines(all: readonly (readonly IssueGroup[])[]): IssueLine[] {
  const hidden = all.length - MOST_ISSUE_GROUPS;
  const isCut = all
    .flat()
    .some(
      ({ severity, issues, alike, beyond }) =>
        severity === 'error' && (alike ? beyond < Infinity : issues > SHOWN_IN_FULL),
    );
  const lines: IssueLine[] = [];
  const add = (text: string): number => lines.push({ severity: 'error', text, again: null });
  if (hidden > 0) add(`… and ${pluralize(hidden, 'more kind of problem', 'more kinds of problems')}`);
  if (hidden > 0 || isCut) add('Add --json to see every issue of every record');
  return lines;
}
