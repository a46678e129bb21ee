import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';

/**
 * What a proxy does with a tunnel that it is asked for:
 * - `open`: opens it
 * - a number: refuses it with this status
 * - `hang`: never answers
 * - `die`: ends the connection instead of an answer
 * - `cut`: opens it, passes on what the client sends, and ends it when the service answers
 * - `lie`: answers the request in the tunnel itself, with a page
 */
export type ProxyManner = 'open' | number | 'hang' | 'die' | 'cut' | 'lie';

export interface Proxy {
  readonly port: number;
  /** With the user name and password that it asks for. */
  readonly url: string;
  /** `host:port` of each tunnel that was asked for. */
  readonly tunnels: readonly string[];
  /** Addresses of requests that came in the absolute form, for it to pass on. */
  readonly forwarded: readonly string[];
  /** The Proxy-Authorization headers that came. */
  readonly credentials: readonly (string | undefined)[];
  manner(next: ProxyManner): void;
}

/** A proxy for the test that called this. @param user `name:password`, percent-encoded, that it asks for */
export async function testProxy(first: ProxyManner = 'open', user = ''): Promise<Proxy> {
  let now = first;
  const tunnels = [] as string[];
  const forwarded = [] as string[];
  const credentials = [] as (string | undefined)[];
  const sockets = new Set<Duplex>();
  const expected = user === '' ? undefined : `Basic ${Buffer.from(decodeURIComponent(user)).toString('base64')}`;
  const hold = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket;
  };

  const server = createServer((seen, response) => {
    forwarded.push(seen.url ?? '');
    credentials.push(seen.headers['proxy-authorization']);
    const onward = request(seen.url ?? '', { method: seen.method, headers: seen.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    seen.pipe(onward);
  });
  server.on('connection', hold);
  server.on('connect', (seen, socket) => {
    tunnels.push(seen.url ?? '');
    credentials.push(seen.headers['proxy-authorization']);
    hold(socket);
    if (expected !== undefined && seen.headers['proxy-authorization'] !== expected) return refuse(socket, 407);
    if (typeof now === 'number') return refuse(socket, now);
    if (now === 'die') return void socket.destroy();
    if (now !== 'hang') tunnel(socket, seen.url ?? '', now, hold);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${user === '' ? '' : `${user}@`}127.0.0.1:${port}`;
  return { port, url, tunnels, forwarded, credentials, manner: (next) => (now = next) };
}

function refuse(socket: Duplex, status: number): void {
  const secret = 'proxy-authenticate: Basic realm="way out"\r\n';
  socket.end(`HTTP/1.1 ${status} No\r\n${status === 407 ? secret : ''}content-length: 0\r\n\r\n`);
}

function tunnel(socket: Duplex, to: string, manner: 'open' | 'cut' | 'lie', hold: (through: Socket) => Socket): void {
  const at = to.lastIndexOf(':');
  if (manner === 'lie') {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const page = '<html>log in first</html>';
    socket.once('data', () => socket.end(`HTTP/1.1 502 Bad Gateway\r\ncontent-length: ${page.length}\r\n\r\n${page}`));
    return;
  }
  const through = hold(
    connect(Number(to.slice(at + 1)), to.slice(0, at), () => socket.write('HTTP/1.1 200 OK\r\n\r\n')),
  );
  through.on('error', () => socket.destroy());
  socket.once('close', () => through.destroy());
  socket.pipe(through);
  if (manner === 'open') through.pipe(socket);
  else through.once('data', () => socket.destroy());
}
