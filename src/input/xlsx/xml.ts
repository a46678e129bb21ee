/** XML of a workbook's parts, as it comes: only elements of the workbook's own vocabulary are told. */
import { parser, type Tag } from 'sax';
import { FileFault } from '../raw.js';
import { damaged } from './package.js';

export type Attributes = Readonly<Record<string, string | undefined>>;

export interface XmlHandlers {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  /** Text within elements, in pieces. */
  readonly text?: (text: string) => void;
}

export interface XmlReader {
  readonly write: (text: string) => void;
  /** To be called after the last text. */
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

/**
 * Document types are refused, so no entity stands for more than a character. The parser itself bounds tags and
 * attributes to 64 KB.
 * @param part for messages
 * @param root the name of the outermost element
 * @throws FileFault from the functions that it gives
 */
export function xmlReader(part: string, root: string, handlers: XmlHandlers): XmlReader {
  const options = { position: false, strictEntities: true };
  const sax = parser(true, options);
  let prefix: string | null = null;
  let depth = 0;
  /** Null for elements of other vocabularies, which are passed over. */
  const ownName = (name: string): string | null => {
    if (prefix === '') return name.includes(':') ? null : name;
    return name.startsWith(prefix as string) ? name.slice((prefix as string).length) : null;
  };
  sax.onerror = (cause) => {
    throw damaged(`${part}: ${cause.message.split('\n')[0]}`);
  };
  sax.ondoctype = () => {
    throw damaged(`${part} declares a document type, which no workbook does`);
  };
  sax.onopentag = (tag) => {
    if (depth === 0) prefix = prefixOf(part, root, tag as Tag, prefix === null);
    if (++depth > DEEPEST) throw damaged(`${part} nests its elements too deep`);
    const name = ownName(tag.name);
    if (name !== null) handlers.open(name, tag.attributes as Attributes);
  };
  sax.onclosetag = (tag) => {
    depth--;
    const name = ownName(tag);
    if (name !== null) handlers.close?.(name);
  };
  if (handlers.text !== undefined) {
    sax.ontext = handlers.text;
    sax.oncdata = handlers.text;
  }
  const told = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      throw cause instanceof FileFault ? cause : damaged(`${part}: ${(cause as Error).message}`);
    }
  };
  let isReturned = false;
  /** XML has one line end, whatever its file has. */
  const withOneLineEnd = (text: string): string => {
    const rest = isReturned && text.startsWith('\n') ? text.slice(1) : text;
    isReturned = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
  return {
    write: (text) => told(() => void sax.write(withOneLineEnd(text))),
    end: () => told(() => void sax.close()),
  };
}

/** The prefix of the workbook's own elements, with its colon: some programs write `x:row`. */
function prefixOf(part: string, root: string, { name, attributes }: Tag, isFirst: boolean): string {
  const colon = name.indexOf(':');
  const namespace = attributes[colon < 0 ? 'xmlns' : `xmlns:${name.slice(0, colon)}`];
  if (!isFirst || name.slice(colon + 1) !== root || !NAMESPACES.has(namespace))
    throw damaged(`${part} is not what belongs there`);
  return name.slice(0, colon + 1);
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
