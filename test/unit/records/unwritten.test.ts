/** What no person wrote: error words of spreadsheets, IDs that programs changed, variables, letters that were lost. */
import { describe, expect, it } from 'vitest';
import type { Body, RecordType } from '../../../src/records/types.js';
import { idDoubtOf, isOrdinaryId, manglingOf } from '../../../src/records/unwritten-id.js';
import { COST_CENTER_DATA, check } from './checking.js';

const ERRORS = [
  '#N/A',
  '#n/a',
  '#NV',
  '#REF!',
  '#BEZUG!',
  '#VALEUR!',
  '#¡VALOR!',
  '#¿NOMBRE?',
  '#WERT!',
  '#DIV/0!',
  '#NAME?',
  '#ÜBERLAUF!',
  '#ССЫЛКА!',
  '#Н/Д',
  '#HIÁNYZIK',
  '#YOK',
  '#SAKNAS!',
  '#ERROR!',
  '#SPILL!',
  '#GETTING_DATA',
  'Err:502',
  'Err:522',
  'Fehler:502',
  'Err :508',
  'エラー:502',
  ' #N/A ',
  '#',
  '########',
  '#U\u0308BERLAUF!',
];

describe('an error of a spreadsheet', () => {
  it.each(ERRORS)('%j is an error in any field', (text) => {
    const fields: Body = { user_id: text, title: text, currency: text, billing_date: text, reference_id: text };
    const found = Object.keys(fields).map((field) => check('payout', { [field]: text }).found);
    expect(found).toEqual(Object.keys(fields).map((field) => [`error spreadsheet-error ${field}`]));
    const inside = (change: Body): string[] => [
      ...check('payout', { cost_center_data: { ...COST_CENTER_DATA, ...change } }).found,
    ];
    expect(inside({ inhouse: text })).toEqual(['error spreadsheet-error cost_center_data.inhouse']);
    expect(inside({ legal_entity: text })).toEqual(['error spreadsheet-error cost_center_data.legal_entity']);
    expect(check('result', { quantity: text }).found).toEqual(['error spreadsheet-error quantity']);
    expect(check('gig', { filter_query: { city: text } }).found).toEqual(['error spreadsheet-error filter_query.city']);
  });

  it.each([
    '#1',
    '#danke',
    '#TEAM',
    '#DANKE!',
    '# 4',
    'N/A GmbH',
    'NV',
    'Err:4',
    'User:502',
    'Fehler 502',
    '##1##',
    '#N/A GmbH',
  ])('%j is none', (text) => expect(check('payout', { title: text }).found).toEqual([]));

  it('a payload of a notification may have a # of its own', () => {
    expect(check('gig', { notification_payload: { anchor: '#', url: '{{url}}' } }).found).toEqual([]);
    expect(check('gig', { notification_payload: { city: ['#N/A'] } }).found).toEqual([
      'error spreadsheet-error notification_payload.city.0',
    ]);
  });
});

const ID_FIELDS: readonly (readonly [RecordType, string])[] = [
  ['payout', 'user_id'],
  ['payout', 'cost_center_key'],
  ['payout', 'reference_id'],
  ['payout', 'idempotency_key'],
  ['result', 'user_id'],
  ['result', 'gig_task_id'],
  ['result', 'cost_center_key'],
  ['result', 'idempotency_key'],
  ['gig', 'idempotency_key'],
];

describe('an ID', () => {
  const foundIn = (type: RecordType, field: string, text: string): readonly string[] =>
    check(type, { [field]: text }).found;

  it.each(ID_FIELDS)('of a %s in %s', (type, field) => {
    expect(foundIn(type, field, '4.00123E+15')).toEqual([`error mangled-id ${field}`]);
    expect(foundIn(type, field, 'NULL')).toEqual([`warning doubtful-id ${field}`]);
    expect(foundIn(type, field, 'M\ufffdller')).toEqual([`error doubtful-encoding ${field}`]);
  });

  it.each(['customer_id', 'partner_project_code'])('in the data of a cost center: %s', (name) => {
    const { found } = check('payout', {
      cost_center_key: undefined,
      cost_center_data: { ...COST_CENTER_DATA, company: 'C', [name]: '4,00123E+15' },
    });
    expect(found).toEqual([`error mangled-id cost_center_data.${name}`]);
  });

  it.each(['4.00123E+15', '4,00123E+15', ' 1.9E+18', '="0045"', '=0045', '=A1&B1', '=SVERWEIS(A1;B:C;2;0)'])(
    '%j is mangled',
    (text) => expect(foundIn('payout', 'user_id', text)).toEqual(['error mangled-id user_id']),
  );

  it('a formula says what its cell means, and never to keep its quotes', () => {
    const [finding] = check('payout', { user_id: '="0045"' }).findings;
    expect(finding?.message).toBe(
      'user_id is ="0045": a formula, and the cell means 0045. Write 0045, without = and quotes. In a spreadsheet, format the cell as text first, so that no zero is lost',
    );
  });

  it.each([
    'NULL',
    'null',
    'nan',
    'NaN',
    'None',
    'undefined',
    '\\N',
    '[object Object]',
    'TRUE',
    'false',
    '-',
    '--',
    '—',
    'N/A',
    '<NA>',
    'WAHR',
    '2026-11-03',
    '03.11.2026',
    '11/3/2026',
    '2026-11-03 00:00:00',
    '2026-11-03T08:00:00Z',
    '1-Mar',
    '01. Mrz',
    '03-Nov-26',
    'Nov 3, 2026',
    "'u1'",
    '"u1"',
    '“u1”',
    '„u1“',
    '‚u1‘',
    '«u1»',
    '`u1`',
    "'00451",
    '’00451',
    '4E+15',
    ' NULL',
  ])('%j is doubtful', (text) => {
    const found = foundIn('payout', 'reference_id', text).filter((each) => !each.includes('surrounding-space'));
    expect(found).toEqual(['warning doubtful-id reference_id']);
  });

  it.each([
    '1004',
    'KST-4711',
    '1E5',
    '4E12',
    '1.5E3',
    '00123',
    'u1',
    'PP-7',
    'Null-4711',
    'N/A GmbH',
    'NULLMEIER',
    'Nan-1',
    'A',
    '0',
    '_',
    '12.11.10',
    '2026-11',
    '11/2026',
    'Nov-26',
    '2026-11-03-u1',
    '2026-13-40',
    '31.31.2026',
    '1004.0',
    '10.20.30',
    '20261103',
    '1-M',
    "O'Neil",
    "d'Arc",
    'a"b',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    '{3F2504E0-4F89-11D3-9A0C-0305E82C3301}',
    '{A3F2504E-4F89-11D3-9A0C-0305E82C3301}',
    '+49 170 1234567',
    'max@example.com',
    'a=b',
    '=k',
    'Straße 5',
    'Łukasz',
    '#12',
    'DE89370400440532013000',
  ])('%j is clean', (text) => expect(foundIn('payout', 'user_id', text)).toEqual([]));

  it('a word for nothing is a name elsewhere', () => {
    expect(check('payout', { title: 'Null', description: '-', reference_type: 'None' }).found).toEqual([]);
  });

  it('what is evidently ordinary has no doubt', () => {
    for (const text of [
      '1-Mar',
      '2026-11-03',
      '-',
      'NULL',
      'true',
      'N/A',
      '03.11.2026',
      '=1',
      '4E+15',
      "'1",
      ' u1',
      '{a}',
      'a\ufffd',
    ])
      expect(isOrdinaryId(text)).toBe(false);
    for (const text of ['u1', '1004', 'PP-7', 'KST_4711', '3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'Sales', '12.11.10'])
      expect([isOrdinaryId(text), idDoubtOf(text), manglingOf(text)]).toEqual([true, null, null]);
  });
});

describe('a variable that nobody filled in', () => {
  it.each(['${CITY}', 'Audit {{city}}', '{base_url}/gigs', 'Hi {{ first name }}!', '{Straße}', '${n:number}'])(
    '%j',
    (text) => {
      expect(check('payout', { title: text, user_id: text }).found.toSorted()).toEqual([
        'warning placeholder title',
        'warning placeholder user_id',
      ]);
      expect(check('gig', { url: text, filter_query: { $and: [{ city: { $in: [text] } }] } }).found).toEqual([
        'warning placeholder filter_query.$and.0.city.$in.0',
        'warning placeholder url',
      ]);
      expect(check('gig', { filter_query: { [`address.${text}`]: 1 } }).found).toHaveLength(1);
    },
  );

  it.each(['{}', '{ }', '{1}', '{"a":1}', 'a{2}', '^[a-z]{3}$', '\\p{Lu}+', '{m/w/d}', '100 $', '{'])(
    '%j is none',
    (text) => {
      expect(check('gig', { filter_query: { city: { $regex: text } } }).found).toEqual([]);
    },
  );
});

describe('a letter that was lost', () => {
  it('is an error in an ID and a warning elsewhere, with the word', () => {
    const { found, findings } = check('payout', { user_id: 'm\ufffdller', title: 'Bonus f\ufffdr Juli' });
    expect(found).toEqual(['warning doubtful-encoding title', 'error doubtful-encoding user_id']);
    expect(findings[0]?.message).toContain('title: "f\ufffdr" has the character U+FFFD');
  });

  it('is found in queries and payloads', () => {
    const lost = { city: 'K\ufffdln' };
    expect(check('gig', { filter_query: lost, notification_payload: lost }).found).toEqual([
      'warning doubtful-encoding filter_query.city',
      'warning doubtful-encoding notification_payload.city',
    ]);
  });
});
