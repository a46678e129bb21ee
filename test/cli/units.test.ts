import { expect, test } from 'vitest';
import { workspace, type Workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

// 67.50 EUR are 6,750 cents: wherever the amount of a result or a gig is shown, it says so.

const GIG = {
  ...{ title: 'Shelf check', description: 'D', url: 'https://x.example', start_at: 1_795_000_000 },
  ...{ end_at: 1_795_010_000, filter_query: {}, tasks: [{ title: 'T', base_price: 4000 }] },
};
const FILES = {
  'r.csv': 'user_id,gig_task_id,quantity,title,cost_center_key,currency,base_price\nu1,t1,27,Visits,PP-7,EUR,250\n',
  'p.csv': 'user_id,amount,title,cost_center_key,currency\nu1,1200,Bonus,PP-7,EUR\n',
  'none.csv': 'user_id,amount,title,cost_center_key\nu2,1300,Bonus,PP-7\n',
  'g.ndjson': `${JSON.stringify(GIG)}\n`,
};

/** Runs of all types, whose records end so. */
async function sent(status: number): Promise<{ work: Workspace; runs: Record<string, string> }> {
  const service = await testService({ respond: () => ({ status, body: '{"id":"x"}', execute: status < 300 }) });
  const work = workspace();
  const runs: Record<string, string> = {};
  for (const [name, text] of Object.entries(FILES)) {
    work.file(name, text);
    const target = ['--base-url', service.url, '--yes', '--retries', '0', '--json'];
    const { summary, stderr } = await work.run(['batch', 'import', name, ...target]);
    expect(summary.run, stderr).toEqual(expect.any(String));
    runs[name] = summary.run;
  }
  return { work, runs };
}

test('batch list', async () => {
  const { work } = await sent(201);
  const { stdout } = await work.run(['batch', 'list']);
  expect(stdout).toContain('6,750 EUR cents (result)');
  expect(stdout).toContain('4,000 cents per seat (gig)');
  expect(stdout).toContain('1,200.00 EUR (payout)');
  expect(stdout).toContain('1,300 (payout)');
});

test('batch show and batch settle', async () => {
  const { work, runs } = await sent(500);
  const amounts = {
    'r.csv': '6,750 EUR cents',
    'p.csv': '1,200.00 EUR',
    'none.csv': '1,300',
    'g.ndjson': '4,000 cents per seat',
  };
  for (const [name, amount] of Object.entries(amounts)) {
    const run = runs[name] as string;
    const shown = await work.run(['batch', 'show', run]);
    expect(shown.stdout).toMatch(new RegExp(`[^,\\d]${amount} +unknown`));
    const settled = await work.run(['batch', 'settle', run, '--record', '1', '--created', '--note', 'seen']);
    expect(settled.stdout).toContain(`, ${amount}) is now created`);
  }
});
