/** `--template FILE`: each row fills in a record. CONTRACT: "Templates". */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, ndjson, type PayoutRow, type Row } from '../support/builders.js';
import { type CliResult, CONFIG, type Content, workspaceWith, type Workspace } from '../support/cli.js';
import { type Desk, expectDone, openDesk, issuesOf, recordsOf, remedyOf, times } from '../support/desk.js';
import { sheet } from '../support/workbook.js';

const PAYOUT = { user_id: '${id}', amount: '${eur}', title: 'Tour ${no}', cost_center_key: 'PP-7' };
const ROWS: Row[] = [
  { id: '007', eur: '12.50', no: 4, note: 'x' },
  { id: '008', eur: '7', no: 5, note: '' },
];
const RECORDS: [PayoutRow, PayoutRow] = [
  { user_id: '007', amount: 12.5, title: 'Tour 4', cost_center_key: 'PP-7' },
  { user_id: '008', amount: 7, title: 'Tour 5', cost_center_key: 'PP-7' },
];
const FILES = { 't.json': PAYOUT, 'rows.csv': csv(ROWS), 'records.json': RECORDS } satisfies Record<string, Content>;
const TEMPLATE = ['--template', 't.json'];

const dry = (at: Workspace, ...words: string[]): Promise<CliResult> =>
  at.run(['payout', 'create', ...words, '--dry-run', '--json', '--base-url', 'https://gigs.example']);

test('keys, bodies and the digest are those of the records that come out', async () => {
  const at = workspaceWith({ ...FILES, 'rows.ndjson': ndjson(ROWS) });
  const wanted = await dry(at, 'records.json');
  const facts = (result: CliResult) => recordsOf(result).map(({ key, request }) => ({ key, request }));
  for (const file of ['rows.csv', 'rows.ndjson']) {
    const made = await dry(at, file, ...TEMPLATE);
    expect(facts(made)).toEqual(facts(wanted));
    expect(made.summary.digest).toBe(wanted.summary.digest);
    expect(made.stderr.match(/does not use/g)).toHaveLength(1);
    expect(made.stderr).toContain('t.json does not use 1 column: "note"');
  }
});

test('the type follows the command, --type, or the members of the template', async () => {
  const at = workspaceWith(FILES);
  const type = async (...words: string[]): Promise<unknown> => {
    const { events } = await at.run(['batch', 'import', 'rows.csv', '--dry-run', '--json', ...TEMPLATE, ...words]);
    return events[0]?.['type'];
  };
  expect(await type()).toBe('payout');
  expect(await type('--type', 'payout')).toBe('payout');
  at.file('t.json', '{"title": "${no}"}');
  const open = await at.run(['batch', 'import', 'rows.csv', '--dry-run', ...TEMPLATE]);
  expect(open).toMatchObject({ code: 2 });
  expect(open.stderr).toContain('Name it with --type');
});

describe('wrong usage', () => {
  test.each<[string, string[], Record<string, Content>, string]>([
    ['--map', [...TEMPLATE, '--map', 'id=user_id'], {}, '--map id=user_id: with --template t.json'],
    ['--ignore-column', [...TEMPLATE, '--ignore-column', 'note'], {}, '--ignore-column note: with'],
    [
      'a variable without a column',
      TEMPLATE,
      { 't.json': { ...PAYOUT, title: '${nr}' } },
      'Found: "id", "eur", "no", "note". Did you mean ${no}?',
    ],
    [
      'an unknown field',
      TEMPLATE,
      { 't.json': { ...PAYOUT, titel: 'x' } },
      'titel: there is no such field in a payout',
    ],
    ['a broken template', TEMPLATE, { 't.json': '{"title": }' }, 'this is not JSON'],
    ['no such file', ['--template', 'x.json'], {}, 'x.json'],
    ['standard input', ['--template', '-'], {}, 'takes the path of a file'],
    ['the template as an output', [...TEMPLATE, '--rejects', 't.json'], {}, 't.json: this is an input file'],
  ])('%s', async (_name, words, files, message) => {
    const { code, stderr, summary } = await dry(workspaceWith({ ...FILES, ...files }), 'rows.csv', ...words);
    expect({ code, stop: summary.stop_reason }).toEqual({ code: 2, stop: 'usage' });
    expect(stderr).toContain(message);
  });

  test('without a file', async () => {
    const { code, stderr } = await workspaceWith(FILES).run('payout create --title x --template t.json --dry-run');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('name the file') });
  });

  test('is told before a row is read, and before a journal begins', async () => {
    const at = workspaceWith({ ...FILES, 't.json': { titel: 'x' } });
    const { code } = await at.run('payout create missing.csv --template t.json --sandbox --yes');
    expect(code).toBe(2);
    const { stderr } = await at.run('payout create rows.csv --template t.json --sandbox --yes');
    expect(stderr).toContain('titel');
    expect(existsSync(at.stateDir)).toBe(false);
  });
});

test('a setting of a profile starts from the folder of the config file; what it says of columns means nothing', async () => {
  const tours = { template: 'tours/t.json', map: { id: 'title' }, ignore_columns: ['eur'] };
  const at = workspaceWith({ ...FILES, 'config/gigwork/tours/t.json': PAYOUT });
  at.file(CONFIG, JSON.stringify({ profiles: { tours } }));
  const made = await dry(at, 'rows.csv', '--profile', 'tours');
  expect(recordsOf(made).map(({ request }) => request.title)).toEqual(['Tour 4', 'Tour 5']);
  const typed = await dry(at, 'rows.csv', '--profile', 'tours', '--map', 'id=user_id');
  expect(typed.stderr).toContain('the template tours/t.json in the profile tours');
  // One record of flags is no row.
  const alone = await dry(
    at,
    '--profile',
    'tours',
    ...'--user-id u --amount 5 --title T --cost-center-key P'.split(' '),
  );
  expect(alone.summary.records).toMatchObject({ planned: 1 });
});

test('findings name the column, and the line', async () => {
  const at = workspaceWith({ ...FILES, 'rows.csv': 'id,eur,no\n,"12,50",4\n1,2,\n#N/A,1.234,Summe\n' });
  const found = issuesOf(await dry(at, 'rows.csv', ...TEMPLATE));
  expect(found.map(({ line, code, field }) => `${line} ${code} ${field}`)).toEqual([
    '2 missing-field user_id',
    '2 bad-number amount',
    '3 missing-field title',
    // What else is wrong with a total goes with its row.
    '4 total-row title',
    '4 ambiguous-number amount',
    '4 spreadsheet-error user_id',
  ]);
  expect(found[1].message).toContain('"eur" (amount): "12,50"');
  expect(found[2].message).toContain('"no" is empty, and the template needs it for title');
});

test('a field that the template does not give is told as such', async () => {
  const { title: _title, ...rest } = PAYOUT;
  const at = workspaceWith({ ...FILES, 't.json': rest });
  const result = await dry(at, 'rows.csv', ...TEMPLATE);
  expect(result.code).toBe(3);
  const [issue] = issuesOf(result);
  expect(issue).toMatchObject({ code: 'missing-field', field: 'title' });
  expect(issue.message).toContain('The template gives no title');
  expect(issue.message).not.toContain('--map');
  expect((await dry(at, 'rows.csv', ...TEMPLATE, '--set', 'title=Tour')).code).toBe(0);
});

test('a value that is set over one of the template is told as one over a cell', async () => {
  const at = workspaceWith({ ...FILES, 'rows.ndjson': ndjson(ROWS) });
  for (const [file, line] of [
    ['rows.csv', 2],
    ['rows.ndjson', 1],
  ] as const) {
    const { code, stderr } = await dry(at, file, ...TEMPLATE, '--set', 'title=Tour');
    expect(code).toBe(0);
    expect(stderr).toContain(
      `${file}: --set title sends "Tour" instead of other values in 2 records: line ${line} has "Tour 4" under "title"`,
    );
  }
});

describe('files with rows', () => {
  /** The second row is rejected. */
  async function rejected(): Promise<Desk & { result: CliResult }> {
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    for (const [name, content] of Object.entries(FILES))
      at.work.file(name, typeof content === 'string' ? content : JSON.stringify(content));
    const flags = [...TEMPLATE, '--batch-id', 'x', '--rejects', 'rejects.csv', '--results', 'results.csv'];
    const result = await at.sendFiles(['rows.csv'], ...flags);
    expect(result.summary).toMatchObject({ exit_code: 4, records: { created: 1, rejected: 1 } });
    return { ...at, result };
  }

  test('rejects and results have the rows as typed; corrected ones pay with the same template', async () => {
    const { work, sendFiles, service } = await rejected();
    const rejects = work.read('rejects.csv');
    expect(rejects).toMatch(/^id,eur,no,note,gigwork_key,gigwork_error\n008,7,5,,[-\w]+,/);
    expect(work.read('results.csv')).toMatch(/^id,eur,no,note,gigwork_status,/);
    work.file('corrected.csv', rejects.replace('008,7,', '008,7.5,'));
    const without = await sendFiles(['corrected.csv']);
    expect(without.stderr).toContain(
      "Import it with the flags that said how to read that run's file, such as --template",
    );
    expect([without.summary.exit_code, without.stderr]).toEqual([3, expect.not.stringContaining('gigwork setup')]);
    const corrected = await sendFiles(['corrected.csv'], ...TEMPLATE);
    expectDone(corrected, { created: 1 });
    expect(corrected.summary.batch_id).toBe('x');
    expect(times(service, { ...RECORDS[1], amount: 7.5 })).toBe(1);
    // Once more: it is paid, and so is the original.
    expectDone(await sendFiles(['corrected.csv'], ...TEMPLATE), { already_created: 1 });
    expect(service.ledgerTotal()).toBe(2);
  });

  test('the printed command for the corrected rows has the template, with its full path', async () => {
    const { result, work } = await rejected();
    expect(remedyOf(result, 'create')).toEqual(expect.arrayContaining(['--template', work.path('t.json')]));
  });
});

test.each(['rejects.xlsx', 'rejects.csv'])(
  'the rejects of a workbook (%s) make the same record again',
  async (name) => {
    const template = {
      user_id: '${id}',
      amount: '${eur}',
      title: 'Tour ${no} on ${day}',
      billing_date: '${day}',
      description: '${eur}',
      cost_center_key: 'PP-7',
    };
    const day = { v: 46361, format: 'dd.mm.yyyy' };
    const rows = sheet([
      ['id', 'eur', 'no', 'day'],
      ['007', { v: 12, format: '0.00' }, 4, day],
    ]);
    const at = await openDesk(() => ({ status: 422 }));
    at.work.file('t.json', JSON.stringify(template));
    at.work.file('rows.xlsx', rows);
    const first = await at.sendFiles(['rows.xlsx'], ...TEMPLATE, '--rejects', name);
    // A number with a format is no text.
    expect(issuesOf(first)).toMatchObject([{ code: 'wrong-type', field: 'description' }]);
    at.work.file('t.json', JSON.stringify({ ...template, description: 'Tour' }));
    const [{ request }] = recordsOf(await at.sendFiles(['rows.xlsx'], ...TEMPLATE, '--dry-run'));
    expect(request).toMatchObject({ amount: 12, title: 'Tour 4 on 2026-12-05', billing_date: '2026-12-05' });
    const [{ key }] = recordsOf(await at.sendFiles(['rows.xlsx'], ...TEMPLATE, '--rejects', name));
    at.service.responder(undefined);
    const again = await at.sendFiles([name], ...TEMPLATE, '--retry-rejected');
    expectDone(again, { created: 1 });
    // Another content would have another key.
    expect(recordsOf(again)[0].key).toBe(key);
  },
);

describe('a run that is resumed', () => {
  test('goes from the journal alone: a changed or lost template changes nothing', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
    at.work.file('t.json', JSON.stringify(PAYOUT));
    const first = await at.create('payout', ROWS, ...TEMPLATE, '--results', 'results.csv');
    expect(first.summary.records).toMatchObject({ created: 1, not_sent: 1 });
    const { next } = first.summary;
    expect(next).toContain(at.work.path('t.json'));
    at.work.file('t.json', JSON.stringify({ titel: '${other}' }));
    const resumed = await at.runPrinted(next, '--yes');
    expectDone(resumed, { already_created: 1, created: 1 });
    expect(RECORDS.map((row) => times(at.service, row))).toEqual([1, 1]);
    expect(at.work.read('results.csv')).toMatch(/^id,eur,no,note,gigwork_status.*\n007,.*created.*\n008,.*created/);
  });

  test('the same command goes on with it', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
    at.work.file('t.json', JSON.stringify(PAYOUT));
    const { run } = (await at.create('payout', ROWS, ...TEMPLATE)).summary;
    const again = await at.create('payout', ROWS, ...TEMPLATE);
    expect(again.summary).toMatchObject({ run, exit_code: 0, records: { already_created: 1, created: 1 } });
  });
});

test('two files share a template', async () => {
  const at = workspaceWith({ ...FILES, 'more.ndjson': ndjson([{ id: '9', eur: 3, no: 6 }]) });
  const both = await dry(at, 'rows.csv', 'more.ndjson', ...TEMPLATE);
  expect(both.summary.records).toMatchObject({ planned: 3 });
});

test('--only filters rows by their columns, and tells what they come to', async () => {
  const at = workspaceWith(FILES);
  const { summary } = await dry(at, 'rows.csv', ...TEMPLATE, '--only', 'note=x');
  expect(summary).toMatchObject({ records: { planned: 1 }, filtered: [{ count: 1, totals: [{ amount: '7' }] }] });
});
