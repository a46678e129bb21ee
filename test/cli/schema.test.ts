import { describe, expect, test } from 'vitest';
import { RECORD_INFO, RECORD_TYPES } from '../../src/records/types.js';
import { gigwork, workspace } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
import { FIRST, FOURTH, SECOND, sent, THIRD } from '../support/desk.js';
import { readPage, ROOT } from '../support/documents.js';
import { jsonLines } from '../support/result.js';
import { openApiFaults } from '../support/openapi.js';
import { checkDocument, publishedSchema, validator } from '../support/schemas.js';

describe('gigwork schema', () => {
  const DOCUMENTS = [
    'event',
    'batch-list',
    'batch-show',
    'batch-find',
    'batch-settle',
    'batch-close',
    'batch-prune',
    'batch-report',
    'batch-reconcile',
    'journal-copy',
    'journal-log',
    'config',
    'doctor',
  ];

  test.each([...RECORD_TYPES, ...DOCUMENTS])('%s prints what the package publishes', async (type) => {
    const { code, stdout, stderr } = await gigwork(`schema ${type}`);
    expect([code, stderr, stdout]).toEqual([0, '', readPage(`samples/schemas/${type}.json`)]);
    expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  test('knows no other type, and says which was meant', async () => {
    const { code, stdout, stderr } = await gigwork('schema payuot');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /payout, result, gig, openapi, event, batch-list, .*journal-log, config or doctor.*Did you mean "payout"\?/s,
    );
  });
});

describe('gigwork schema openapi', () => {
  interface Operation {
    readonly requestBody: {
      readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
    };
    readonly responses: Readonly<Record<string, object>>;
  }
  interface OpenApi {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  }
  const published = readPage('samples/schemas/openapi.json');
  const document = JSON.parse(published) as OpenApi;
  const { paths, components } = document;

  test('prints a valid document of OpenAPI 3.1', async () => {
    const { code, stdout, stderr } = await gigwork('schema openapi');
    expect([code, stderr, stdout]).toEqual([0, '', published]);
    expect(await openApiFaults(JSON.parse(published) as object)).toEqual({ version: '3.1', faults: [] });
    const { info: _info, ...incomplete } = JSON.parse(published) as Record<string, unknown>;
    expect((await openApiFaults(incomplete)).faults).not.toEqual([]);
  });

  test('has the three operations, and claims nothing of their answers', () => {
    expect(Object.keys(paths)).toEqual(['/api/v2/gigs', '/api/v2/gig_results', '/api/v2/payouts']);
    for (const operations of Object.values(paths)) {
      expect(Object.keys(operations)).toEqual(['post']);
      expect(operations['post']?.responses).toEqual({ default: { description: expect.stringMatching(/not shown/) } });
    }
    expect(Object.keys(document)).not.toContain('security');
    expect(Object.keys(components)).toEqual(['schemas']);
  });

  test.each(RECORD_TYPES)('describes what is sent as %s', async (type) => {
    const operation = paths[RECORD_INFO[type].path]?.['post'];
    const name = operation?.requestBody.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    const valid = validator(components.schemas[name] ?? {});
    const file = `${ROOT}samples/${SAMPLES[type]}.json`;
    const { events } = await workspace().run([type, 'create', file, '--dry-run', '--json']);
    const requests = events.filter(({ event }) => event === 'record').map(({ request }) => request as object);
    for (const request of requests) expect([request, valid(request)]).toEqual([request, true]);
    for (const wrong of [{ base_price: 5 }, { title: null }, { inhouse: 'yes' }])
      expect([wrong, valid({ ...requests[0], ...wrong })]).toEqual([wrong, false]);
  });
});

const SAMPLES = { payout: 'payouts', result: 'results', gig: 'gigs' } as const;

describe.each(RECORD_TYPES)('records of type %s', (type) => {
  const valid = validator(publishedSchema(type));

  test('from the samples are valid, as they are read and as they are sent', async () => {
    const file = `samples/${SAMPLES[type]}.json`;
    for (const record of JSON.parse(readPage(file))) expect([record, valid(record)]).toEqual([record, true]);
    const { events } = await workspace().run([type, 'create', `${ROOT}${file}`, '--dry-run', '--json']);
    const requests = events.filter(({ event }) => event === 'record').map(({ request }) => request);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) expect([request, valid(request)]).toEqual([request, true]);
  });
});

// Those of config show and doctor are checked where these are called: settings.test.ts, doctor.test.ts.
test('the documents of commands on the journal, and every kind of line in its log, are as their schemas say', async () => {
  const at = await sent('unknown', [FIRST, SECOND, THIRD]);
  const { work, run, key } = at;
  for (const words of [
    `batch settle ${run} --key ${key} --created --id 7 --note seen`,
    `batch settle ${run} --record 2-3 --not-created --note gone`,
    `batch show ${run}`,
    'batch list --open',
    `batch find --key ${key}`,
    `batch report ${run} --report r.html --report r.csv`,
    'batch report --batch-id default --report b.csv',
    `batch close ${run} --note enough`,
    'batch prune --before 2999-01-01',
  ]) {
    const { code, stdout, stderr } = await work.run(`${words} --json`, { env: hoursAhead(1) });
    expect([words, code, stderr]).toEqual([words, 0, '']);
    checkDocument(words.split(' ', 2).join('-'), JSON.parse(stdout));
  }
  for (const flag of ['--approve=approval.json', '--approval=approval.json'])
    expect((await at.send([FOURTH], '--batch-id', 'b', flag)).code).toBe(0);
  const copied = await work.run(`journal copy --from sqlite:${work.stateDir} --to sqlite:copy --json`);
  checkDocument('journal-copy', JSON.parse(copied.stdout));
  const told = jsonLines((await work.run('journal log')).stdout);
  for (const line of told) checkDocument('journal-log', line);
  const kinds = ['approved', 'closed', 'copied', 'ended', 'pruned', 'run', 'settled'];
  expect([...new Set<string>(told.map(({ what }) => what))].toSorted()).toEqual(kinds);
});
