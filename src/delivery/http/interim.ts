/** Interim answers: a service may send any number of them before its answer. */
import type { Socket } from 'node:net';

/** The start of the status line of `100 Continue`, up to the last digit of 100. */
const CONTINUE = 'HTTP/1.1 10';
const INTERIM_AT = CONTINUE.length - 2;

/**
 * Makes undici pass over `100 Continue`, like every other interim answer (RFC 9110, 15.2: a client must be able to take
 * one that it did not ask for). undici takes it for a fault and breaks the connection, which would put the record in
 * doubt. So undici gets `102 Processing` instead, which says as little and which it passes over. One digit is
 * exchanged, in status lines only, from the first byte after a request was written to the status line of the final
 * answer.
 */
export function passOverContinue(socket: Socket): void {
  let scan: Scan | null = startScan();
  const read = socket.read.bind(socket) as (size?: number) => unknown;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]): boolean => {
    // A request is written only when the answer to the one before has been read: pipelining is off.
    scan = startScan();
    return write(...args);
  };
  socket.read = (size) => {
    const chunk = read(size);
    if (scan !== null && Buffer.isBuffer(chunk) && scan(chunk)) scan = null;
    return chunk;
  };
}

/** Looks at the next bytes, and changes them where they are a `100`. True when no further interim answer can come. */
type Scan = (bytes: Buffer) => boolean;

function startScan(): Scan {
  /** Bytes of the status line that have been seen. */
  let seen = 0;
  let isContinue = true;
  let within = false;
  /** Line feeds in a row: two of them end a head. */
  let ends = 0;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      const character = String.fromCharCode(bytes[i] as number);
      if (within) {
        if (character === '\n') ends++;
        else if (character !== '\r') ends = 0;
        if (ends < 2) continue;
        [seen, isContinue, within, ends] = [0, true, false, 0];
        continue;
      }
      // Line ends before a status line are skipped.
      if (seen === 0 && (character === '\r' || character === '\n')) continue;
      if (seen < CONTINUE.length) {
        if (character !== CONTINUE[seen]) isContinue = false;
        if (seen === INTERIM_AT && !(isContinue && character === '1')) return true;
      } else {
        if (isContinue && character === '0') bytes[i] = '2'.charCodeAt(0);
        within = true;
      }
      seen++;
    }
    return false;
  };
}
