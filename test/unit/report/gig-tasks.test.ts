import { describe, expect, test } from 'vitest';
import type { ResponseRules } from '../../../src/options.js';
import { gigTasks, taskPlacesIn } from '../../../src/report/gig-tasks.js';

const RULES: ResponseRules = {
  require: [],
  id: 'id',
  empty: false,
  accepted: false,
  tasks: 'tasks',
  taskId: 'id',
};
const AUDIT = { title: 'Audit', base_price: 450 };
const AGAIN = { title: 'Audit', base_price: 900 };
const REPORT = { title: 'Report', base_price: 187.5 };

const body = (...tasks: readonly object[]): string => JSON.stringify({ title: 'Gig', tasks });
const answer = (...tasks: readonly unknown[]): string => JSON.stringify({ id: 'g', tasks });
const idsOf = (sent: string, response: string | null, rules = RULES): (string | null)[] =>
  gigTasks(sent, response, rules).map(({ id }) => id);

describe('a task gets its id', () => {
  test('by its title, in the order of what was sent', () => {
    const response = answer({ id: 'r', title: 'Report' }, { id: 'a', title: 'Audit' });
    expect(gigTasks(body(AUDIT, REPORT), response, RULES)).toEqual([
      { title: 'Audit', basePrice: '450', id: 'a' },
      { title: 'Report', basePrice: '187.5', id: 'r' },
    ]);
  });

  test('among equal titles by its place', () => {
    const response = answer({ id: '1', title: 'Audit' }, { id: 'r', title: 'Report' }, { id: '2', title: 'Audit' });
    expect(idsOf(body(AUDIT, AGAIN, REPORT), response)).toEqual(['1', '2', 'r']);
  });

  test.each([
    ['one less', [{ id: '1', title: 'Audit' }]],
    ['one more', [1, 2, 3].map((id) => ({ id, title: 'Audit' }))],
  ])('but not where the answer has %s of the title: no place is sure', (_what, tasks) => {
    expect(idsOf(body(AUDIT, AGAIN, REPORT), answer(...tasks, { id: 'r', title: 'Report' }))).toEqual([
      null,
      null,
      'r',
    ]);
  });

  test('a task without an id keeps its place', () => {
    const response = answer({ title: 'Audit' }, { id: '2', title: 'Audit' });
    expect(idsOf(body(AUDIT, AGAIN), response)).toEqual([null, '2']);
  });

  test('with the digits that the service has sent', () => {
    const response = '{"id":"g","tasks":[{"title":"Audit","id":9007199254740993},{"title":"Report","id":7}]}';
    expect(idsOf(body(AUDIT, REPORT), response)).toEqual(['9007199254740993', '7']);
  });

  test('where the settings say', () => {
    const response = JSON.stringify({ data: { items: [{ title: 'Audit', ref: { key: 'a' } }] } });
    expect(idsOf(body(AUDIT), response, { ...RULES, tasks: 'data.items', taskId: 'ref.key' })).toEqual(['a']);
  });

  test.each([
    ['no answer is kept', null],
    ['only an id is kept', '{"id":"g"}'],
    ['the list is an object', '{"tasks":{"title":"Audit","id":"a"}}'],
    ['an entry is no object', '{"tasks":["Audit",null]}'],
    ['the title is another', answer({ id: 'a', title: 'audit' })],
    ['there is no title', answer({ id: 'a' })],
    ['the id is blank', answer({ id: ' ', title: 'Audit' })],
    ['the id is no text', answer({ id: { a: 1 }, title: 'Audit' })],
  ])('or none, where %s', (_what, response) => {
    expect(idsOf(body(AUDIT), response)).toEqual([null]);
  });

  test('and a gig without tasks has none', () => {
    expect(gigTasks('{"title":"Gig"}', answer({ id: 'a', title: 'Audit' }), RULES)).toEqual([]);
  });
});

describe('where an answer has tasks', () => {
  test('is the list with their titles, and their id', () => {
    const response = {
      id: 'g',
      tags: [{ id: 't' }],
      data: { tasks: [{ task_id: 7, title: 'Audit', base_price: 450 }] },
    };
    expect(taskPlacesIn(body(AUDIT), JSON.stringify(response))).toEqual({
      lists: ['data.tasks'],
      isTitled: true,
      taskId: 'task_id',
    });
  });

  test('else are all lists of objects, with the id in the first', () => {
    const response = { a: [{ uuid: 'x' }], b: { c: [{ n: 1 }] }, d: [1], e: [] };
    expect(taskPlacesIn(body(AUDIT), JSON.stringify(response))).toEqual({
      lists: ['a', 'b.c'],
      isTitled: false,
      taskId: 'uuid',
    });
  });

  test('is nowhere in an answer without lists', () => {
    expect(taskPlacesIn(body(AUDIT), '{"id":"g"}')).toEqual({ lists: [], isTitled: false, taskId: null });
  });
});
