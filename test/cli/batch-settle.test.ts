/** `batch settle`: a person's word about payments in doubt, and which run and records it means. CONTRACT: "Sending". */
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
import {
  ANSWERS,
  openDesk,
  type Desk,
  FIRST,
  recordsOf,
  SECOND,
  sent,
  sentAt,
  type Sent,
  THIRD,
} from '../support/desk.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const NOTE = "--note 'looked it up'";
/** So the service is no longer at what it was sent. */
const A_MINUTE_LATER = hoursAhead(1 / 60);
const settle = ({ work, run }: Pick<Sent, 'work' | 'run'>, flags: string): Promise<CliResult> =>
  work.run(`batch settle ${run} ${flags} ${NOTE}`, { env: A_MINUTE_LATER });
type Said = Readonly<Record<'record' | 'status', string>>;
const words = async ({ batch, run }: Sent): Promise<string[]> =>
  (await batch('show', run)).settled.map(({ record, status }: Said) => `${record} ${status}`);

describe('batch settle', () => {
  test('the same word a second time is exit 0 and changes nothing; what was created stays so', async () => {
    const at = await sent('unknown', [FIRST, SECOND, THIRD]);
    expect((await settle(at, `--key ${at.key} --created --id x-1`)).code).toBe(0);
    expect(await words(at)).toEqual(['1 created']);
    for (const again of ['--line 2 --created --id x-1', '--record 1 --created'])
      expect(await settle(at, again)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
    for (const other of ['--record 1 --created --id x-2', '--record 1 --not-created', '--record 2-3 --created --id x'])
      expect((await settle(at, other)).code).toBe(2);
    // Of several, only the new ones are written down.
    expect((await settle(at, '--record 1,2-3 --created')).code).toBe(0);
    expect(await words(at)).toEqual(['1 created', '2 created', '3 created']);
  });

  test('--not-created waits until the service can no longer be at it: the time-out of now, or of the call', async () => {
    const at = await sent('unknown', [FIRST, SECOND]);
    const early = `batch settle ${at.run} --line 2 --not-created ${NOTE}`;
    const { code, stderr } = await at.work.run(early);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/line 2 \(u1\)\. Look it up again in \d+ seconds/)]);
    expect((await at.work.run(early, { env: hoursAhead(31 / 3600) })).code).toBe(0);
    const slow = await sent('unknown', [FIRST], '--timeout', '600');
    expect((await settle(slow, '--line 2 --not-created')).code).toBe(2);
    expect((await settle(slow, '--line 2 --created')).code).toBe(0);
  });

  test('an id that another payment of its type at the target has is refused', async () => {
    const at = await sent('unknown', [FIRST, SECOND]);
    expect((await settle(at, '--line 2 --created --id x_1')).code).toBe(0);
    const { code, stderr } = await settle(at, '--line 3 --created --id x_1');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`x_1 is that of another payment (run ${at.run}, line 2 of p.csv)`),
    ]);
    for (const id of ['xx1', 'x_1é'])
      expect((await settle(at, `--line 3 --created --id ${id}`)).code).toBe(id === 'xx1' ? 0 : 2);
    const answered = await sentAt(await openDesk(), 'created', [FIRST]);
    const [{ id }] = recordsOf(await answered.send([FIRST], '--skip-created'));
    const other = await sentAt(answered, 'unknown', [THIRD]);
    expect((await settle(other, `--line 2 --created --id ${id}`)).code).toBe(2);
  });

  test('--line is refused once the run has gone on with a file of other bytes: the key is the way', async () => {
    const at = await openDesk(() => ({ status: 401 }));
    const { run } = (await at.send([FIRST, SECOND])).summary;
    at.service.responder(() => ANSWERS.unknown);
    at.work.file('p.csv', `\n${csv([FIRST, SECOND])}`);
    const again = await at.sendFiles(['p.csv'], '--retries', '0');
    expect(again.summary).toMatchObject({ run, records: { unknown: 2 } });
    const { code, stderr } = await settle({ ...at, run }, '--line 4 --created');
    const { key } = recordsOf(again)[1];
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^Run ${run} has continued with a file.*Line 4 of p\\.csv .*the key ${key}`)),
    ]);
    expect((await settle({ ...at, run }, `--key ${key} --created`)).code).toBe(0);
  });

  test('not created may be corrected until the payment is sent', async () => {
    const at = await sent('unknown', [FIRST, SECOND]);
    for (const word of ['--line 2-3 --not-created', '--line 2-3 --not-created', '--line 2 --created'])
      expect((await settle(at, word)).code).toBe(0);
    const { summary } = await at.resume(at.run);
    expect(summary).toMatchObject({ exit_code: 0, records: { already_created: 1, created: 1 } });
    expect([await words(at), at.service.requestCount]).toEqual([['1 not_sent', '2 not_sent', '1 created'], 3]);
    expect((await settle(at, '--line 3 --not-created')).code).toBe(2);
  });

  test('the doubt of another run names that run everywhere, which sends the payment then', async () => {
    const at = await sent('unknown', [FIRST], '--batch-id', 'x');
    at.work.file('q.csv', csv([FIRST, SECOND]));
    const call = `payout create q.csv --base-url ${at.service.url} --yes --batch-id y --skip-similar`;
    const { stdout, stderr } = await at.work.run(call);
    const run = /^run +(\S+)$/m.exec(stdout)?.[1] ?? '';
    const shown = (await at.work.run(`batch show ${run}`)).stdout;
    for (const text of [stderr, shown]) {
      expect(text).toContain(`batch settle ${at.run} `);
      // All that is left is up to the other run.
      expect(text).not.toContain('ontinue: ');
    }
    // The record that was left out is another row, with another amount.
    const { code, stderr: refused } = await settle({ ...at, run }, '--line 2 --not-created');
    expect([code, refused]).toEqual([2, expect.stringMatching(new RegExp(`run ${run} \\(u1, .*\\) was left out`))]);
    expect(refused).toContain(`It stands for line 2 of p.csv in run ${at.run} (u1, `);
    expect(refused).toMatch(new RegExp(`gigwork batch settle ${at.run} .*--key ${at.key} --created --note TEXT`));
    const settled = await settle(at, '--line 2 --not-created');
    expect(settled.stdout).toContain(`It will be sent when run ${at.run} is resumed.`);
    expect((await at.resume(at.run)).summary.records).toMatchObject({ created: 1 });
    expect((await at.batch('list', '--open')).runs).toEqual([]);
  });

  test('a single record is named: by its line, or where that is not sure, by its key; of several, people choose', async () => {
    const advice = async ({ work, run }: Sent): Promise<string> =>
      /^1 record of run .*$/m.exec((await work.run(`batch show ${run}`)).stdout)?.[0] ?? '';
    const one = await sent('unknown', [FIRST], '--key-lifetime', '0');
    expect(await advice(one)).toMatch(/first, do not guess, .* --line 2 --created --note TEXT, or --not-created/);
    const [command = ''] = /batch settle .* --created/.exec(await advice(one)) ?? [];
    await one.send([FIRST, SECOND], '--skip-created');
    expect((await one.work.run([...command.split(' '), '--note', 'asked'])).code).toBe(0);
    const at = await openDesk();
    at.work.file('p.json', JSON.stringify([FIRST]));
    at.work.file('q.json', JSON.stringify([SECOND]));
    at.service.responder(() => ANSWERS.unknown);
    const flags = ['--retries', '0', '--key-lifetime', '0'];
    const array = await at.sendFiles(['p.json'], ...flags);
    expect(await advice({ ...one, ...at, run: array.summary.run })).toContain(' --record 1 --created');
    const two = await at.sendFiles(['p.json', 'q.json'], ...flags, '--batch-id', 'x', '--send-similar', '1');
    expect((await at.work.run(`batch show ${two.summary.run}`)).stdout).toContain(' --line N --created');
    at.service.responder(({ json }) => ((json as { user_id: string }).user_id === 'u1' ? ANSWERS.unknown : undefined));
    const mixed = await at.sendFiles(['p.json', 'q.json'], ...flags, '--batch-id', 'y', '--send-similar', '2');
    expect(await advice({ ...one, ...at, run: mixed.summary.run })).toMatch(/ --key \S+ --created/);
  });

  test('once only the doubt of another run is left, batch show speaks of that alone', async () => {
    const at = await sent('unknown', [FIRST], '--batch-id', 'x');
    at.service.responder(() => ({ fault: 'reset-after' }));
    const { summary } = await at.send([FIRST, SECOND], '--batch-id', 'y', '--skip-similar', '--retries', '0');
    expect(summary).toMatchObject({ exit_code: 5, records: { unknown: 2 } });
    await settle({ ...at, run: summary.run }, '--line 3 --created');
    const { stdout } = await at.work.run(`batch show ${summary.run}`);
    expect(stdout).toMatch(new RegExp(`^1 record of run ${at.run} .*Look it up in the service`, 'm'));
    expect(stdout).not.toContain('ontinue: ');
  });

  test('lines are those on which the records start; each record is told and shown by its own', async () => {
    const at = await sent('unknown', [FIRST, { ...SECOND, title: 'Bonus\nof November' }, THIRD]);
    const { code, events } = await settle(at, '--record 3,1-1 --not-created --json');
    expect([code, events]).toMatchObject([0, [[{ record: 1 }, { record: 3 }]]]);
    expect((await settle(at, '--line 4 --created')).code).toBe(2);
    const told = new RegExp(`^Line 3 of p\\.csv in run ${at.run} \\(u2, .*\\) is now recorded as paid\\.`);
    expect((await settle(at, '--line 3-3 --created')).stdout).toMatch(told);
    const { outcomes, settled } = await at.batch('show', at.run);
    const states = outcomes.map(({ line, status }: Record<string, string>) => `${line} ${status}`);
    expect(states).toEqual(['2 not_sent', '3 created', '5 not_sent']);
    const common = { file: 'p.csv', note: 'looked it up' };
    expect(settled).toMatchObject([1, 3, 2].map((record) => ({ ...common, record })));
    const { stdout } = await at.work.run(`batch show ${at.run}`);
    expect(stdout).toContain('Settled by hand');
    expect(stdout.match(/p\.csv +[25] .* not paid +looked it up$/gm)).toHaveLength(2);
  });

  test.each(['--created', '--not-created'])('needs a note: %s', async (word) => {
    const at = await sent('unknown', [FIRST]);
    for (const note of ['', "--note ' '"])
      expect((await at.work.run(`batch settle ${at.run} --line 2 ${word} ${note}`)).code).toBe(2);
    expect(await words(at)).toEqual([]);
  });

  test.skipIf(NO_TERMINAL !== '')(`--created shows what it is about and asks${NO_TERMINAL}`, async () => {
    const at = await sent('unknown', [{ ...FIRST, amount: 12.5, currency: 'EUR' }]);
    const open = (line: string, run = at.run) =>
      openTerminal(at.work, ['batch', 'settle', run, '--line', line, '--created', '--note', 'looked it up']);
    const refused = open('2');
    await refused.shows(/u1, 12\.50 EUR\), in doubt since \d{4}-\d\d-\d\d[^]*final[^]*\[y\/N\] /);
    refused.type('');
    expect([await refused.ended, await words(at)]).toEqual([2, []]);
    expect([(await settle(at, '--line 2 --not-created')).code, await words(at)]).toEqual([0, ['1 not_sent']]);
    const agreed = open('2');
    await agreed.shows('[y/N] ');
    agreed.type('y');
    expect([await agreed.ended, await words(at)]).toEqual([0, ['1 not_sent', '1 created']]);
    const again = open('2');
    expect([await again.ended, again.output]).toEqual([0, expect.not.stringContaining('[y/N]')]);
    // What cannot be settled is refused before the question.
    at.service.responder(({ n }) => (n % 2 === 0 ? { status: 422 } : { fault: 'reset-after' }));
    const mixed = await at.send([SECOND, THIRD], '--retries', '0');
    expect(mixed.summary.records).toMatchObject({ unknown: 1, rejected: 1 });
    const early = open('2,3', mixed.summary.run);
    expect([await early.ended, early.output]).toEqual([2, expect.not.stringContaining('[y/N]')]);
  });
});

// Two runs that begin alike are never guessed between: what is sent on, settled or reported must be the run that the
// person thinks of.
describe('a run is meant by its name, or by a beginning of its own', () => {
  /** Two runs of one day, each with a record in doubt, and where their names differ: a name begins with its day. */
  async function twoRuns(): Promise<{ at: Desk; runs: [string, string]; shared: number }> {
    const at = await openDesk(() => ({ status: 500 }));
    const runs: string[] = [];
    for (const batch of ['one', 'two']) {
      const flags = ['--retries', '0', '--batch-id', batch, '--send-similar', '1'];
      runs.push((await at.send(payouts(1), ...flags)).summary.run);
    }
    const [one, two] = runs as [string, string];
    return { at, runs: [one, two], shared: one.split('').findIndex((letter, i) => letter !== two[i]) };
  }

  test('where two begin alike, nothing is sent or settled', async () => {
    const { at, runs, shared } = await twoRuns();
    const beginning = runs[0].slice(0, shared);
    for (const command of ['show', 'resume', 'settle --record 1 --created --note n', 'report --report r.csv']) {
      const { code, stderr } = await at.work.run(`batch ${command} ${beginning}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`several runs begin with "${beginning}": `)]);
      for (const run of runs) expect(stderr).toContain(run);
    }
    expect(at.service.requestCount).toBe(2);
    for (const run of runs) expect((await at.batch('show', run)).records).toMatchObject({ unknown: 1 });
    const { code, stdout } = await settle({ ...at, run: runs[1].slice(0, shared + 1) }, '--record 1 --created');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`in run ${runs[1]} `)]);
  });
});
