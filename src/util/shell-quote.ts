/** Commands that are shown to a person for pasting. */

/**
 * Quotes a word for the system's shells. At the start of a word, `#` begins a comment, and in zsh `=` a command. On
 * Windows the result suits cmd and PowerShell, unless the word has a `%` or a `$`.
 */
export function shellQuote(word: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return /^(?![#=])[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  if (/^[\w+=:./\\-]+$/.test(word)) return word;
  // A single backslash before a quote would escape the quote.
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

/** The rest of a command: words with a space before them, or nothing. */
export function quotedFlags(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => ` ${shellQuote(word, platform)}`).join('');
}

export function shellCommand(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => shellQuote(word, platform)).join(' ');
}

/** Shown commands have no values of headers, which may be secrets. Empty without one. @param names of its `--header`s */
export function headerHint(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`Before you run it, put the value of each --header back: ${names.join(', ')}`];
}
