import { describe, expect, it } from 'vitest';
import { check } from './checking.js';

const filter = (query: Record<string, unknown>) => check('gig', { filter_query: query });
const sort = (query: Record<string, unknown>) => check('gig', { sort_query: query });

describe('filter queries that can be read', () => {
  it.each<[string, Record<string, unknown>]>([
    ['everyone', {}],
    ['a plain value', { city: 'Bonn' }],
    ['dot notation', { 'address.city': 'Bonn' }],
    ['an object as a value', { address: { city: 'Bonn', zip: '53111' } }],
    ['$in and $nin', { a: { $in: ['x'] }, b: { $nin: [] } }],
    ['comparisons', { a: { $eq: 1 }, b: { $ne: 2 }, c: { $gt: 3, $lte: 9 }, d: { $gte: 1, $lt: 2 } }],
    ['$exists', { a: { $exists: false } }],
    ['$and and $or', { $and: [{ a: 1 }, { $or: [{ b: 2 }, { c: { $in: [3] } }] }] }],
    ['$not', { age: { $not: { $lt: 18 } } }],
    ['$elemMatch on fields', { jobs: { $elemMatch: { city: 'Bonn', rating: { $gt: 3 } } } }],
    ['$elemMatch on elements', { scores: { $elemMatch: { $gt: 3, $lt: 5 } } }],
    ['others of that language', { a: { $regex: '^B', $options: 'i' }, b: { $size: 2 }, c: { $all: [1] } }],
    ['places', { at: { $near: { $geometry: { type: 'Point', coordinates: [7, 50] }, $maxDistance: 100 } } }],
  ])('%s', (_name, query) => {
    const { body, found } = filter(query);
    expect(found).toEqual([]);
    expect(body['filter_query']).toEqual(query);
  });
});

describe('filter queries that cannot be read', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['$in without a list', { languages: { $in: 'de' } }, ['languages.$in']],
    ['$nin without a list', { 'address.city': { $nin: 'Bonn' } }, ['address.city.$nin']],
    ['an empty $and', { $and: [] }, ['$and']],
    ['$or without a list', { $or: { a: 1 } }, ['$or']],
    ['a member of $and that is no object', { $and: ['Bonn'] }, ['$and.0']],
    ['a later member of $or that is no object', { $or: [{ a: 1 }, null, [], 3] }, ['$or.1', '$or.2', '$or.3']],
    ['$not with a plain value', { rating: { $not: 3 } }, ['rating.$not']],
    ['$not with an empty object', { rating: { $not: {} } }, ['rating.$not']],
    ['$not with field names alone', { rating: { $not: { average: 3 } } }, ['rating.$not']],
    ['an operator beside a field name', { rating: { $gt: 3, average: 4 } }, ['rating']],
    ['a mixture within $not', { rating: { $not: { $gt: 3, average: 4 } } }, ['rating.$not']],
    ['deep inside', { $and: [{ a: 1 }, { $or: [{ b: { $not: { $in: 5 } } }] }] }, ['$and.1.$or.0.b.$not.$in']],
    ['within $elemMatch', { jobs: { $elemMatch: { city: { $in: 'Bonn' } } } }, ['jobs.$elemMatch.city.$in']],
    ['several at once', { a: { $in: 1 }, b: { $nin: 2 }, $or: [] }, ['a.$in', 'b.$nin', '$or']],
  ])('%s', (_name, query, paths) => {
    expect(filter(query).found).toEqual(paths.map((path) => `error bad-query filter_query.${path}`));
  });
});

describe('operators that the query language does not have', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['under a field', { skills: { $contains: 'forklift' } }, 'skills.$contains'],
    ['within $and', { $and: [{ a: { $is: 1 } }] }, '$and.0.a.$is'],
    ['a dollar alone', { a: { $: 1 } }, 'a.$'],
  ])('%s', (_name, query, path) => {
    const { body, found } = filter(query);
    expect(found).toEqual([`warning unknown-operator filter_query.${path}`]);
    expect(body['filter_query']).toEqual(query);
  });

  it('come with what was most likely meant', () => {
    expect(filter({ a: { $exist: true } }).findings[0]?.message).toContain('Did you mean "$exists"?');
  });
});

describe('sort queries', () => {
  it.each<[Record<string, unknown>]>([[{}], [{ rating: 1 }], [{ 'address.city': -1, rating: 1 }]])('%j', (query) => {
    const { body, found } = sort(query);
    expect(found).toEqual([]);
    expect(body['sort_query']).toEqual(query);
  });

  it.each<[unknown]>([[2], [0], [-2], [1.5], ['1'], ['asc'], [true], [null], [{}], [[1]]])(
    '%j is no order',
    (value) => {
      expect(sort({ 'a.b': value, c: 1 }).found).toEqual(['error not-allowed sort_query.a.b']);
    },
  );
});
