/** Reads answers: the stored text, the message for people, and the id. PURE. */
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { JsonSyntaxError, parseJson } from '../../input/json-parser.js';
import { isEmpty, isRedirect, valueAtPath } from './attempt.js';
import { confirms, isEmptyObject, type JudgedAnswer, type MissingProof } from './judgement.js';

/** The most characters of an answer that are shown. */
const LONGEST_WORDS = 300;

/**
 * The message of an answer, for people; of a 2xx that does not confirm, also why.
 * @param hide called before anything is cut or joined: half a secret would not be recognised
 */
export function describeResponse(answer: JudgedAnswer, hide: (text: string) => string): string {
  const { status, body, location, object, shortfall } = answer;
  const head = `HTTP ${status}`;
  // The body of a redirect is meant for browsers.
  if (isRedirect(status) && location !== undefined) return `${head} to ${shortened(hide(location))}`;
  if (shortfall?.lacks === 'field') {
    const name = JSON.stringify(shortfall.path);
    const values = shortfall.values?.map((value) => JSON.stringify(value)).join(' or ');
    const missing = values === undefined ? `the field ${name}` : `${values} in the field ${name}`;
    return `${head} without ${missing} that response.require asks for`;
  }
  if (body === null) return `${head} with an answer longer than is read`;
  const words = hide(object === null ? body : saidIn(object, body))
    .replace(/\s+/g, ' ')
    .trim();
  let why = '';
  if (shortfall?.lacks === 'same') why = `, and the answer has another ${shortfall.field} than was sent`;
  else if (shortfall !== null) why = MISSING_PROOF[shortfall.lacks];
  if (words === '') return `${head} with an empty answer${why}`;
  return `${head}${why}: ${shortened(words)}`;
}

const MISSING_PROOF: Readonly<Record<MissingProof, string>> = {
  end: '',
  'one-status': ', which can mean several outcomes',
  creation: ', which accepts a record without creating it yet',
  body: ', which confirms only where response.empty says so',
  object: ', and the answer is not a complete JSON object',
  success: ', and the answer says that it failed',
  record: ', and the answer has neither an id nor a field of this record',
};

/** The message in an answer: its error or message if it has one, else all of it. */
function saidIn(object: Readonly<Record<string, unknown>>, body: string): string {
  return messageIn(object['error']) ?? messageIn(object['message']) ?? body;
}

function shortened(words: string): string {
  return words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words;
}

/** A text, or the `message` of an object. It looks no deeper: walking an answer must come to an end. */
function messageIn(value: unknown): string | null {
  const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['message'] : value;
  return typeof said === 'string' && said !== '' ? said : null;
}

/** An answer nested deeper than this is not kept: the service documents no such object, and printing it must end. */
const DEEPEST_ANSWER = 100;

/**
 * The answer as one line of JSON, or null when it is not an object or cannot be kept. If an empty answer confirmed, the
 * id in its `Location` is kept as `{"id":"…"}`, as when a person settles a record.
 */
export function storableResponse(answer: JudgedAnswer): string | null {
  const { body, location, object } = answer;
  if (body === null) return null;
  if (isEmpty(body) || (object !== null && isEmptyObject(object))) {
    const id = confirms(answer) ? idInLocation(location ?? '') : null;
    if (id !== null) return JSON.stringify({ id });
  }
  if (object === null || isDeeper(object, DEEPEST_ANSWER)) return null;
  // Line ends are only between tokens. Printing the parsed value instead would round its numbers.
  return body.replace(/[\r\n]+\s*/g, ' ').trim();
}

/** The last segment of the path, decodeBody; null if there is none. The location may be a whole URL. */
function idInLocation(location: string): string | null {
  const path = location.replace(/[?#].*$/s, '').replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '');
  const segment = path.split('/').findLast((each) => each.trim() !== '');
  if (segment === undefined) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not decodable: the id stays as it is.
    return segment;
  }
}

/** Looks no deeper than `levels`, so that looking ends too. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/**
 * The answer's id, if it is a text or a number; a number with the digits that the service sent.
 * @param path where the settings expect it. For a created record, `{"id":"…"}` without other members has the id as `id`
 *   under every path: an id that did not come in a body is kept so
 * @param isCreated false for an answer that confirms nothing: it may have the id of something else there, such as the
 *   request
 */
export function responseId(response: string | null, path: string, isCreated = true): string | null {
  if (response === null) return null;
  const { object, idAt } = readAnswer(response);
  const isKeptAlone = isCreated && Object.keys(object).join() === 'id';
  return idAt(isKeptAlone ? 'id' : path);
}

/** A stored answer. */
export interface StoredAnswer {
  readonly object: Readonly<Record<string, unknown>>;
  /** The id at a dot path, if it is a text or a number; a number with the digits that the service sent. */
  readonly idAt: (path: string) => string | null;
}

export function readAnswer(response: string): StoredAnswer {
  const object = JSON.parse(response) as StoredAnswer['object'];
  let typed: ReadonlyMap<string, string> | null = null;
  const idAt = (path: string): string | null => {
    const id = valueAtPath(object, path);
    if (typeof id === 'string') return id;
    if (typeof id !== 'number') return null;
    typed ??= typedNumbers(response);
    const digits = typed.get(path);
    // If a member occurs twice, the last one counts.
    return digits !== undefined && Number(digits) === id ? digits : String(id);
  };
  return { object, idAt };
}

/** The numbers that print in another way than the service has written them, by path. */
function typedNumbers(json: string): ReadonlyMap<string, string> {
  try {
    return parseJson(json).typed ?? new Map<string, string>();
  } catch (cause) {
    // The answer is nested deeper than `parseJson` reads.
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    return new Map();
  }
}

type Decode = (bytes: Buffer, options: ZlibOptions) => Buffer;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some services leave out the header that describes the compression (RFC 9110, 8.4.1.2).
  deflate: (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, options),
  br: (bytes, { maxOutputLength }) =>
    brotliDecompressSync(bytes, maxOutputLength === undefined ? {} : { maxOutputLength }),
  identity: (bytes) => bytes,
};

/** The first bytes of compressed data may be UTF-8 by chance, but hardly without control characters. */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !/[\0-\x08\x0e-\x1f]/.test(bytes.toString('latin1'));
}

/**
 * Reads an answer that comes compressed although the request forbids it: otherwise a confirmation would be lost. Bytes
 * with a wrong or unknown encoding stay as they came if they are text.
 * @param encoding names, in the order in which they were applied
 * @param limit the most bytes that are read
 * @returns null for more than that; `cut` for bytes that end too early or are damaged
 */
export function decodeBody(body: Buffer, encoding: string, limit: number): Buffer | 'cut' | null {
  const decoders = encoding.split(',').map((name) => DECODERS[name.trim().toLowerCase()]);
  let bytes = body;
  for (const decode of decoders.toReversed()) {
    if (decode === undefined) return body;
    try {
      bytes = decode(bytes, { maxOutputLength: limit });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
      return isText(body) ? body : 'cut';
    }
  }
  return bytes;
}
