import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Posts one JSON body over a new connection; rejects when the answer is not whole. */
export function post(url: string, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
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
