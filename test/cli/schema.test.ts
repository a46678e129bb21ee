import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/records/kinds.js';
import { gigwork, workspace } from '../support/cli.js';
import { FIRST, FOURTH, SECOND, sent, THIRD } from '../support/desk.js';
import { closed, publishedSchema, validator } from '../support/schemas.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const inRoot = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

describe('gigwork schema', () => {
  const DOCUMENTS = [
    ...['event', 'batch-list', 'batch-show', 'batch-find', 'batch-settle', 'batch-close', 'batch-prune'],
    ...['batch-report', 'journal-copy', 'journal-log', 'config', 'doctor'],
  ];

  test.each([...RECORD_TYPES, ...DOCUMENTS])('%s prints what the package publishes', async (type) => {
    const { code, stdout, stderr } = await gigwork(['schema', type]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(inRoot(`samples/schemas/${type}.json`));
    expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  test('knows no other type, and says which was meant', async () => {
    const { code, stdout, stderr } = await gigwork(['schema', 'payuot']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /payout, result, gig, event, batch-list, .*journal-log, config or doctor.*Did you mean "payout"\?/s,
    );
  });
});

const SAMPLES = { payout: 'payouts', result: 'results', gig: 'gigs' } as const;

describe.each(RECORD_TYPES)('records of type %s', (type) => {
  const valid = validator(publishedSchema(type));

  test('from the samples are valid, as they are read and as they are sent', async () => {
    const file = `samples/${SAMPLES[type]}.json`;
    for (const record of JSON.parse(inRoot(file))) expect([record, valid(record)]).toEqual([record, true]);
    const { events } = await workspace().run([type, 'create', `${ROOT}${file}`, '--dry-run', '--json']);
    const requests = events.filter(({ event }) => event === 'record').map(({ request }) => request);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) expect([request, valid(request)]).toEqual([request, true]);
  });
});

describe('the other documents are as their schemas say, with no member that these do not name', () => {
  const compiled = new Map<string, ReturnType<typeof validator>>();
  const validDocument = (name: string) => {
    const valid = compiled.get(name) ?? validator(closed(publishedSchema(name)) as Record<string, unknown>);
    compiled.set(name, valid);
    return valid;
  };
  const CONFIG = {
    base_url: 'https://gigs.example',
    token: { env: 'NOT_THERE' },
    headers: { 'X-Team': 'pay', 'X-Key': { file: 'key.txt' } },
    ca: 'ca.pem',
    response: { require: ['id'], empty: true },
    require_journal: true,
    map: { Betrag: 'amount' },
    set: { currency: 'EUR', cost_center_data: { inhouse: 'No' } },
    ignore_columns: ['Notiz'],
    profiles: { p: { rate: 5, ca: 'other.pem' } },
  };

  const expectValid = (name: string, document: unknown): void => {
    const valid = validDocument(name);
    expect([name, valid(document), valid.errors]).toEqual([name, true, null]);
  };

  test('the commands on the journal, and every kind of line in its log', async () => {
    const at = await sent('unknown', [FIRST, SECOND, THIRD]);
    const { work, run, key } = at;
    const document = async (words: string): Promise<unknown> => {
      const { code, stdout, stderr } = await work.run([...words.split(' '), '--json']);
      expect([words, code, stderr]).toEqual([words, 0, '']);
      return JSON.parse(stdout);
    };
    const of = (name: string, words: string): Promise<void> =>
      document(words).then((found) => expectValid(name, found));
    await of('batch-settle', `batch settle ${run} --key ${key} --created --id 7 --note seen`);
    await of('batch-settle', `batch settle ${run} --record 2-3 --not-created --note gone`);
    await of('batch-show', `batch show ${run}`);
    await of('batch-list', 'batch list --open');
    await of('batch-find', `batch find --key ${key}`);
    await of('batch-report', `batch report ${run} --report r.html --report r.csv`);
    await of('batch-report', 'batch report --batch-id default --report b.csv');
    await of('batch-close', `batch close ${run} --note enough`);
    expect((await at.send([FOURTH], '--batch-id', 'b', '--approve=approval.json')).code).toBe(0);
    expect((await at.send([FOURTH], '--batch-id', 'b', '--approval', 'approval.json')).code).toBe(0);
    await of('batch-prune', 'batch prune --before 2999-01-01');
    await of('journal-copy', `journal copy --from sqlite:${work.stateDir} --to sqlite:copy`);
    const log = (await work.run(['journal', 'log'])).stdout.trimEnd().split('\n');
    const told = log.map((line) => JSON.parse(line) as { what: string });
    for (const line of told) expectValid('journal-log', line);
    const kinds = ['approved', 'closed', 'copied', 'ended', 'pruned', 'run', 'settled'];
    expect([...new Set(told.map(({ what }) => what))].toSorted()).toEqual(kinds);
  });

  test.each([
    ['nothing set', {}, [], {}],
    ['a config file', CONFIG, [], { HTTPS_PROXY: 'http://proxy.example:3128' }],
    [
      'a profile and flags',
      CONFIG,
      ['--profile', 'p', '--set', 'title=x', '--sandbox', '--account', 'a', '--no-color'],
      { GIGWORK_TOKEN: 't' },
    ],
  ])('config show of %s', async (_what, config, flags, env) => {
    const space = workspace();
    space.file('config/gigwork/config.json', JSON.stringify(config));
    const { code, events } = await space.run(['config', 'show', '--json', ...flags], { env });
    const valid = validDocument('config');
    expect([code, valid(events[0]), valid.errors]).toEqual([0, true, null]);
  });

  test.each([
    [['--sandbox'], {}, 0],
    [[], {}, 0],
    [['--base-url', 'http://127.0.0.1:1'], {}, 2],
    [['--ca', 'none.pem'], {}, 2],
    [['--require-journal'], {}, 2],
    [['--profile', 'none'], {}, 2],
    [[], { HTTPS_PROXY: 'nonsense' }, 2],
  ])('doctor %j %j', async (flags, env, exitCode) => {
    const { code, events } = await workspace().run(['doctor', '--json', ...flags], { env });
    const valid = validDocument('doctor');
    expect([code, valid(events[0]), valid.errors]).toEqual([exitCode, true, null]);
  });
});
