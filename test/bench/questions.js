/** One function per question. Each gives rows: what was asked, the ratio, the targets, and what was measured. */
import { beside } from './beside.js';
import { history } from './history.js';
import { writePayouts, writeWorkbook } from './inputs.js';
import { shared } from './shared.js';
import { alternate, gigwork, inTurn, median, run, serve } from './measure.js';
import { file, freshState, MB, script, seconds, target } from './scratch.js';

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

/** Peak memory of a dry run and how it grows with the file, and what `--json` adds to it and to its time. */
async function dryRunMemory({ full }) {
  const [small, large] = full ? [100_000, 1_000_000] : [50_000, 500_000];
  const plain = [];
  const told = [];
  for (const rows of [small, large]) {
    const path = await writePayouts(file(`memory-${rows}.csv`), 'csv', rows);
    plain.push(await gigwork(['batch', 'import', path, '--dry-run']));
    told.push(await gigwork(['batch', 'import', path, '--dry-run', '--json']));
  }
  const growth = ([low, high]) => high.peak / low.peak;
  const sizes = (calls) => calls.map(({ peak }) => `${Math.round(peak / MB)} MB`).join(' → ');
  return [
    {
      question: `dry run, ${large} payouts: peak memory, MB`,
      ratio: plain[1].peak / MB,
      first: '200',
      goal: '130',
      detail: '',
    },
    {
      question: `its growth from ${small} rows`,
      ratio: growth(plain),
      first: '1.7',
      goal: '1.3',
      detail: sizes(plain),
    },
    {
      question: `the same with --json: its growth from ${small} rows`,
      ratio: growth(told),
      first: '1.6',
      goal: '1.5',
      detail: sizes(told),
    },
    {
      question: `the same with --json ÷ without, processor time`,
      ratio: told[1].cpu / plain[1].cpu,
      first: '2',
      goal: '1.5',
      detail: `${seconds(told[1].cpu)} ÷ ${seconds(plain[1].cpu)}`,
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
  const book = await writeWorkbook(file('rows.xlsx'), rows);
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
  secondRun,
  startUp,
  workbook,
  history,
  shared,
  beside,
};
