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

// Ctrl-C reaches the running command too: it ends in order, and the folder is removed after it.
let interrupted = false;
process.on('SIGINT', () => (interrupted = true));
try {
  process.exitCode = await demo();
} finally {
  rmSync(STATE, { recursive: true, force: true });
}

async function demo() {
  say('', bold('gigwork: gigs, gig results and payouts: checked, totalled, and never twice'));
  say('The sandbox is a service inside the program: nothing leaves this machine.');
  for (const step of STEPS) {
    say('', bold(step.title), ...commandLines(step.args), '');
    const { code } = await gigwork(step.args);
    if (interrupted) return 130;
    if (code !== 0) return failed(`this command ended with exit code ${code} and should have ended with 0`);
    const counted = countRuns(await storedRuns());
    if (counted.runs !== step.runs || counted.created !== step.created) {
      return failed(`the journal holds ${counted.created} created records in ${counted.runs} runs, not ${step.created} in ${step.runs}`);
    }
  }
  closing(await storedRuns());
  return 0;
}

/** Runs a command in view of the reader, or hidden and with its output for us. */
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
    child.once('close', (code) => resolve({ code, stdout }));
  });
}

/** The reader's own settings and history stay out of it. */
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

function closing(runs) {
  const rows = runs.toReversed().flatMap(({ totals }) => Object.entries(totals).flatMap(([type, list]) => currencyRows(type, list)));
  say('', bold('What is in the journal now, each record once'));
  for (const { type, currency, count, amounts } of rows) {
    say(`  ${type.padEnd(8)}${(currency ?? 'none').padEnd(6)}${String(count).padStart(4)} records  ${amounts}`);
  }
  say('', bold('Next'));
  say('  See what a faulty file gives:');
  say('    node bin/gigwork.js batch import samples/payouts-bad.csv --dry-run');
  say('  Rehearse one of your own:');
  say('    node bin/gigwork.js batch import FILE.csv --dry-run', '');
}
