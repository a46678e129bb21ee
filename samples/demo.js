// What gigwork does, in four commands: a rehearsal, two imports into the embedded sandbox, and an import that is repeated.
// Nothing leaves this machine, and nothing of it is kept.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STATE = mkdtempSync(join(tmpdir(), 'gigwork-demo-'));
const PAYROLL = ['batch', 'import', 'samples/payroll-2026-11.csv'];

/** `runs` and `created`: what the journal must hold after the step. */
const STEPS = [
  {
    title: '1. A rehearsal: the payroll is checked and totalled, and nothing is sent',
    args: [...PAYROLL, '--dry-run'],
    runs: 0,
    created: 0,
  },
  {
    title: '2. The same file into the sandbox, held against the total of another sheet',
    args: [...PAYROLL, '--sandbox', '--expect-total', 'EUR=19707.09'],
    runs: 1,
    created: 204,
  },
  {
    title: '3. Gig results with their prices, and gigs, in one run',
    args: ['batch', 'import', 'samples/results.csv', 'samples/gigs.csv', '--prices', 'samples/prices.csv', '--sandbox'],
    runs: 2,
    created: 214,
  },
  {
    title: '4. The payroll once more: nobody is paid twice',
    args: [...PAYROLL, '--sandbox', '--expect-total', 'EUR=19707.09'],
    runs: 2,
    created: 214,
  },
];

const UNITS = { payout: '', result: ' cents', gig: ' cents per seat' };

const INTERRUPTED = new Error('interrupted');
let interrupted = false;

async function demo() {
  say('', bold('gigwork: gigs, gig results and payouts: checked, totalled, and never twice'));
  say('The sandbox is a service inside the program: nothing leaves this machine.');
  say('Without an installation, "gigwork" is "node bin/gigwork.js".');
  for (const step of STEPS) {
    say('', bold(step.title), ...commandLines(step.args), '');
    const { code } = await gigwork(step.args);
    if (code !== 0) return failed(`this command ended with exit code ${code} and should have ended with 0`);
    const counted = countRuns(await storedRuns());
    if (counted.runs !== step.runs || counted.created !== step.created) {
      return failed(
        `the journal holds ${counted.created} created records in ${counted.runs} runs, not ${step.created} in ${step.runs}`,
      );
    }
  }
  closing(await storedRuns());
  return 0;
}

/** Runs a command in view of the reader, or hidden, with its output in the result. */
function gigwork(args, hidden = false) {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'gigwork.js'), ...args], {
    cwd: ROOT,
    env: environment(),
    stdio: ['ignore', hidden ? 'pipe' : 'inherit', 'inherit'],
  });
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (stdout += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (interrupted ? reject(INTERRUPTED) : resolve({ code, stdout })));
  });
}

/** An environment without the reader's own settings and history. */
function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GIGWORK_.*|XDG_CONFIG_HOME)$/i.test(name));
  return { ...Object.fromEntries(kept), GIGWORK_STATE_DIR: STATE, XDG_CONFIG_HOME: STATE };
}

async function storedRuns() {
  const { stdout } = await gigwork(['batch', 'list', '--json'], true);
  return JSON.parse(stdout).runs;
}

function countRuns(runs) {
  return { runs: runs.length, created: runs.reduce((sum, { records }) => sum + records.created, 0) };
}

/** The totals of all runs by type and currency, and what to try next. */
function closing(runs) {
  say('', bold('In the journal now, each record once'), '  type    currency  records          amount');
  for (const type of ['payout', 'result', 'gig']) {
    const rows = runs.flatMap(({ totals }) => totals[type]);
    for (const currency of new Set(rows.map((row) => row.currency))) {
      const own = rows.filter((row) => row.currency === currency);
      const count = own.reduce((sum, row) => sum + row.count, 0);
      const amount = exactSum(own.map((row) => row.amount));
      const cells = [type.padEnd(6), (currency ?? 'none').padEnd(8), String(count).padStart(7), amount.padStart(14)];
      say(`  ${cells.join('  ')}${UNITS[type]}`);
    }
  }
  say('', bold('Next'), '  What a faulty file gives:');
  say('    node bin/gigwork.js batch import samples/payouts-bad.csv --dry-run');
  say('  A file of your own:');
  say('    node bin/gigwork.js batch import FILE.csv --dry-run', '');
}

/** Adds decimal texts exactly, as integers, as the program does: binary fractions have no place in a total. */
function exactSum(amounts) {
  const places = Math.max(...amounts.map((text) => (text.split('.')[1] ?? '').length));
  const units = amounts.reduce((sum, text) => {
    const [whole, fraction = ''] = text.split('.');
    return sum + BigInt(whole + fraction.padEnd(places, '0'));
  }, 0n);
  const digits = String(units).padStart(places + 1, '0');
  const cut = digits.length - places;
  const whole = digits.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, ',');
  return places === 0 ? whole : `${whole}.${digits.slice(cut)}`;
}

/** The command as a person types it, on two lines where it is longer than 80 columns. */
function commandLines(args) {
  const line = `$ gigwork ${args.join(' ')}`;
  if (line.length <= 80) return [line];
  const cut = line.lastIndexOf(' --', 78);
  return [`${line.slice(0, cut)} \\`, `   ${line.slice(cut)}`];
}

function failed(reason) {
  console.error(`The demo failed: ${reason}.`);
  return 1;
}

function bold(text) {
  return process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[0m` : text;
}

function say(...lines) {
  for (const line of lines) console.log(line);
}

process.on('exit', () => rmSync(STATE, { recursive: true, force: true }));
// Ctrl-C reaches the running command too: it ends in order, and the demo after it.
process.on('SIGINT', () => (interrupted = true));
try {
  process.exitCode = await demo();
} catch (cause) {
  if (cause !== INTERRUPTED) throw cause;
  process.exitCode = 130;
}
