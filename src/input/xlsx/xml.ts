/**
 * XML of a workbook's parts, as it comes: tags, texts and nothing else. A workbook has no document types, so no entity
 * stands for more than a character. docs/design/workbooks.md says why this is no package, and what it is held against.
 */
import { damaged } from './package.js';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** Only elements of the workbook's own vocabulary are told, by their names without a prefix. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  /** Text within elements, in pieces. */
  readonly text?: (text: string) => void;
}

export interface XmlReader {
  /** @throws FileFault */
  readonly write: (text: string) => void;
  /** To be called after the last text. @throws FileFault */
  readonly end: () => void;
}

/** Office writes the first; the second is the "strict" variant of the same. */
const NAMESPACES: ReadonlySet<string | undefined> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
]);

/** Deeper than anything in a workbook. */
const DEEPEST = 64;
/** UTF-16 units of a tag, or of the text before one. */
const LONGEST_TOKEN = 1024 * 1024;
/** What XML 1.0 does not allow in any form. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

interface State {
  readonly part: string;
  readonly root: string;
  readonly handlers: XmlHandlers;
  /** What has been written and not yet read. */
  rest: string;
  /** The open elements, as they are written. */
  readonly stack: string[];
  /** Of the workbook's own elements, with its colon: some programs write `x:row`. Null before the first tag. */
  prefix: string | null;
}

/**
 * @param part for messages
 * @param root the name of the outermost element
 */
export function xmlReader(part: string, root: string, handlers: XmlHandlers): XmlReader {
  const state: State = { part, root, handlers, rest: '', stack: [], prefix: null };
  let isReturned = false;
  /** XML has one line end, whatever its file has. */
  const withOneLineEnd = (text: string): string => {
    const found = isReturned && text.startsWith('\n') ? text.slice(1) : text;
    isReturned = text.endsWith('\r');
    return found.includes('\r') ? found.replace(/\r\n?/g, '\n') : found;
  };
  return {
    write: (text) => {
      if (text === '') return;
      if (FORBIDDEN.test(text)) throw malformed(state, 'it holds a character that XML does not have');
      state.rest += withOneLineEnd(text);
      let at = 0;
      for (let next = token(state, at); next > at; next = token(state, at)) at = next;
      state.rest = state.rest.slice(at);
      if (state.rest.length > LONGEST_TOKEN) throw malformed(state, 'a tag or a text of it has no end');
    },
    end: () => {
      if (state.rest.trim() !== '' || state.stack.length > 0 || state.prefix === null)
        throw malformed(state, 'it ends before its end');
    },
  };
}

function malformed({ part }: State, what: string): Error {
  return damaged(`${part}: ${what}`);
}

/** Reads the text or the tag that begins at `at`. Gives where it ends; `at` itself where its end is not there yet. */
function token(state: State, at: number): number {
  const { rest } = state;
  const start = rest.indexOf('<', at);
  if (start < 0) return at;
  if (start > at) {
    tellText(state, decoded(state, rest.slice(at, start)));
    return start;
  }
  const second = rest[at + 1];
  if (second === '/') return closeTag(state, at);
  if (second === '?') return after(rest, '?>', at, 2);
  return second === '!' ? declaration(state, at) : openTag(state, at);
}

/** Where what begins at `at` ends with its end mark; `at` where that is not there yet. @param opening its first characters */
function after(text: string, mark: string, at: number, opening: number): number {
  const end = text.indexOf(mark, at + opening);
  return end < 0 ? at : end + mark.length;
}

function tellText(state: State, text: string): void {
  if (state.stack.length > 0) state.handlers.text?.(text);
  else if (/[^\s\ufeff]/.test(text)) throw malformed(state, 'text stands outside of it');
}

const COMMENT = '<!--';
const RAW = '<![CDATA[';
const RAW_END = ']]>';

function declaration(state: State, at: number): number {
  const { rest } = state;
  if (rest.startsWith(COMMENT, at)) return after(rest, '-->', at, COMMENT.length);
  if (rest.startsWith(RAW, at)) {
    const end = after(rest, RAW_END, at, RAW.length);
    if (end > at) tellText(state, rest.slice(at + RAW.length, end - RAW_END.length));
    return end;
  }
  if (rest.length - at < RAW.length) return at;
  throw malformed(state, 'it declares a document type, which no workbook does');
}

function closeTag(state: State, at: number): number {
  const end = state.rest.indexOf('>', at);
  if (end < 0) return at;
  const name = state.rest.slice(at + 2, end).trimEnd();
  if (state.stack.pop() !== name) throw malformed(state, `</${name.slice(0, 50)}> closes nothing`);
  const own = ownName(state, name);
  if (own !== null) state.handlers.close?.(own);
  return end + 1;
}

const NAME_SO_FAR = /^<[^\s<>/="'&]*$/;
const LONGEST_NAME = 1000;
const NAME = /^[^\s<>/="'&]+$/;
const SPACE = 0x20;
const SLASH = 0x2f;
const END = 0x3e;

function openTag(state: State, at: number): number {
  const { rest } = state;
  let place = at + 1;
  // Past the end the code is NaN, which is no name's end.
  for (let code = rest.charCodeAt(place); code > SPACE && code !== SLASH && code !== END;)
    code = rest.charCodeAt(++place);
  const name = rest.slice(at + 1, place);
  if (place === rest.length || !isName(name)) {
    // Its name may go on in what comes next.
    if (NAME_SO_FAR.test(rest.slice(at, at + LONGEST_NAME))) return at;
    throw malformed(state, `${shown(rest, at)} is no tag`);
  }
  const attributes: Record<string, string> = {};
  for (;;) {
    while (rest.charCodeAt(place) <= SPACE) place++;
    const code = rest.charCodeAt(place);
    if (code === END || code === SLASH) return tagEnd(state, at, place, name, attributes);
    place = attribute(state, place, attributes);
    if (place < 0) return at;
  }
}

/** Names that have been looked at: a sheet has millions of tags, and a dozen names. */
const KNOWN = new Set<string>();
const MOST_KNOWN = 1000;

function isName(text: string): boolean {
  if (KNOWN.has(text)) return true;
  if (!NAME.test(text)) return false;
  if (KNOWN.size < MOST_KNOWN) KNOWN.add(text);
  return true;
}

/** Adds the attribute that begins at `at`. Gives where it ends; below zero where it is not there whole. */
function attribute(state: State, at: number, attributes: Record<string, string>): number {
  const { rest } = state;
  const equals = rest.indexOf('=', at);
  if (equals < 0) return -1;
  const key = rest.slice(at, equals).trimEnd();
  let start = equals + 1;
  while (rest.charCodeAt(start) <= SPACE) start++;
  const quote = rest.charAt(start);
  if (quote === '') return -1;
  if (!isName(key) || (quote !== '"' && quote !== "'")) throw malformed(state, `${shown(rest, at)} is no attribute`);
  const end = rest.indexOf(quote, start + 1);
  if (end < 0) return -1;
  if (Object.hasOwn(attributes, key)) throw malformed(state, `${shown(rest, at)} stands twice in a tag`);
  const value = rest.slice(start + 1, end);
  if (value.includes('<')) throw malformed(state, `${shown(rest, at)} is no attribute`);
  attributes[key] = decoded(state, value);
  return end + 1;
}

function tagEnd(state: State, at: number, place: number, name: string, attributes: Attributes): number {
  const isEmpty = state.rest.charCodeAt(place) === SLASH;
  if (isEmpty && place + 1 >= state.rest.length) return at;
  if (isEmpty && state.rest.charCodeAt(place + 1) !== END) throw malformed(state, `${shown(state.rest, at)} is no tag`);
  opened(state, name, attributes);
  if (!isEmpty) return place + 1;
  state.stack.pop();
  const own = ownName(state, name);
  if (own !== null) state.handlers.close?.(own);
  return place + 2;
}

function shown(text: string, at: number): string {
  return JSON.stringify(text.slice(at, at + 40));
}

function opened(state: State, name: string, attributes: Attributes): void {
  const { stack, handlers } = state;
  if (stack.length === 0) state.prefix = prefixOf(state, name, attributes);
  if (stack.push(name) > DEEPEST) throw malformed(state, 'it nests its elements too deep');
  const own = ownName(state, name);
  if (own !== null) handlers.open(own, attributes);
}

function prefixOf(state: State, name: string, attributes: Attributes): string {
  const colon = name.indexOf(':');
  const namespace = attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`];
  if (state.prefix !== null || name.slice(colon + 1) !== state.root || !NAMESPACES.has(namespace))
    throw malformed(state, 'it is not what belongs there');
  return name.slice(0, colon + 1);
}

/** Null for elements of other vocabularies, which are passed over. */
function ownName({ prefix }: State, name: string): string | null {
  if (prefix === '') return name.includes(':') ? null : name;
  return name.startsWith(prefix as string) ? name.slice((prefix as string).length) : null;
}

const ENTITIES: Readonly<Record<string, string | undefined>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(state: State, text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]{0,10};?)/g, (_, name: string) => {
    const character = characterOf(name);
    if (character === null) throw malformed(state, `${JSON.stringify(`&${name}`)} stands for nothing`);
    return character;
  });
}

/** @param name with the semicolon behind it: `amp;`, `#xe4;` */
function characterOf(name: string): string | null {
  if (!name.endsWith(';')) return null;
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return ENTITIES[name.slice(0, -1)] ?? null;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
  const character = String.fromCodePoint(code);
  return FORBIDDEN.test(character) ? null : character;
}

/** Reads a whole part. @throws FileFault */
export async function readXml(
  part: string,
  root: string,
  text: AsyncIterable<string>,
  handlers: XmlHandlers,
): Promise<void> {
  const reader = xmlReader(part, root, handlers);
  for await (const piece of text) reader.write(piece);
  reader.end();
}

/** An attribute of the kind xsd:boolean. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
