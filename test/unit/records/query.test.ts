import { describe, expect, it } from 'vitest';
import { check } from './checking.js';

const filter = (query: Record<string, unknown>) => check('gig', { filter_query: query });
const sort = (query: Record<string, unknown>) => check('gig', { sort_query: query });

describe('filter queries that can be read', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a plain value', { city: 'Bonn' }],
    ['dot notation', { 'address.city': 'Bonn' }],
    ['an object as a value', { address: { city: 'Bonn', zip: '53111' } }],
    ['$in and $nin', { a: { $in: ['x'] }, b: { $nin: ['y'] } }],
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
    ['an empty $nor', { $nor: [] }, ['$nor']],
    ['a member of $nor that is no object', { $nor: [3] }, ['$nor.0']],
    ['$all without a list', { tags: { $all: 'a' } }, ['tags.$all']],
    ['$size of a text', { tags: { $size: '2' } }, ['tags.$size']],
    ['$size of a fraction', { tags: { $size: 1.5 } }, ['tags.$size']],
    ['$size below zero', { tags: { $size: -1 } }, ['tags.$size']],
    ['$regex that is no text', { name: { $regex: 5 } }, ['name.$regex']],
    ['$mod of one number', { qty: { $mod: [4] } }, ['qty.$mod']],
    ['$mod of three numbers', { qty: { $mod: [4, 1, 2] } }, ['qty.$mod']],
    ['$mod of a number', { qty: { $mod: 4 } }, ['qty.$mod']],
    ['$mod of texts', { qty: { $mod: ['4', '0'] } }, ['qty.$mod']],
    ['$elemMatch that is no object', { jobs: { $elemMatch: 'Bonn' } }, ['jobs.$elemMatch']],
    ['$elemMatch of a list', { jobs: { $elemMatch: [{ a: 1 }] } }, ['jobs.$elemMatch']],
    ['$elemMatch in $all', { jobs: { $all: [{ $elemMatch: 3 }] } }, ['jobs.$all.0.$elemMatch']],
    ['$in for the whole query', { $in: ['Bonn'] }, ['$in']],
    ['$in as a branch', { $or: [{ $in: ['Bonn'] }, { a: 1 }] }, ['$or.0.$in']],
    ['$not for the whole query', { $not: { city: 'Bonn' } }, ['$not']],
    ['$regex for the whole query', { $regex: '^B', $options: 'i' }, ['$regex', '$options']],
    ['$or inside a field', { city: { $or: [{ $eq: 'Bonn' }, { $eq: 'Köln' }] } }, ['city.$or']],
    ['$and inside $not', { city: { $not: { $and: [{ a: 1 }] } } }, ['city.$not.$and']],
    ['$nor next to an operator', { city: { $ne: 'x', $nor: [{ a: 1 }] } }, ['city.$nor']],
    ['$expr inside a field', { city: { $expr: { $gt: ['$a', '$b'] } } }, ['city.$expr']],
    ['$comment inside a field', { city: { $in: ['Bonn'], $comment: 'x' } }, ['city.$comment']],
    ['$gt in a branch within $elemMatch', { a: { $elemMatch: { $or: [{ $gt: 1 }] } } }, ['a.$elemMatch.$or.0.$gt']],
    [
      'an operator of fields next to fields within $elemMatch',
      { a: { $elemMatch: { b: 1, $gt: 1 } } },
      ['a.$elemMatch'],
    ],
    ['a part of another operator in a field', { at: { $geometry: { type: 'Point' } } }, ['at.$geometry']],
    ['a part of another operator alone', { $search: 'coffee' }, ['$search']],
    ['an operator in an object that is compared', { address: { city: { $in: ['Bonn'] } } }, ['address.city.$in']],
    ['one deeper in it', { a: { b: { c: { $exists: true } }, d: 1 } }, ['a.b.c.$exists']],
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

describe('filter queries that may be too wide', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no condition', {}, ''],
    ['an empty $and', { $and: [{}, {}] }, ''],
    ['a comment alone', { $comment: 'all of them' }, ''],
    ['an expression that is true', { $expr: true }, ''],
    ['a schema of nothing', { $and: [{ $jsonSchema: {} }] }, ''],
    ['an element without a condition', { jobs: { $elemMatch: {} } }, '.jobs.$elemMatch'],
    ['a branch of $or', { city: 'Bonn', $or: [{ a: 1 }, {}] }, '.$or.1'],
    ['a branch of $nor', { $nor: [{}] }, '.$nor.0'],
    ['an empty list of $in', { city: { $in: [] } }, '.city.$in'],
    ['an empty list of $nin', { city: { $nin: [] } }, '.city.$nin'],
    ['an empty list of $all', { city: { $all: [] } }, '.city.$all'],
    ['within $not', { city: { $not: { $in: [] } } }, '.city.$not.$in'],
    ['within $elemMatch', { jobs: { $elemMatch: { city: '' } } }, '.jobs.$elemMatch.city'],
    ['an empty text of $eq', { city: { $eq: '' } }, '.city.$eq'],
    ['an empty regular expression', { city: { $regex: '', $options: '' } }, '.city.$regex'],
    ['an empty text', { city: '' }, '.city'],
    ['an empty list', { city: [] }, '.city'],
    ['an empty object', { city: {} }, '.city'],
    ['null', { city: null }, '.city'],
    ['deep inside', { $and: [{ a: 1 }, { $or: [{ city: null }, { b: 1 }] }] }, '.$and.1.$or.0.city'],
  ])('%s', (_name, query, path) => {
    const { body, found } = filter(query);
    expect(found).toEqual([`warning wide-filter filter_query${path}`]);
    expect(body['filter_query']).toEqual(query);
  });

  it.each([
    { $and: [{}, { city: 'Bonn' }] },
    { city: { $eq: null } },
    { city: { $ne: null } },
    { $expr: { $gt: ['$a', 1] } },
  ])('%j has a condition', (query) => {
    expect(filter(query).found).toEqual([]);
  });

  it('say nothing of that where they have an error', () => {
    expect(filter({ $and: [3] }).found).toEqual(['error bad-query filter_query.$and.0']);
    expect(filter({ $in: [] }).found).toEqual(['error bad-query filter_query.$in']);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'every worker matches'],
    [{ city: { $in: [] } }, 'no value meets this condition'],
    [{ city: { $nin: [] } }, 'every value meets this condition'],
    [{ city: { $not: { $in: [] } } }, '$not.$in is an empty list, so no value meets'],
    [{ city: { $eq: [] } }, 'only an empty list meets'],
    [{ city: { $ne: [] } }, 'every value but an empty list meets'],
    [{ mask: { $bitsAllSet: [] } }, 'is an empty list. Write the values'],
    [{ jobs: { $elemMatch: {} } }, 'any object in the list meets it'],
    [{ city: null }, 'only workers without this field'],
  ])('%j: what it selects is said', (query, words) => {
    expect(filter(query).findings[0]?.message).toContain(words);
  });
});

describe('operators without their dollar sign', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ city: { in: ['Berlin'] } }, 'city.in'],
    [{ city: { nin: ['Berlin'], country: 'DE' } }, 'city.nin'],
    [{ age: { gte: 18 } }, 'age.gte'],
    [{ age: { not: { lt: 18 } } }, 'age.not'],
    [{ age: { not: { $lt: 18 } } }, 'age.not'],
    [{ jobs: { elemMatch: { city: 'Bonn' } } }, 'jobs.elemMatch'],
    [{ tags: { size: 3 } }, 'tags.size'],
    [{ tags: { all: ['a'] } }, 'tags.all'],
    [{ phone: { exists: true } }, 'phone.exists'],
    [{ phone: { type: 'string' } }, 'phone.type'],
    [{ name: { regex: '^B' } }, 'name.regex'],
    [{ $and: [{ city: { eq: 'Bonn' } }] }, '$and.0.city.eq'],
    [{ jobs: { $elemMatch: { city: { in: ['Bonn'] } } } }, 'jobs.$elemMatch.city.in'],
    [{ or: [{ city: 'Bonn' }, { city: 'Köln' }] }, 'or'],
  ])('%j', (query, path) => {
    const { body, found } = filter(query);
    expect(found).toEqual([`warning missing-dollar filter_query.${path}`]);
    expect(body['filter_query']).toEqual(query);
  });

  it.each([
    { address: { size: { h: 1 } } },
    { address: { type: 'home', all: true, in: 'Bonn' } },
    { phone: { mod: 3, not: 'x', options: 'i', exists: 'sometimes' } },
    { address: { city: { in: ['Bonn'] } } },
    { in: ['Bonn'], or: 'Bonn', size: 3 },
  ])('%j may have such names', (query) => {
    expect(filter(query).found).toEqual([]);
  });
});

describe('variables that nobody filled in', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ city: '${CITY}' }, 'city'],
    [{ city: { $in: ['Bonn', '{{city}}'] } }, 'city.$in.1'],
    [{ '{base_url}': 1 }, '{base_url}'],
    [{ '${FIELD}': 'Bonn' }, '${FIELD}'],
    [{ city: { '${OP}': 1 } }, 'city.${OP}'],
    [{ $text: { $search: '{base_url}' } }, '$text.$search'],
  ])('%j', (query, path) => {
    expect(filter(query).found).toEqual([`warning placeholder filter_query.${path}`]);
  });

  it('are right in a payload', () => {
    const payload = { link: '{base_url}/x', text: 'Hello ${NAME}', '{key}': 1 };
    expect(check('gig', { notification_payload: payload }).found).toEqual([]);
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
