// Makes docs/pictures/review.svg, the review at a terminal, from the real program: npm run pictures. Needs `script` of
// util-linux, which gives the program a terminal. Nothing is sent: the question is answered with Enter.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COLUMNS = 80;
const WORDS = 'payout create samples/payroll-2026-11.csv --base-url https://gigs.example --batch-id 2026-11';
/** In user units of the picture. */
const [CHARACTER, LINE, MARGIN] = [7.83, 18, 18];

/** What the terminal shows, line by line, up to the question. */
function shown() {
  const home = mkdtempSync(join(tmpdir(), 'gigwork-picture-'));
  const command = `stty cols ${COLUMNS}; node bin/gigwork.js ${WORDS} --state-dir ${join(home, 'state')} --no-color`;
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'xterm', TZ: 'UTC' };
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: ROOT,
    env,
    input: '\n',
    encoding: 'utf8',
  });
  rmSync(home, { recursive: true, force: true });
  const lines = stdout.replaceAll('\r', '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('To send  '));
  const last = lines.findIndex((line) => line.includes('(Enter stops)'));
  if (first < 0 || last < first) throw new Error(`the program shows no review:\n${stdout}`);
  return [`$ gigwork ${WORDS.replace(' --base', ' \\\n    --base')}`, '', ...lines.slice(first, last + 1)]
    .join('\n')
    .trimEnd()
    .split('\n');
}

/** @param lines of text */
function picture(lines) {
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const [width, height] = [COLUMNS * CHARACTER + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const rows = lines.map(
    (line, i) => `<text x="${MARGIN}" y="${MARGIN + (i + 0.75) * LINE}" xml:space="preserve">${escaped(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" role="img" aria-label="The review at a terminal">
<rect width="100%" height="100%" rx="8" fill="#1d2430"/>
<g fill="#e6e9ef" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13">
${rows.filter((_row, i) => lines[i] !== '').join('\n')}
</g>
</svg>
`;
}

const path = join(ROOT, 'docs/pictures/review.svg');
writeFileSync(path, picture(shown()));
console.log(`written: ${path.slice(ROOT.length)}`);
