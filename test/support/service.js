// @ts-check
// Plain JavaScript, so that the same file serves tests in their process and service-main.js in its own on Node 20.
// The types are in service.d.ts.
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { executesByDefault, faults } from './service-faults.js';
import { createLedger } from './service-ledger.js';
/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AddressInfo, Socket } from 'node:net' */
/** @import { Reply, SeenRequest, Service, ServiceOptions } from './service.js' */
/** @import { RecordType } from './service-ledger.js' */

export { businessRow } from './service-ledger.js';

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} json @returns {json is Record<string, unknown>} */
function isObject(json) {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** @param {Reply} reply */
function executes(reply) {
  if ('fault' in reply) return reply.execute ?? executesByDefault(reply.fault);
  if ('status' in reply) return reply.execute ?? (reply.status >= 200 && reply.status < 300);
  return true;
}

/** @param {number} status */
function errorBody(status) {
  return JSON.stringify({ error: `answered ${status}` });
}

/**
 * @param {string} basePath
 * @returns {(request: SeenRequest) => RecordType | undefined}
 */
function routes(basePath) {
  /** @type {Map<string, RecordType>} */
  const types = new Map([
    [`${basePath}/api/v2/gigs`, 'gig'],
    [`${basePath}/api/v2/gig_results`, 'result'],
    [`${basePath}/api/v2/payouts`, 'payout'],
  ]);
  return (request) => types.get(request.path.replace(/\?.*$/, ''));
}

/** Collects the body, then calls `received`. A request whose client leaves before its end does not count.
 * @param {IncomingMessage} request @param {(body: string) => void} received */
function receive(request, received) {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('error', () => {});
  request.on('end', () => received(Buffer.concat(chunks).toString('utf8')));
}

/** The status of a normal answer. @param {SeenRequest} seen @param {RecordType | undefined} type
 * @param {{ conflict: boolean } | undefined} settled */
function normalStatus(seen, type, settled) {
  if (!type) return 404;
  if (seen.method !== 'POST') return 405;
  if (!settled) return 400;
  return settled.conflict ? 409 : 201;
}

/** @param {ServiceOptions} options @returns {Promise<Service>} */
export async function startService(options = {}) {
  const { basePath = '', keyMemory = true, record = true, refuses, tls } = options;
  const ledger = createLedger(keyMemory);
  const typeOf = routes(basePath);
  /** @type {Set<Socket>} */
  const connections = new Set();
  /** @type {SeenRequest[]} */
  const requests = [];
  /** @type {unknown[]} */
  const errors = [];
  let respond = options.respond;
  let port = options.port ?? 0;
  let arrived = 0;
  let connected = 0;
  let listening = false;

  /** @param {ServerResponse} response @param {number} status @param {string} body
   * @param {Record<string, string>} [headers] */
  function send(response, status, body, headers) {
    /** @type {Record<string, string | number>} */
    const all = { 'content-type': 'application/json', ...headers };
    if (status !== 204 && status !== 304) all['content-length'] = Buffer.byteLength(body);
    if (!listening) all.connection = 'close';
    response.writeHead(status, all).end(body);
  }

  /** Carries out first and answers then, as the service would. @param {SeenRequest} seen @param {Reply} reply
   * @param {ServerResponse} response @param {Socket} socket */
  function answer(seen, reply, response, socket) {
    const type = typeOf(seen);
    const json = seen.json;
    const isRecord = type && seen.method === 'POST' && isObject(json);
    const isRefused = refuses !== undefined && seen.body.includes(refuses);
    const settled = isRecord && !isRefused ? ledger.settle(type, json, seen.body, executes(reply)) : undefined;
    if ('fault' in reply) return faults[reply.fault](socket, settled?.answer ?? '{}');
    const status = 'status' in reply ? reply.status : isRefused ? 422 : normalStatus(seen, type, settled);
    const usual = settled && status >= 200 && status < 300 ? settled.answer : errorBody(status);
    if ('status' in reply) return send(response, status, reply.body ?? usual, reply.headers);
    send(response, status, usual);
  }

  /** Asks the responder. A mistake in it must fail the test, not look like a fault: close() throws it.
   * @param {SeenRequest} seen @param {ServerResponse} response @param {Socket} socket */
  async function answerAsTold(seen, response, socket) {
    try {
      answer(seen, (await respond?.(seen)) ?? { default: true }, response, socket);
    } catch (error) {
      errors.push(error);
      socket.destroy();
    }
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  function handle(request, response) {
    const { socket } = request;
    receive(request, (body) => {
      arrived += 1;
      const { method = '', url = '', headers } = request;
      /** @type {SeenRequest} */
      const seen = { n: arrived, method, path: url, headers, body, json: parse(body) };
      if (record) requests.push(seen);
      if (respond) void answerAsTold(seen, response, socket);
      else answer(seen, { default: true }, response, socket);
    });
  }

  /** @param {Socket} socket */
  function keep(socket) {
    connected += 1;
    connections.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => connections.delete(socket));
  }

  /** A server closes idle and slow connections by itself unless told not to: only the test may do that here. */
  async function listen() {
    const patient = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
    const next = tls ? createHttpsServer({ ...tls, ...patient }, handle) : createHttpServer(patient, handle);
    next.on(tls ? 'secureConnection' : 'connection', keep);
    await new Promise((resolve, reject) => {
      next.once('error', reject);
      next.listen(port, '127.0.0.1', () => resolve(undefined));
    });
    port = /** @type {AddressInfo} */ (next.address()).port;
    listening = true;
    return next;
  }

  async function refuse() {
    // This closes idle connections too. Not awaited: closing ends with the last connection, and a responder that waits
    // for that would wait for itself.
    server.close();
    listening = false;
  }

  async function close() {
    server.close();
    listening = false;
    for (const socket of connections) socket.destroy();
    if (errors.length > 0) throw errors[0];
  }

  let server = await listen();
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}${basePath}`,
    port,
    requests,
    get requestCount() {
      return arrived;
    },
    get connectionCount() {
      return connected;
    },
    executions: ledger.executions,
    ledgerTotal: ledger.total,
    responder(next) {
      respond = next;
    },
    refuse,
    accept: async () => {
      if (!listening) server = await listen();
    },
    close,
  };
}
