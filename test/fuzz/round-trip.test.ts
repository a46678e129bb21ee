import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordType } from '../../src/records/types.js';
import { type Ended, runHere } from '../support/here.js';
import { writtenXml } from '../support/written-sheet.js';
import { ENCODINGS, encoded, type Written } from './encode.js';
import { type Json, TYPES } from './records.js';
import { csvFlags, csvText, type Dress, type Layout, ndjsonText, PLAIN } from './write.js';

const RUNS = { numRuns: 10 };

/** Text that a cell can hold: not empty, for an empty cell is an absent field; whole characters; no zero byte, which no file may hold. */
const text = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom(
      '=1+1',
      "'=x",
      "''+x",
      '@a',
      '"',
      '""',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      ',;|\t',
      'ü€“',
      '\ufeff',
      '\u2028',
      '＝1',
      'null',
      '0123',
      '1e5',
      '\\n',
    ),
  )
  .filter((value) => !value.includes('\0'));

const filled = fc
  .tuple(fc.constantFrom('a', 'ä', '=', "'", '"', '-', '\n'), text)
  .map(([start, rest]) => `${start}${rest}x`);

const number = fc
  .tuple(fc.integer({ min: -999_999, max: 99_999_999 }), fc.constantFrom(1, 10, 100))
  .map(([units, by]) => units / by);
const when = fc.integer({ min: 1_700_000_000, max: 1_900_000_000 });
const date = fc.constantFrom('2026-11-01', '2028-02-29', '2026-12-31');

const json = (depth: number): fc.Arbitrary<Json> =>
  fc.dictionary(
    // A name that begins with $ would be an operator.
    fc.string({ unit: 'binary', maxLength: 6 }).filter((name) => !name.startsWith('$') && !name.includes('\0')),
    fc.oneof(
      text,
      number,
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('__proto__', 'constructor'),
      fc.array(text, { maxLength: 2 }),
      ...(depth > 0 ? [json(depth - 1)] : []),
    ),
    { maxKeys: 4 },
  );

const inhouse = fc.constantFrom('Yes', 'No', 'yes', 'NO');
const costCenterData = fc.oneof(
  fc.record({ legal_entity: filled, inhouse, partner_project_code: filled }),
  fc.record({ legal_entity: filled, inhouse, customer_id: filled, company: filled }),
);
const costCenter = fc.oneof(fc.record({ cost_center_key: filled }), fc.record({ cost_center_data: costCenterData }));
const shared = fc.record({ description: text, currency: text, idempotency_key: filled }, { requiredKeys: [] });

const joined = (...parts: fc.Arbitrary<Json>[]): fc.Arbitrary<Json> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Json);

const RECORDS: Readonly<Record<RecordType, fc.Arbitrary<Json>>> = {
  payout: joined(
    fc.record(
      { user_id: filled, amount: number, title: filled, billing_date: date, reference_id: text, reference_type: text },
      { requiredKeys: ['user_id', 'amount', 'title'] },
    ),
    costCenter,
    shared,
  ),
  result: joined(
    fc.record(
      {
        gig_task_id: filled,
        user_id: filled,
        title: filled,
        quantity: number,
        multiplier: fc.constantFrom('0', '1', '1.0', '9.9999', '0.5000', '1.250'),
        delivery_date: date,
      },
      { requiredKeys: ['gig_task_id', 'user_id', 'title', 'quantity'] },
    ),
    costCenter,
    shared,
  ),
  gig: fc.record(
    {
      title: filled,
      description: filled,
      url: filled,
      start_at: when,
      end_at: when,
      invitation_mode: fc.constantFrom('auto', 'manual'),
      filter_query: json(2),
      sort_query: fc.dictionary(filled, fc.constantFrom(1, -1), { maxKeys: 3 }),
      notification_payload: json(2),
      invitation_notification_topic: filled,
      seats_min: number,
      tasks: fc.array(fc.record({ title: filled, base_price: number }), { maxLength: 3 }),
      partner_options: fc.record({ extra_mile: fc.boolean() }),
      idempotency_key: filled,
    },
    { requiredKeys: ['title', 'description', 'url', 'start_at', 'end_at', 'filter_query'] },
  ),
};

const layout: fc.Arbitrary<Layout> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  comma: fc.boolean(),
  quoteAll: fc.boolean(),
  spread: fc.boolean(),
  dress: fc.constant(PLAIN),
});

const several = fc
  .constantFrom(...TYPES)
  .chain((type) => fc.tuple(fc.constant(type), fc.array(RECORDS[type], { minLength: 1, maxLength: 4 })));
const encoding = fc.constantFrom<Written>(...ENCODINGS);

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'gigwork-round-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function dry(type: string, bytes: Buffer, ...flags: string[]): Promise<Ended> {
  return runHere([type, 'create', '-', '--dry-run', '--json', ...flags], folder, bytes, [7, 1, 64]);
}

/** Key and body of each record, or what is wrong with it. */
function outcomes({ stdout }: Ended): unknown[] {
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
  return events
    .filter(({ event }) => event === 'record')
    .map(({ status, key, request, error }) => {
      // A table's own columns stand in quotes.
      const told = typeof error === 'string' ? error.replaceAll(/"([a-z_.]+)"/g, '$1') : error;
      return { status: status === 'planned' ? status : told, key, request };
    });
}

function flagsOf({ delimiter, comma }: Layout, written: Written): string[] {
  const name = written.replace(' with a byte order mark', '');
  return ['--format', 'csv', '--encoding', name, '--delimiter', delimiter, ...(comma ? ['--decimal', 'comma'] : [])];
}

describe('a record is the same from every format', () => {
  test('JSON list, NDJSON and CSV, in every encoding that carries it', async () => {
    let accepted = 0;
    const property = fc.asyncProperty(several, layout, encoding, async ([type, records], look, written) => {
      const list = await dry(type, Buffer.from(JSON.stringify(records)), '--format', 'json', '--encoding', 'utf-8');
      const expected = outcomes(list);
      expect(expected).toHaveLength(records.length);
      // Its words name the place of the other record, which is a line or a number.
      if (list.stdout.includes('"duplicate-key"')) return;
      const lines = await dry(type, encoded(ndjsonText(records, look.lineEnd), 'utf-16le')!, '--format', 'ndjson');
      expect(outcomes(lines)).toEqual(expected);
      const bytes = encoded(csvText(records, look), written);
      if (bytes === null) return;
      accepted++;
      const table = await dry(type, bytes, ...flagsOf(look, written));
      expect(outcomes(table)).toEqual(expected);
    });
    await fc.assert(property, RUNS);
    expect(accepted).toBeGreaterThan(RUNS.numRuns / 3);
  });

  test('its body is the record, but for what the program says that it adds', async () => {
    const property = fc.asyncProperty(several, async ([type, records]) => {
      const told = outcomes(await dry(type, Buffer.from(JSON.stringify(records)), '--encoding', 'utf-8')) as {
        key: string;
        request: Json | null;
      }[];
      expect(told).toHaveLength(records.length);
      for (const [i, { key, request }] of told.entries()) {
        if (request === null) continue;
        const { idempotency_key: own, ...body } = structuredClone(records[i]!);
        if (own !== undefined) expect(key).toBe(own);
        if (type === 'gig') body['invitation_mode'] ??= 'manual';
        else body['idempotency_key'] = key;
        const data = body['cost_center_data'] as Json | undefined;
        if (data !== undefined) data['inhouse'] = /yes/i.test(data['inhouse'] as string) ? 'Yes' : 'No';
        expect(JSON.stringify(sorted(request))).toBe(JSON.stringify(sorted(body)));
      }
    });
    await fc.assert(property, RUNS);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

describe('rejects, imported again, are the records that were refused', () => {
  /** The same field is given to all records, first with a value that makes them invalid. */
  const MEND = ['--set', 'reference_type=mended'];
  const WRONG = ['--set', 'billing_date=2026-02-30'];

  test('from CSV, twice over, in every delimiter and encoding', async () => {
    let mended = 0;
    const property = fc.asyncProperty(several, layout, encoding, async ([type, records], look, written) => {
      if (type === 'gig') return;
      const bytes = encoded(csvText(records, { ...look, spread: true }), written);
      if (bytes === null) return;
      const flags = flagsOf(look, written);
      const wrong = type === 'payout' ? WRONG : ['--set', 'delivery_date=2026-02-30'];
      const right = type === 'payout' ? MEND : ['--set', 'currency=EUR'];
      const before = await dry(type, bytes, ...flags, ...right);
      if (!before.stdout.includes('"exit_code":0')) return;
      let given = bytes;
      mended++;
      for (const file of ['once', 'twice']) {
        await dry(type, given, ...flags, ...wrong, '--overwrite', '--rejects', file);
        given = readFileSync(join(folder, file));
        writeFileSync(join(folder, file), '');
        expect(outcomes(await dry(type, given, ...flags, ...right))).toEqual(outcomes(before));
      }
    });
    await fc.assert(property, RUNS);
    expect(mended).toBeGreaterThan(RUNS.numRuns / 5);
  });

  const dress: fc.Arbitrary<Dress> = fc.record({
    signed: fc.boolean(),
    negated: fc.boolean(),
    dates: fc.constantFrom('ymd', 'dmy', 'mdy'),
    headless: fc.boolean(),
    other: fc.boolean(),
  });

  test('from CSV by workbooks, twice over, in every notation of numbers and dates', async () => {
    let mended = 0;
    let typed = 0;
    const property = fc.asyncProperty(several, layout, dress, async ([type, records], look, worn) => {
      if (type === 'gig') return;
      const paid = worn.signed ? records.map((record) => ({ ...record, currency: 'EUR' })) : records;
      const worn2 = { ...look, spread: true, dress: worn };
      const flags = [...csvFlags(paid, worn2), '--allow-negative'];
      const ofText = ['--format', 'csv', '--encoding', 'utf-8', '--delimiter', look.delimiter];
      const wrong = type === 'payout' ? ['--set', 'title=#N/A'] : ['--set', 'gig_task_id=#N/A'];
      const bytes = Buffer.from(csvText(paid, worn2));
      const before = await dry(type, bytes, ...flags, ...ofText);
      if (!before.stdout.includes('"exit_code":0')) return;
      mended++;
      await dry(type, bytes, ...flags, ...ofText, ...wrong, '--overwrite', '--rejects', 'once.xlsx');
      const once = readFileSync(join(folder, 'once.xlsx'));
      expect(outcomes(await dry(type, once, ...flags))).toEqual(outcomes(before));
      await dry(type, once, ...flags, ...wrong, '--overwrite', '--rejects', 'twice.xlsx');
      const twice = readFileSync(join(folder, 'twice.xlsx'));
      expect(outcomes(await dry(type, twice, ...flags))).toEqual(outcomes(before));
      const xml = await writtenXml(twice);
      expect(xml).toEqual(await writtenXml(once));
      if (/<v>/.test(xml)) typed++;
    });
    await fc.assert(property, { numRuns: 40 });
    expect(typed).toBeGreaterThan(mended / 2);
    expect(mended).toBeGreaterThan(10);
  });

  test('from JSON and NDJSON', async () => {
    const property = fc.asyncProperty(
      several,
      fc.constantFrom(0, 2),
      encoding,
      async ([type, records], indent, written) => {
        const bytes = encoded(indent === 0 ? ndjsonText(records) : JSON.stringify(records, null, indent), written);
        if (bytes === null) return;
        const flags = [
          '--format',
          indent === 0 ? 'ndjson' : 'json',
          '--encoding',
          written.replace(' with a byte order mark', ''),
        ];
        const before = await dry(type, bytes, ...flags);
        await dry(type, bytes, ...flags, '--set', 'title=#N/A', '--overwrite', '--rejects', 'rejects');
        const given = readFileSync(join(folder, 'rejects'));
        const after = await dry(type, given, '--format', 'ndjson', ...flags.slice(2));
        expect(outcomes(after)).toEqual(outcomes(before));
      },
    );
    await fc.assert(property, RUNS);
  });
});
