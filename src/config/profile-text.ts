/** A profile in the text of a config file: everything else in it keeps its bytes. */

/** Where a member's value stands in a text, in UTF-16 units. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** An object in a text: its members, and where the bracket that closes it stands. */
interface ObjectSpan {
  readonly members: readonly Member[];
  readonly close: number;
}

const STEP = '  ';

/** The profile of this name as the text has it, parsed; undefined where it has none. @param text a valid config file */
export function profileIn(text: string, name: string): unknown {
  const profiles = memberOf(text, 0, 'profiles');
  const found = profiles === undefined ? undefined : memberOf(text, profiles.start, name);
  return found === undefined ? undefined : (JSON.parse(text.slice(found.start, found.end)) as unknown);
}

/**
 * The text with the profile in it: instead of the one of this name, or behind the others.
 * @param text a valid config file; null where there is none yet
 */
export function withProfile(text: string | null, name: string, profile: unknown): string {
  if (text === null) return `${JSON.stringify({ profiles: { [name]: profile } }, null, 2)}\n`;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const profiles = memberOf(text, 0, 'profiles');
  const write = (value: unknown, indent: string): string =>
    JSON.stringify(value, null, 2).replaceAll('\n', `${lineEnd}${indent}`);
  if (profiles === undefined) return inserted(text, 0, 'profiles', (indent) => write({ [name]: profile }, indent));
  const found = memberOf(text, profiles.start, name);
  if (found === undefined) return inserted(text, profiles.start, name, (indent) => write(profile, indent));
  const value = write(profile, indentAt(text, found.start));
  return text.slice(0, found.start) + value + text.slice(found.end);
}

/** Adds a member behind the last one of the object that begins at or after `from`. */
function inserted(text: string, from: number, name: string, write: (indent: string) => string): string {
  const { members, close } = objectAt(text, from);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const last = members.at(-1);
  const outer = indentAt(text, close);
  // An object on one line is opened up; otherwise the new member stands as its neighbours do.
  const own = last === undefined || !hasOwnLine(text, last.start) ? outer + STEP : indentAt(text, last.start);
  const member = `${lineEnd}${own}${JSON.stringify(name)}: ${write(own)}`;
  if (last === undefined)
    return `${text.slice(0, text.lastIndexOf('{', close) + 1)}${member}${lineEnd}${outer}${text.slice(close)}`;
  const rest = text.slice(last.end);
  const isOpen = /[\r\n]/.test(text.slice(last.end, close));
  return `${text.slice(0, last.end)},${member}${isOpen ? rest : `${lineEnd}${outer}${text.slice(close)}`}`;
}

function hasOwnLine(text: string, at: number): boolean {
  const line = text.slice(Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('\r', at)) + 1, at);
  return /^\s*"(?:[^"\\]|\\.)*"\s*:\s*$/.test(line);
}

/** The white space with which the line begins on which something stands. */
function indentAt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

function memberOf(text: string, from: number, name: string): Member | undefined {
  return objectAt(text, from).members.find((member) => member.name === name);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const DEPTH: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The object that begins at or after `from`. The text is valid JSON: it was checked before. */
function objectAt(text: string, from: number): ObjectSpan {
  const members: Member[] = [];
  let name: string | null = null;
  let [start, end] = [-1, -1];
  let depth = 0;
  const inside = text.indexOf('{', from) + 1;
  for (const { 0: token, index } of text.slice(inside).matchAll(TOKEN)) {
    const at = inside + index;
    if (depth === 0 && (token === ',' || token === '}')) {
      if (name !== null) members.push({ name, start, end });
      if (token === '}') return { members, close: at };
      [name, start] = [null, -1];
    } else if (name === null) name = JSON.parse(token) as string;
    else if (depth > 0 || token !== ':') {
      depth += DEPTH[token] ?? 0;
      if (start < 0) start = at;
      end = at + token.length;
    }
  }
  return { members, close: text.length };
}
