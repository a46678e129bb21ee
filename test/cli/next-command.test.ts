/** `batch resume`, and the commands that the program prints to go on: they go on as they are printed. */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { csv, gigs, payouts } from '../support/builders.js';
import { type CliResult, workspace, type Workspace, workspaceWith } from '../support/cli.js';
import { hoursAhead, TELL } from '../support/crash.js';
import { type Desk, openDesk, FIRST, issuesOf, recordsOf, SECOND } from '../support/desk.js';
import { paying, testService } from '../support/fixtures.js';
import { shellIn } from '../support/shell.js';
import { shellWords } from '../worlds/words.js';

const stopping = (n: number) => ({ status: n === 2 ? 401 : 201 });

/** The first record is created; then the service stops taking the token, so that the second is not sent. */
async function stopped(): Promise<Desk & { run: string }> {
  const at = await openDesk(stopping);
  const { summary } = await at.send([FIRST, SECOND]);
  expect(summary).toMatchObject({ exit_code: 6, records: { created: 1, not_sent: 1 } });
  return { ...at, run: summary.run as string };
}

/** The command behind `To continue: `. */
function printed({ stderr }: CliResult): string {
  return /^(?:To|Then) continue: (gigwork .*)$/m.exec(stderr)?.[1] ?? '';
}

describe('batch resume asks as a first run does', () => {
  test('without a terminal and without --yes it sends nothing', async () => {
    const { work, service, run } = await stopped();
    const { summary, stderr } = await work.run(`batch resume ${run} --json`);
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'not_confirmed', run: null });
    expect(summary.records).toMatchObject({ already_created: 1, not_sent: 1 });
    expect(stderr).toContain('sending needs a confirmation, and there is no terminal to ask at');
    expect(service.requestCount).toBe(2);
  });

  test.each([1, 2])('of %i gigs it does not, either', async (count) => {
    const at = await openDesk((n) => ({ status: n === 1 ? 401 : 201 }));
    const { summary } = await at.create('gig', gigs(count));
    expect((await at.work.run(`batch resume ${summary.run}`)).code).toBe(2);
  });
});

describe('the command that goes on', () => {
  const CONFIG = { headers: { 'X-Desk': 'payroll' } };

  /** Sends two payouts, of which the second is not sent. */
  async function send(work: Workspace, words: readonly string[], env: Record<string, string> = {}) {
    work.file('p.csv', csv([FIRST, SECOND]));
    return work.run(['payout', 'create', 'p.csv', '--concurrency', '1', ...words], { env });
  }

  /** Runs the text in a shell that knows none of the variables of the first call. Gives its exit code and output. */
  function paste(work: Workspace, command: string, env: Record<string, string> = {}) {
    return shellIn(work)(command, { GIGWORK_STATE_DIR: '', ...env });
  }

  test.each<[string, (url: string) => { flags?: string[]; env?: Record<string, string>; config?: object }]>([
    ['flags', (url) => ({ flags: ['--base-url', url, '--state-dir', 'my state'] })],
    [
      'a profile of a file that is named',
      (url) => ({
        flags: ['--config', 'c.json', '--profile', 'p'],
        config: { profiles: { p: { base_url: url, ...CONFIG } } },
      }),
    ],
    [
      'a profile and a file of the environment',
      (url) => ({
        env: { GIGWORK_CONFIG: 'c.json', GIGWORK_PROFILE: 'p', GIGWORK_STATE_DIR: 'st' },
        config: { profiles: { p: { base_url: url, account: 'desk' } } },
      }),
    ],
    ['a journal of its own', (url) => ({ flags: ['--base-url', url], env: { GIGWORK_JOURNAL: 'sqlite:my journal' } })],
  ])('goes on as it is printed, with --yes: settings from %s', async (_from, given) => {
    const work = workspace();
    const service = await testService({ respond: ({ n }) => stopping(n) });
    const { flags = [], env = {}, config = {} } = given(service.url);
    work.file('c.json', JSON.stringify(config));
    const first = await send(work, [...flags, '--yes'], env);
    expect(first.code).toBe(6);
    expect(printed(first)).toMatch(/^gigwork batch resume \d{8}-[0-9a-f]{6} .*--yes/);
    const words = shellWords(printed(first));
    // A shell is needed for what is quoted alone.
    const isQuoted = words.some((word) => /\s/.test(word));
    const env0 = { GIGWORK_STATE_DIR: '' };
    const again = isQuoted ? paste(work, printed(first)) : work.run(words.slice(1), { env: env0 });
    const { code, output } = await again;
    expect([code, output]).toEqual([0, expect.stringContaining('2 records read: 1 paid, 1 already paid')]);
    expect([...service.executions.values()]).toEqual([1, 1]);
    expect(service.requests.map(({ headers }) => headers['x-desk'])).toEqual(
      service.requests.map(() => (JSON.stringify(config).includes('X-Desk') ? 'payroll' : undefined)),
    );
  });

  test('goes on from another folder, with a first word that can be executed, and --yes in batch list and batch show', async () => {
    const { work, run, batch } = await stopped();
    const { stdout } = await work.process('batch list --json', { env: { GIGWORK_STATE_DIR: './state' } });
    const { next } = JSON.parse(stdout).runs[0];
    const program = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));
    const words = ['batch', 'resume', run, '--state-dir', work.stateDir, '--concurrency', '1', '--yes', '--json'];
    expect(next).toEqual([program, ...words]);
    expect((await batch('show', run)).next).toEqual(['gigwork', ...words]);
    const { code } = await work.run(next.slice(1), { cwd: tmpdir(), env: { GIGWORK_STATE_DIR: '' } });
    expect(code).toBe(0);
  });

  test('carries what is in force, also for a call that has gone on: files with full paths, pace, and manner', async () => {
    const at = await openDesk(() => ({ status: 401 }));
    const pace = ['--timeout', '9', '--retries', '1', '--concurrency', '1', '--rate', '50'];
    const paths = (name: string): string[] =>
      ['--report', '--rejects', '--results'].flatMap((flag) => [flag, `${name}${flag}.csv`]);
    const full = (name: string): string[] =>
      paths(name).map((word) => (word.startsWith('--') ? word : at.work.path(word)));
    const first = await at.send([FIRST, SECOND], ...pace, ...paths('a'));
    expect(first.summary.next).toEqual(
      expect.arrayContaining([...pace, ...full('a'), '--yes', '--json', '--state-dir', at.work.stateDir]),
    );
    const again = await at.resume(first.summary.run, ...pace.slice(0, 4), ...paths('b'));
    expect(again.summary.next).toEqual(expect.arrayContaining([...pace.slice(0, 4), ...full('b'), '--yes', '--json']));
    expect((await at.batch('show', first.summary.run)).next).toEqual(
      expect.arrayContaining([...pace, ...full('a'), '--json']),
    );
    at.service.responder(undefined);
    expect((await at.runPrinted(again.summary.next)).summary.records).toMatchObject({ created: 2 });
  });

  test('has no value of a header, and without that header it sends nothing and names it', async () => {
    const work = workspace();
    const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 401 : 201 }) });
    const headers = ['--header', 'X-Desk: payroll', '--header', 'X-Key: sesame'];
    const { summary } = await send(work, ['--base-url', service.url, ...headers, '--yes', '--json']);
    expect(summary.next.join(' ')).not.toMatch(/payroll|sesame|hidden/);
    const { code, stderr } = await work.run(summary.next.slice(1));
    const way = expect.stringMatching(
      /Add this with the right value: --header 'X-Desk: VALUE' --header 'X-Key: VALUE'$/m,
    );
    expect([code, stderr, service.requestCount]).toEqual([2, way, 1]);
  });

  test('a journal that cannot be reached: the call itself, from anywhere, without a password that the variable has', async () => {
    const work = workspace();
    const env = { GIGWORK_JOURNAL: 'postgresql://u:s3cret@127.0.0.1:1/d' };
    const words = '--base-url http://127.0.0.1:1 --yes --json --journal-timeout 0 --report r.csv'.split(' ');
    const { code, summary } = await send(work, words, env);
    expect([code, summary]).toMatchObject([5, { stop_reason: 'journal', retry: true, run: null, held: 0 }]);
    expect(summary.next).toEqual([
      'gigwork',
      'payout',
      'create',
      work.path('p.csv'),
      '--concurrency',
      '1',
      ...words.slice(0, -1),
      work.path('r.csv'),
      '--state-dir',
      work.stateDir,
      '--journal',
      'postgresql://u@127.0.0.1:1/d',
    ]);
  });

  test('after a refusal and an approval names the address of a variable, and which header needs its value again', async () => {
    const work = workspace();
    const service = await testService();
    work.file('c.json', JSON.stringify({ base_url: 'http://127.0.0.1:1', account: 'desk' }));
    const words = ['--config', 'c.json', '--header', 'X-Desk: payroll'];
    const env = { GIGWORK_BASE_URL: service.url };
    expect((await send(work, [...words, '--yes'], env)).code).toBe(0);
    const approve = ['--batch-id', 'x', '--approve=a.json', '--yes', '--send-similar', '2'];
    const { stderr, code } = await send(work, [...words, ...approve], env);
    expect(code, stderr).toBe(0);
    const refused = await send(work, [...words, '--yes', '--key-columns', 'title'], env);
    for (const told of [stderr, refused.stderr]) expect(told).toMatch(/put the value of each --header back: X-Desk$/m);
    const { remedies } = (await send(work, [...words, '--yes', '--json', '--key-columns', 'title'], env)).summary;
    expect(remedies[0].placeholders).toEqual(['X-Desk:']);
    const skip = /: (gigwork payout create .* --skip-created)$/m.exec(refused.stderr)?.[1] ?? '';
    const approved = /^To send what it approves: (gigwork .*)$/m.exec(stderr)?.[1] ?? '';
    for (const [command, text] of Object.entries({ [skip]: '2 left out', [`${approved} --yes`]: '2 paid' })) {
      const whole = command.replace('X-Desk:', "'X-Desk: payroll'");
      const again = await paste(work, whole, { GIGWORK_STATE_DIR: work.stateDir });
      expect([again.code, again.output]).toEqual([0, expect.stringContaining(text)]);
    }
    expect(service.requestCount).toBe(4);
  });

  test('after a signal before a run began is the same call, with what came from variables', async () => {
    const work = workspace();
    work.file('c.json', '{}');
    execFileSync('mkfifo', [work.path('p.csv')]);
    const env = { GIGWORK_CONFIG: 'c.json', GIGWORK_STATE_DIR: 'st', ...TELL };
    const interrupted = async (file: string): Promise<CliResult> => {
      const reading = work.begin(`payout create ${file} --format csv --sandbox`, { env, keepInputOpen: true });
      await reading.said(/^listening$/m);
      reading.stop('SIGTERM');
      return reading.result;
    };
    const { code, stderr } = await interrupted('p.csv');
    const flags = `--format csv --sandbox --config ${work.path('c.json')} --state-dir ${work.path('st')}`;
    const expected = `To continue: gigwork payout create ${work.path('p.csv')} ${flags}\n`;
    expect([code, stderr]).toEqual([143, expect.stringContaining(expected)]);
    // Standard input cannot be read again: as it stands, the call would find nothing to pay.
    expect((await interrupted('-')).stderr).not.toContain('To continue');
  });

  test('repeats values as the call took them: a file where an object is taken, else the text with its @', async () => {
    const center = { legal_entity: 'L', inhouse: 'No', customer_id: '1', company: '@C' };
    const work = workspaceWith({ 'c.json': center, 'p.csv': 'user_id,amount\nu1,1\n' });
    const set = '--set title=@home --set cost_center_data=@c.json --set cost_center_data.company=@here';
    const journal = '--journal postgresql://u@127.0.0.1:1/d --journal-timeout 0 --base-url https://gigs.example';
    const { summary } = await work.run(`payout create p.csv --expect-count 2 --approve --json ${set} ${journal}`);
    expect(summary.exit_code).toBe(5);
    const values = ['title=@home', `cost_center_data=@${work.path('c.json')}`, 'cost_center_data.company=@here'];
    expect(summary.next).toEqual(expect.arrayContaining([...values, '--approve', '--json']));
  });

  test('names the places that variables of the system move', async () => {
    const work = paying(1, {});
    const service = await testService({ respond: () => ({ status: 401 }) });
    work.file('c/gigwork/config.json', '{"retries":1}');
    const env = { XDG_CONFIG_HOME: work.path('c'), XDG_STATE_HOME: work.path('s'), GIGWORK_STATE_DIR: '' };
    const { summary } = await work.run(`payout create p.csv --base-url ${service.url} --yes --json`, { env });
    const places = ['--config', work.path('c/gigwork/config.json'), '--state-dir', work.path('s/gigwork')];
    expect(summary.next).toEqual(expect.arrayContaining(places));
  });
});

describe('what settles a record in doubt, as a command for each answer of the service', () => {
  const doubtful = ({ n }: { n: number }) => (n <= 2 ? { status: 500 } : undefined);

  test('is printed whole', async () => {
    const service = await testService({ respond: doubtful });
    const files = { 'one.csv': csv(gigs(1)), 'the two.csv': csv(gigs(1, 2)), 'three.csv': csv(gigs(1, 3)) };
    const ws = workspaceWith(files);
    const flags = `--base-url ${service.url} --yes --json`;
    await ws.run(`gig create one.csv 'the two.csv' ${flags}`);
    const told = issuesOf(await ws.run(`gig create three.csv ${flags}`), 'open-unknown');
    expect(told).toHaveLength(2);
    for (const { message } of told) {
      const words = /gigwork (batch settle \S+ [^.]*--not-created --note TEXT)$/.exec(message)?.[1] ?? '';
      expect(message).toContain(`${words.replace('--not-created', '--created')}. If it has not: `);
      expect((await ws.run([...words.split(' '), '--json'], { env: hoursAhead(1) })).events[0]).toMatchObject({
        status: 'not_sent',
      });
    }
  });

  test('is offered to a program', async () => {
    const at = await openDesk((n) => doubtful({ n }) ?? { status: 201 });
    const result = await at.create('gig', gigs(2));
    const { summary } = result;
    expect([summary.held, summary.reasons.join(' ')]).toEqual([2, expect.not.stringContaining('gigwork batch')]);
    for (const [i, status] of ['created', 'not_sent'].entries()) {
      const { code, when, command, placeholders } = summary.remedies[i];
      expect([code, placeholders]).toEqual(['settle', ['KEY', 'TEXT']]);
      const { key } = recordsOf(result)[i];
      expect(when).toContain(summary.run);
      const words = command.slice(1).map((word: string) => (word === 'KEY' ? key : word));
      const { events } = await at.work.run([...words, '--json'], { env: hoursAhead(1) });
      expect(events[0]).toMatchObject({ key, status });
    }
  });

  test('is offered with the key, if there is one payment only', async () => {
    const at = await openDesk((n) => doubtful({ n }) ?? { status: 201 });
    const result = await at.create('gig', gigs(1));
    const { key } = recordsOf(result)[0];
    const [{ when, command, placeholders }] = result.summary.remedies;
    expect([placeholders, command]).toEqual([['TEXT'], expect.arrayContaining(['--key', key, '--created'])]);
    expect(when).toMatch(/in doubt since \d{4}-\d\d-\d\d/);
    expect((await at.runPrinted(command)).events[0]).toMatchObject({ key, status: 'created' });
  });

  test('has the reasons of earlier calls too', async () => {
    const at = await openDesk((n) =>
      n < 3 ? { status: 503, body: '{"error":"maintenance"}' } : { status: n === 3 ? 401 : 201 },
    );
    const { summary } = await at.create('gig', gigs(3), '--concurrency', '1');
    const { reasons } = (await at.resume(summary.run)).summary;
    expect(reasons.join('\n')).toMatch(/^2 may have been created: HTTP 503: maintenance.*\(line 2; line 3\)$/m);
    expect(reasons.join('\n')).not.toContain('other reasons');
  });
});

test('a redirect is told with its address, and the first command is the one to mend', async () => {
  const headers = { location: 'https://elsewhere.example/v2' };
  const service = await testService({ respond: () => ({ status: 302, headers }) });
  const { stderr } = await paying().run(`payout create p.csv --base-url ${service.url} --yes`);
  expect(stderr).toContain('and run it with that --base-url (HTTP 302 to https://elsewhere.example/v2)');
  expect(stderr).toMatch(/^If the address is right: gigwork batch resume /m);
});

test('a run whose name is taken draws another', async () => {
  const { work, service } = await openDesk();
  const draws = `import crypto from 'node:crypto'; import { syncBuiltinESMExports } from 'node:module'; const real = crypto.randomBytes; let n = 0; crypto.randomBytes = (size, ...rest) => size === 3 && n++ === 0 ? Buffer.from('abcdef', 'hex') : real(size, ...rest); syncBuiltinESMExports();`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(draws)}` };
  const names: string[] = [];
  for (const row of payouts(2)) {
    work.file('p.csv', csv([row]));
    const call = `payout create p.csv --base-url ${service.url} --yes --json`;
    names.push((await work.process(call, { env })).summary.run);
  }
  expect(names).toEqual([expect.stringMatching(/-abcdef$/), expect.stringMatching(/^\d{8}-(?!abcdef)[0-9a-f]{6}$/)]);
});
