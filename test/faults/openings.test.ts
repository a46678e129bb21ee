import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { workspace } from '../support/cli.js';

const MAIN = fileURLToPath(new URL('opens-main.js', import.meta.url));
const FOLDERS = 40;

/** A process that answers each line with one. */
async function startOpening(): Promise<(folder: string) => Promise<string>> {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return async (folder) => {
    child.stdin.write(`${folder}\n`);
    return String((await lines.next()).value);
  };
}

test('several processes that begin at once, where there is no journal and no sandbox yet, all begin', async () => {
  const work = workspace();
  const processes = await Promise.all([1, 2, 3].map(startOpening));
  const said = new Set<string>();
  for (let number = 1; number <= FOLDERS; number++) {
    const folder = work.path(`state-${number}`);
    mkdirSync(folder);
    const answers = await Promise.all(processes.map((open) => open(folder)));
    answers.forEach((answer) => said.add(answer));
  }
  expect([...said]).toEqual(['opened']);
});
