/** Connections to the service, through a proxy if the environment names one. */
import { setFlagsFromString } from 'node:v8';
import type { buildConnector as Connecting, Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { SendOptions } from '../../options.js';
import { proxyFor } from './proxy-used.js';

export interface DispatcherOptions {
  /** For a connection, milliseconds. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly tls: SendOptions['tls'];
  readonly proxy: SendOptions['proxy'];
}

/** A pool of connections to the service, through the proxy if the settings name one for it. */
export async function openDispatcher(
  origin: string,
  { timeoutMs, concurrency, tls, proxy }: DispatcherOptions,
): Promise<Dispatcher> {
  const settings = {
    connections: concurrency,
    pipelining: 1,
    // The sweep bounds the whole attempt; undici's limits bound only the gaps within it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs, ...tls },
  };
  const uri = proxyFor(origin, proxy);
  if (uri === null) {
    endWithoutOptimising();
    return new Pool(origin, { ...settings, connect: prepared(buildConnector(settings.connect)) });
  }
  const { ProxyAgent } = await import('undici');
  return new ProxyAgent({
    ...settings,
    uri,
    requestTls: settings.connect,
    // The TLS options are for the service, not for the proxy.
    proxyTls: { timeout: timeoutMs },
    // A proxy that never answers counts as no connection. The sweep does not see it, since no request has begun.
    clientFactory: (url: URL, { connect }: object & { connect?: Connecting.connector }) =>
      new Pool(url, { ...(connect ? { connect } : {}), headersTimeout: timeoutMs }),
    factory: (to: string | URL, { connect, ...rest }: object & { connect?: Connect }) =>
      new Pool(to, {
        ...rest,
        connect: prepared(typeof connect === 'function' ? connect : buildConnector(connect ?? {})),
      }),
  });
}

/**
 * undici parses answers with WebAssembly. V8 begins to optimise it after the first few answers, and a process that ends
 * meanwhile waits until that is done: a third of the time of a short import. With this budget, V8 begins to optimise
 * after some hundred answers. Set after loading: under other flags, Node's precompiled code is compiled again.
 */
function endWithoutOptimising(): void {
  setFlagsFromString('--wasm-tiering-budget=100000000');
}

type Connect = Connecting.BuildOptions | Connecting.connector;

/**
 * Prepares each connection. If a service explains why it ends a connection and then ends it, the reason must not be
 * lost: it identifies a refusal by TLS.
 */
function prepared(connector: Connecting.connector): Connecting.connector {
  return (options, connected) =>
    connector(options, (...[failure, socket]) => {
      if (failure !== null) return connected(noConnection(failure), null);
      socket.once('error', (reason: Error) => socket.destroy(reason));
      return connected(null, socket);
    });
}

/**
 * When a proxy ends the connection instead of opening a tunnel, the failure is a socket error. undici mistakes a socket
 * error for the end of an established connection, and connects again at once, without end. A plain error has the right
 * meaning: no connection could be made.
 */
function noConnection(failure: Error): Error {
  const isSocketEnd = 'code' in failure && /^UND_ERR_(SOCKET|INFO)$/.test(String(failure.code));
  return isSocketEnd ? new Error('the proxy ended the connection', { cause: failure }) : failure;
}
