/** What MongoDB's documentation shows for its operators has neither error nor warning. */
import { expect, it } from 'vitest';
import { check } from './checking.js';

type Query = Readonly<Record<string, unknown>>;

const POINT = { type: 'Point', coordinates: [-73.9667, 40.78] };
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [3, 6],
      [6, 1],
      [0, 0],
    ],
  ],
};
const SCHEMA = { required: ['item', 'qty'], properties: { item: { bsonType: 'string' }, qty: { type: 'number' } } };

/** By the page that shows them. */
const QUERIES: Readonly<Record<string, readonly Query[]>> = {
  $eq: [
    { qty: { $eq: 20 } },
    { 'item.name': { $eq: 'ab' } },
    { tags: { $eq: ['A', 'B'] } },
    { tags: ['A', 'B'] },
    { company: 'MongoDB' },
  ],
  $ne: [{ quantity: { $ne: 20 } }, { 'carrier.fee': { $ne: 1 } }, { item: { $ne: null } }],
  $gt: [{ quantity: { $gt: 20 } }, { 'carrier.fee': { $gt: 2 } }],
  $gte: [{ quantity: { $gte: 20 } }],
  $lt: [{ quantity: { $lt: 20 } }],
  $lte: [{ quantity: { $lte: 20 } }, { price: { $gte: 10, $lte: 20 } }],
  $in: [{ quantity: { $in: [5, 15] } }, { tags: { $in: ['home', 'school'] } }, { item: { $in: [null] } }],
  $nin: [{ quantity: { $nin: [5, 15] } }, { tags: { $nin: ['school'] } }],
  $and: [
    { $and: [{ price: { $ne: 1.99 } }, { price: { $exists: true } }] },
    { price: { $ne: 1.99, $exists: true } },
    { $and: [{ $or: [{ qty: { $lt: 10 } }, { qty: { $gt: 50 } }] }, { $or: [{ sale: true }, { price: { $lt: 5 } }] }] },
  ],
  $or: [
    { $or: [{ quantity: { $lt: 20 } }, { price: 10 }] },
    { status: 'A', $or: [{ qty: { $lt: 30 } }, { item: { $regex: '^p' } }] },
    { $or: [{ $text: { $search: 'coffee' } }, { price: 10 }] },
  ],
  $nor: [
    { $nor: [{ price: 1.99 }, { sale: true }] },
    { $nor: [{ price: 1.99 }, { price: { $exists: false } }, { sale: true }, { sale: { $exists: false } }] },
  ],
  $not: [
    { price: { $not: { $gt: 1.99 } } },
    { item: { $not: { $regex: '^p.*' } } },
    { item: { $not: { $regularExpression: { pattern: '^p.*', options: '' } } } },
    { qty: { $not: { $gt: 5, $lt: 9 } } },
    { tags: { $not: { $elemMatch: { $eq: 'A' } } } },
  ],
  $exists: [{ qty: { $exists: true, $nin: [5, 15] } }, { b: { $exists: false } }],
  $type: [
    { zipCode: { $type: 2 } },
    { zipCode: { $type: 'string' } },
    { zipCode: { $type: ['string', 'double'] } },
    { field: { $type: -1 } },
    { item: { $type: 10 } },
    { readings: { $type: 'array' } },
  ],
  $expr: [
    { $expr: { $gt: ['$spent', '$budget'] } },
    { $expr: { $lt: [{ $cond: [{ $gte: ['$qty', 100] }, 2, { $in: ['$qty', '$all'] }] }, 5] } },
    { $expr: { $lt: [0.5, { $rand: {} }] } },
    { district: 3, $expr: { $lt: [0.5, { $rand: {} }] } },
  ],
  $jsonSchema: [{ $jsonSchema: SCHEMA }, { $nor: [{ $jsonSchema: SCHEMA }] }],
  $mod: [
    { qty: { $mod: [4, 0] } },
    { qty: { $mod: [4.0, 0] } },
    { qty: { $mod: [4.5, 0] } },
    { qty: { $mod: [-4, -0] } },
    { qty: { $mod: [{ $numberLong: '4' }, 0] } },
  ],
  $regex: [
    { sku: { $regex: '789$' } },
    { sku: { $regex: '^ABC', $options: 'i' } },
    { name: { $regex: 'acme.*corp', $options: 'si', $nin: ['acmeblahcorp'] } },
    { name: { $regex: '(?i)a(?-i)cme' } },
    { name: { $regex: '\\p{Lu}x' } },
    { sku: { $regex: 'abc #category code\n123 #item number', $options: 'x' } },
    { sku: { $options: '', $regex: '^a' } },
  ],
  $text: [
    { $text: { $search: 'java coffee shop' } },
    { $text: { $search: '"coffee shop"', $language: 'es', $caseSensitive: true, $diacriticSensitive: true } },
    { $text: { $search: 'leche', $language: 'none' } },
    { status: 'A', $text: { $search: 'coffee -shop' } },
  ],
  $where: [
    { $where: 'this.credits == this.debits' },
    { $where: 'function() { return (hex_md5(this.name) == "9b53e667f30cd329dca1ec9e6a83e994") }' },
    { active: true, $where: 'function() { return obj.credits - obj.debits < 0; }' },
    { tags: { $exists: true }, $where: 'Array.isArray(this.tags)' },
  ],
  $comment: [
    { x: { $mod: [2, 0] }, $comment: 'Find even values.' },
    { x: { $gt: 0 }, $comment: "Don't allow negative inputs." },
  ],
  $sampleRate: [{ $sampleRate: 0.33 }],
  $geoIntersects: [{ loc: { $geoIntersects: { $geometry: POLYGON } } }],
  $geoWithin: [
    { loc: { $geoWithin: { $geometry: POLYGON } } },
    {
      loc: {
        $geoWithin: {
          $box: [
            [0, 0],
            [100, 100],
          ],
        },
      },
    },
    {
      loc: {
        $geoWithin: {
          $polygon: [
            [0, 0],
            [3, 6],
            [6, 0],
          ],
        },
      },
    },
    { loc: { $geoWithin: { $center: [[-74, 40.74], 10] } } },
    { loc: { $geoWithin: { $centerSphere: [[-88, 30], 10 / 3963.2] } } },
    { loc: { $geoWithin: { $center: [[5, 5], 9] }, $uniqueDocs: false } },
    {
      loc: {
        $within: {
          $box: [
            [0, 0],
            [100, 100],
          ],
        },
      },
    },
  ],
  $near: [
    { location: { $near: { $geometry: POINT, $minDistance: 1000, $maxDistance: 5000 } } },
    { location: { $near: [-73.9667, 40.78], $maxDistance: 0.1 } },
    { loc: { $near: [-74, 40], $maxDistance: 10, $minDistance: 1 } },
  ],
  $nearSphere: [
    { location: { $nearSphere: { $geometry: POINT, $minDistance: 1000, $maxDistance: 5000 } } },
    { location: { $nearSphere: [-73.9667, 40.78], $minDistance: 0.0004, $maxDistance: 0.1 } },
  ],
  $all: [
    { tags: { $all: ['ssl', 'security'] } },
    { tags: { $all: [['ssl', 'security']] } },
    { qty: { $all: [{ $elemMatch: { size: 'M', num: { $gt: 50 } } }, { $elemMatch: { num: 100, color: 'green' } }] } },
    { 'qty.num': { $all: [50] } },
  ],
  $elemMatch: [
    { results: { $elemMatch: { $gte: 80, $lt: 85 } } },
    { results: { $elemMatch: { product: 'xyz', score: { $gte: 8 } } } },
    { results: { $elemMatch: { product: { $ne: 'xyz' } } } },
    { game: { $elemMatch: { $or: [{ score: { $gt: 10 } }, { score: { $lt: 5 } }] } } },
    { game: { $elemMatch: { name: 'a', $and: [{ score: { $gt: 10 } }, { age: 3 }] } } },
    { a: { $elemMatch: { $elemMatch: { $in: [1] } } } },
  ],
  $size: [{ field: { $size: 2 } }, { tags: { $size: 0 } }],
  $bitsAllClear: [{ a: { $bitsAllClear: [1, 5] } }, { a: { $bitsAllClear: 35 } }],
  $bitsAllSet: [
    { a: { $bitsAllSet: [1, 5] } },
    { a: { $bitsAllSet: 50 } },
    { a: { $bitsAllSet: { $binary: { base64: 'MA==', subType: '00' } } } },
  ],
  $bitsAnyClear: [{ a: { $bitsAnyClear: [1, 5] } }, { a: { $bitsAnyClear: 35 } }],
  $bitsAnySet: [{ a: { $bitsAnySet: [1, 5] } }, { a: { $bitsAnySet: 35 } }],
  'embedded documents': [
    { size: { h: 14, w: 21, uom: 'cm' } },
    { instock: { warehouse: 'A', qty: 5 } },
    { instock: { qty: 5, warehouse: { name: 'A', shelf: { no: 3 } } } },
    { 'size.h': { $lt: 15 }, 'size.uom': 'in', status: 'D' },
    { 'instock.0.qty': { $lte: 20 } },
    { item: { name: 'ab', code: '123' } },
  ],
  arrays: [{ dim_cm: { $gt: 15, $lt: 20 } }, { 'dim_cm.1': { $gt: 25 } }, { tags: ['red', 'blank'] }],
  'typed values': [
    { _id: { $oid: '5234cc89687ea597eabee675' } },
    { birth: { $gt: { $date: '1950-01-01T00:00:00Z' } } },
    { birth: { $date: '1950-01-01T00:00:00Z' } },
    { price: { $numberDecimal: '9.99' } },
    { creator: { $ref: 'creators', $id: { $oid: '5126bc054aed4daf9e2ab772' }, $db: 'users' } },
    { meta: { made: { $date: '1950-01-01T00:00:00Z' } } },
  ],
};

it.each(Object.entries(QUERIES).flatMap(([page, queries]) => queries.map((query) => [page, query] as const)))(
  '%s: %j',
  (_page, query) => {
    const { body, findings } = check('gig', { filter_query: query });
    expect(findings).toEqual([]);
    expect(body['filter_query']).toEqual(query);
  },
);
