/** What the documents show that needs more than a shell: scripts that run unattended, a server, a terminal. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { workspace } from '../support/cli.js';
import { blocksOf, readPage, ROOT } from '../support/documents.js';
import { freePort } from '../support/ports.js';
import { type Responder, startService } from '../support/service.js';
import { shellIn } from '../support/shell.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const SERVICE = 'https://gigs.example';
const hasJq = spawnSync('jq', ['--version']).status === 0;

describe('the script for a run with nobody at the terminal ends as its run does', () => {
  const script = blocksOf(readPage('docs/scripting.md')).find(({ info }) => info.includes('unattended'))?.text ?? '';
  const first: Responder = ({ n }) => (n === 1 ? { status: 422, body: '{"error":"no bank details"}' } : undefined);
  const garbled: Responder = () => ({ status: 200, body: 'hello' });

  const cases: [code: number, what: string, respond: Responder | undefined, total: string, said: string][] = [
    [0, 'all created', undefined, '19707.09', ''],
    [3, 'another total', undefined, '19707.00', 'nothing was sent'],
    [4, 'one rejected', first, '19707.09', '"error":"HTTP 422: no bank details"'],
    [6, 'one in doubt', garbled, '19707.09', ' --key KEY --created --note TEXT'],
  ];
  test.skipIf(!hasJq).each(cases)('%i: %s', async (code, _what, respond, total, said) => {
    const service = await startService(respond === undefined ? {} : { respond });
    onTestFinished(() => service.close());
    const space = workspace();
    space.file('payroll.csv', readFileSync(`${ROOT}samples/payroll-2026-11.csv`));
    const own = script
      .replace(SERVICE, service.url)
      .replace('GIGWORK_TOKEN=…', 'GIGWORK_TOKEN=t')
      .replace('/srv/gigwork', space.path('srv'))
      .replace('EUR=19707.09', `EUR=${total}`);
    expect(own).toContain(service.url);
    expect(own).toContain(space.path('srv'));
    const ended = await shellIn(space)(own);
    expect(ended).toEqual({ code, output: expect.stringContaining(said) });
  });
});

test('the sandbox as a service of its own says where it listens', async () => {
  const script = blocksOf(readPage('docs/operations.md')).find(({ info }) => info.includes('sandbox'))?.text ?? '';
  const port = await freePort();
  const { code, output } = await shellIn(workspace(), String(port))(`exec ${script.replace('8080', String(port))}`);
  expect(output).toContain(`127.0.0.1:${port}`);
  expect(code).toBe(0);
});

test.skipIf(NO_TERMINAL !== '')(`the review for finance is the one that a terminal shows${NO_TERMINAL}`, async () => {
  const review = blocksOf(readPage('docs/finance.md')).find(({ info }) => info.includes('review'))?.text ?? '';
  const [, command = '', picture = ''] = /^\$ gigwork (.*)\n([^]*?stops\): )/.exec(review) ?? [];
  const space = workspace();
  symlinkSync(`${ROOT}samples`, space.path('samples'));
  const terminal = openTerminal(space, command.split(' '), 120);
  await terminal.shows('stops): ');
  expect(picture).toMatch(/Largest/);
  expect(terminal.output).toContain(picture);
  terminal.type('');
  expect(await terminal.ended).toBe(2);
});
