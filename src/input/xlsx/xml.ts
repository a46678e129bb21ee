/**
 * Streams the XML of a workbook's parts: only tags and texts. A workbook has no document types, so an entity is never
 * more than one character. docs/design/workbooks.md says why this is not a package, and what it is tested against.
 */
import { damaged } from './package.js';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** Receives only elements of the workbook's vocabulary, by their names without a prefix. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: Attributes) => void;
  /** @param text of the element; elements with text contain no other elements */
  readonly close?: (name: string, text: string) => void;
}

/** Office writes the first; the second is the "strict" variant of the same. */
const NAMESPACES: ReadonlySet<string | undefined> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  'http://schemas.openxmlformats.org/package/2006/relationships',
]);

/** Deeper than anything in a workbook. */
const DEEPEST_ELEMENT = 64;
/** UTF-16 units of a tag with the text before it. */
const LONGEST_TOKEN = 1024 * 1024;
/** Characters that XML 1.0 does not allow in any form. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const XML_SPACE = '[ \\t\\n]';
const TAG_NAME = `[^\\s<>/="'&!?][^\\s<>/="'&]*`;
const ATTRIBUTE_VALUE = `(?:"[^"<]*"|'[^'<]*')`;
/** Some text and its end: a tag, a CDATA section, a comment or an instruction. */
const TOKEN = new RegExp(
  `([^<]*)<(?:(/?)(${TAG_NAME})((?:${XML_SPACE}+${TAG_NAME}${XML_SPACE}*=${XML_SPACE}*${ATTRIBUTE_VALUE})*)${XML_SPACE}*(/?)>` +
    '|!\\[CDATA\\[([^]*?)\\]\\]>|!--[^]*?-->|\\?[^]*?\\?>)',
  'y',
);
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** The start of a token that is not a tag. */
const NO_TAG = /<(?:\?|!--|!\[CDATA\[)/y;
const LONGEST_BEGINNING = '<![CDATA['.length;

/** Reads a part in pieces. Everything throws a FileFault for malformed XML. */
export class XmlReader {
  private readonly part: string;
  private readonly root: string;
  private readonly handlers: XmlHandlers;
  /** Text that is not parsed yet. `held` is a carriage return at its end, which may be half of a line end. */
  private rest = '';
  private held = '';
  /** The open elements, as they are written. */
  private readonly stack: string[] = [];
  /** Since the last tag. */
  private text = '';
  /** The prefix of the workbook's elements, with its colon: some programs write `x:row`. Null before the first tag. */
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

  write(piece: string): void {
    if (FORBIDDEN.test(piece)) throw this.malformed('it holds a character that XML does not have');
    const found = this.held + piece;
    this.held = found.endsWith('\r') ? '\r' : '';
    // XML has one line end, whatever its file has.
    this.rest += found.slice(0, found.length - this.held.length).replace(/\r\n?/g, '\n');
    let at = 0;
    TOKEN.lastIndex = 0;
    for (let token = TOKEN.exec(this.rest); token !== null; token = TOKEN.exec(this.rest)) {
      at = TOKEN.lastIndex;
      this.take(token);
      TOKEN.lastIndex = at;
    }
    this.rest = this.rest.slice(at);
    this.refuseBroken();
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

  /** Unparsed text is fine only if its end is still to come: no tag contains the `<` that begins another one. */
  private refuseBroken(): void {
    const start = this.rest.indexOf('<');
    NO_TAG.lastIndex = start;
    if (start < 0 || NO_TAG.test(this.rest)) return;
    if (this.rest[start + 1] === '!') {
      if (this.rest.length - start >= LONGEST_BEGINNING)
        throw this.malformed('it declares a document type, which no workbook does');
    } else if (this.rest.includes('<', start + 1)) {
      throw this.malformed(`${JSON.stringify(this.rest.slice(start, start + 40))} is no tag`);
    }
  }

  private take([, text = '', end, name, attributes = '', empty, raw = '']: RegExpExecArray): void {
    if (text !== '' || raw !== '') this.addText(this.decoded(text) + raw);
    if (name === undefined) return;
    if (end === '/') {
      if (this.stack.at(-1) !== name || attributes + empty !== '')
        throw this.malformed(`</${name.slice(0, 50)}> closes nothing`);
      return this.close(name);
    }
    this.open(name, attributes === '' ? {} : this.attributesIn(attributes, name));
    if (empty === '/') this.close(name);
  }

  private addText(text: string): void {
    if (this.stack.length > 0) this.text += text;
    else if (text.trim() !== '') throw this.malformed('text stands outside of it');
  }

  private attributesIn(text: string, tag: string): Attributes {
    const attributes: Record<string, string> = {};
    ATTRIBUTE.lastIndex = 0;
    for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
      const [, key = '', quoted, other = ''] = found;
      if (Object.hasOwn(attributes, key))
        throw this.malformed(`<${tag.slice(0, 50)}> has ${JSON.stringify(key.slice(0, 50))} twice`);
      attributes[key] = this.decoded(quoted ?? other);
    }
    return attributes;
  }

  private open(name: string, attributes: Attributes): void {
    if (this.stack.length === 0) this.prefix = this.prefixOf(name, attributes);
    if (this.stack.push(name) > DEEPEST_ELEMENT) throw this.malformed('it nests its elements too deep');
    if (this.text.trim() !== '') throw this.malformed(`text is next to <${name.slice(0, 50)}>`);
    this.text = '';
    const own = this.ownName(name);
    if (own !== null) this.handlers.open(own, attributes);
  }

  private close(name: string): void {
    this.stack.pop();
    const { text } = this;
    this.text = '';
    const own = this.ownName(name);
    if (own !== null) this.handlers.close?.(own, text);
  }

  private prefixOf(name: string, attributes: Attributes): string {
    const colon = name.indexOf(':');
    const namespace = attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`];
    if (this.prefix !== null || name.slice(colon + 1) !== this.root || !NAMESPACES.has(namespace))
      throw this.malformed('it is not what belongs there');
    return name.slice(0, colon + 1);
  }

  /** Null for elements of other vocabularies, which are ignored. */
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

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** @param name with its semicolon: `amp;`, `#xe4;` */
function characterOf(name: string): string | null {
  if (!name.endsWith(';')) return null;
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return ENTITIES.get(name.slice(0, -1)) ?? null;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
  const character = String.fromCodePoint(code);
  return FORBIDDEN.test(character) ? null : character;
}

/** Reads a whole part. @param text null if there is no such part. @throws FileFault */
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

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
