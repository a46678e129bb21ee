/** The way to the service: connections, through a proxy where the environment names one. */
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type * as Undici from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import type { ClientOptions } from './client.js';
import { passOverContinue } from './interim.js';
import { proxyFor } from './proxy-used.js';

export type WayOptions = Pick<ClientOptions, 'timeoutMs' | 'connections' | 'tls' | 'proxy'>;

/** A pool to the service, by the way that the settings name. */
export async function openDispatcher(origin: string, options: WayOptions): Promise<Dispatcher> {
  const { timeoutMs } = options;
  const settings = {
    connections: options.connections,
    pipelining: 1,
    // The sweep bounds the whole attempt; undici's own limits bound only the gaps within it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs, ...options.tls },
  };
  const proxy = proxyFor(origin, options.proxy);
  if (proxy === null) {
    const { Pool, buildConnector: build } = loadPool();
    return new Pool(origin, { ...settings, connect: prepared(build(settings.connect)) });
  }
  const { EnvHttpProxyAgent, Pool, buildConnector: build } = await import('undici');
  return new EnvHttpProxyAgent({
    ...settings,
    requestTls: settings.connect,
    // The service's certificates are not the proxy's.
    proxyTls: { timeout: timeoutMs },
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: options.proxy?.no ?? '',
    // A proxy that never answers is no connection. The sweep does not see it: no request has begun.
    clientFactory: (url: URL, { connect }: object & { connect?: buildConnector.connector }) =>
      new Pool(url, { ...(connect ? { connect } : {}), headersTimeout: timeoutMs }),
    factory: (to: string | URL, { connect, ...rest }: object & { connect?: Connect }) =>
      new Pool(to, { ...rest, connect: prepared(typeof connect === 'function' ? connect : build(connect ?? {})) }),
  });
}

/**
 * The pool without the rest of undici, which takes twice as long to load: every short run would wait for it. Required,
 * since an import would read each module once more, to look for what it exports.
 */
function loadPool(): Pick<typeof Undici, 'Pool' | 'buildConnector'> {
  const load = createRequire(import.meta.url);
  const Pool = load('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;
  const buildConnector = load('undici/lib/core/connect.js') as typeof Undici.buildConnector;
  endWithoutOptimising();
  return { Pool, buildConnector };
}

/**
 * undici parses answers with WebAssembly. V8 begins to optimise it after the first few answers, and a process that ends
 * meanwhile waits until that is done: a third of the time of a short import. With this budget it begins after some
 * hundred answers. Set late, since code that Node brings along compiled is compiled anew under other flags.
 */
function endWithoutOptimising(): void {
  setFlagsFromString('--wasm-tiering-budget=100000000');
}

type Connect = buildConnector.BuildOptions | buildConnector.connector;

/**
 * When a service says why it ends a connection, and ends it, the reason must not be lost in the end: a refusal by TLS is
 * known by it. And an interim answer is none.
 */
function prepared(connector: buildConnector.connector): buildConnector.connector {
  return (options, connected) =>
    connector(options, (...[failure, socket]) => {
      if (failure !== null) return connected(noConnection(failure), null);
      socket.once('error', (reason: Error) => socket.destroy(reason));
      passOverContinue(socket);
      return connected(null, socket);
    });
}

/**
 * A proxy that ends the connection instead of opening a tunnel is told as an error of a socket. undici takes one of those
 * for the end of a connection that stood, and makes another at once, without end; as an error of another name it is what
 * it is: no connection could be made.
 */
function noConnection(failure: Error): Error {
  const isSocketEnd = 'code' in failure && /^UND_ERR_(SOCKET|INFO)$/.test(String(failure.code));
  return isSocketEnd ? new Error('the proxy ended the connection', { cause: failure }) : failure;
}
