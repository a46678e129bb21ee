/**
 * The shared journal beside the embedded one. How fast is delivered, the service tells: from the moment at which all
 * processes send.
 */
import { execFileSync, spawn } from 'node:child_process';
import { writePayouts } from './inputs.js';
import { startDatabase } from './journals.js';
import { CLI, inTurn, median, run, serve } from './measure.js';
import { baseUrl, file, freshState } from './scratch.js';

const NONE = {
  question: 'the shared journal',
  ratio: Number.NaN,
  first: '',
  goal: '',
  detail: 'PostgreSQL is not installed',
};

export async function shared(options) {
  const database = await startDatabase();
  if (database === null) return [NONE];
  const parts = [loopback, slowService];
  const rows = [];
  for (const part of parts) rows.push(...(await part(options, database)));
  await database.end();
  return rows;
}

const embedded = { journal: () => freshState(), processes: 1 };

/** The median of each way to deliver, in records a second. */
async function rates(repetitions, ways) {
  const results = await inTurn(
    repetitions,
    ways.map((way) => () => delivered(way)),
  );
  return results.map(median);
}

/** Everything up to the first request, which finds nobody. */
async function prepared(path, env, port) {
  await run(process.execPath, [CLI, 'batch', 'import', path, ...to(port), '--retries', '0'], { env, code: 5 });
}

const to = (port, concurrency = 8) => [
  ...['--base-url', `http://127.0.0.1:${port}`, '--yes', '--quiet', '--concurrency', String(concurrency)],
];

/** Records a second that the service has answered, once all processes were sending. */
async function delivered({ path, journal, processes, latency, concurrency }) {
  const env = journal();
  const port = await freePort();
  await prepared(path, env, port);
  const list = execFileSync(process.execPath, [CLI, 'batch', 'list', '--json'], { env: { ...process.env, ...env } });
  const server = await serve('lean-server.js', [latency, processes, port].map(String), null);
  const words = ['batch', 'resume', JSON.parse(list).runs[0].run, ...to(port, concurrency)];
  await Promise.all(Array.from({ length: processes }, (_, i) => ended([...words, '--header', `x-sender: ${i}`], env)));
  const { count, ms } = await (await fetch(baseUrl(server))).json();
  server.stop();
  return count / (ms / 1000);
}

/** On no core of its own: several of them share what there is. */
function ended(words, env) {
  const child = spawn(process.execPath, [CLI, ...words], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${words.join(' ')} ended with ${code}`))));
  });
}

async function freePort() {
  const server = await serve('lean-server.js');
  server.stop();
  return server.port;
}

const perSecond = (measured) => `${measured.map(Math.round).join(' ÷ ')} /s`;

async function loopback({ full }, { fresh }) {
  const rows = full ? 50_000 : 20_000;
  const path = await writePayouts(file('loopback.csv'), 'csv', rows);
  const way = { path, latency: 0, concurrency: 32 };
  const [alone, one, two, four] = await rates(3, [
    { ...way, ...embedded },
    ...[1, 2, 4].map((processes) => ({ ...way, journal: fresh, processes })),
  ]);
  return [
    row(
      `delivery of ${rows} on loopback: rate of one process, shared ÷ embedded`,
      one / alone,
      ['0.5', '0.6'],
      perSecond([one, alone]),
    ),
    row('the same: two processes ÷ one', two / one, ['', ''], perSecond([two, one])),
    row('the same: four processes ÷ one', four / one, ['', ''], perSecond([four, one])),
  ];
}

async function slowService({ full }, { fresh }) {
  const rows = full ? 20_000 : 8000;
  const path = await writePayouts(file('slow.csv'), 'csv', rows);
  const answers = [];
  for (const concurrency of full ? [8, 32] : [8]) {
    const way = { path, latency: 20, concurrency };
    const [alone, one, two, four] = await rates(3, [
      { ...way, ...embedded },
      ...[1, 2, 4].map((processes) => ({ ...way, journal: fresh, processes })),
    ]);
    const which = `delivery of ${rows} at 20 ms, --concurrency ${concurrency}`;
    answers.push(
      row(`${which}: rate of one process, shared ÷ embedded`, one / alone, ['', ''], perSecond([one, alone])),
      row('the same: two processes ÷ one', two / one, ['1.8', '1.95'], perSecond([two, one])),
      row('the same: four processes ÷ one', four / one, ['3.6', '3.8'], perSecond([four, one])),
    );
  }
  return answers;
}

const row = (question, ratio, [first, goal], detail) => ({ question, ratio, first, goal, detail });
