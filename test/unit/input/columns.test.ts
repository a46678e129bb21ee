import { describe, expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { UsageError } from '../../../src/errors.js';
import { type ColumnMapping, bindAssignments, fieldName, requireField } from '../../../src/input/columns.js';
import { assign } from '../../../src/input/json-parser.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Body } from '../../../src/records/types.js';

const STYLE = PLAIN_STYLE;

describe('names in a file', () => {
  const naming: ColumnMapping = {
    map: new Map([['Betrag', 'amount']]),
    ignoreOthers: false,
    ignore: new Set(['note']),
    met: new Set(),
  };

  it.each<[string, string | null]>([
    ['Betrag', 'amount'],
    ['betrag', 'betrag'],
    ['note', null],
    ['gigwork_error', null],
    ['gigwork', 'gigwork'],
  ])('%s gives %s', (name, field) => {
    expect(fieldName(name, naming)).toBe(field);
    expect(naming.met.has(name)).toBe(true);
  });
});

describe('a value at a path', () => {
  it.each<[string, Body, string, unknown, Body]>([
    ['makes objects on the way', {}, 'a.b.c', 1, { a: { b: { c: 1 } } }],
    ['adds to an object', { a: { b: 1 } }, 'a.c', 2, { a: { b: 1, c: 2 } }],
    ['makes lists on the way', {}, 'a.0.b', 1, { a: [{ b: 1 }] }],
    ['fills lists up', {}, 'a.2.b', 1, { a: [{}, {}, { b: 1 }] }],
    ['stands over null', { a: null }, 'a.b', 1, { a: { b: 1 } }],
    ['takes a nested field away', { a: { b: 1, c: 2 } }, 'a.b', undefined, { a: { c: 2 } }],
    ['leaves what stands in the way', { a: 'x' }, 'a.b', 1, { a: 'x' }],
    ['leaves a list that is no list of names', { a: [1] }, 'a.b', 1, { a: [1] }],
    ['sees own members alone', {}, 'constructor.name', 1, { constructor: { name: 1 } }],
  ])('%s', (_name, input, path, value, expected) => {
    assign(input, path.split('.'), value);
    expect(input).toEqual(expected);
  });

  it('never reaches a prototype', () => {
    const input: Body = {};
    assign(input, ['__proto__', 'polluted'], true);
    assign(input, ['a', '__proto__'], { polluted: true });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(input)).toBe('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}');
  });
});

describe('values given for every record', () => {
  it('are converted once, like CSV cells, and written over what the file says', () => {
    const given = bindAssignments(
      [
        { path: 'amount', text: '12.50' },
        { path: 'cost_center_data', text: '{"legal_entity":"A","inhouse":"No"}' },
        { path: 'cost_center_data.inhouse', text: 'Yes' },
        { path: 'title', text: '' },
      ],
      RECORD_SCHEMAS.payout,
      STYLE,
    );
    expect(given.findings).toEqual([]);
    const input: Body = { amount: 1, title: 'x', description: 'y' };
    given.apply(input);
    expect(input).toEqual({ amount: 12.5, description: 'y', cost_center_data: { legal_entity: 'A', inhouse: 'Yes' } });
  });

  it('are not shared between records', () => {
    const given = bindAssignments(
      [{ path: 'cost_center_data', text: '{"inhouse":"No"}' }],
      RECORD_SCHEMAS.payout,
      STYLE,
    );
    const a: Body = {};
    const b: Body = {};
    given.apply(a);
    given.apply(b);
    (a['cost_center_data'] as Body)['inhouse'] = 'Yes';
    expect(b).toEqual({ cost_center_data: { inhouse: 'No' } });
  });

  it.each<['payout' | 'gig', string, RegExp]>([
    ['payout', 'amuont', /no field "amuont" in a payout\. Did you mean "amount"/],
    ['payout', 'quantity', /no field "quantity"/],
    ['payout', 'cost_center_data.x', /no field "cost_center_data.x"/],
    ['gig', 'filter_query.city', /Give filter_query whole.*@file\.json/],
    ['gig', 'tasks.title', /no field "tasks.title"/],
    ['payout', '__proto__', /no field/],
  ])('for a field that a %s does not have are refused: %s', (type, path, message) => {
    const check = (): void => requireField(path, [RECORD_SCHEMAS[type]], '--set x');
    expect(check).toThrow(UsageError);
    expect(check).toThrow(message);
  });
});
