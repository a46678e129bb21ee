/** Finds the delimiter of a CSV file by its header, and checks it against the first rows. */

/** Commas stand in names and numbers too, so they come last where nothing else decides. */
const DELIMITERS = [';', '\t', '|', ','];

/** How much of the file is looked at, in UTF-16 units. */
const SAMPLE = 64 * 1024;
const SAMPLED_ROWS = 100;

/**
 * The delimiter that cuts the first line with content into the most columns, and the rows below it into as many. Where
 * none does both, the one with the most columns is taken, and the ragged rows are reported. Quoted text does not count.
 * With no delimiter at all, the file has one column.
 * @param text from the header on
 */
export function detectDelimiter(text: string): string | null {
  const start = text.replace(/^(?:[\s]*[\r\n])+/, '');
  const unquoted = headerText(start).replace(/"(?:[^"]|"")*"/g, '');
  const found = DELIMITERS.map((delimiter) => ({ delimiter, columns: unquoted.split(delimiter).length }))
    .filter(({ columns }) => columns > 1)
    .sort((a, b) => b.columns - a.columns);
  if (found.length < 2) return found[0]?.delimiter ?? null;
  const sample = start.slice(0, SAMPLE);
  const agreeing = found.find(({ delimiter }) => rowsAgree(sample, delimiter));
  return (agreeing ?? found[0])?.delimiter ?? null;
}

/** The first record's text: up to the first line end outside quotes. */
export function headerText(text: string): string {
  return /^(?:[^"\r\n]|"(?:[^"]|"")*"|")*/.exec(text)?.[0] ?? '';
}

/** Whether all rows with content have as many cells as the first. */
function rowsAgree(text: string, delimiter: string): boolean {
  let width: number | null = null;
  for (const cells of rowWidths(text, delimiter)) {
    width ??= cells;
    if (cells !== width) return false;
  }
  return true;
}

/** How many cells each row with content has, or 0 where quotes are wrong. A last row that is cut off is left out. */
function* rowWidths(text: string, delimiter: string): Iterable<number> {
  const end = delimiter === '|' ? '\\|' : delimiter;
  const cell = new RegExp(`(?:"(?:[^"]|"")*"|(?!")[^${delimiter}\\r\\n]*)(${end}|\\r\\n|\\n|\\r|$)`, 'y');
  let cells = 0;
  let blank = true;
  for (let rows = 0; rows < SAMPLED_ROWS && cell.lastIndex < text.length;) {
    const start = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) {
      if (!isOpenQuote(text.slice(start))) yield 0;
      return;
    }
    cells++;
    if (match[0].length > (match[1]?.length ?? 0)) blank = false;
    if (match[1] === delimiter) continue;
    if (!blank && (match[1] !== '' || text.length < SAMPLE)) yield cells;
    rows++;
    cells = 0;
    blank = true;
  }
}

function isOpenQuote(rest: string): boolean {
  return /^"(?:[^"]|"")*$/.test(rest);
}
