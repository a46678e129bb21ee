/** Money is paid, gigs are created: so it stands wherever a person reads. */
import { expect, test } from 'vitest';
import { gigs, payouts } from '../support/builders.js';
import { ANSWERS, openDesk } from '../support/desk.js';

const OF_MONEY = /\b(?:paid|pays?|payments?)\b/i;

test('nothing that people are told of gigs speaks of payments', async () => {
  const replies = [undefined, ANSWERS.rejected, ANSWERS.unknown, ANSWERS.open];
  const { work, service } = await openDesk();
  service.responder(({ n }) => replies[n - 1]);
  work.file('gigs.json', JSON.stringify(gigs(4)));
  const flags = ['--base-url', service.url, '--yes', '--concurrency', '1', '--retries', '0'];
  const files = ['--results', 'results.ndjson', '--rejects', 'rejects.ndjson', '--report', 'page.html'];
  const call = await work.run(['gig', 'create', 'gigs.json', ...flags, ...files]);
  const run = /^run +(\S+)$/m.exec(call.stdout)?.[1] ?? '';
  expect(call.stdout).toContain('1 created, 1 refused, 1 may have been created, 1 not sent');
  // What is said of a folder holds for all types.
  const texts = [call.stdout, call.stderr.replace(/^the state folder .*\n/, '')];
  for (const words of [`show ${run}`, 'list', 'find gig', `close ${run} --note enough`])
    texts.push((await work.run(`batch ${words}`)).stdout);
  const again = await work.run(['gig', 'create', 'gigs.json', ...flags, '--skip-created', '--report', 'again.html']);
  texts.push(again.stdout);
  for (const name of ['results.ndjson', 'rejects.ndjson']) texts.push(work.read(name));
  for (const name of ['page.html', 'again.html']) texts.push(work.read(name).replace(/^.*<body>/s, ''));
  for (const text of texts) expect(text).not.toMatch(OF_MONEY);
});

test('a rehearsal of gigs says what it is; a list of both types has a word for both', async () => {
  const { work } = await openDesk();
  work.file('gigs.json', JSON.stringify(gigs(1)));
  work.file('payouts.json', JSON.stringify(payouts(1)));
  await work.run('gig create gigs.json --sandbox --report page.html');
  expect(work.read('page.html')).toContain('SANDBOX: a trial, no real gig was created');
  expect(work.read('page.html')).toContain('Every gig, once');
  expect(work.read('page.html')).not.toContain('>payee<');
  expect((await work.run('batch list')).stdout).toMatch(/^run .* created +files$/m);
  await work.run('payout create payouts.json --sandbox --report paid.html');
  expect(work.read('paid.html')).toContain('SANDBOX: a trial, nobody was paid');
  expect((await work.run('batch list')).stdout).toMatch(/^run .* paid or created +files$/m);
});

test('the end of a run names who stays unpaid, with line and amount, and where the others are', async () => {
  const { work } = await openDesk();
  const rows = payouts(6).map((row, i) => `u${i + 1},${row.amount},${i === 0 ? 'Bonus' : ''},PP-1`);
  work.file('p.csv', ['user_id,amount,title,cost_center_key', ...rows, ''].join('\n'));
  const sendValid = 'payout create p.csv --sandbox --skip-invalid';
  const dry = await work.run(`${sendValid} --dry-run --rejects r.csv`);
  expect(dry.stdout).toMatch(/^Not paid \(refused or with faults\): u2, .*; and 2 more \(all are in r\.csv\)$/m);
  const { stdout } = await work.run(sendValid);
  const run = /^run +(\S+)$/m.exec(stdout)?.[1] ?? '';
  expect(stdout).toMatch(
    /^Not paid \(refused or with faults\): u2, [\d,.]+ \(line 3\); u3, [\d,.]+ \(line 4\); u4, [\d,.]+ \(line 5\); and 2 more \(all are in: /m,
  );
  expect(stdout.split('\n').join(' ')).toContain(`batch show ${run}`);
  const refused = await work.run('payout create p.csv --sandbox --batch-id x');
  expect([refused.code, refused.stdout]).toEqual([3, expect.not.stringContaining('Not paid')]);
});

test('a task list tells gigs that were settled from gigs whose answer has no ids', async () => {
  const { work, service } = await openDesk(() => ANSWERS.unknown);
  work.file('gigs.json', JSON.stringify(gigs(1)));
  const { stdout } = await work.run(`gig create gigs.json --base-url ${service.url} --yes`);
  const run = /^run +(\S+)$/m.exec(stdout)?.[1] ?? '';
  expect((await work.run(`batch settle ${run} --record 1 --created --id g-1 --note seen`)).code).toBe(0);
  const list = await work.run(`batch report ${run} --task-list tasks.csv`);
  expect(list.stdout).toContain(
    '1 task of 1 gig has no gig_task_id in the task list: this gig was recorded as created',
  );
  expect(list.stdout).not.toContain('the answer has no such task');
});

test('what no batch has is no payment, where an export has gigs', async () => {
  const { work, service } = await openDesk();
  work.file('gigs.json', JSON.stringify(gigs(1)));
  await work.run(`gig create gigs.json --base-url ${service.url} --yes`);
  work.file('list.csv', 'title,start_at,id\nGig 1,1,gig-1\nOther,2,gig-99\n');
  const flags = `--as-of 2020-01-01T00:00:00Z --type gig --note export --dry-run --base-url ${service.url}`;
  const { stdout } = await work.run(`batch reconcile list.csv ${flags}`);
  expect(stdout).toContain('Leave these gigs out of your files, or they may be created twice.');
});
