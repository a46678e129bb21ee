import { describe, expect, test } from 'vitest';
import { csv, ndjson } from '../support/builders.js';
import { type CliResult, type Content, type Words, type Workspace, workspaceWith } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { rawServer } from '../support/raw-server.js';
import type { Reply } from '../support/service.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

/** What a terminal would obey. */
const ESCAPES: readonly string[] = [
  '\x1B[35mcolour',
  '\x1B[2J\x1B[Hclear',
  '\x1B[1A\x1B[2Kover the line above',
  '\x1B]0;title\x07',
  '\x1B]8;;https://evil.example\x1B\\link\x1B]8;;\x1B\\',
  '\x1B]52;c;ZXZpbA==\x07clipboard',
  '\x1BP$q"p\x1B\\DCS',
  '\x1B_APC\x1B\\',
  '\x1B^PM\x1B\\',
  '\x1Bcreset',
  '\x1B[200~paste\x1B[201~',
  '\x1B[?1049halternate',
  '31mC1 CSI',
  '0;C1 OSC',
  'C1 DCS',
  'next line',
  'bell\x07',
  'back\b\b\b\bspace',
  'delete',
  'form\vfeed\f',
  'over\rwritten',
  'new\nINJECTED line',
  'tab	here',
  'shiftout',
];

/** What would show text in another order than it has. */
const BIDI: readonly string[] = [
  '‮gnp.exe‬',
  '‭left‬',
  '‪embedded‫‬',
  '⁦isolated⁩',
  '⁧isolated⁩',
  '⁨isolated⁩',
  'mark‎‏؜',
  'line\u2028separated\u2029',
];

const HOSTILE = [...ESCAPES, ...BIDI];
const ALL = HOSTILE.join(' ');
/** For names of files and for words of a command line: short, and with neither slash nor zero byte. */
const SHORT = '\u001b[35m\u001b]0;t\u0007\u009b31m\u202e\u2066\r\nINJECTED\b\u007f\u0085';

const OBEYED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** What the program itself draws with on a terminal: colours of its own, and the line of the progress. */
const OWN = /\u001b\[(?:[0-9]|2[0-9]|3[123469]|39|9[0-7])m|\r\u001b\[K/g;

function expectPlain(text: string, what: string): void {
  const found = OBEYED.exec(text);
  const place = found === null ? '' : JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 60));
  expect(place, what).toBe('');
  expect(text, what).not.toMatch(/^INJECTED/m);
}

async function expectSafe(ws: Workspace, words: Words, codes: readonly number[]): Promise<CliResult> {
  const typed = String(words);
  const result = await ws.run(words);
  expectPlain(result.stdout, `${typed}: standard output`);
  expectPlain(result.stderr, `${typed}: standard error`);
  const said = `${typed}\n${result.stdout.slice(0, 2000)}${result.stderr.slice(0, 2000)}`;
  expect(codes, said).toContain(result.code);
  return result;
}

/** A payout with the text in every field that takes any. */
function hostilePayout(text: string, n: number): Record<string, unknown> {
  const names = ['title', 'description', 'currency', 'cost_center_key', 'reference_id', 'reference_type'];
  return { user_id: `u${n} ${text}`, amount: 100 + n, ...Object.fromEntries(names.map((name) => [name, text])) };
}

const PAYOUTS = HOSTILE.map(hostilePayout);

describe('a file of control characters', () => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const plain = (change: (text: string) => object): Record<string, unknown>[] =>
    HOSTILE.map((text) => ({ ...hostilePayout('t', 1), ...change(text) }));
  const VALUES = plain((text) => ({ amount: text, billing_date: text, cost_center_data: text }));
  const TYPES = HOSTILE.map((text) => ({ user_id: [text], amount: text, title: { [text]: text }, [text]: 1 }));
  const NAMED = Object.fromEntries(HOSTILE.map((text) => [text, text]));
  const files: Readonly<Record<string, Content>> = {
    'good.csv': csv(PAYOUTS, { quoteAll: true }),
    'good.json': PAYOUTS,
    'good.ndjson': ndjson(PAYOUTS),
    'utf16.csv': Buffer.from(csv(PAYOUTS, { bom: true, quoteAll: true }), 'utf16le'),
    'columns.csv': csv([NAMED], { quoteAll: true }),
    'fields.json': { amount: ALL, ...NAMED },
    'values.csv': csv(VALUES, { quoteAll: true }),
    'types.json': TYPES,
    'broken.csv': `user_id,amount\n${quoted(ALL)}x,1\n`,
    'ragged.csv': `user_id,amount\n${HOSTILE.map((text) => `${quoted(text)},1,2\n`).join('')}`,
    'broken.json': `[{"user_id": ${ALL}`,
    'twice.csv': `${quoted(ALL)},${quoted(ALL)}\n1,2\n`,
    'separator.csv': 'sep=\u009b\nuser_id\u009bamount\nu\u009b1\n',
    'latin.csv': Buffer.from('user_id,amount\n\xfc\x9b31m,\x9d0;t\x07\n', 'latin1'),
    'raw-c1.csv': Buffer.from([...Buffer.from('user_id,amount\n'), 0xc3, 0xbc, 0x9b, 0x33, 0x31, 0x6d, 0x0a]),
    'keys.ndjson': ndjson(plain((text) => ({ idempotency_key: text }))).repeat(2),
  };

  test.each(Object.keys(files))('%s', async (name) => {
    const ws = workspaceWith({ [name]: files[name]! });
    const { summary } = await expectSafe(ws, `payout create ${name} --dry-run --json`, [0, 2, 3]);
    if (name.startsWith('good')) expect(summary.records.planned).toBe(PAYOUTS.length);
    await expectSafe(ws, `payout create ${name} --dry-run --explain --debug`, [0, 2, 3]);
    await expectSafe(ws, `batch import ${name} --dry-run --strict --overwrite --rejects rejects.txt`, [0, 2, 3]);
  });

  test('queries and prices', async () => {
    const gig = { title: ALL, description: ALL, url: ALL, start_at: 2, end_at: 1, invitation_mode: ALL };
    const queries = HOSTILE.map((text) => ({
      ...gig,
      filter_query: { [`$${text}`]: 1, [text]: { $in: text, [text]: 1 } },
      sort_query: { [text]: text },
    }));
    const result = { user_id: 'u', title: 't', quantity: 1, cost_center_key: 'k' };
    const results = HOSTILE.map((text) => ({ ...result, gig_task_id: text, multiplier: text }));
    const prices = [...HOSTILE, ...HOSTILE].map((text, i) => ({ gig_task_id: text, base_price: i, [text]: 1 }));
    const list = csv(prices, { quoteAll: true });
    const ws = workspaceWith({ 'gigs.json': queries, 'results.json': results, 'prices.csv': list });
    await expectSafe(ws, 'gig create gigs.json --dry-run', [3]);
    await expectSafe(ws, 'gig create gigs.json --dry-run --json', [3]);
    await expectSafe(ws, 'result create results.json --prices prices.csv --dry-run --explain', [3]);
  });
});

describe.skipIf(process.platform === 'win32')('a file name of control characters', () => {
  test.each([
    ['good', csv([hostilePayout('t', 1)])],
    ['bad', 'user_id,amount\nu\n'],
    ['not there', null],
  ])('%s', async (_name, content) => {
    const file = `${SHORT}.csv`;
    const ws = workspaceWith(content === null ? {} : { [file]: content });
    const codes = content === null ? [2] : [0, 3, 4];
    for (const flags of [['--dry-run'], ['--dry-run', '--json'], ['--sandbox', '--yes', '--explain', '--debug']]) {
      await expectSafe(
        ws,
        ['payout', 'create', file, ...flags, '--overwrite', '--rejects', `${SHORT}-rejects.csv`],
        codes,
      );
    }
    await expectSafe(ws, ['batch', 'import', file, file, '--dry-run'], [2]);
    await expectSafe(ws, ['payout', 'create', 'x', '--dry-run', '--report', file], [2]);
    await expectSafe(ws, 'batch list', [0]);
  });
});

describe('words of the command line', () => {
  const lines: readonly string[][] = [
    ['payout', SHORT],
    [SHORT],
    ['payout', 'create', 'p.csv', `--${SHORT}`],
    ['payout', 'create', 'p.csv', `--titel${SHORT}`, 'x'],
    ...[
      'format encoding delimiter decimal date-format header-line map ignore-column set prices expect-count expect-total',
      'expect-digest batch-id key-columns pay-again key-lifetime stop-after base-url profile config header timeout',
      'retries concurrency rate ca cert key report rejects state-dir journal account user-id amount title',
    ]
      .flatMap((names) => names.split(' '))
      .map((name) => ['payout', 'create', 'p.csv', '--dry-run', `--${name}`, SHORT]),
    ...[
      ['--map', `a${SHORT}=amount`],
      ['--map', `amount=${SHORT}`],
      ['--set', `title=${SHORT}`],
      ['--set', `amount=${SHORT}`],
      ['--set', `cost_center_data=@${SHORT}`],
      ['--expect-total', `${SHORT}=5`],
      ['--base-url', `https://${SHORT}.example`],
      ['--base-url', 'https://gigs.example', '--account', SHORT],
      ['--header', `X-A: ${SHORT}`, '--base-url', 'https://gigs.example'],
    ].map((words) => ['payout', 'create', 'p.csv', '--dry-run', ...words]),
    ['batch', 'show', SHORT],
    ['batch', 'report', SHORT, '--report', 'x.csv'],
    ['batch', 'resume', SHORT],
    ['batch', 'settle', SHORT, '--record', '1', '--created'],
    ['batch', 'settle', 'x', '--record', SHORT, '--created'],
    ['batch', 'prune', '--before', SHORT],
    ['template', SHORT],
    ['template', 'payout', '--format', SHORT],
    ['schema', SHORT],
    ['completion', SHORT],
    ['config', 'show', '--account', SHORT],
    ['config', 'show', '--base-url', `https://a.example/${SHORT}`],
    ['doctor', '--base-url', `https://${SHORT}`],
    ['doctor', '--state-dir', SHORT],
    ['sandbox', '--port', SHORT],
  ];
  // The runner's own terminal is one too.
  const titled = lines.map((words) => ({ title: words.join(' ').replaceAll(SHORT, '…'), words }));

  test.each(titled)('gigwork $title', async ({ words }) => {
    const ws = workspaceWith({ 'p.csv': csv([hostilePayout('t', 1)]) });
    // With --debug, all that is said without it and more is said.
    await expectSafe(ws, [...words, '--debug'], [0, 2, 3]);
  });
});

describe('settings of control characters', () => {
  const configs: readonly object[] = [
    { base_url: `https://${ALL}` },
    { base_url: 'https://127.0.0.1:1', account: ALL, headers: { 'X-A': ALL } },
    { account: ALL, map: { [ALL]: 'amount' }, set: { title: ALL }, ignore_columns: [ALL], journal: ALL },
    { [ALL]: 1 },
    { headers: { [ALL]: 'x' } },
    { decimal: ALL, date_format: ALL, delimiter: ALL, encoding: ALL },
    { token: { env: ALL } },
    { token: { file: ALL } },
    { profiles: { [ALL]: { account: ALL } } },
  ];

  test.each(configs.map((config, i) => [i, config] as const))('file %i', async (_i, config) => {
    const ws = workspaceWith({ 'p.csv': csv([hostilePayout('t', 1)]), 'config.json': config });
    const calls = ['config show', 'config show --json', 'doctor', 'doctor --json', 'payout create p.csv --dry-run'];
    for (const words of calls) await expectSafe(ws, `${words} --config config.json`, [0, 2, 3]);
    await expectSafe(ws, ['config', 'show', '--config', 'config.json', '--profile', SHORT], [0, 2]);
  });
});

const HTML = { 'content-type': 'text/html' };
const ANSWERS: Readonly<Record<string, Reply>> = {
  'a refusal in JSON': { status: 422, body: JSON.stringify({ error: ALL, [ALL]: [ALL] }) },
  'a refusal in text': { status: 400, body: ALL },
  'a refusal in HTML': { status: 400, body: `<script>alert(1)</script>${ALL}`, headers: HTML },
  'a record with an id': { status: 201, body: JSON.stringify({ id: ALL, [ALL]: ALL }, null, 2) },
  'no JSON': { status: 200, body: ALL },
  'a redirect': { status: 302, headers: { location: 'https://evil.example/\u009b31m\u0085' } },
  'a wait': { status: 503, headers: { 'retry-after': '\u009b31m' }, body: ALL },
  'a content type': { status: 400, body: '{}', headers: { 'content-type': '\u009b31m\u0090' } },
};

describe('a service that answers control characters', () => {
  test.each(Object.keys(ANSWERS))('%s', async (name) => {
    const ws = workspaceWith({ 'p.csv': csv(PAYOUTS.slice(0, 12), { quoteAll: true }) });
    const good = [0, 4, 5, 6];
    const service = await testService({
      respond: ({ n }) => (n === 1 && name !== 'no JSON' ? undefined : ANSWERS[name]!),
    });
    const call = `payout create p.csv --base-url ${service.url} --yes --retries 0 --concurrency 1`;
    const outputs = '--overwrite --report r.csv --report r.html --report r.ndjson --rejects rejects.csv';
    await expectSafe(ws, `${call} ${outputs} --debug`, good);
    const { events } = await expectSafe(ws, `${call} --json`, good);
    const { run } = events.at(-1);
    for (const words of ['batch list', `batch show ${run}`, `batch report ${run} --overwrite --report again.html`])
      for (const json of ['', '--json']) await expectSafe(ws, `${words} ${json}`, good);
    const settle = ['batch', 'settle', run, '--record', '2', '--created', '--id', SHORT, '--note', SHORT];
    await expectSafe(ws, settle, [0, 2]);
    await expectSafe(ws, `batch show ${run} --json`, good);
    expectPlain(ws.read('r.csv').replaceAll('\r\n', '\n'), 'r.csv');
    expectPlain(ws.read('r.ndjson'), 'r.ndjson');
    for (const page of ['r.html', 'again.html']) {
      const html = ws.read(page);
      expectPlain(html, page);
      expect(html).not.toMatch(/<script(?![^>]*nonce)[^>]*>alert/);
    }
  });

  test('in the status line and in headers, as bytes', async () => {
    const ws = workspaceWith({ 'p.csv': csv([hostilePayout('t', 1)]) });
    const head = 'HTTP/1.1 400 \x1b[35mB\x9bad\x07\r\nX-A: \x1b[35m\x9b31m\r\nContent-Length: 4\r\nConnection: close';
    const answer = Buffer.from(`${head}\r\n\r\n\x1b[\x9b\x07`, 'latin1');
    const { url } = await rawServer((socket) => void socket.once('data', () => socket.end(answer)));
    await expectSafe(ws, `payout create p.csv --base-url ${url} --yes --retries 0 --debug`, [4, 5]);
    await expectSafe(ws, `doctor --base-url ${url}`, [0, 2]);
  });
});

describe.skipIf(NO_TERMINAL !== '')(`on a terminal${NO_TERMINAL}`, () => {
  test('nothing but the program itself moves the cursor', async () => {
    const file = `${SHORT}.csv`;
    const rows = PAYOUTS.map((row) => ({ ...row, amount: 100, currency: SHORT }));
    const ws = workspaceWith({ [file]: csv(rows, { quoteAll: true }) });
    const service = await testService({
      respond: ({ n }) => (n % 2 === 0 ? { status: 422, body: JSON.stringify({ error: ALL }) } : undefined),
    });
    const terminal = openTerminal(ws, ['payout', 'create', file, '--base-url', service.url, '--batch-id', 'b'], 60);
    await terminal.shows(/: $/);
    // All amounts are in one currency, and their sum is what has to be typed.
    terminal.type(String(PAYOUTS.length * 100));
    expect(await terminal.ended).toBe(4);
    expectPlain(terminal.output.replace(OWN, ''), 'the terminal');
  });
});
