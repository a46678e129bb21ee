/** `batch report`: a run or a whole batch as it stands now. CONTRACT: "Files it writes". */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { jsonLines } from '../support/result.js';
import { checkDocument } from '../support/schemas.js';
import { type Reply, type Service, startService } from '../support/service.js';
import { all, type Element, parsePage, table, textOf } from '../unit/report/html/page.js';

const pay = (user: string, amount: string, costCenter = 'PP-1', title = 'Wage'): Record<string, string> => ({
  user_id: user,
  amount,
  title,
  cost_center_key: costCenter,
  currency: 'EUR',
});
const NOVEMBER = [pay('anna', '1200.00'), pay('ben', '850.50'), pay('dora', '640.25', 'PP-2'), pay('emil', '500')];
const FLAGS = '--retries 0 --overwrite --rejects rejects.csv';

/**
 * A month in four runs: ben is corrected, dora refused a second time before she is corrected with another amount; emil is settled as
 * created. Hugo is given up with his run. Gina and anna are paid in another batch, whose file repeats a payment of November.
 */
let work: Workspace;
let service: Service;
const runs: string[] = [];
let page: Element;

const REPLIES: Readonly<Record<string, Reply>> = {
  ben: { status: 422, body: '{"error":"no bank details"}' },
  dora: { status: 422 },
  emil: { fault: 'reset-after' },
  hugo: { status: 401, execute: false },
};

async function send(file: string, flags: string): Promise<void> {
  const call = `payout create ${file} --base-url ${service.url} --yes --json --concurrency 1 ${flags}`;
  runs.push((await work.run(call)).summary.run as string);
}

const batch = (words: string): Promise<CliResult> => work.run(`batch ${words}`);
// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
const documentOf = async (words: string): Promise<any> => (await batch(`report ${words} --json`)).events[0];

/** Corrects the rejects: a text in place of another. */
async function correct(from: string, to: string): Promise<void> {
  work.file('corrected.csv', work.read('rejects.csv').replace(from, to));
  await send('corrected.csv', FLAGS);
}

beforeAll(async () => {
  work = workspace(afterAll);
  service = await startService({ respond: ({ json }) => REPLIES[(json as { user_id: string }).user_id] });
  afterAll(() => service.close());
  work.file('november.csv', csv(NOVEMBER));
  await send('november.csv', `--batch-id 2026-11 ${FLAGS}`);
  await correct('ben', 'ben2');
  await correct('dora,640.25', 'dora3,641.25');
  await batch(`settle ${runs[0]} --line 5 --created --note seen`);
  work.file('hugo.csv', csv([pay('hugo', '222.22', 'PP-9', 'Travel')]));
  await send('hugo.csv', '--batch-id 2026-11');
  await batch(`close ${runs[3]} --note 'paid in cash'`);
  work.file('bonus.csv', csv([pay('gina', '9'), NOVEMBER[0]!]));
  await send('bonus.csv', "--batch-id '2026-11 bonus' --skip-similar");
  await batch('report --batch-id 2026-11 --report m.html --report m.ndjson');
  page = parsePage(work.read('m.html'));
});

const cells = (id: string): string[][] => {
  const section = all(page, 'section').find(({ attributes }) => attributes['id'] === id) as Element;
  return all(section, 'tr').map((row) => row.children.filter((cell) => typeof cell !== 'string').map(textOf));
};

describe('a whole batch', () => {
  test('has each payment once, with its run, and those that were corrected with what replaced them', () => {
    const told = jsonLines(work.read('m.ndjson'));
    expect(told.map(({ user_id, amount, status, run }) => [user_id, amount, status, run])).toEqual([
      ['anna', '1200', 'created', runs[0]],
      ['ben', '850.5', 'skipped', runs[0]],
      ['emil', '500', 'created', runs[0]],
      ['ben2', '850.5', 'created', runs[1]],
      // Sent again unchanged, and refused again.
      ['dora', '640.25', 'skipped', runs[1]],
      ['dora3', '641.25', 'created', runs[2]],
      ['hugo', '222.22', 'not_sent', runs[3]],
    ]);
    expect(new Set(told.map(({ batch_id }) => batch_id))).toEqual(new Set(['2026-11']));
  });

  test('is told in one document, whose totals are what was really paid', async () => {
    const document = await documentOf('--batch-id 2026-11 --report m.csv');
    checkDocument('batch-report', document);
    expect(document).toMatchObject({
      run: null,
      batch_id: '2026-11',
      target: service.url,
      runs: runs.slice(0, 4),
      reports: ['m.csv'],
      records: {
        read: 7,
        valid: 7,
        created: 4,
        skipped: 2,
        not_sent: 1,
        rejected: 0,
        unknown: 0,
      },
    });
    const paid = (document.totals.payout as { status: string; cost_center: string; amount: string }[])
      .filter(({ status }) => status === 'created')
      .map(({ cost_center: name, amount }) => `${name} ${amount}`);
    // ben2, anna and emil; dora3.
    expect(paid).toEqual(['PP-1 2550.5', 'PP-2 641.25']);
  });

  test('has its money, runs and signatures first on its page', () => {
    expect(textOf(all(page, 'h1')[0]!)).toBe('4 payouts, 3,191.75 EUR: paid');
    expect(textOf(page)).toContain('7 records: 4 paid, 2 corrected since, 1 given up');
    expect(cells('money')[1]).toEqual(['payouts in EUR', '4', '3,191.75', '3,191.75']);
    expect(textOf(page)).toContain('Given up with a closed run, and not counted here: 1 payout, 222.22 EUR.');
    expect(textOf(page)).toContain('Corrected since, and not counted here: 2 payouts, 1,490.75 EUR.');
    expect(cells('runs').map((row) => row.slice(0, 1).concat(row.slice(4)))).toEqual([
      ['run', 'records', 'paid'],
      [`1: ${runs[0]}`, '2 paid, 1 corrected since', '1,700.00 EUR'],
      [`2: ${runs[1]}`, '1 paid, 1 corrected since', '850.50 EUR'],
      [`3: ${runs[2]}`, '1 paid', '641.25 EUR'],
      [`4: ${runs[3]}`, '1 given up', ''],
    ]);
    expect(textOf(page)).toMatch(/was closed: .*, paid in cash\./);
  });

  test('has nothing that needs attention but what still does, and lists the given up and corrected ones apart', () => {
    expect(textOf(page)).not.toMatch(/needs? attention/i);
    expect(cells('given-up')[1]?.slice(0, 3)).toEqual(['hugo', 'Travel', '222.22']);
    expect(
      cells('corrected')
        .slice(1)
        .map((row) => (row.length > 1 ? row[0] : row[0]?.replace(/.*Now /, ''))),
    ).toEqual(['ben', '850.50 EUR to ben2, Wage: paid', 'dora', '641.25 EUR to dora3, Wage: paid']);
    expect(table(page, '7 records')).toHaveLength(8);
  });

  test('names a record that was left out for a payment of another batch, with no money of its own', async () => {
    const document = await documentOf("--batch-id '2026-11 bonus' --report b.csv");
    expect(document.records).toMatchObject({ read: 2, created: 1, skipped: 1 });
  });
});

test('a run alone has its own records, whatever became of them since', async () => {
  const document = await documentOf(`${runs[0]!.slice(0, -1)} --report r.csv --report r.html`);
  expect(document).toMatchObject({ run: runs[0], runs: [runs[0]], records: { read: 4, created: 2, skipped: 2 } });
  expect(textOf(parsePage(work.read('r.html')))).toContain('4 records: 2 paid, 2 corrected since');
});

test('lists for people do not say refused for ever of what was corrected', async () => {
  const list = (await batch('list --batch-id 2026-11')).stdout;
  expect(list.split('\n').map((line) => / (closed|done)(, \d [a-z ]+?)? {2}/.exec(line)?.[0].trim() ?? '')).toEqual([
    '',
    'closed, 1 given up',
    'done',
    'done, 1 corrected since',
    'done, 2 corrected since',
    '',
  ]);
  const found = (await batch('find ben')).stdout;
  expect(found).toMatch(/corrected since .* HTTP 422: no bank details; .* Now 850.50 EUR to ben2, Wage: paid/);
  const shown = (await batch(`show ${runs[0]}`)).stdout;
  expect(shown).toMatch(/Records that were corrected since:\n.*\n.* dora .* Now 641.25 EUR to dora3, Wage: paid\n/s);
  expect(shown).not.toContain('Records that need attention');
});

describe('what is to be reported', () => {
  test.each([
    ['', 'name a run or a batch: gigwork batch report RUN --report FILE'],
    ['x --batch-id y', 'leave one out'],
    ['x --target sandbox', '--target is for --batch-id'],
    ['--batch-id none', 'no run belongs to batch "none"; see the names: gigwork batch list'],
    ["''", 'there is no run ""'],
  ])('%j is refused', async (words, message) => {
    const { code, stdout, stderr } = await batch(`report ${words} --report x.csv --json`);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  test('a batch at several targets needs one of them', async () => {
    await work.run('payout create hugo.csv --sandbox --batch-id 2026-11');
    const words = 'report --batch-id 2026-11 --report x.csv --json';
    for (const [flags, said] of [
      ['', /2 targets; add one of: --target sandbox, --target http/],
      ['--target https://none.example', /it has runs at: --target sandbox/],
    ] as const) {
      const { code, stderr } = await batch(`${words} ${flags}`);
      expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
    }
    const { code, events } = await batch(`${words} --target sandbox`);
    expect([code, events[0]]).toMatchObject([0, { target: 'sandbox', runs: [expect.any(String)] }]);
  });
});
