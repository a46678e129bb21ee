/** The fuzzing campaign: inputs by chance, each held against what must hold of every input. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Case, caseOf } from './cases.js';
import { judge, type Judgement } from './judge.js';
import { wordsOf } from './words.js';

export interface CampaignOptions {
  readonly seed: number;
  readonly inputs: number;
  /** The one input to repeat; null for all. */
  readonly only: number | null;
  readonly print: (line: string) => void;
}

/** An input that takes longer than this, in milliseconds, hangs. */
const LONGEST_MS = 60_000;
/** Bytes of memory that must be enough for all inputs, one after the other. */
const MOST_MEMORY = 1_500_000_000;

/** Ends the process with a word about the input that hangs: a thread that hangs cannot say so itself. */
function watch(seed: number): { at: (number: number) => void; end: () => Promise<number> } {
  const current = new Int32Array(new SharedArrayBuffer(4));
  const code = `const { workerData: { current, seed, ms } } = require('node:worker_threads');
    let last = -1;
    setInterval(() => {
      if (current[0] === last) {
        const words = 'input ' + last + ' hangs; to repeat it: npm run fuzz -- --seed ' + seed + ' --only ' + last;
        require('node:fs').writeSync(2, words + '\\n');
        process.kill(process.pid, 'SIGKILL');
      }
      last = current[0];
    }, ms);`;
  const worker = new Worker(code, { eval: true, workerData: { current, seed, ms: LONGEST_MS } });
  return { at: (number) => void (current[0] = number), end: () => worker.terminate() };
}

/** What is wrong with an input, for people: the command that repeats it, and its bytes in a file. */
export function complaint(seed: number, one: Case, { faults }: Judgement): string {
  const kept = join(tmpdir(), `gigwork-fuzz-${seed}-${one.number}`);
  writeFileSync(kept, one.bytes);
  const words = wordsOf(one).map((word) => JSON.stringify(word));
  return [
    `broken: seed ${seed}, input ${one.number}: gigwork ${words.join(' ')} < ${kept}`,
    `  to repeat it: npm run fuzz -- --seed ${seed} --only ${one.number}`,
    `  ${faults.join('\n  ').slice(0, 4000)}`,
  ].join('\n');
}

/** Plays the campaign and prints what went wrong. Gives whether nothing did. */
export async function campaign({ seed, inputs, only, print }: CampaignOptions): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-fuzz-'));
  const watched = watch(seed);
  const codes = new Map<number, number>();
  let broken = 0;
  let bodies = 0;
  let memory = 0;
  for (let number = only ?? 1; number <= (only ?? inputs); number++) {
    watched.at(number);
    const one = caseOf(seed, number);
    const judged = await judge(one, folder).catch((cause: unknown): Judgement => {
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      return { code: -1, bodies: 0, faults: [`thrown: ${text}`] };
    });
    codes.set(judged.code, (codes.get(judged.code) ?? 0) + 1);
    bodies += judged.bodies;
    if (number % 100 === 0) memory = Math.max(memory, process.memoryUsage().rss);
    if (judged.faults.length === 0) continue;
    broken++;
    print(complaint(seed, one, judged));
  }
  await watched.end();
  rmSync(folder, { recursive: true, force: true });
  const ends = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${count} × exit code ${code}`);
  print(`seed ${seed}: ${ends.join(', ')}; ${bodies} bodies compared; at most ${Math.round(memory / 1e6)} MB`);
  print(`${only === null ? inputs : 1} inputs: ${broken} broken`);
  return broken === 0 && memory < MOST_MEMORY;
}
