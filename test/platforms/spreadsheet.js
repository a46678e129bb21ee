/**
 * What a real spreadsheet program makes of the files that gigwork writes. LibreOffice opens rejects, as CSV and as a
 * workbook, and saves them in its formats: read again, they give the same keys and bodies. In results and reports, it
 * adds up the amounts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROFILE = ['--config', 'samples/finance/config.json', '--profile'];
/** Files, the flags that read them, and how LibreOffice opens their rejects as CSV: delimiter, quote, encoding. */
const INPUTS = [
  { file: 'samples/payroll-2026-11.csv', flags: [], csv: '44,34,76' },
  { file: 'samples/finance/excel-german.csv', flags: ['--decimal', 'comma', '--date-format', 'dmy'], csv: '59,34,1' },
  { file: 'samples/finance/uk-council-payments.csv', flags: [...PROFILE, 'uk-council'], csv: '44,34,1' },
  { file: 'samples/finance/at-honorare.xlsx', flags: [...PROFILE, 'at-honorare'], csv: '44,34,76' },
];
/** Every column as text, as the documents advise. */
const COLUMNS_AS_TEXT = Array.from({ length: 60 }, (_, i) => `${i + 1}/2`).join('/');
const COLUMN_LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
/** With commas, in UTF-8, cells as they are shown. */
const SAVED_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true';

/** @param folder for its files. @returns a line for each file, and whether all is well */
export async function trySpreadsheet(folder) {
  const version = findLibreOffice();
  if (version === null) return { lines: ['LibreOffice is not installed, and cannot be: not tried'], isGood: true };
  mkdirSync(folder);
  const lines = [version];
  for (const input of INPUTS) {
    const place = join(folder, basename(input.file, extname(input.file)));
    mkdirSync(place);
    const wrong = [...readsTheSame(input, place), ...(await addsUp(input, place))];
    lines.push(`${input.file}: ${wrong.length === 0 ? 'ok' : wrong.join('; ')}`);
  }
  return { lines, isGood: lines.slice(1).every((line) => line.endsWith(': ok')) };
}

/** Installs it from the packages of Debian, where this process may. */
function findLibreOffice() {
  const version = () => {
    const { status, stdout } = spawnSync('soffice', ['--version'], { encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const found = version();
  if (found !== null || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return found;
  spawnSync('apt-get', ['update']);
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'libreoffice-calc']);
  return version();
}

/** Saves a file in another format, in the folder; gives the new path. */
function save(path, folder, format, ...flags) {
  const profile = pathToFileURL(join(folder, '..', '..', 'libreoffice')).href;
  const words = [
    `-env:UserInstallation=${profile}`,
    '--headless',
    ...flags,
    '--convert-to',
    format,
    '--outdir',
    folder,
  ];
  spawnSync('soffice', [...words, path]);
  return join(folder, `${basename(path, extname(path))}.${format.split(':', 1)[0]}`);
}

function gigwork(words, folder) {
  const env = { ...process.env, GIGWORK_STATE_DIR: join(folder, 'state') };
  const args = [join(ROOT, 'bin', 'gigwork.js'), 'payout', 'create', ...words, '--json'];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { records: events.filter(({ event }) => event === 'record'), summary: events.at(-1) };
}

/** Keys, bodies and totals. */
function meant(words, folder) {
  const { records, summary } = gigwork([...words, '--dry-run'], folder);
  const bodies = records.map(({ status, key, request, error }) => [status, key, request, error]);
  return JSON.stringify([bodies, summary.totals]);
}

/** What differs when the rejects of a file come back from the spreadsheet. */
function readsTheSame({ file, flags, csv }, folder) {
  const wanted = meant([file, ...flags], folder);
  if (!wanted.includes('planned')) return ['nothing would be sent'];
  const [workbook, text] = ['rejects.xlsx', 'rejects.csv'].map((name) => join(folder, name));
  // A title that no person wrote makes all rows rejects.
  for (const path of [workbook, text])
    gigwork([file, ...flags, '--dry-run', '--set', 'title=#N/A', '--rejects', path], folder);
  const [once, twice, asText, imported] = ['once', 'twice', 'text', 'import'].map((name) => join(folder, name));
  const openDocument = save(workbook, once, 'ods');
  // It writes numbers in English, with the signs of currencies.
  const english = flags.filter((word, i) => word !== '--decimal' && flags[i - 1] !== '--decimal');
  const ofCsv = [...english, '--decimal', 'point', '--currency-signs', '--encoding', 'utf-8', '--delimiter', ','];
  const columns = `--infilter=CSV:${csv},1,${COLUMNS_AS_TEXT}`;
  const ways = [
    ['saved as xlsx', save(workbook, once, 'xlsx'), flags],
    ['saved as ods, then as xlsx', save(openDocument, twice, 'xlsx'), flags],
    ['saved as ods, then as CSV', save(openDocument, asText, SAVED_CSV), ofCsv],
    ['CSV saved as xlsx', save(text, imported, 'xlsx', columns), [...flags, '--sheet', '1']],
  ];
  return ways.filter(([, path, words]) => meant([path, ...words], folder) !== wanted).map(([way]) => way);
}

/** Which files have amounts that the spreadsheet does not add up to the total. */
async function addsUp({ file, flags }, folder) {
  const names = ['results.xlsx', 'report.xlsx'];
  const [results, report] = names.map((name) => join(folder, name));
  const { summary } = gigwork([file, ...flags, '--sandbox', '--yes', '--results', results, '--report', report], folder);
  const total = summary.totals.payout.reduce((sum, { amount }) => sum + Number(amount), 0);
  const wrong = [];
  for (const path of [results, report]) {
    const summed = join(folder, `sum-of-${basename(path)}`);
    writeFileSync(summed, await withSums(path));
    const [sums = ''] = readFileSync(save(summed, join(folder, 'sums'), SAVED_CSV), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-1);
    if (!sums.split(',').some((sum) => Math.abs(Number(sum.replace(/^[^\d-]+/, '')) - total) < 0.005))
      wrong.push(`${basename(path)} does not add up to ${total}`);
  }
  return wrong;
}

/** The workbook with a row of sums below its columns. */
async function withSums(path) {
  const made = new ZipFile();
  const archive = await openPromise(path);
  for await (const entry of archive.eachEntry()) {
    let content = await buffer(await archive.openReadStreamPromise(entry));
    if (entry.fileName.endsWith('sheet1.xml')) {
      const xml = content.toString();
      const last = Number(/.*<row r="(\d+)"/s.exec(xml)[1]);
      const sum = (letter) => `<c r="${letter}${last + 1}"><f>SUM(${letter}1:${letter}${last})</f></c>`;
      const row = `<row r="${last + 1}">${COLUMN_LETTERS.map(sum).join('')}</row>`;
      content = Buffer.from(xml.replace('</sheetData>', `${row}</sheetData>`));
    }
    made.addBuffer(content, entry.fileName);
  }
  made.end();
  return buffer(made.outputStream);
}
