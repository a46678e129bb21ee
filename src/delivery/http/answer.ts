/** What is kept of an answer: its words for people, its text, its id. */
import { JsonSyntaxError, parseJson } from '../../input/json-text.js';
import { type AttemptResult, objectIn } from './attempt.js';

/** An answer is shown with at most this many characters. */
const LONGEST_WORDS = 300;

/**
 * What an answer says, for people.
 * @param hide called before anything is cut or put together: half a secret would not be recognised
 */
export function answerWords(
  { status, body, location }: AttemptResult & { kind: 'answer' },
  hide: (text: string) => string,
): string {
  if (body === null) return `HTTP ${status} with an answer longer than is read`;
  // The body of a redirect is meant for browsers.
  if (location !== undefined) return `HTTP ${status} to ${shortened(hide(location))}`;
  const object = objectIn(body);
  const said = object === null ? body : (textIn(object['error']) ?? textIn(object['message']) ?? body);
  const words = hide(said).replace(/\s+/g, ' ').trim();
  return words === '' ? `HTTP ${status} with an empty answer` : `HTTP ${status}: ${shortened(words)}`;
}

function shortened(words: string): string {
  return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words;
}

/** A text, or the `message` of an object. It looks no deeper: an answer must not be walked without end. */
function textIn(value: unknown): string | null {
  const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['message'] : value;
  return typeof said === 'string' && said !== '' ? said : null;
}

/** An answer nested deeper than this is not kept: the service documents no such object, and printing it must end. */
const DEEPEST_ANSWER = 100;

/** The answer as one line of JSON, or null when it is no object or cannot be kept. */
export function keptAnswer(body: string | null): string | null {
  if (body === null || objectIn(body) === null) return null;
  if (body.length > 2 * DEEPEST_ANSWER && depthOf(body) > DEEPEST_ANSWER) return null;
  // Line ends stand between tokens only. Printing the parsed value instead would round its numbers.
  return body.replace(/[\r\n]+\s*/g, ' ').trim();
}

/** How deep brackets nest, strings aside. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return deepest;
}

/** The answer's `id`, if it has one that is a text or a number; a number with the digits that the service sent. */
export function idIn(response: string | null): string | null {
  if (response === null) return null;
  const { id } = JSON.parse(response) as { id?: unknown };
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? typedNumber(response, 'id', id) : null;
}

function typedNumber(json: string, path: string, value: number): string {
  try {
    const typed = parseJson(json).typed?.get(path);
    // When a member is given twice, the last one counts.
    if (typed !== undefined && Number(typed) === value) return typed;
  } catch (cause) {
    // The answer is nested deeper than `parseJson` reads.
    if (!(cause instanceof JsonSyntaxError)) throw cause;
  }
  return String(value);
}
