/** Checks `filter_query` and `sort_query`; sent unchanged. service-interface.md, "Filter query" and "Sort query". */
import { type Body, isObject } from './types.js';
import { error, excerpt, memberPath, warning, type Report } from './issue.js';
import { didYouMean } from './nearest.js';

/** The operators of MongoDB's query language. The service shows some and "others of that query language". */
const OPERATORS =
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $expr $jsonSchema $mod $regex $options $text $where $search $language $caseSensitive $diacriticSensitive $geoIntersects $geoWithin $near $nearSphere $geometry $maxDistance $minDistance $box $center $centerSphere $polygon $uniqueDocs $all $elemMatch $size $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $comment $rand $natural $sampleRate $meta'.split(
    ' ',
  );
const KNOWN: ReadonlySet<string> = new Set(OPERATORS);

/** Field names with expressions, and `$and`, `$or`, `$nor` over further queries. */
export function checkFilter(query: Body, path: string, report: Report): void {
  for (const [name, value] of Object.entries(query)) {
    if (name.startsWith('$')) checkOperator(name, value, memberPath(path, name), report);
    else checkExpression(value, memberPath(path, name), report);
  }
}

/** The value of a field name: a plain value, or an object whose names are all operators or all field names. */
function checkExpression(value: unknown, path: string, report: Report): void {
  if (!isObject(value)) return;
  const names = Object.keys(value);
  const operators = names.filter((name) => name.startsWith('$'));
  if (operators.length === 0) return;
  const stranger = names.find((name) => !name.startsWith('$'));
  if (stranger !== undefined) {
    const message = `${path}: an expression holds operators (${excerpt(operators[0] ?? '')}) or field names ("${excerpt(stranger)}"), not both: give the field its own dot path`;
    report(error('bad-query', path, message, value));
  }
  for (const name of operators) checkOperator(name, value[name], memberPath(path, name), report);
}

function checkOperator(name: string, operand: unknown, path: string, report: Report): void {
  if (!KNOWN.has(name)) {
    const hint = didYouMean(name, OPERATORS);
    report(
      warning(
        'unknown-operator',
        path,
        `${path}: ${excerpt(name)} is not an operator of the query language.${hint}`,
        name,
      ),
    );
    return;
  }
  switch (name) {
    case '$in':
    case '$nin':
      if (!Array.isArray(operand))
        report(error('bad-query', path, `${path}: ${name} takes a list: [value, …]`, operand));
      return;
    case '$and':
    case '$or':
    case '$nor':
      return checkBranches(name, operand, path, report);
    case '$not':
      return checkNot(operand, path, report);
    case '$elemMatch':
      if (isObject(operand)) checkElement(operand, path, report);
      return;
    default:
  }
}

function checkBranches(name: string, operand: unknown, path: string, report: Report): void {
  if (!Array.isArray(operand) || operand.length === 0) {
    report(error('bad-query', path, `${path}: ${name} takes a list of one or more queries: [{…}, …]`, operand));
    return;
  }
  operand.forEach((branch: unknown, i) => {
    if (isObject(branch)) checkFilter(branch, memberPath(path, i), report);
    else report(error('bad-query', memberPath(path, i), `${path}: each member of ${name} is a query: {…}`, branch));
  });
}

function checkNot(operand: unknown, path: string, report: Report): void {
  if (!isObject(operand) || !Object.keys(operand).some((name) => name.startsWith('$'))) {
    report(error('bad-query', path, `${path}: $not takes an expression of operators, such as {"$gt": 5}`, operand));
    return;
  }
  checkExpression(operand, path, report);
}

/** Either operators on the element itself or a query on its fields. */
function checkElement(operand: Body, path: string, report: Report): void {
  if (Object.keys(operand).some((name) => !name.startsWith('$'))) checkFilter(operand, path, report);
  else checkExpression(operand, path, report);
}

/** Each field must be 1 (ascending) or -1 (descending). */
export function checkSort(sort: Body, path: string, report: Report): void {
  for (const [name, value] of Object.entries(sort)) {
    if (value === 1 || value === -1) continue;
    const message = `${path}: "${excerpt(name)}" is sorted by 1 (ascending) or -1 (descending)`;
    report(error('not-allowed', memberPath(path, name), message, value));
  }
}
