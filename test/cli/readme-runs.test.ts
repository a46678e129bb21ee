import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { startService, type Responder } from '../support/service.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

// The README, run. What it says is held against the code by readme.test.ts.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(`${ROOT}README.md`, 'utf8');

/** A fenced block: its words after the fence, what it says, and the line on which it starts. */
interface Block {
  readonly info: string[];
  readonly text: string;
  readonly line: number;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info = '', 2: text = '', index }) => ({
    info: info.split(' '),
    text,
    line: markdown.slice(0, index).split('\n').length,
  }));
}

interface Step {
  readonly script: Block;
  readonly exitCode: number;
  /** What the reader is shown of its output, or null. */
  readonly picture: Block | null;
}

/** Shell blocks but those marked `no-run`, each with the text block that follows it. */
function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap((script, i) => {
    if (script.info[0] !== 'sh' || script.info.includes('no-run')) return [];
    const next = blocks[i + 1];
    const follows = next?.info.join(' ') === 'text' && next.line === script.line + script.text.split('\n').length + 1;
    const exit = script.info.find((word) => word.startsWith('exit='))?.slice('exit='.length);
    return [{ script, exitCode: Number(exit ?? 0), picture: follows ? next : null }];
  });
}

/** Names of runs differ from call to call. */
const masked = (line: string): string => line.trimEnd().replace(/\b\d{8}-[0-9a-f]{6}\b/g, 'RUN');

/** The first line of the picture that the output does not have, in order; null when it has all. `…` stands for any lines. */
function missingLine(picture: string, output: string): string | null {
  const lines = output.split('\n').map(masked);
  let from = 0;
  for (const wanted of picture.split('\n').map(masked)) {
    if (wanted === '' || wanted === '…') continue;
    const at = lines.indexOf(wanted, from);
    if (at < 0) return wanted;
    from = at + 1;
  }
  return null;
}

/** Runs a script as a shell does for a person: errors end it, both streams on one terminal. */
const SHELL = `
import { spawnSync } from 'node:child_process';
const { status } = spawnSync('sh', ['-e', process.argv[2]], { stdio: 'inherit' });
process.exitCode = status ?? 1;
`;

const hasJq = spawnSync('jq', ['--version']).status === 0;

describe('the commands in the README do what it says', () => {
  const steps = stepsOf(blocksOf(README));
  const space = workspace(afterAll);

  beforeAll(() => {
    symlinkSync(`${ROOT}samples`, space.path('samples'));
    space.file('shell.mjs', SHELL);
    space.file('bin/gigwork', `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/gigwork.js' "$@"\n`);
  });

  test('there are some', () => {
    expect(steps.length).toBeGreaterThan(8);
  });

  for (const { script, exitCode, picture } of steps) {
    test.skipIf(script.info.includes('jq') && !hasJq)(
      `line ${script.line}: ${script.text.split('\n')[0]}`,
      async () => {
        const file = space.file(
          `line-${script.line}.sh`,
          `chmod +x bin/gigwork\nPATH="$PWD/bin:$PATH"\nexec 2>&1\n${script.text}`,
        );
        const { code, stdout } = await space.process([file], { entry: space.path('shell.mjs') });
        expect(code, stdout).toBe(exitCode);
        if (picture !== null) expect(missingLine(picture.text, stdout), stdout).toBeNull();
      },
    );
  }
});

describe('the script for a run with nobody at the terminal ends as its run does', () => {
  const script = blocksOf(README).find(({ text }) => text.includes('\ncase $code in\n'))?.text ?? '';
  const first: Responder = ({ n }) => (n === 1 ? { status: 422, body: '{"error":"no bank details"}' } : undefined);
  const garbled: Responder = () => ({ status: 200, body: 'hello' });

  const cases: [code: number, what: string, respond: Responder | undefined, total: string, said: string][] = [
    [0, 'all created', undefined, '19707.09', ''],
    [3, 'another total', undefined, '19707.00', 'nothing was sent'],
    [4, 'one rejected', first, '19707.09', '"error":"HTTP 422: no bank details"'],
    [5, 'one in doubt', garbled, '19707.09', 'run the same again'],
  ];
  test.skipIf(!hasJq).each(cases)('%i: %s', async (code, _what, respond, total, said) => {
    const service = await startService(respond === undefined ? {} : { respond });
    onTestFinished(() => service.close());
    const space = workspace();
    space.file('shell.mjs', SHELL);
    space.file('payroll.csv', readFileSync(`${ROOT}samples/payroll-2026-11.csv`));
    const program = space.file('bin/gigwork', `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/gigwork.js' "$@"\n`);
    chmodSync(program, 0o755);
    const own = script
      .replace(/^export .*$/m, `export PATH="$PWD/bin:$PATH" GIGWORK_BASE_URL=${service.url} GIGWORK_TOKEN=t`)
      .replace('EUR=19707.09', `EUR=${total}`);
    expect(own).toContain(service.url);
    const ended = await space.process([space.file('script.sh', own)], { entry: space.path('shell.mjs') });
    expect([ended.code, `${ended.stdout}${ended.stderr}`]).toEqual([code, expect.stringContaining(said)]);
  });
});

test.skipIf(NO_TERMINAL !== '')(`the review in the README is the one that a terminal shows${NO_TERMINAL}`, async () => {
  const [, command = '', picture = ''] =
    /```text no-run\n\$ gigwork (.*)\n([^]*?type their total: )/.exec(README) ?? [];
  const space = workspace();
  symlinkSync(`${ROOT}samples`, space.path('samples'));
  const terminal = openTerminal(space, command.split(' '), 120);
  await terminal.shows('type their total: ');
  expect(picture).toMatch(/Largest/);
  expect(terminal.output).toContain(picture);
  terminal.type('');
  expect(await terminal.ended).toBe(2);
});
