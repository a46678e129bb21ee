import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A server of bare connections, for answers that no HTTP library would send. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** How many connections were made to it. */
  readonly connections: () => number;
}

/**
 * Serves until the test that called this is over; with `tls`, over TLS.
 * @param serve called for every connection
 */
export async function rawServer(serve: (socket: Socket) => void, tls?: TlsOptions): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const served = (socket: Socket): void => {
    hold(socket);
    serve(socket);
  };
  const server: Server = tls === undefined ? createServer(served) : createTlsServer(tls, served);
  server.on('connection', (socket: Socket) => {
    count++;
    if (tls !== undefined) hold(socket);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, port, connections: () => count };
}

/** Calls `answer` for each whole request on a connection, with its body and its number on the connection, from 1. */
export function eachRequest(socket: Socket, answer: (body: string, number: number) => void): void {
  let received = '';
  let number = 0;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, end))?.[1] ?? 0);
      if (end < 0 || received.length < end + 4 + length) return;
      const body = received.slice(end + 4, end + 4 + length);
      received = received.slice(end + 4 + length);
      answer(body, ++number);
    }
  });
}

/** An answer as bytes, with its length. */
export function whole(status: string, body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${headers}content-length: ${bytes.length}\r\n\r\n`), bytes]);
}

/** Writes as fast as the other side reads, for as long as it does. */
export function pour(socket: Socket, start: string, piece: string): void {
  // Large pieces, since each write takes time in which the test itself cannot run.
  const much = piece.repeat(Math.ceil(65_536 / piece.length));
  socket.write(start);
  const more = (): void => {
    while (!socket.destroyed) if (!socket.write(much)) return;
  };
  socket.on('drain', more);
  more();
}

/** Writes one byte now and then, without end. */
export function dribble(socket: Socket, start: string, piece: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), 20);
  socket.once('close', () => clearInterval(timer));
}
