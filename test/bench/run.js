/**
 * `npm run bench`: answers every question side by side with its peer. Small by default; `--full` for the sizes of the
 * targets; names of questions (`dryRun secondRun`) for some of them; `--other FOLDER` for a checkout that is built, for the
 * question `beside`. Prints a table and writes it to the folder of the system's temporary files, or to `--output FILE`.
 */
import { writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUESTIONS } from './questions.js';

const words = process.argv.slice(2);
const full = words.includes('--full');
const valueOf = (flag) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : null);
const output = valueOf('--output') ?? join(tmpdir(), 'gigwork-bench.md');
const other = valueOf('--other');
const names = words.filter((word) => word in QUESTIONS);
const asked = names.length > 0 ? names : Object.keys(QUESTIONS);

const lines = [
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores, ${full ? 'full' : 'small'} sizes`,
  '',
  '| question | measured | first | goal | detail |',
  '|---|---|---|---|---|',
];
process.stdout.write(`${lines.join('\n')}\n`);
for (const name of asked) {
  for (const { question, ratio, first, goal, detail } of await QUESTIONS[name]({ full, other })) {
    const line = `| ${question} | ${ratio.toFixed(2)} | ${first} | ${goal} | ${detail} |`;
    lines.push(line);
    process.stdout.write(`${line}\n`);
  }
}
writeFileSync(output, `${lines.join('\n')}\n`);
process.stdout.write(`\nwritten to ${output}\n`);
process.exit(0);
