/** `batch settle`: a person's word about payments in doubt. CONTRACT: "Sending". */
import { describe, expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { type CliResult } from '../support/cli.js';
import { FIRST, SECOND, sent, type Sent, THIRD } from '../support/desk.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const NOTE = ['--note', 'looked it up'];
const settle = ({ work, run }: Sent, ...flags: string[]): Promise<CliResult> =>
  work.run(['batch', 'settle', run, ...flags, ...NOTE]);
type Said = Readonly<Record<'record' | 'status', string>>;
const words = async ({ batch, run }: Sent): Promise<string[]> =>
  (await batch('show', run)).settled.map(({ record, status }: Said) => `${record} ${status}`);

describe('batch settle', () => {
  test('the same word a second time is exit 0 and changes nothing; what was created stays so', async () => {
    const at = await sent('unknown', [FIRST, SECOND, THIRD]);
    const first = await settle(at, '--key', at.key, '--created', '--id', 'x-1');
    expect([first.code, await words(at)]).toEqual([0, ['1 created']]);
    for (const again of [
      ['--line', '2', '--created', '--id', 'x-1'],
      ['--record', '1', '--created'],
    ])
      expect(await settle(at, ...again)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
    expect((await settle(at, '--record', '1', '--created', '--id', 'x-2')).code).toBe(2);
    expect((await settle(at, '--record', '1', '--not-created')).code).toBe(2);
    // Of several, only the new ones are written down.
    expect((await settle(at, '--record', '1,2-3', '--created')).code).toBe(0);
    expect(await words(at)).toEqual(['1 created', '2 created', '3 created']);
  });

  test('not created may be corrected until the payment is sent', async () => {
    const at = await sent('unknown', [FIRST, SECOND]);
    expect((await settle(at, '--line', '2-3', '--not-created')).code).toBe(0);
    expect((await settle(at, '--line', '2-3', '--not-created')).code).toBe(0);
    expect((await settle(at, '--line', '2', '--created')).code).toBe(0);
    expect((await at.resume(at.run)).summary).toMatchObject({
      exit_code: 0,
      records: { already_created: 1, created: 1 },
    });
    expect([await words(at), at.service.requestCount]).toEqual([['1 not_sent', '2 not_sent', '1 created'], 3]);
    expect((await settle(at, '--line', '3', '--not-created')).code).toBe(2);
  });

  test('the doubt of another run names that run everywhere, which sends the payment then', async () => {
    const at = await sent('unknown', [FIRST], '--batch-id', 'x');
    at.work.file('q.csv', csv([FIRST, SECOND]));
    const call = ['payout', 'create', 'q.csv', '--base-url', at.service.url, '--yes', '--batch-id', 'y'];
    const { stdout, stderr } = await at.work.run([...call, '--skip-similar']);
    const other = /^run +(\S+)$/m.exec(stdout)?.[1] ?? '';
    const shown = (await at.work.run(['batch', 'show', other])).stdout;
    for (const text of [stderr, shown]) {
      expect(text).toContain(`batch settle ${at.run} `);
      // All that is left is up to the other run.
      expect(text).not.toContain('ontinue: ');
    }
    const settled = await at.work.run(['batch', 'settle', other, '--line', '2', '--not-created', ...NOTE]);
    expect(settled.stdout).toContain(`It will be sent when run ${at.run} is resumed.`);
    expect((await at.resume(at.run)).summary.records).toMatchObject({ created: 1 });
    expect((await at.batch('list', '--open')).runs).toEqual([]);
  });

  test('once only the doubt of another run is left, batch show speaks of that alone', async () => {
    const at = await sent('unknown', [FIRST], '--batch-id', 'x');
    at.service.responder(() => ({ fault: 'reset-after' }));
    const { summary } = await at.send([FIRST, SECOND], '--batch-id', 'y', '--skip-similar', '--retries', '0');
    expect(summary).toMatchObject({ exit_code: 5, records: { unknown: 2 } });
    await at.work.run(['batch', 'settle', summary.run, '--line', '3', '--created', ...NOTE]);
    const { stdout } = await at.work.run(['batch', 'show', summary.run]);
    expect(stdout).toMatch(new RegExp(`^1 record of run ${at.run} .*Look it up in the service`, 'm'));
    expect(stdout).not.toContain('ontinue: ');
  });

  test.skipIf(NO_TERMINAL !== '')(`--created shows what it is about and asks${NO_TERMINAL}`, async () => {
    const at = await sent('unknown', [{ ...FIRST, amount: 12.5, currency: 'EUR' }]);
    const call = ['batch', 'settle', at.run, '--line', '2', '--created', ...NOTE];
    const refused = openTerminal(at.work, call);
    await refused.shows(/u1, 12\.50 EUR\), in doubt since \d{4}-\d\d-\d\d[^]*final[^]*\[y\/N\] /);
    refused.type('');
    expect([await refused.ended, await words(at)]).toEqual([2, []]);
    const correctable = openTerminal(at.work, call.with(5, '--not-created'));
    expect([await correctable.ended, await words(at)]).toEqual([0, ['1 not_sent']]);
    const agreed = openTerminal(at.work, call);
    await agreed.shows('[y/N] ');
    agreed.type('y');
    expect([await agreed.ended, await words(at)]).toEqual([0, ['1 not_sent', '1 created']]);
    const again = openTerminal(at.work, call);
    expect([await again.ended, again.output]).toEqual([0, expect.not.stringContaining('[y/N]')]);
    // What cannot be settled is refused before the question.
    at.service.responder(({ n }) => (n % 2 === 0 ? { status: 422 } : { fault: 'reset-after' }));
    const mixed = await at.send([SECOND, THIRD], '--retries', '0');
    expect(mixed.summary.records).toMatchObject({ unknown: 1, rejected: 1 });
    const early = openTerminal(at.work, ['batch', 'settle', mixed.summary.run, '--line', '2,3', '--created', ...NOTE]);
    expect([await early.ended, early.output]).toEqual([2, expect.not.stringContaining('[y/N]')]);
  });
});
