/** Runs processes and compares them side by side: medians of alternating repetitions, and ratios, never a time alone. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));
const USAGE = new URL('usage.js', import.meta.url).href;
const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** The words that put a process on one core, where the system can. */
function pinned(core, command, args) {
  return canPin ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
}

/**
 * Runs a process to its end. Throws when it fails.
 * @returns {Promise<{ ms: number, cpu: number, peak: number }>} wall and processor time in milliseconds, of all threads;
 *   peak memory in bytes. Only wall time when it is no Node process.
 */
export function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const node = command === process.execPath;
    const [file, words] = pinned(1, command, node ? ['--import', USAGE, ...args] : args);
    const began = performance.now();
    const child = spawn(file, words, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe', node ? 'pipe' : 'ignore'],
    });
    let errors = '';
    let usage = '';
    child.stderr.on('data', (data) => (errors += data));
    child.stdio[3]?.on('data', (data) => (usage += data));
    child.on('close', (status) => {
      if (status !== 0) reject(new Error(`${command} ${args.join(' ')} ended with ${status}: ${errors}`));
      else resolve({ ms: performance.now() - began, ...(usage === '' ? {} : JSON.parse(usage)) });
    });
  });
}

/** @param cli start script of the checkout that is measured */
export function gigwork(args, env, cli = CLI) {
  return run(process.execPath, [cli, ...args], env);
}

/** Starts a server script on a core of its own, where the system can, and gives its port. */
export function serve(script) {
  const [file, words] = pinned(0, process.execPath, [fileURLToPath(new URL(script, import.meta.url))]);
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => child.kill();
  process.on('exit', end);
  child.on('close', () => process.off('exit', end));
  return new Promise((resolve) => {
    child.stdout.once('data', (data) => resolve({ port: Number(String(data)), stop: end }));
  });
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs the candidates in turn, so that a slow moment of the machine meets all of them. Gives the median of each. */
export async function alternate(repetitions, candidates) {
  return (await inTurn(repetitions, candidates)).map(median);
}

/** The same, with all that was measured. Each candidate is told which repetition it is, from 0. */
export async function inTurn(repetitions, candidates) {
  const results = candidates.map(() => []);
  for (let i = 0; i < repetitions; i++) {
    for (const [at, candidate] of candidates.entries()) results[at].push(await candidate(i));
  }
  return results;
}
