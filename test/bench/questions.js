/** One function per question. Each gives rows: what was asked, the ratio, the targets, and what was measured. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { beside } from './beside.js';
import { history } from './history.js';
import { sentBody, writePayouts, writeWorkbook } from './inputs.js';
import { shared } from './shared.js';
import { alternate, CLI, gigwork, inTurn, median, pinned, run, serve } from './measure.js';
import { autocannon } from './peers.js';
import { baseUrl, file, freshState, MB, script, seconds, target } from './scratch.js';

/** Dry run against csv-parse alone. */
async function dryRun({ full }) {
  const rows = full ? 1_000_000 : 200_000;
  const path = await writePayouts(file('dry.csv'), 'csv', rows);
  const [ours, alone] = await alternate(full ? 5 : 3, [
    async () => (await gigwork(['batch', 'import', path, '--dry-run'])).ms,
    async () => (await run(process.execPath, [script('csv-parse-alone.js'), path])).ms,
  ]);
  return [
    {
      question: `dry run, ${rows} payouts ÷ csv-parse alone`,
      ratio: ours / alone,
      first: '1.8',
      goal: '1.3',
      detail: `${seconds(ours)} ÷ ${seconds(alone)}`,
    },
  ];
}

/** Peak memory of a dry run, and how it grows with the file. */
async function dryRunMemory({ full }) {
  const [small, large] = full ? [100_000, 1_000_000] : [50_000, 500_000];
  const peaks = [];
  const told = [];
  for (const rows of [small, large]) {
    const path = await writePayouts(file(`memory-${rows}.csv`), 'csv', rows);
    peaks.push((await gigwork(['batch', 'import', path, '--dry-run'])).peak);
    told.push(await gigwork(['batch', 'import', path, '--dry-run', '--json']));
  }
  const [low, high] = peaks;
  return [
    { question: `dry run, ${large} payouts: peak memory, MB`, ratio: high / MB, first: '200', goal: '130', detail: '' },
    {
      question: `its growth from ${small} rows`,
      ratio: high / low,
      first: '1.7',
      goal: '1.3',
      detail: `${Math.round(low / MB)} → ${Math.round(high / MB)} MB`,
    },
    {
      question: `the same with --json: its growth from ${small} rows`,
      ratio: told[1].peak / told[0].peak,
      first: '1.7',
      goal: '1.5',
      detail: told.map(({ peak }) => `${Math.round(peak / MB)} MB`).join(' → '),
    },
  ];
}

/** Requests a second with a durable journal, against autocannon with the same bodies. */
async function importRate({ full }) {
  const rows = full ? 100_000 : 30_000;
  const path = await writePayouts(file('rate.csv'), 'csv', rows);
  const server = await serve('lean-server.js');
  const cannon = autocannon();
  const peaks = [];
  const [ours, peer] = await alternate(3, [
    async () => {
      const { ms, peak } = await gigwork(['batch', 'import', path, ...target(server), '--quiet'], freshState());
      peaks.push(peak);
      return rows / (ms / 1000);
    },
    async () => {
      const url = `http://127.0.0.1:${server.port}/api/v2/payouts`;
      const header = 'content-type: application/json';
      const args = [cannon, '-j', '-c', '32', '-a', String(rows), '-m', 'POST', '-H', header, '-b', sentBody(1), url];
      const began = performance.now();
      const [command, words] = pinned(1, process.execPath, args);
      execFileSync(command, words, { stdio: ['ignore', 'pipe', 'ignore'] });
      return rows / ((performance.now() - began) / 1000);
    },
  ]);
  server.stop();
  return [
    {
      question: `import of ${rows}: requests per second ÷ autocannon`,
      ratio: ours / peer,
      first: '0.30',
      goal: '0.45',
      detail: `${Math.round(ours)} ÷ ${Math.round(peer)} /s`,
    },
    { question: 'the same: peak memory, MB', ratio: median(peaks) / MB, first: '200', goal: '150', detail: '' },
  ];
}

/** A server that takes 20 ms: how near to concurrency ÷ latency. */
async function slowServer({ full }) {
  const rows = full ? 10_000 : 5000;
  const path = await writePayouts(file('slow.csv'), 'csv', rows);
  const server = await serve('lean-server.js', ['20']);
  const bound = rows / (32 / 0.02);
  const times = [];
  for (let i = 0; i < 3; i++)
    times.push((await gigwork(['batch', 'import', path, ...target(server), '--quiet'], freshState())).ms);
  server.stop();
  const ms = median(times);
  return [
    {
      question: `import of ${rows} at 20 ms: rate ÷ (concurrency ÷ latency)`,
      ratio: (bound * 1000) / ms,
      first: '0.85',
      goal: '0.95',
      detail: seconds(ms),
    },
  ];
}

/** What the journal costs while records are delivered. */
async function journalCost({ full }) {
  const rows = full ? 50_000 : 20_000;
  const path = await writePayouts(file('journal.csv'), 'csv', rows);
  const server = await serve('lean-server.js');
  const once = async (which) => {
    // A run that has passed its gate and has everything still to send: the first call stops at the first answer.
    const { GIGWORK_STATE_DIR: state } = freshState();
    await run(
      process.execPath,
      [CLI, 'batch', 'import', path, '--base-url', 'http://127.0.0.1:9', '--retries', '0', '--yes', '--quiet'],
      {
        env: { GIGWORK_STATE_DIR: state },
        code: 5,
      },
    );
    const list = execFileSync(process.execPath, [CLI, 'batch', 'list', '--json', '--state-dir', state]);
    const [command, words] = pinned(1, process.execPath, [
      script('delivery.js'),
      which,
      JSON.parse(list).runs[0].run,
      baseUrl(server),
    ]);
    const ms = Number(execFileSync(command, words, { env: { ...process.env, GIGWORK_STATE_DIR: state } }));
    rmSync(state, { recursive: true, force: true });
    return ms;
  };
  const [real, none] = await alternate(3, [() => once('real'), () => once('none')]);
  server.stop();
  return [
    {
      question: `delivery of ${rows}: rate with the journal ÷ without`,
      ratio: none / real,
      first: '0.75',
      goal: '0.9',
      detail: `${seconds(real)}, ${seconds(none)}`,
    },
  ];
}

/** A second run that has nothing to send, against a dry run of the same file. */
async function secondRun({ full }) {
  const rows = full ? 100_000 : 30_000;
  const path = await writePayouts(file('second.csv'), 'csv', rows);
  const server = await serve('lean-server.js');
  const state = freshState();
  await gigwork(['batch', 'import', path, ...target(server), '--quiet'], state);
  const [second, dry] = await alternate(3, [
    async () => (await gigwork(['batch', 'import', path, ...target(server), '--quiet'], state)).ms,
    async () => (await gigwork(['batch', 'import', path, '--dry-run'])).ms,
  ]);
  server.stop();
  return [
    {
      question: `second run of ${rows}: wall time ÷ dry run`,
      ratio: second / dry,
      first: '2',
      goal: '1.2',
      detail: `${seconds(second)} ÷ ${seconds(dry)}`,
    },
  ];
}

/** What starting costs over a bare Node, milliseconds. */
async function startUp() {
  const path = await writePayouts(file('five.csv'), 'csv', 5);
  const server = await serve('lean-server.js');
  const [bare, version, dry, sent] = await alternate(11, [
    async () => (await run(process.execPath, ['-e', '0'])).ms,
    async () => (await gigwork(['--version'])).ms,
    async () => (await gigwork(['batch', 'import', path, '--dry-run'])).ms,
    async () => (await gigwork(['batch', 'import', path, ...target(server)], freshState())).ms,
  ]);
  server.stop();
  return [
    { question: '--version over bare node, ms', ratio: version - bare, first: '40', goal: '12', detail: '' },
    { question: 'dry run of five rows over bare node, ms', ratio: dry - bare, first: '80', goal: '30', detail: '' },
    { question: 'import of five rows over bare node, ms', ratio: sent - bare, first: '120', goal: '55', detail: '' },
  ];
}

/** A workbook against the CSV that holds the same rows. */
async function workbook({ full }) {
  const rows = 50_000;
  const book = writeWorkbook(file('rows.xlsx'), rows);
  const csv = await writePayouts(file('rows.csv'), 'csv', rows);
  const dry = (path) => () => gigwork(['batch', 'import', path, '--dry-run']);
  const [ours, peer] = await inTurn(full ? 7 : 3, [dry(book), dry(csv)]);
  const of = (runs, figure) => median(runs.map((each) => each[figure]));
  const question = (words, figure, detail) => ({
    question: `dry run of ${rows} in a workbook ÷ in CSV, ${words}`,
    ratio: of(ours, figure) / of(peer, figure),
    first: '3.0',
    goal: '2.5',
    detail: detail(of(ours, figure), of(peer, figure)),
  });
  const times = (a, b) => `${seconds(a)} ÷ ${seconds(b)}`;
  const sizes = (a, b) => `${Math.round(a / MB)} ÷ ${Math.round(b / MB)} MB`;
  return [
    question('wall time', 'ms', times),
    question('processor time', 'cpu', times),
    question('peak memory', 'peak', sizes),
  ];
}

/** By the name that `npm run bench` takes. */
export const QUESTIONS = {
  dryRun,
  dryRunMemory,
  importRate,
  slowServer,
  journalCost,
  secondRun,
  startUp,
  workbook,
  history,
  shared,
  beside,
};
