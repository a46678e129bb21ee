/** `--report`, and what `batch report` makes of the same run later. CONTRACT: "Files it writes". */
import { describe, expect, it } from 'vitest';
import { csv, payouts, prices, results } from '../support/builders.js';
import { workspaceWith } from '../support/cli.js';
import { recordsOf } from '../support/desk.js';
import { paying, testService } from '../support/fixtures.js';
import { jsonLines } from '../support/result.js';
import { all, parsePage, table, textOf } from '../unit/report/html/page.js';

const ALL = (name: string): string => `--report ${name}.csv --report ${name}.ndjson --report ${name}.html`;

describe('--report', () => {
  it('tells the same of every record in each format, and later from the journal', async () => {
    const service = await testService({
      respond: ({ body }) => (body.includes('"u2"') ? { status: 422, body: '{"error":"=no"}' } : undefined),
    });
    const day = new Date().toISOString().slice(0, 10);
    const twice = [1, 2].map(() => ({ ...payouts(4)[3], idempotency_key: 'k' }));
    const rows = [...payouts(3).map((row) => ({ ...row, billing_date: day, reference_id: 'R' })), ...twice];
    const at = workspaceWith({ 'in.csv': `${csv(rows)}u5,1,,PP-1,,,\n` });
    const call = `payout create in.csv --base-url ${service.url} --yes --skip-invalid --json --batch-id may`;
    const result = await at.run(`${call} ${ALL('r')}`);
    expect(result.code).toBe(4);
    const { summary } = result;
    const records = recordsOf(result);
    const told = jsonLines(at.read('r.ndjson'));
    const bare = told.map(({ date, batch_id, run, ...shared }, i) => {
      expect([date, batch_id, run]).toEqual([i < 3 ? day : null, 'may', summary.run]);
      return shared;
    });
    // A fresh answer is told before it is stored, so its time may differ a little from that in the journal.
    expect(bare).toEqual(
      records.map(({ event: _event, attempts: _attempts, response: _response, request: _request, ...shared }) => {
        return { ...shared, at: shared.at === null ? null : (expect.any(String) as string) };
      }),
    );
    expect(told.map(({ status, at: time }) => `${status} ${time !== null}`)).toEqual([
      'created true',
      'rejected true',
      'created true',
      'invalid false',
      'invalid false',
      'invalid false',
    ]);
    const lines = at.read('r.csv').split('\r\n');
    const added = 'user_id,title,currency,cost_center,reference_id,date,batch_id,run,at,unit';
    expect(lines[0]).toBe(`file,record,line,type,key,status,http_status,id,amount,error,${added}`);
    expect(lines).toHaveLength(8);
    expect(lines[2]).toContain(`,rejected,422,,${payouts(3)[1]?.amount},HTTP 422: =no,u2,Bonus 2,,`);
    expect(lines[2]).toContain(`,R,${day},may,${summary.run},${told[1].at}`);
    expect((await at.run(`batch report ${summary.run} --report later.ndjson`)).code).toBe(0);
    expect(jsonLines(at.read('later.ndjson'))).toEqual(told);

    const page = parsePage(at.read('r.html'));
    const text = textOf(page);
    expect(text).toContain('6 records: 2 paid, 1 refused, 3 with faults');
    for (const figure of [summary.run, summary.digest, service.url, 'clerk on desk']) expect(text).toContain(figure);
    for (const word of ['REHEARSAL', 'SANDBOX']) expect(text).not.toContain(word);
    const listed = table(page, '6 records, in input order').slice(1);
    expect(listed.map((cells) => [cells[0], cells[4], cells[5], cells.at(-1)])).toEqual([
      ['u1', 'line 2', 'paid', records[0].id],
      ['u2', 'line 3', 'refused', ''],
      ['u3', 'line 4', 'paid', records[2].id],
      ...[5, 6].map((line) => ['u4', `line ${line}`, 'with faults', '']),
      ['u5', 'line 7', 'with faults', ''],
    ]);
    expect(table(page, '4 records')[2]).toEqual([`HTTP 422: =no Key ${records[1].key}`]);
    const sum = payouts(3).reduce((total, { amount }) => total + amount, 0);
    const paid = sum - (payouts(3)[1]?.amount ?? 0);
    expect(table(page, 'Every payment')[1]).toEqual([
      'payouts',
      '3',
      sum.toLocaleString('en-US'),
      paid.toLocaleString('en-US'),
      (sum - paid).toLocaleString('en-US'),
    ]);
  });

  it('of a run that has continued says of its payments what the report of the run says later', async () => {
    const at = paying(3);
    const service = await testService({ respond: ({ n }) => (n === 2 ? { status: 401 } : undefined) });
    const send = `payout create p.csv --base-url ${service.url} --yes --concurrency 1 --json`;
    expect((await at.run(send)).code).toBe(6);
    const { code, summary } = await at.run(`${send} --report r.html --report r.csv`);
    expect([code, at.read('r.csv').match(/,(?:already_)?created,/g)]).toEqual([
      0,
      [',already_created,', ',created,', ',created,'],
    ]);
    expect((await at.run(`batch report ${summary.run} --report later.html`)).code).toBe(0);
    for (const page of ['r.html', 'later.html'])
      expect(textOf(parsePage(at.read(page)))).toContain('3 records: 3 paid');
  });

  it('of a refused run and of a dry run says so', async () => {
    const at = workspaceWith({ 'in.csv': csv(results(4)), 'prices.csv': csv(prices()) });
    const args = 'result create in.csv --prices prices.csv --dry-run --overwrite --report r.html';
    expect((await at.run(args)).code).toBe(0);
    const text = textOf(parsePage(at.read('r.html')));
    for (const words of ['4 records: 4 would be sent', 'REHEARSAL: nothing was sent']) expect(text).toContain(words);
    expect((await at.run(`${args} --expect-count 5`)).code).toBe(3);
    const page = parsePage(at.read('r.html'));
    expect(textOf(all(page, 'h1')[0]!)).toBe('Nothing would be sent');
    expect(table(page, '4 records, in input order').filter((cells) => cells.length > 1)).toHaveLength(5);
  });

  it('knows what was left out, in each format', async () => {
    const at = paying(2);
    await at.run('payout create p.csv --sandbox');
    at.file('p.csv', csv(payouts(3)));
    const done = await at.run(`payout create p.csv --sandbox --skip-created ${ALL('r')}`);
    expect(done.stdout).toContain('3 records read: 1 paid, 2 left out (paid before)\n');
    const run = /^run +(\S+)$/m.exec(done.stdout)?.[1] ?? '';
    await at.run(`batch report ${run} ${ALL('later')}`);
    for (const name of ['r', 'later']) {
      const told = jsonLines(at.read(`${name}.ndjson`));
      expect(told.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'created']);
      expect(new Set(told.map(({ id }) => id)).size).toBe(3);
      expect(at.read(`${name}.csv`).match(/,skipped,/g)).toHaveLength(2);
      const text = textOf(parsePage(at.read(`${name}.html`)));
      for (const words of ['3 records: 1 paid, 2 left out (paid before)', 'SANDBOX: a trial, nobody was paid'])
        expect(text).toContain(words);
    }
    const shown = await at.run(`batch show ${run}`);
    expect(shown.stdout).toContain('Every record is paid, or was left out as decided.');
  });
});
