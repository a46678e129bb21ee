// @ts-check
/** @import { Socket } from 'node:net' */
/** @import { Fault } from './service.js' */

const CREATED = 'HTTP/1.1 201 Created\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';
const DRIBBLE_BYTES = 36_000;
const DRIBBLE_MS = 100;

/** Writes the last bytes and ends the connection, also when the client leaves its side open.
 * @param {Socket} socket @param {string} bytes */
function endWith(socket, bytes) {
  socket.end(bytes, () => socket.destroy());
}

/** Writes pieces as fast as the client reads them, until the connection is gone.
 * @param {Socket} socket @param {string} start @param {() => string} piece */
function pour(socket, start, piece) {
  socket.write(start);
  const more = () => {
    while (!socket.destroyed) if (!socket.write(piece())) return;
  };
  socket.on('drain', more);
  more();
}

/** The answer's JSON object, reopened for a field that is as long as one likes. @param {string} answer */
function opened(answer) {
  return `${answer.slice(0, -1)}${answer === '{}' ? '' : ','}"padding":"`;
}

/** @param {Socket} socket @param {string} answer */
function dribble(socket, answer) {
  // Complete with its last byte only.
  const body = Buffer.from(`${opened(answer).padEnd(DRIBBLE_BYTES - 2, '.')}"}`);
  socket.write(`${CREATED}${JSON_TYPE}content-length: ${body.length}\r\n\r\n`);
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent === body.length) clearInterval(timer);
  }, DRIBBLE_MS);
  socket.once('close', () => clearInterval(timer));
}

/** @param {Socket} socket @param {string} answer */
function truncate(socket, answer) {
  const body = Buffer.from(answer);
  const half = answer.slice(0, Math.floor(answer.length / 2));
  endWith(socket, `${CREATED}${JSON_TYPE}content-length: ${body.length}\r\n\r\n${half}`);
}

/** @param {Socket} socket @param {string} answer */
function huge(socket, answer) {
  const chunk = (/** @type {string} */ text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const piece = chunk('.'.repeat(65_536));
  pour(socket, `${CREATED}${JSON_TYPE}${CHUNKED}${chunk(opened(answer))}`, () => piece);
}

/** @param {Socket} socket */
function endlessHeaders(socket) {
  let line = 0;
  pour(socket, CREATED, () => `x-filler-${++line}: ${'.'.repeat(1_000)}\r\n`);
}

/** @param {Socket} socket */
function reset(socket) {
  // A TLS socket cannot be reset, only the TCP socket below it, and Node gives that no public name.
  const { _parent: below } = /** @type {{ _parent?: Socket }} */ (/** @type {unknown} */ (socket));
  (below ?? socket).resetAndDestroy();
  socket.destroy();
}

/** Each writes to the raw socket: Node's response object would mend or refuse what is wrong here.
 * @type {Record<Fault, (socket: Socket, answer: string) => void>} */
export const faults = {
  'reset-before': reset,
  'reset-after': reset,
  truncate,
  hang: () => {},
  dribble,
  garbage: (socket) => endWith(socket, '\u0000\u0001 this is no HTTP \u0002\r\n\r\n'),
  'bad-chunk': (socket) => endWith(socket, `${CREATED}${JSON_TYPE}${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`),
  huge,
  'endless-headers': endlessHeaders,
};

/** Whether the service has acted when this fault shows, unless the test says otherwise. @param {Fault} fault */
export function executesByDefault(fault) {
  return fault !== 'reset-before' && fault !== 'hang';
}
