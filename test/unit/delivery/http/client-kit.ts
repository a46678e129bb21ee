import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, openClient } from '../../../../src/delivery/http/client.js';

/** A client that is closed when the test is over. */
export async function testClient(baseUrl: string, over: Partial<ClientOptions> = {}): Promise<Client> {
  const client = await openClient({
    baseUrl,
    headers: {},
    timeoutMs: 30_000,
    connections: 4,
    tls: {},
    proxy: null,
    monotonic: () => performance.now(),
    sent: () => undefined,
    ...over,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A server of bare connections; gives its port. */
export async function rawServer(serve: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers every request on a connection with the same pieces of bytes, each written when the one before has gone. */
export function answering(...pieces: readonly (string | Buffer)[]): (socket: Socket) => void {
  return (socket) => {
    socket.on('data', () => {
      const write = (next: number): void => {
        const piece = pieces[next];
        if (piece !== undefined) socket.write(piece, () => setImmediate(() => write(next + 1)));
      };
      write(0);
    });
  };
}
