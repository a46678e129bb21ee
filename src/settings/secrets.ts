/** Values that must never be seen: tokens, header values, proxy passwords. */

/** Shorter texts are words of their own ("1", "yes"): hiding them would garble everything else. */
const SHORTEST = 4;
export const HIDDEN = '[hidden]';

export interface Secrets {
  /** The text without any secret, also where an answer or a message repeats one in JSON, URL, HTML or Base64 writing. */
  hide(text: string): string;
  /** The same for JSON, which stays JSON: only strings and numbers are touched. */
  hideInJson(json: string): string;
}

/** @param values secrets as they are; those that are too short to be told apart from words are left out */
export function secretsOf(values: readonly string[]): Secrets {
  const writings = values.filter((value) => value.length >= SHORTEST).flatMap(writingsOf);
  // Longest first: a secret that contains another must not leave its own rest behind.
  const hidden = [...new Set(writings)].sort((a, b) => b.length - a.length);
  const hidePlain = (text: string): string => {
    let clean = text;
    for (const writing of hidden) {
      if (clean.includes(writing)) clean = clean.split(writing).join(HIDDEN);
    }
    return clean;
  };
  const hideToken = (token: string): string => {
    if (!token.startsWith('"')) return hidePlain(token) === token ? token : JSON.stringify(HIDDEN);
    const value = stringIn(token);
    const clean = value === null ? token : hidePlain(value);
    return value === null || clean === value ? token : JSON.stringify(clean);
  };
  return {
    hide: (text) => {
      const clean = hidePlain(text);
      if (hidden.length === 0 || !clean.includes('\\')) return clean;
      // JSON may write any character as an escape, wherever it is quoted, and a person would read it without.
      const read = clean.replace(ESCAPE, (_all, code: string | undefined, sign: string) =>
        code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
      );
      const readClean = hidePlain(read);
      return readClean === read ? clean : readClean;
    },
    hideInJson: (json) =>
      hidden.length > 0 && (json.includes('\\') || hidePlain(json) !== json)
        ? json.replace(JSON_TOKEN, hideToken)
        : json,
  };
}

const ESCAPE = /\\(?:u([\da-f]{4})|(.))/gis;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

function stringIn(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}

/** The ways in which an answer may repeat a secret. */
function writingsOf(value: string): string[] {
  return [value, ...base64Of(value)].flatMap(textWritingsOf);
}

/** Of the text, and of the bytes that a header carries, with padding and without. */
function base64Of(value: string): string[] {
  const bytes = [Buffer.from(value, 'utf8'), Buffer.from(value, 'latin1')];
  const padded = bytes.map((each) => each.toString('base64'));
  const inUrl = padded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...padded, ...inUrl].flatMap((text) => [text, text.replace(/=+$/, '')]);
}

function textWritingsOf(value: string): string[] {
  const inUrl = [encodeURIComponent(value), encodeURI(value)];
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    ...inUrl,
    ...inUrl.map((url) => url.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())),
    ...inUrl.map((url) => url.replaceAll('%20', '+')),
    value.replace(/[&<>"']/g, (character) => HTML.get(character) ?? character),
  ];
}

const HTML: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** A URL without what stands before the last @, where user name and password would be. */
export function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/is, `$1${HIDDEN}@`);
}
