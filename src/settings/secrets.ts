/** Values that must never be seen: tokens, header values, proxy passwords. */

/** Shorter texts are words of their own ("1", "yes"): hiding them would garble everything else. */
const SHORTEST = 4;
export const HIDDEN = '[hidden]';

export interface Secrets {
  /** The text without any secret, also where an answer or a message repeats one in JSON or URL writing. */
  hide(text: string): string;
}

export function secretsOf(values: readonly string[]): Secrets {
  const writings = values
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  // Longest first: a secret that contains another must not leave its own rest behind.
  const hidden = [...new Set(writings)].sort((a, b) => b.length - a.length);
  return {
    hide: (text) => {
      let clean = text;
      for (const writing of hidden) {
        if (clean.includes(writing)) clean = clean.split(writing).join(HIDDEN);
      }
      return clean;
    },
  };
}

/** A URL without what stands before the last @, where user name and password would be. */
export function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/is, `$1${HIDDEN}@`);
}
