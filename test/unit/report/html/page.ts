/** Reading an HTML page back, as far as the report's pages go: every element is closed, or is empty by its nature. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const EMPTY = new Set(['meta', 'br']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** @throws when an element is closed that is not open, or is left open, or a character is not escaped */
export function parsePage(html: string): Element {
  const root: Element = { name: 'root', attributes: {}, children: [] };
  const open: Element[] = [root];
  const body = html.replace(/^<!doctype html>\n/, '').replace(/<style>[^<]*<\/style>/, '');
  for (const [token, close, name = '', attributes = ''] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+="[^"<>]*")*)>|[^<]+|</g,
  )) {
    const parent = open.at(-1) as Element;
    if (name === '') parent.children.push(unescaped(token));
    else if (close === '/') {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else {
      const element = { name, attributes: attributesIn(attributes), children: [] };
      parent.children.push(element);
      if (!EMPTY.has(name)) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is left open`);
  return root;
}

function attributesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

function unescaped(text: string): string {
  if (text.startsWith('<')) throw new Error('a "<" that begins no element');
  return text.replace(/&([#\w]*);?/g, (found, name: string) => {
    const char = ENTITIES[name];
    if (char === undefined) throw new Error(`not an entity: ${found}`);
    return char;
  });
}

export function all(element: Element, name: string): Element[] {
  const inner = element.children.filter((child) => typeof child !== 'string');
  return inner.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

/** The text that a reader sees, spaces joined. */
export function textOf(element: Element): string {
  const texts = element.children.map((child) => {
    if (typeof child === 'string') return child;
    return child.name === 'br' ? ' ' : textOf(child);
  });
  return texts.join('').replace(/\s+/g, ' ').trim();
}

/** The cells of the table whose caption begins so, header row first. */
export function table(page: Element, caption: string): string[][] {
  const found = all(page, 'table').find((each) => textOf(all(each, 'caption')[0] as Element).startsWith(caption));
  if (found === undefined) throw new Error(`no table ${caption}`);
  return all(found, 'tr').map((row) => row.children.filter((cell) => typeof cell !== 'string').map(textOf));
}
