/** The documents as tests read them: fenced blocks, headings, links, tables. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** README, CONTRIBUTING and so on, and everything below docs/. */
export const PAGES: readonly string[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].toSorted();

/** Pages that people wrote: those of the reference come from the code. */
export const WRITTEN_PAGES: readonly string[] = PAGES.filter((page) => !page.startsWith('docs/reference/'));

/** A fenced block: its words after the fence, what it says, and the line on which it starts. */
export interface Block {
  readonly info: readonly string[];
  readonly text: string;
  readonly line: number;
}

/** Fenced blocks, and comments that begin with `<!-- sh`: what a reader does by hand. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^(?:```(\S.*)\n([\s\S]*?)^```|<!-- (sh.*)\n([\s\S]*?)^-->)$/gm)].map((match) => ({
    info: (match[1] ?? match[3] ?? '').split(' '),
    text: match[2] ?? match[4] ?? '',
    line: markdown.slice(0, match.index).split('\n').length,
  }));
}

export interface Step {
  readonly script: Block;
  readonly exitCode: number;
  /** What the reader is shown of its output, or null. */
  readonly picture: Block | null;
}

/** Shell blocks but those marked `no-run`, each with the text block that follows it. */
export function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap((script, i) => {
    if (script.info[0] !== 'sh' || script.info.includes('no-run')) return [];
    const next = blocks[i + 1];
    const follows = next?.info.join(' ') === 'text' && next.line === script.line + script.text.split('\n').length + 1;
    const exit = script.info.find((word) => word.startsWith('exit='))?.slice('exit='.length);
    return [{ script, exitCode: Number(exit ?? 0), picture: follows ? next : null }];
  });
}

/** Names of runs differ from call to call. */
const masked = (line: string): string => line.trimEnd().replace(/\b\d{8}-[0-9a-f]{6}\b/g, 'RUN');

/** The first line of the picture that the output does not have, in order; null when it has all. `…` stands for any lines. */
export function missingLine(picture: string, output: string): string | null {
  const lines = output.split('\n').map(masked);
  let from = 0;
  for (const wanted of picture.split('\n').map(masked)) {
    if (wanted === '' || wanted === '…') continue;
    const at = lines.indexOf(wanted, from);
    if (at < 0) return wanted;
    from = at + 1;
  }
  return null;
}

/** Fenced blocks are no prose: a `#` in a script is no heading. */
export const proseOf = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '');

/** Headings as links name them, by the rules of GitHub. */
function headingsOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Links of a page to files and headings that are not there. */
export function deadLinks(page: string): string[] {
  const links = [...proseOf(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', heading] = link.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(ROOT, path))) return true;
    return heading !== undefined && !headingsOf(readPage(path)).includes(heading);
  });
}

/** Rows of the first table after a heading: their cells, as text. */
export function tableBelow(markdown: string, heading: string): string[][] {
  const section = markdown.slice(markdown.indexOf(`\n${heading}\n`) + 1);
  const table = /^\|.*\n\|[-|: ]+\n((?:\|.*\n)+)/m.exec(section)?.[1] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Words in code type: `user_id`. */
export const named = (text: string): Set<string> =>
  new Set([...text.matchAll(/`([a-z][a-z0-9_-]*)`/g)].map(([, word]) => word as string));

export const flagsIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])--[a-z][a-z-]*[a-z]/g));
