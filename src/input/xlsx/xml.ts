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

const OPEN_TAG = /<([^\s<>/="'&]+)((?:[ \t\n]+[^\s<>/="'&]+[ \t\n]*=[ \t\n]*(?:"[^"<]*"|'[^'<]*'))*)[ \t\n]*(\/?)>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const COMMENT = '<!--';
const RAW = '<![CDATA[';
const RAW_END = ']]>';

/** Reads a part in pieces. All of it throws a FileFault for what is malformed. */
export class XmlReader {
  private readonly part: string;
  private readonly root: string;
  private readonly handlers: XmlHandlers;
  /** What has been written and not yet read. */
  private rest = '';
  private endsWithReturn = false;
  /** The open elements, as they are written. */
  private readonly stack: string[] = [];
  /** Of the workbook's own elements, with its colon: some programs write `x:row`. Null before the first tag. */
  private prefix: string | null = null;

  /**
   * @param part for messages
   * @param root the name of the outermost element
   */
  constructor(part: string, root: string, handlers: XmlHandlers) {
    this.part = part;
    this.root = root;
    this.handlers = handlers;
  }

  write(text: string): void {
    if (text === '') return;
    if (FORBIDDEN.test(text)) throw this.malformed('it holds a character that XML does not have');
    this.rest += this.withOneLineEnd(text);
    let at = 0;
    for (let next = this.token(at); next > at; next = this.token(at)) at = next;
    this.rest = this.rest.slice(at);
    if (this.rest.length > LONGEST_TOKEN) throw this.malformed('a tag or a text of it has no end');
  }

  /** To be called after the last text. */
  end(): void {
    if (this.rest.trim() !== '' || this.stack.length > 0 || this.prefix === null)
      throw this.malformed('it ends before its end');
  }

  private malformed(what: string): Error {
    return damaged(`${this.part}: ${what}`);
  }

  /** XML has one line end, whatever its file has. */
  private withOneLineEnd(text: string): string {
    const found = this.endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.endsWithReturn = text.endsWith('\r');
    return found.includes('\r') ? found.replace(/\r\n?/g, '\n') : found;
  }

  /** Reads the text or the tag that begins at `at`. Gives where it ends; `at` itself where its end is not there yet. */
  private token(at: number): number {
    const start = this.rest.indexOf('<', at);
    if (start < 0) return at;
    if (start > at) {
      this.tellText(this.decoded(this.rest.slice(at, start)));
      return start;
    }
    const second = this.rest[at + 1];
    if (second === '/') return this.closeTag(at);
    if (second === '?') return this.after('?>', at + 2) ?? at;
    return second === '!' ? this.declaration(at) : this.openTag(at);
  }

  /** Where the next such mark ends; null where there is none yet. */
  private after(mark: string, from: number): number | null {
    const end = this.rest.indexOf(mark, from);
    return end < 0 ? null : end + mark.length;
  }

  private tellText(text: string): void {
    if (this.stack.length > 0) this.handlers.text?.(text);
    else if (text.trim() !== '') throw this.malformed('text stands outside of it');
  }

  private declaration(at: number): number {
    const { rest } = this;
    if (rest.startsWith(COMMENT, at)) return this.after('-->', at + COMMENT.length) ?? at;
    if (rest.startsWith(RAW, at)) {
      const end = this.after(RAW_END, at + RAW.length);
      if (end !== null) this.tellText(rest.slice(at + RAW.length, end - RAW_END.length));
      return end ?? at;
    }
    if (rest.length - at < RAW.length) return at;
    throw this.malformed('it declares a document type, which no workbook does');
  }

  private closeTag(at: number): number {
    const end = this.rest.indexOf('>', at);
    if (end < 0) return at;
    const name = this.rest.slice(at + 2, end).trimEnd();
    if (this.stack.at(-1) !== name) throw this.malformed(`</${name.slice(0, 50)}> closes nothing`);
    this.close(name);
    return end + 1;
  }

  private openTag(at: number): number {
    OPEN_TAG.lastIndex = at;
    const [tag, name = '', attributes = '', slash] = OPEN_TAG.exec(this.rest) ?? [];
    if (tag === undefined) {
      // No tag holds this character: one that begins before it will not get any better.
      if (this.rest.includes('<', at + 1)) throw this.malformed(`${this.shown(at)} is no tag`);
      return at;
    }
    this.open(name, attributes === '' ? {} : this.attributesIn(attributes, at));
    if (slash !== '') this.close(name);
    return at + tag.length;
  }

  private attributesIn(text: string, at: number): Attributes {
    const attributes: Record<string, string> = {};
    ATTRIBUTE.lastIndex = 0;
    for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
      const [, key = '', quoted, other = ''] = found;
      if (Object.hasOwn(attributes, key)) throw this.malformed(`${this.shown(at)} has ${key.slice(0, 50)} twice`);
      attributes[key] = this.decoded(quoted ?? other);
    }
    return attributes;
  }

  private shown(at: number): string {
    return JSON.stringify(this.rest.slice(at, at + 40));
  }

  private open(name: string, attributes: Attributes): void {
    if (this.stack.length === 0) this.prefix = this.prefixOf(name, attributes);
    if (this.stack.push(name) > DEEPEST) throw this.malformed('it nests its elements too deep');
    const own = this.ownName(name);
    if (own !== null) this.handlers.open(own, attributes);
  }

  private close(name: string): void {
    this.stack.pop();
    const own = this.ownName(name);
    if (own !== null) this.handlers.close?.(own);
  }

  private prefixOf(name: string, attributes: Attributes): string {
    const colon = name.indexOf(':');
    const namespace = attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`];
    if (this.prefix !== null || name.slice(colon + 1) !== this.root || !NAMESPACES.has(namespace))
      throw this.malformed('it is not what belongs there');
    return name.slice(0, colon + 1);
  }

  /** Null for elements of other vocabularies, which are passed over. */
  private ownName(name: string): string | null {
    const { prefix } = this;
    if (prefix === '' || prefix === null) return name.includes(':') ? null : name;
    return name.startsWith(prefix) ? name.slice(prefix.length) : null;
  }

  private decoded(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&([^;&]{0,10};?)/g, (_, name: string) => {
      const character = characterOf(name);
      if (character === null) throw this.malformed(`${JSON.stringify(`&${name}`)} stands for nothing`);
      return character;
    });
  }
}

const ENTITIES: Readonly<Record<string, string | undefined>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

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

/** Reads a whole part. @param text null where there is no such part. @throws FileFault */
export async function readXml(
  part: string,
  root: string,
  text: AsyncIterable<string> | null,
  handlers: XmlHandlers,
): Promise<void> {
  if (text === null) return;
  const reader = new XmlReader(part, root, handlers);
  for await (const piece of text) reader.write(piece);
  reader.end();
}

/** An attribute of the kind xsd:boolean. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
