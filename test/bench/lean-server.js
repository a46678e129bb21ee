/**
 * The leanest service there can be: answers 201 to everything. Arguments: latency in milliseconds; how many senders, told
 * apart by the header `x-sender`, are waited for before the first answer; port, or 0 for any. Prints its port. GET tells
 * how many records it has answered since the first answer, and how long that took in milliseconds.
 */
import { createServer } from 'node:http';

const [latency = 0, senders = 0, port = 0] = process.argv.slice(2).map(Number);
const answer = Buffer.from('{"id":"x"}');
const head = { 'content-type': 'application/json', 'content-length': answer.length };

const seen = new Set();
const waiting = [];
let [count, began, last] = [0, 0, 0];

function reply(response) {
  count++;
  last = performance.now();
  response.writeHead(201, head);
  response.end(answer);
}

function take({ headers }, response) {
  const soon = () => (latency === 0 ? reply(response) : setTimeout(reply, latency, response));
  if (began > 0) return soon();
  seen.add(headers['x-sender']);
  waiting.push(soon);
  if (seen.size < senders) return undefined;
  began = performance.now();
  return waiting.forEach((each) => each());
}

const server = createServer((request, response) => {
  request.resume();
  if (request.method === 'GET') response.end(JSON.stringify({ count, ms: last - began }));
  else request.on('end', () => take(request, response));
});
server.keepAliveTimeout = 60_000;
server.listen(port, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
