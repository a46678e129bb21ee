/** The leanest service there can be: answers 201 to everything. Prints its port. */
import { createServer } from 'node:http';

const answer = Buffer.from('{"id":"x"}');
const head = { 'content-type': 'application/json', 'content-length': answer.length };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(201, head);
    response.end(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
