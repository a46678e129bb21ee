/** Values that must never be seen: tokens, header values, proxy passwords. */

/** Shorter texts may be ordinary words ("1", "yes"): hiding them would garble everything else. */
const SHORTEST = 4;
/** A shorter header value may be part of a name or number ("prod", "2026"): it is hidden only as a separate word. */
const LONG = 8;
export const REDACTED = '[hidden]';

export interface Redactor {
  /** The text without any secret, also if one is escaped or encoded for JSON, a URL or HTML, or in Base64. */
  redact(text: string): string;
  /** The same for JSON, which stays JSON: only strings and numbers are changed. */
  hideInJson(json: string): string;
}

/**
 * Texts so short that they may be ordinary words are not hidden.
 * @param credentials hidden wherever they occur
 * @param values of other headers; a short one is not hidden within a longer word, such as an id from the service
 */
export function createRedactor(credentials: readonly string[], values: readonly string[] = []): Redactor {
  const anywhere = [
    ...credentials.filter((text) => text.length >= SHORTEST),
    ...values.filter((text) => text.length >= LONG),
  ];
  const hidden = longestFirst(anywhere);
  const short = values.filter((text) => text.length >= SHORTEST && text.length < LONG);
  const alone = short.length === 0 ? null : standingAlone(longestFirst(short));
  const hidesNothing = hidden.length === 0 && alone === null;
  const hidePlain = (text: string): string => {
    let clean = text;
    for (const writing of hidden) {
      if (clean.includes(writing)) clean = clean.split(writing).join(REDACTED);
    }
    return alone === null ? clean : clean.replace(alone, REDACTED);
  };
  const hideToken = (token: string): string => {
    if (!token.startsWith('"')) return hidePlain(token) === token ? token : JSON.stringify(REDACTED);
    const value = stringIn(token);
    const clean = value === null ? token : hidePlain(value);
    return value === null || clean === value ? token : JSON.stringify(clean);
  };
  return {
    redact: (text) => {
      const clean = hidePlain(text);
      if (hidesNothing || !clean.includes('\\')) return clean;
      // Quoted JSON may write any character as an escape, which a person can decode.
      const read = clean.replace(JSON_ESCAPE, (_all, code: string | undefined, sign: string) =>
        code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
      );
      const readClean = hidePlain(read);
      return readClean === read ? clean : readClean;
    },
    hideInJson: (json) =>
      !hidesNothing && (json.includes('\\') || hidePlain(json) !== json) ? json.replace(JSON_TOKEN, hideToken) : json,
  };
}

/** All written forms of some secrets, longest first: hiding a shorter one could leave the rest of a longer one. */
function longestFirst(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(writingsOf))].sort((a, b) => b.length - a.length);
}

/** Finds the texts where they are not part of a longer word, number, date or file name. */
function standingAlone(texts: readonly string[]): RegExp {
  const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_.-])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_.-])`, 'gu');
}

const JSON_ESCAPE = /\\(?:u([\da-f]{4})|(.))/gis;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

function stringIn(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}

/** The forms in which an answer may repeat a secret. */
function writingsOf(value: string): string[] {
  return [value, ...base64Of(value)].flatMap(textWritingsOf);
}

/** Base64 of the UTF-8 text and of the Latin-1 bytes of a header, with padding and without. */
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

/** A URL whose part before the last @ is hidden, since it may be user name and password. */
export function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/is, `$1${REDACTED}@`);
}

/** Null for a text that is not percent-encoded correctly. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
