/** Cells of CSV text that is only looked at: a header, and the rows that show how a file is laid out. */

/** The first record's text: up to the first line end outside quotes. */
export function headerText(text: string): string {
  return /^(?:[^"\r\n]|"(?:[^"]|"")*"|")*/.exec(text)?.[0] ?? '';
}

/** The cells of one line; null if its quotes are wrong. */
export function cutHeader(text: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}]*))(\\${delimiter}|$)`, 'y');
  for (;;) {
    const found = cell.exec(text);
    if (found === null) return null;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '') return cells;
  }
}

/** Only empty cells; or a line of spaces. */
export function isBlankRow(cells: readonly string[]): boolean {
  if (cells.length === 1) return (cells[0] ?? '').trim() === '';
  return cells.every((cell) => cell === '');
}

/** Characters that draw a frame: dashes, corners, and lines between columns. */
const FRAME = '\\-–—―−=_+|:\u2500-\u257f';
const FRAME_CELL = new RegExp(`^[\\s${FRAME}]*$`);
const FRAME_START = new RegExp(`[\\s${FRAME}]`);
/** Without one of these, a row is content. */
const LINE = /[-–—―−\u2500-\u257f]|={3}|_{3}/;

/** A row of nothing but dashes, or that draws a line between rows, as SAP and databases print it: nobody is in it. */
export function isFrame(cells: readonly string[]): boolean {
  // Asked of every row: most begin with a letter or a digit.
  for (const cell of cells) {
    if (cell === '') continue;
    const first = cell.charCodeAt(0);
    if (isAsciiLetterOrDigit(first) || !FRAME_START.test(cell.charAt(0))) return false;
    return cells.every((each) => FRAME_CELL.test(each)) && cells.some((each) => LINE.test(each));
  }
  return false;
}

function isAsciiLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}

/** Whether a row differs from its header only by empty cells at its end, which the row has or lacks. */
export function isOnlyPadding(cells: readonly string[], expected: number): boolean {
  for (let index = expected; index < cells.length; index++) if (cells[index] !== '') return false;
  return true;
}
