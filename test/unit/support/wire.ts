import { request, type Agent } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Posts one JSON body, over a new connection unless an agent keeps some; rejects when the answer is not whole. */
export function post(url: string, body: unknown, agent: Agent | false = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.once('error', reject);
    sent.end(text);
  });
}

/**
 * Posts one JSON body over a bare connection and gives the bytes that came back and how the connection ended:
 * `end`, the code of an error, or `enough` when the function of that name ended it from this side.
 */
export function rawPost(
  url: string,
  body: unknown,
  enough: (received: string, chunks: number) => boolean = () => false,
): Promise<{ received: string; chunks: number; ended: string }> {
  const { port, pathname } = new URL(url);
  const text = JSON.stringify(body);
  return new Promise((resolve) => {
    let received = '';
    let chunks = 0;
    let ended = 'end';
    const socket = connect(Number(port), '127.0.0.1');
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      chunks += 1;
      if (!enough(received, chunks)) return;
      ended = 'enough';
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => (ended = error.code ?? error.message));
    socket.once('close', () => resolve({ received, chunks, ended }));
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  });
}
