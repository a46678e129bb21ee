/** Issues gathered by what they say, for people: one entry for a thousand rows with the same fault. */
import type { Issue } from '../records/issue.js';
import { printable } from './printable.js';

/** Issues of one group that are shown in full, and lines that are named. */
const SHOWN = 3;
const NAMED_LINES = 10;
/** Groups that are shown; a file with more kinds of faults is the wrong file. */
const LONGEST_LIST = 40;

interface Group {
  readonly severity: Issue['severity'];
  readonly code: string;
  readonly field: string | null;
  count: number;
  readonly first: Issue[];
  readonly places: string[];
}

export interface IssueGroups {
  add(issue: Issue): void;
  /** What was added since the last call, errors first; then they are forgotten. */
  take(): string[];
}

export function startIssueGroups(): IssueGroups {
  let groups = new Map<string, Group>();
  return {
    add: (issue) => {
      const name = `${issue.severity} ${issue.code} ${issue.field ?? ''}`;
      let group = groups.get(name);
      if (group === undefined) {
        group = { severity: issue.severity, code: issue.code, field: issue.field, count: 0, first: [], places: [] };
        groups.set(name, group);
      }
      group.count++;
      if (group.first.length < SHOWN) group.first.push(issue);
      if (group.places.length < NAMED_LINES) group.places.push(shortPlace(issue));
    },
    take: () => {
      const all = [...groups.values()].sort((a, b) => rank(a) - rank(b));
      groups = new Map();
      const lines = all.slice(0, LONGEST_LIST).flatMap(groupLines);
      const hidden = all.length - LONGEST_LIST;
      return hidden > 0 ? [...lines, `… and ${hidden} further kinds of issues; --json shows all of them`] : lines;
    },
  };
}

function rank({ severity }: Group): number {
  return severity === 'error' ? 0 : 1;
}

function groupLines(group: Group): string[] {
  const { severity, code, field, count, first, places } = group;
  const about = field === null ? code : `${code} ${printable(field)}`;
  if (count <= SHOWN) return first.map((issue) => `${severity}: ${fullPlace(issue)}: ${printable(issue.message)}${shownValue(issue)} [${code}]`);
  const more = count > places.length ? ', …' : '';
  const head = `${severity}: ${count} records: ${about} (${places.join(', ')}${more}), such as`;
  return [head, ...first.map((issue) => `    ${fullPlace(issue)}: ${printable(issue.message)}${shownValue(issue)}`)];
}

/** The value, where the message does not show it already. */
function shownValue({ value, message }: Issue): string {
  return value === null || value === '' || message.includes(value) ? '' : `; found ${printable(JSON.stringify(value))}`;
}

function shortPlace({ line, record }: Issue): string {
  return line !== null ? `line ${line}` : record === null ? 'file' : `record ${record}`;
}

function fullPlace(issue: Issue): string {
  const { file, line, record } = issue;
  if (line === null && record === null) return printable(file ?? 'input');
  return `${printable(file ?? 'input')}, ${shortPlace(issue)}`;
}
