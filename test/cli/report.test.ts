import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv, payouts, prices, results } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { all, parsePage, table, textOf } from '../unit/report/page.js';

describe('--report', () => {
  it('tells the same of every record in each format', async () => {
    const at = workspace();
    const service = await testService({
      respond: ({ json }) =>
        (json as { user_id: string }).user_id === 'u2' ? { status: 422, body: '{"error":"=no"}' } : undefined,
    });
    at.file('in.csv', `${csv(payouts(3))}u4,1,,PP-1\n`);
    const reports = ['--report', 'r.csv', '--report', 'r.ndjson', '--report', 'r.html'];
    const args = ['payout', 'create', 'in.csv', '--base-url', service.url, '--yes', '--skip-invalid', '--json'];
    const { code, summary, events } = await at.run([...args, ...reports]);
    expect(code).toBe(4);
    const records = events.filter(({ event }) => event === 'record').sort((a, b) => a.record - b.record);
    const rows = at
      .read('r.ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      rows.map(({ date, batch_id, run, ...shared }) => {
        expect([date, batch_id, run]).toEqual([null, 'default', summary.run]);
        return shared;
      }),
    ).toEqual(
      // A fresh answer is told before it is stored, so its time may differ a little from that in the journal.
      records.map(({ event: _event, attempts: _attempts, response: _response, request: _request, ...shared }) => {
        return { ...shared, at: shared.at === null ? null : (expect.any(String) as string) };
      }),
    );
    expect(rows.map(({ at: time }) => time !== null)).toEqual([true, true, true, false]);
    expect(rows.map(({ status }) => status)).toEqual(['created', 'rejected', 'created', 'invalid']);
    const lines = at.read('r.csv').split('\r\n');
    const added = 'user_id,title,currency,cost_center,reference_id,date,batch_id,run,at';
    expect(lines[0]).toBe(`file,record,line,type,key,status,http_status,id,amount,error,${added}`);
    expect(lines).toHaveLength(6);
    expect(lines[2]).toContain(`,rejected,422,,${payouts(3)[1]?.amount},HTTP 422: =no`);

    const page = parsePage(at.read('r.html'));
    const text = textOf(page);
    expect(text).toContain('4 records: 2 paid, 1 refused, 1 with faults');
    for (const figure of [summary.run, summary.digest, service.url, 'clerk on desk']) expect(text).toContain(figure);
    for (const word of ['REHEARSAL', 'SANDBOX']) expect(text).not.toContain(word);
    const listed = table(page, '4 records, in input order').slice(1);
    expect(listed.map((cells) => [cells[0], cells[4], cells[5], cells.at(-1)])).toEqual([
      ['u1', 'line 2', 'paid', records[0].id],
      ['u2', 'line 3', 'refused', ''],
      ['u3', 'line 4', 'paid', records[2].id],
      ['u4', 'line 5', 'with faults', ''],
    ]);
    expect(table(page, '2 records')[2]).toEqual([`HTTP 422: =no Key ${records[1].key}`]);
    const sum = payouts(3).reduce((total, { amount }) => total + amount, 0);
    const paid = sum - (payouts(3)[1]?.amount ?? 0);
    expect(table(page, 'Every payment')[1]).toEqual([
      ...['payouts', '3', sum.toLocaleString('en-US'), paid.toLocaleString('en-US')],
      (sum - paid).toLocaleString('en-US'),
    ]);
  });

  it('of a run that has continued says of its payments what the report of the run says later', async () => {
    const at = workspace();
    const service = await testService({ respond: ({ n }) => (n === 2 ? { status: 401 } : undefined) });
    at.file('in.csv', csv(payouts(3)));
    const send = ['payout', 'create', 'in.csv', '--base-url', service.url, '--yes', '--concurrency', '1'];
    expect((await at.run(send)).code).toBe(6);
    const { code, stdout } = await at.run([...send, '--report', 'r.html', '--report', 'r.csv']);
    expect([code, at.read('r.csv').match(/,(?:already_)?created,/g)]).toEqual([
      0,
      [',already_created,', ',created,', ',created,'],
    ]);
    const run = /^run +(\S+)$/m.exec(stdout)?.[1] ?? '';
    expect((await at.run(['batch', 'report', run, '--report', 'later.html'])).code).toBe(0);
    for (const page of ['r.html', 'later.html'])
      expect(textOf(parsePage(at.read(page)))).toContain('3 records: 3 paid');
  });

  it('of a refused run and of a dry run says so', async () => {
    const at = workspace();
    at.file('in.csv', csv(results(4)));
    at.file('prices.csv', csv(prices()));
    const args = ['result', 'create', 'in.csv', '--prices', 'prices.csv', '--dry-run', '--report', 'r.html'];
    expect((await at.run(args)).code).toBe(0);
    expect(textOf(parsePage(at.read('r.html')))).toContain('4 records: 4 would be sent');
    expect(textOf(parsePage(at.read('r.html')))).toContain('REHEARSAL: nothing was sent');
    expect((await at.run([...args, '--expect-count', '5'])).code).toBe(3);
    const page = parsePage(at.read('r.html'));
    expect(textOf(all(page, 'h1')[0]!)).toBe('Nothing would be sent');
    expect(table(page, '4 records, in input order').filter((cells) => cells.length > 1)).toHaveLength(5);
  });

  it('is whole or not at all, is never an input, and has a known extension', async () => {
    const at = workspace();
    const content = csv(payouts(2));
    at.file('in.csv', content);
    for (const path of ['in.csv', 'r.pdf', 'no/r.html', '/dev/full.csv/x.csv']) {
      expect((await at.run(['payout', 'create', 'in.csv', '--dry-run', '--report', path])).code).toBe(2);
    }
    expect(at.read('in.csv')).toBe(content);
    await at.run(['payout', 'create', 'in.csv', '--dry-run', '--report', 'r.html', '--report', 'R.CSV']);
    expect(readdirSync(at.dir).sort()).toEqual(['R.CSV', 'home', 'in.csv', 'r.html']);
  });

  it('knows what was left out, in each format', async () => {
    const at = workspace();
    const [one, two, three] = payouts(3);
    at.file('in.csv', csv([one!, two!]));
    await at.run(['payout', 'create', 'in.csv', '--sandbox']);
    at.file('in.csv', csv([one!, two!, three!]));
    const reports = ['--report', 'r.csv', '--report', 'r.ndjson', '--report', 'r.html'];
    const done = await at.run(['payout', 'create', 'in.csv', '--sandbox', '--skip-created', ...reports]);
    expect(done.stdout).toContain('3 records read: 1 paid, 2 left out (paid before)\n');
    const run = /^run +(\S+)$/m.exec(done.stdout)?.[1] ?? '';
    await at.run([
      'batch',
      'report',
      run,
      '--report',
      'later.csv',
      '--report',
      'later.ndjson',
      '--report',
      'later.html',
    ]);
    for (const name of ['r', 'later']) {
      const rows = at.read(`${name}.ndjson`).trimEnd().split('\n');
      const told = rows.map((row) => JSON.parse(row) as { status: string; id: string | null });
      expect(told.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'created']);
      expect(new Set(told.map(({ id }) => id)).size).toBe(3);
      expect(at.read(`${name}.csv`).match(/,skipped,/g)).toHaveLength(2);
      const page = parsePage(at.read(`${name}.html`));
      expect(textOf(page)).toContain('3 records: 1 paid, 2 left out (paid before)');
      expect(textOf(page)).toContain('SANDBOX: a trial, nobody was paid');
    }
    expect((await at.run(['batch', 'show', run])).stdout).toContain(
      'Every record is paid, or was left out as decided.',
    );
  });
});
