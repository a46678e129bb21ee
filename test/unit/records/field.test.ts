import { describe, expect, it } from 'vitest';
import { type Field, columnPaths, fieldAt, canonicalFields, isIndex, isJsonKind } from '../../../src/records/field.js';
import { KINDS } from '../../../src/records/kinds.js';

describe('the field at a dot path', () => {
  it.each<['payout' | 'gig', string, string | null]>([
    ['payout', 'amount', 'amount'],
    ['payout', 'cost_center_data', 'cost_center_data'],
    ['payout', 'cost_center_data.inhouse', 'inhouse'],
    ['gig', 'partner_options.extra_mile', 'extra_mile'],
    ['gig', 'tasks', 'tasks'],
    ['gig', 'tasks.0.title', 'title'],
    ['gig', 'tasks.999.base_price', 'base_price'],
    ['payout', '', null],
    ['payout', 'Amount', null],
    ['payout', 'amount.x', null],
    ['payout', 'cost_center_data.', null],
    ['payout', 'cost_center_data.x', null],
    ['payout', 'cost_center_data.0', null],
    ['payout', 'inhouse', null],
    ['payout', 'gig_task_id', null],
    ['payout', 'toString', null],
    ['payout', '__proto__', null],
    ['gig', 'tasks.0', null],
    ['gig', 'tasks.title', null],
    ['gig', 'tasks.x.title', null],
    ['gig', 'tasks.00.title', null],
    ['gig', 'tasks.1000.title', null],
    ['gig', 'tasks.-1.title', null],
    ['gig', 'tasks.0.title.x', null],
    ['gig', 'tasks.0.0.title', null],
    ['gig', 'filter_query.city', null],
    ['gig', 'notification_payload.a', null],
  ])('%s: %j is %s', (type, path, name) => {
    expect(fieldAt(KINDS[type].fields, path)?.name ?? null).toBe(name);
  });

  it('tells the task title from the title of the gig', () => {
    expect(fieldAt(KINDS.gig.fields, 'tasks.0.title')).not.toBe(fieldAt(KINDS.gig.fields, 'title'));
  });
});

describe('columns', () => {
  it('are the dot paths of all fields, a list with its first element', () => {
    const field = (name: string, more: Partial<Field> = {}): Field => {
      return { name, kind: 'text', required: false, help: name, example: name, ...more };
    };
    const inner = field('inner', { kind: 'list', members: [field('x'), field('y', { kind: 'json' })] });
    const fields = [field('b'), field('outer', { kind: 'object', members: [field('c'), inner] }), field('a')];
    expect(columnPaths(fields)).toEqual(['b', 'outer.c', 'outer.inner.0.x', 'outer.inner.0.y', 'a']);
    expect(columnPaths(fields, 'z.')).toEqual(expect.arrayContaining(['z.b', 'z.outer.inner.0.x']));
  });

  it.each(['payout', 'result', 'gig'] as const)('of a %s lead to a field each', (type) => {
    const { fields } = KINDS[type];
    for (const path of columnPaths(fields)) expect(fieldAt(fields, path)).not.toBeNull();
  });
});

it('indexes of list elements are plain numbers below a thousand', () => {
  expect(['0', '7', '10', '999'].map(isIndex)).toEqual([true, true, true, true]);
  expect(['', '00', '01', '1000', '-1', '1.5', 'a', '1e2'].some(isIndex)).toBe(false);
});

it('fields in canonical order are sorted by name', () => {
  for (const { fields } of Object.values(KINDS)) {
    const names = canonicalFields(fields).map(({ name }) => name);
    expect(names).toEqual(fields.map(({ name }) => name).sort());
  }
});

it('object and list fields take JSON text in a cell', () => {
  const json = KINDS.gig.fields.filter(({ kind }) => isJsonKind(kind)).map(({ name }) => name);
  expect(json.sort()).toEqual(['filter_query', 'notification_payload', 'partner_options', 'sort_query', 'tasks']);
});
