import type { Socket } from 'node:net';
import { pour } from './raw-server.js';

/**
 * What goes wrong on the wire:
 * - `reset-before`, `reset-after`: the TCP connection is reset, before or after the record was carried out
 * - `truncate`: half of the announced body, then the connection ends
 * - `hang`: no byte, ever
 * - `dribble`: status and headers at once, then one byte of a valid body every 100 milliseconds, for an hour
 * - `garbage`: bytes that are no HTTP, then the connection ends
 * - `bad-chunk`: a 201 whose chunk size is no number
 * - `huge`: a 201 whose JSON body never ends
 * - `endless-headers`: a 201 whose headers never end
 */
export type Fault =
  | 'reset-before'
  | 'reset-after'
  | 'truncate'
  | 'hang'
  | 'dribble'
  | 'garbage'
  | 'bad-chunk'
  | 'huge'
  | 'endless-headers';

const CREATED = 'HTTP/1.1 201 Created\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';
const DRIBBLE_BYTES = 36_000;
const DRIBBLE_MS = 100;

/** Writes the last bytes and ends the connection, also when the client leaves its side open. */
function endWith(socket: Socket, bytes: string): void {
  socket.end(bytes, () => socket.destroy());
}

/** The answer's JSON object, reopened for a field that is as long as one likes. */
function opened(answer: string): string {
  return `${answer.slice(0, -1)}${answer === '{}' ? '' : ','}"padding":"`;
}

function dribble(socket: Socket, answer: string): void {
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

function truncate(socket: Socket, answer: string): void {
  const half = answer.slice(0, Math.floor(answer.length / 2));
  endWith(socket, `${CREATED}${JSON_TYPE}content-length: ${Buffer.byteLength(answer)}\r\n\r\n${half}`);
}

function huge(socket: Socket, answer: string): void {
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  pour(socket, `${CREATED}${JSON_TYPE}${CHUNKED}${chunk(opened(answer))}`, chunk('.'.repeat(65_536)));
}

function reset(socket: Socket): void {
  // A TLS socket cannot be reset, only the TCP socket below it, and Node gives that no public name.
  const { _parent: below } = socket as Socket & { _parent?: Socket };
  (below ?? socket).resetAndDestroy();
  socket.destroy();
}

/** Each writes to the raw socket: Node's response object would mend or refuse what is wrong here. */
export const faults: Readonly<Record<Fault, (socket: Socket, answer: string) => void>> = {
  'reset-before': reset,
  'reset-after': reset,
  truncate,
  hang: () => {},
  dribble,
  garbage: (socket) => endWith(socket, '\u0000\u0001 this is no HTTP \u0002\r\n\r\n'),
  'bad-chunk': (socket) => endWith(socket, `${CREATED}${JSON_TYPE}${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`),
  huge,
  'endless-headers': (socket) => pour(socket, CREATED, `x-filler: ${'.'.repeat(1_000)}\r\n`),
};

/** Whether the service has acted when this fault shows, unless the test says otherwise. */
export function executesByDefault(fault: Fault): boolean {
  return fault !== 'reset-before' && fault !== 'hang';
}
