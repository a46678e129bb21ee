/** Commands that a person is shown, to be pasted. */

/** A word as the system's shells take it (a `#` begins a comment, in zsh a `=` a command); on Windows both of them, but for `%` and `$` in it. */
export function shellWord(word: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return /^(?![#=])[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  // A backslash before a quote would take its meaning away.
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

/** How `batch settle` has a record named: its line is another number. @param files how many its run has */
export function settleWords(
  { record, file }: { readonly record: number; readonly file: string },
  files: number,
  platform: NodeJS.Platform,
): string {
  return `--record ${record}${files > 1 ? ` --file ${shellWord(file, platform)}` : ''}`;
}
