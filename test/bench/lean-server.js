/** The leanest service there can be: answers 201 to everything. Arguments: latency in milliseconds. Prints its port. */
import { createServer } from 'node:http';

const latency = Number(process.argv[2] ?? 0);
const answer = Buffer.from('{"id":"x"}');
const head = { 'content-type': 'application/json', 'content-length': answer.length };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const reply = () => {
      response.writeHead(201, head);
      response.end(answer);
    };
    if (latency === 0) reply();
    else setTimeout(reply, latency);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
