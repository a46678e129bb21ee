// Writes docs/pictures/page.png: the first page of an HTML report, as it is printed. A run of the built program makes the
// report, with a service of the tests: `npm run pictures`. Clock, persons and names are set, so that it stays the same.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { main, processWorld } from '../../bundle/main.js';
import { loadModule } from '../../test/support/load.js';

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURE = join(ROOT, 'docs', 'pictures', 'page.png');
const NOON = Date.UTC(2026, 10, 20, 11, 4);
const MINUTE = 60_000;
// The page has local times.
process.env['TZ'] = 'Europe/Berlin';

/** What the program says on a stream. */
function kept() {
  const chunks = [];
  const write = (chunk, _encoding, done) => {
    chunks.push(chunk);
    done();
  };
  return Object.assign(new Writable({ write }), { text: () => Buffer.concat(chunks).toString() });
}

/** Runs the program in a folder, as a person, at a time, and gives its output. @throws where it ends with another exit code */
async function run(folder, { user, host, at, exitCode }, ...words) {
  const [stdout, stderr] = [kept(), kept()];
  const code = await main(words, {
    ...processWorld(),
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { GIGWORK_STATE_DIR: join(folder, 'state') },
    cwd: () => folder,
    now: () => at,
    person: () => ({
      user,
      host,
    }),
  });
  if (code !== exitCode)
    throw new Error(`gigwork ${words.join(' ')}: exit code ${code}\n${stdout.text()}${stderr.text()}`);
  return stdout.text();
}

/** The picture shows these instead of the address and the run of this call. */
const [TARGET, RUN] = ['https://gigs.example', '20261120-a21786'];

/** The report of a run that one person has approved and another has sent. Of its records the service refuses one. */
async function report(folder) {
  const { module, close } = await loadModule('/test/support/service.ts');
  const service = await module.startService({
    respond: ({ n }) => (n === 77 ? { status: 422, body: '{"error":"no bank details"}' } : undefined),
  });
  const file = 'payroll-2026-11.csv';
  writeFileSync(join(folder, file), readFileSync(join(ROOT, 'samples', file)));
  const words = ['payout', 'create', file, '--batch-id', '2026-11', '--json'];
  const [boss, clerk] = [
    { user: 'm.keller', host: 'finance-2', at: NOON, exitCode: 0 },
    { user: 'a.brandt', host: 'payroll-1', at: NOON + 26 * MINUTE, exitCode: 4 },
  ];
  const sent = [...words, '--base-url', service.url, '--yes', '--concurrency', '1'];
  await run(folder, boss, ...sent, '--approve=approval.json');
  const real = summaryOf(await run(folder, clerk, ...sent, '--approval', 'approval.json', '--report', 'page.html'));
  const shown = summaryOf(await run(folder, boss, ...words, '--base-url', TARGET, '--dry-run'));
  await service.close();
  await close();
  const html = readFileSync(join(folder, 'page.html'), 'utf8');
  return html.replaceAll(service.url, TARGET).replaceAll(real.run, RUN).replaceAll(real.digest, shown.digest);
}

function summaryOf(output) {
  return JSON.parse(output.trimEnd().split('\n').at(-1));
}

/** The first sheet of paper with a margin, at the size of its layout. */
async function photograph(html) {
  const { module, close } = await loadModule('/test/support/chromium.ts');
  const path = module.chromiumPath();
  if (path === null) throw new Error('no Chromium is installed');
  const browser = await module.startChromium(path);
  const page = await browser.open(html);
  const [width, margin] = [688, 48];
  await page.show('print', width + 2 * margin);
  const style = `body { padding: ${margin}px; } .sheet { min-height: 180mm !important; } .sheet ~ * { display: none; }`;
  await page.evaluate(
    `document.head.append(Object.assign(document.createElement('style'), { textContent: '${style}' }))`,
  );
  const height = await page.evaluate(`document.querySelector('.sheet').getBoundingClientRect().bottom`);
  const png = await page.picture({ x: 0, y: 0, width: width + 2 * margin, height: Math.ceil(height + margin) });
  await browser.close();
  await close();
  return png;
}

const folder = mkdtempSync(join(tmpdir(), 'gigwork-picture-'));
try {
  mkdirSync(join(PICTURE, '..'), { recursive: true });
  const png = await photograph(await report(folder));
  writeFileSync(PICTURE, png);
  console.log(`docs/pictures/page.png: ${Math.ceil(png.length / 1024)} KB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
