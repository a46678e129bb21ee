/**
 * The operators of MongoDB's query language: where each may stand, and what it takes. The service shows some and "others
 * of that query language" (service-interface.md, "Filter query").
 */
import { isObject } from './types.js';

/**
 * - `query`: next to the names of fields
 * - `field`: in the condition of a field
 * - `beside`: there too, next to the operator that it belongs to
 * - `inside`: only within what another operator takes
 */
type OperatorPlace = 'query' | 'field' | 'beside' | 'inside';

interface Operand {
  readonly isRight: (value: unknown) => boolean;
  /** For the error about another one; null if another one is no error. */
  readonly words: string | null;
}

export interface Operator extends Operand {
  readonly place: OperatorPlace;
}

const ANYTHING: Operand = { isRight: () => true, words: null };
const VALUE_LIST: Operand = { isRight: Array.isArray, words: 'a list: [value, …]' };
const ANY_OBJECT: Operand = { isRight: isObject, words: 'an object: {…}' };
const QUERIES: Operand = {
  isRight: (value) => Array.isArray(value) && value.length > 0,
  words: 'a list of one or more queries: [{…}, …]',
};
const EXPRESSION: Operand = {
  isRight: (value) => isObject(value) && Object.keys(value).some(isOperatorName),
  words: 'an expression of operators, such as {"$gt": 5}',
};
const REGULAR_EXPRESSION: Operand = {
  isRight: (value) => typeof value === 'string' || isTypedValue(value),
  words: 'a text: a regular expression',
};
const LENGTH_OF_LIST: Operand = {
  isRight: (value) => (Number.isInteger(value) && (value as number) >= 0) || isTypedValue(value),
  words: 'a whole number: how many elements the list has',
};
const NUMBER_PAIR: Operand = {
  isRight: (value) => Array.isArray(value) && value.length === 2 && value.every(isNumeric),
  words: 'a pair of numbers: [divisor, remainder]',
};

// What these take is not checked: it only shows whether a name is one of them without its dollar sign.
const TRUTH: Operand = { isRight: (value) => [true, false, 0, 1].includes(value as boolean), words: null };
const PLACE_ON_EARTH: Operand = { isRight: (value) => isObject(value) || Array.isArray(value), words: null };
const BIT_MASK: Operand = { isRight: (value) => isNumeric(value) || Array.isArray(value), words: null };
const BSON_TYPE_NAMES: ReadonlySet<unknown> = new Set(
  'double string object array binData undefined objectId bool date null regex dbPointer javascript symbol javascriptWithScope int timestamp long decimal minKey maxKey number'.split(
    ' ',
  ),
);
const BSON_TYPES: Operand = {
  isRight: (value) => [value].flat().every((each) => BSON_TYPE_NAMES.has(each) || Number.isInteger(each)),
  words: null,
};

const QUERY_OPERATORS = new Map<string, Operator>();

function define(place: OperatorPlace, operand: Operand, names: string): void {
  for (const name of names.split(' ')) QUERY_OPERATORS.set(name, { place, ...operand });
}

define('query', QUERIES, '$and $or $nor');
define('query', ANYTHING, '$expr $jsonSchema $text $where $comment $sampleRate');
define('field', ANYTHING, '$eq $ne $gt $gte $lt $lte');
define('field', VALUE_LIST, '$in $nin $all');
define('field', EXPRESSION, '$not');
define('field', ANY_OBJECT, '$elemMatch');
define('field', LENGTH_OF_LIST, '$size');
define('field', NUMBER_PAIR, '$mod');
define('field', REGULAR_EXPRESSION, '$regex');
define('field', TRUTH, '$exists');
define('field', BSON_TYPES, '$type');
define('field', PLACE_ON_EARTH, '$near $nearSphere $geoWithin $geoIntersects $within');
define('field', BIT_MASK, '$bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet');
define('beside', ANYTHING, '$options $maxDistance $minDistance $uniqueDocs');
define('inside', ANYTHING, '$search $language $caseSensitive $diacriticSensitive');
define('inside', ANYTHING, '$geometry $box $center $centerSphere $polygon');
define('inside', ANYTHING, '$rand $natural $meta');

export const OPERATOR_NAMES: readonly string[] = [...QUERY_OPERATORS.keys()];

/** Null for a name that the query language does not have. */
export function operatorOf(name: string): Operator | null {
  return QUERY_OPERATORS.get(name) ?? null;
}

/** `${CITY}` is a variable that nobody filled in, which has a warning of its own. */
export function isOperatorName(name: string): boolean {
  return name.startsWith('$') && !name.startsWith('${');
}

/** The operator that a name in a field's condition is but for its dollar sign; null if the value does not fit it. */
export function operatorWithoutDollar(name: string, value: unknown): string | null {
  const operator = operatorOf(`$${name}`);
  if (operator?.place !== 'field') return null;
  const isNegation = name === 'not' && isObject(value) && Object.entries(value).some(isBareOperator);
  return operator.isRight(value) || isNegation ? `$${name}` : null;
}

function isBareOperator([name, value]: [string, unknown]): boolean {
  return operatorWithoutDollar(name, value) !== null;
}

/** How MongoDB writes values in JSON that JSON does not have, and references. */
const VALUE_NAMES: ReadonlySet<string> = new Set(
  '$oid $date $numberDecimal $numberDouble $numberInt $numberLong $binary $uuid $timestamp $regularExpression $code $symbol $undefined $dbPointer $minKey $maxKey $ref $id $db'.split(
    ' ',
  ),
);

/** Whether an object is one value, such as `{"$date": "2026-12-01T00:00:00Z"}`. */
export function isTypedValue(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [first] = Object.keys(value);
  return first !== undefined && VALUE_NAMES.has(first);
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || isTypedValue(value);
}
