import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { recordSchema } from '../../src/records/json-schema.js';
import { KINDS, RECORD_TYPES } from '../../src/records/kinds.js';
import { payouts } from '../support/builders.js';
import { gigwork, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { closed, validator } from '../support/schemas.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const inRoot = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

describe('gigwork schema', () => {
  // When this fails because a definition was changed: gigwork schema TYPE > samples/schemas/TYPE.json. Those of documents
  // are written there by hand.
  const DOCUMENTS = ['event', 'batch-list', 'batch-show', 'batch-find', 'config', 'doctor'];

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
      /payout, result, gig, event, batch-list, batch-show, batch-find, config or doctor.*Did you mean "payout"\?/s,
    );
  });
});

const SAMPLES = { payout: 'payouts', result: 'results', gig: 'gigs' } as const;

describe.each(RECORD_TYPES)('records of type %s', (type) => {
  const valid = validator(recordSchema(KINDS[type]));

  test('from the samples are valid, as they are read and as they are sent', async () => {
    const file = `samples/${SAMPLES[type]}.json`;
    for (const record of JSON.parse(inRoot(file))) expect([record, valid(record)]).toEqual([record, true]);
    const { events } = await workspace().run([type, 'create', `${ROOT}${file}`, '--dry-run', '--json']);
    const requests = events.filter(({ event }) => event === 'record').map(({ request }) => request);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) expect([request, valid(request)]).toEqual([request, true]);
  });
});

describe('the events of a real run are as the schema says', () => {
  const valid = validator(JSON.parse(inRoot('samples/schemas/event.json')));

  /** Every line is an event, and the last one, and only that, is the summary. */
  async function expectEvents(args: string[], exitCode: number, input = ''): Promise<void> {
    const { code, stdout } = await workspace().run([...args, '--json'], { input });
    const events = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    for (const event of events) expect([event, valid(event)]).toEqual([event, true]);
    const summaries = events.filter(({ event }) => event === 'summary');
    expect([code, summaries.length, events.at(-1)]).toEqual([
      exitCode,
      1,
      expect.objectContaining({ event: 'summary', exit_code: exitCode }),
    ]);
  }

  test.each<[what: string, words: string, exitCode: number, input?: string]>([
    ['dry', 'payout create samples/payouts.csv --dry-run', 0],
    ['with invalid input', 'batch import samples/payouts-bad.csv --sandbox', 3],
    ['that skips what is invalid', 'payout create samples/payouts-bad.csv --sandbox --skip-invalid', 4],
    ['that misses a control total', 'payout create samples/payouts.csv --dry-run --expect-count 4', 3],
    ['into the sandbox', 'gig create samples/gigs.ndjson --sandbox', 0],
    ['with wrong usage', 'payout create there-is-none.csv --dry-run', 2],
    ['with a flag that is none', 'payout create --dry-rum', 2],
    ['without records', 'payout create - --format csv --dry-run', 3],
    ['of text that is no JSON', 'payout create - --format json --dry-run', 3, '[{"amount": 1},,]'],
    ['without confirmation', 'payout create - --base-url http://127.0.0.1:9', 2, JSON.stringify(payouts(1)[0])],
  ])('%s', async (_what, words, exitCode, input) => {
    const args = words.split(' ').map((word) => (word.startsWith('samples/') ? ROOT + word : word));
    await expectEvents(args, exitCode, input);
  });

  test('that was rejected, refused or left open by the service', async () => {
    const service = await testService({
      respond: ({ n }) => [{ status: 422 }, { status: 500 }, { status: 401 }][n - 1] ?? { default: true },
    });
    const space = workspace();
    const file = space.file('p.json', JSON.stringify(payouts(4)));
    const one = ['--concurrency', '1', '--retries', '0', '--yes', '--json'];
    const { code, events } = await space.run(['payout', 'create', file, '--base-url', service.url, ...one]);
    for (const event of events) expect([event, valid(event)]).toEqual([event, true]);
    const states = events.filter(({ event }) => event === 'record').map(({ status }) => String(status));
    expect([code, states.toSorted()]).toEqual([6, ['not_sent', 'not_sent', 'rejected', 'unknown']]);
  });
});

describe('the other documents are as their schemas say, with no member that these do not name', () => {
  const validDocument = (name: string) =>
    validator(closed(JSON.parse(inRoot(`samples/schemas/${name}.json`))) as Record<string, unknown>);
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
