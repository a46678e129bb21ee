import fc from 'fast-check';
import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import type { CellNotation } from '../../../src/input/cells.js';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import { formatDecimal } from '../../../src/money/decimal.js';
import type { DecimalMark } from '../../../src/input/numbers.js';
import type { RawRecord } from '../../../src/input/raw-record.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Field, FieldKind } from '../../../src/records/fields.js';
import * as schemas from '../../../src/records/schema.js';
import type { ValidRecord } from '../../../src/prepare/valid-record.js';
import { type ValidatedRow, RecordValidator } from '../../../src/prepare/validator.js';
import { PlainRows } from '../../../src/prepare/plain-rows.js';
import { read } from '../input/reading.js';

const NOW = Date.parse('2026-11-20');
const { payout } = RECORD_SCHEMAS;
const KEY = RecordKey.of('4e353669-d28d-8c9e-99b3-1e2c9de495dd');

type Cells = Readonly<Record<string, string>>;
const PLAIN: Cells = { user_id: 'u1', amount: '1200.5', title: 'Bonus', cost_center_key: 'PP-7' };

async function recordOf(cells: Cells, style: CellNotation): Promise<RawRecord> {
  const quoted = (values: readonly string[]): string =>
    values.map((value) => `"${value.replaceAll('"', '""')}"`).join(';');
  const text = `${quoted(Object.keys(cells))}\r\n${quoted(Object.values(cells))}\r\n`;
  const { records } = await read(text, { delimiter: ';', style });
  return records[0] as RawRecord;
}

/** Null where the row is not plain. */
function shortWay({ cells = [], columns = [] }: RawRecord, style: CellNotation): ValidRecord | null {
  return PlainRows.of(payout, columns, { now: NOW, style })?.read(cells) ?? null;
}

function longWay({ record, line, read: said }: RawRecord): ValidatedRow {
  const prices = { priceOf: () => null };
  const intake = new RecordValidator({
    now: NOW,
    style: PLAIN_STYLE,
    allowTotalRow: false,
    allowNegative: false,
    keyColumns: [],
    prices,
  });
  // As of a file, without its cells.
  return intake.check({ record, line, read: said, source: {} }, payout);
}

/** Everything that is made of a record, to compare. */
function madeOf(content: ValidRecord): unknown {
  const { ownKey, keySource, keyValue, amount, currency, costCenter, values, price } = content.parts;
  return {
    keySource,
    keyValue,
    currency,
    costCenter,
    price,
    body: {
      ...values.body(),
      idempotency_key: null,
    },
    ownKey: ownKey?.text,
    amount: amount === null ? null : [formatDecimal(amount), amount.units, amount.scale],
    sent: content.bodyWithKey(KEY),
    steps: content.explained('f.csv', {
      record: 1,
      line: 2,
    }).steps,
    fingerprint: content.fingerprint(),
  };
}

/** Mostly what is plain, so that many rows are, and now and then what is not. */
function mostly<T>(plain: fc.Arbitrary<T>, ...others: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12 * others.length, arbitrary: plain }, ...others);
}

const word = mostly(
  fc.stringMatching(/^[A-Za-z0-9äöüßéñ_./-]{1,12}$/),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replace(/[\0\ud800-\udfff]/g, '')),
  fc.constantFrom(
    '',
    ' ',
    'a ',
    ' a',
    '\u00a0a',
    "'=1",
    "'a",
    '=1+1',
    '"',
    '\\',
    'a\nb',
    '\t',
    '😀',
    '\u2028',
    '\u00ada',
    'a\u00ad',
    'a\u200bb',
    'a\u0301',
    'a\u034f',
    '\u061ca',
    '\ufeff',
  ),
  fc.constantFrom('#N/A', '##', 'Err:502', '4.00123E+15', '="0045"', 'NULL', 'true', '-', 'N/A', '2026-11-03', '1-Mar'),
  fc.constantFrom(
    '«u1»',
    '{city}',
    '${CITY}',
    'a\ufffd',
    '4E+15',
    '12.11.10',
    'PP-7',
    '1004.0',
    '1914310000010100000',
    'a'.repeat(300),
  ),
);
const digits = fc.stringMatching(/^\d{1,17}$/);
const unsigned = mostly(
  fc
    .tuple(fc.nat(99999), fc.nat(99), fc.constantFrom('.', ','))
    .map(([units, cents, point]) => `${units}${point}${cents}`),
  fc.tuple(digits, fc.constantFrom('.', ','), fc.stringMatching(/^\d{0,8}$/)).map((parts) => parts.join('')),
  digits,
  fc.double({ noNaN: true }).map(String),
  fc.constantFrom('', '0', '0.00', '-1', '-0.5', '1.', '.5', '01', '00.5', '1e3', '1 200', '1.234', '12.340', '+1'),
  fc.constantFrom('0.000001', '0.0000001', '999999999999999', '9999999999999.99', '1234567890123456', '1٫5', '١'),
);
const number = fc.oneof(
  { weight: 12, arbitrary: unsigned },
  { weight: 8, arbitrary: unsigned.map((text) => `-${text}`) },
  fc.tuple(fc.constantFrom('€', '$ ', '-$', 'EUR ', '£'), unsigned).map((parts) => parts.join('')),
  fc.tuple(unsigned, fc.constantFrom(' €', ' USD', 'EUR')).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('(', '\u2212', ''), unsigned, fc.constantFrom(')', '-')).map((parts) => parts.join('')),
  fc.constantFrom('-', '\u2013', ' - ', '1,00,000.50'),
);
const date = mostly(
  fc.constantFrom('2026-11-01', '2026-12-31', '2027-02-28', ''),
  fc.constantFrom('2026-02-29', '2028-02-29', '2024-02-29', '2025-11-19', '2027-11-21', '1.11.2026'),
  fc.constantFrom('2026-11-01 09:05', '2026-11-01T00:00:00Z', '20261101', '1.11.2026 14:22', 'Nov 1, 2026'),
  fc.constantFrom(' 2026-11-01', '2026-11-31', '2026-00-10', '0000-01-01', '2026-1-01', '2026-11-0a', '２026-11-01'),
);
const currency = mostly(fc.constantFrom('EUR', 'USD', ''), fc.constantFrom('eur', 'EURO', 'XXY', ' EUR'));
const nested = mostly(fc.constant(''), fc.constantFrom('PP-1', ' '));

/** Cells of each kind of field that a payout has. */
const CELLS: Readonly<Partial<Record<FieldKind, fc.Arbitrary<string>>>> = {
  text: word,
  id: word,
  number,
  currency,
  date,
};

/** Every field of a payout has cells here, or is an object with members: a new one cannot be left out. */
const row = fc.record(
  Object.fromEntries(
    payout.fields.flatMap(({ name, kind, members }): [string, fc.Arbitrary<string>][] => {
      const cells = CELLS[kind];
      if (cells !== undefined) return [[name, cells]];
      if (members === undefined) throw new TypeError(`${name} is of a kind without cells: ${kind}`);
      return members.map((member) => [`${name}.${member.name}`, nested]);
    }),
  ),
  { requiredKeys: payout.fields.filter(({ required }) => required).map(({ name }) => name) },
);
const style = fc.record<CellNotation>({
  decimal: fc.constantFrom<DecimalMark | null>(null, 'point', 'comma'),
  dateOrder: fc.constantFrom(null, 'ymd', 'dmy', 'mdy'),
  timeZone: fc.constantFrom(null, 'Europe/Berlin'),
  currencySigns: fc.boolean(),
  trim: fc.boolean(),
  negate: fc.boolean(),
});

describe('plain rows', () => {
  it('are valid without a word, and the same as by the long way', async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(row, style, async (cells, declared) => {
        const record = await recordOf(cells, declared);
        const short = shortWay(record, declared);
        if (short === null) return;
        plain++;
        const { findings, content } = longWay(record);
        expect(findings).toEqual([]);
        const { body, ...long } = madeOf(content as ValidRecord) as { body: unknown };
        expect({ ...long, body }).toEqual(madeOf(short));
      }),
      { numRuns: 700, examples: [[PLAIN as never, PLAIN_STYLE]] },
    );
    expect(plain).toBeGreaterThan(40);
  });

  it.each<[string, Cells, Partial<CellNotation>]>([
    ['with what is needed', {}, {}],
    ['with a comma, as declared', { amount: '80,10' }, { decimal: 'comma' }],
    ['with an amount that counts the other way', { amount: '-80.10' }, { negate: true }],
    ['with everything else', { currency: 'EUR', billing_date: '2026-11-30', description: 'Müller & Søn' }, {}],
    ['with a key of its own', { idempotency_key: 'bonus-1' }, {}],
    ['with empty cells of a nested field', { 'cost_center_data.legal_entity': '' }, {}],
  ])('are those %s', async (_, cells, change) => {
    const declared = { ...PLAIN_STYLE, ...change };
    expect(shortWay(await recordOf({ ...PLAIN, ...cells }, declared), declared)).not.toBeNull();
  });
});

describe('a field that checks more than its kind', () => {
  const fieldsWith = (schema: z.ZodMiniType): readonly Field[] =>
    schemas.inputSchema(
      schemas.strictObject({ user_id: schemas.id('user', { example: 'u1' }), title: schema as z.ZodMiniString }),
    ).fields;
  const title = schemas.text('title', { example: 'Bonus', need: 'Every payment needs a title' });

  it('is known by its schema', () => {
    const flags = [title, title.check(z.maxLength(5)), z.optional(title.check(z.regex(/^B/)))].map(
      (each) => fieldsWith(each).find(({ name }) => name === 'title')?.hasMoreChecks ?? false,
    );
    expect(flags).toEqual([false, true, true]);
    for (const { fields } of Object.values(RECORD_SCHEMAS))
      expect(fields.filter(({ hasMoreChecks }) => hasMoreChecks)).toEqual([]);
  });

  it('takes the long way', async () => {
    const { cells = [], columns = [] } = await recordOf(PLAIN, PLAIN_STYLE);
    const limited = columns.map((column) => {
      if (column.path !== 'title') return column;
      return { ...column, field: { ...column.field, hasMoreChecks: true } };
    });
    const fields = payout.fields.map((field) => limited.find(({ path }) => path === field.name)?.field ?? field);
    const readBy = (kind: typeof payout, of: typeof columns): ValidRecord | null =>
      PlainRows.of(kind, of, { now: NOW, style: PLAIN_STYLE })?.read(cells) ?? null;
    expect(readBy(payout, columns)).not.toBeNull();
    expect(readBy({ ...payout, fields }, limited)).toBeNull();
  });
});
