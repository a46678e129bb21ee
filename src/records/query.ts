/** Checks `filter_query` and `sort_query`; sent unchanged. service-interface.md, "Filter query" and "Sort query". */
import { type Body, isObject } from './types.js';
import { error, excerpt, type Finding, memberPath, warning, type Report } from './issue.js';
import { didYouMean } from './nearest.js';
import {
  isOperatorName,
  isTypedValue,
  type Operator,
  OPERATOR_NAMES,
  operatorOf,
  operatorWithoutDollar,
} from './query-operators.js';

export function checkFilter(query: Body, path: string, report: Report): void {
  if (checkQuery(query, path, report)) return;
  const message = `${path} has no condition, so every worker matches. Add the condition that workers must meet`;
  report(warning('wide-filter', path, message, query));
}

/**
 * Field names with conditions, and operators over further queries.
 * @returns whether it has a condition. What has an error counts as one
 */
function checkQuery(query: Body, path: string, report: Report): boolean {
  let hasCondition = false;
  for (const [name, value] of Object.entries(query)) {
    const inner = memberPath(path, name);
    if (isOperatorName(name)) hasCondition = checkQueryOperator(name, value, inner, report) || hasCondition;
    else {
      hasCondition = true;
      if (isBareBranching(name, value)) report(missingDollar(inner, `$${name}`, value));
      else checkCondition(value, inner, report);
    }
  }
  return hasCondition;
}

/** @returns whether it is a condition */
function checkQueryOperator(name: string, operand: unknown, path: string, report: Report): boolean {
  const operator = operatorOf(name);
  if (operator === null) report(unknownOperator(name, path));
  else if (operator.place !== 'query') {
    const remedy =
      name === '$not'
        ? 'To exclude the workers that a query matches, write {"$nor": [{…}]}'
        : `Write it after the name of a field: {"city": {"${name}": …}}`;
    report(error('bad-query', path, `${path}: ${name} cannot stand without a field. ${remedy}`, operand));
  } else if (!checkOperand(name, operator, operand, path, report)) return true;
  else if (Array.isArray(operand) && operator.words !== null) return checkBranches(name, operand, path, report);
  return !ALWAYS_MET.has(name) || !(operand === true || name === '$comment' || hasNoMembers(operand));
}

/** Operators over a whole query that every worker meets, with a comment, with nothing, or with `true`. */
const ALWAYS_MET: ReadonlySet<string> = new Set(['$comment', '$expr', '$jsonSchema']);

/** @returns whether one of `$and`, `$or` or `$nor` is a condition */
function checkBranches(name: string, branches: readonly unknown[], path: string, report: Report): boolean {
  let hasCondition = false;
  for (const [i, branch] of branches.entries()) {
    const inner = memberPath(path, i);
    if (!isObject(branch)) {
      report(error('bad-query', inner, `${path}: each member of ${name} must be a query: {…}`, branch));
      hasCondition = true;
    } else if (checkQuery(branch, inner, report)) hasCondition = true;
    else if (name !== '$and') {
      const effect = name === '$or' ? 'so every worker matches this $or' : 'so no worker matches this $nor';
      report(warning('wide-filter', inner, `${inner} has no condition, ${effect}. Add one, or remove {}`, branch));
      hasCondition = true;
    }
  }
  return hasCondition;
}

/** What is said of a field: a plain value, or an object whose names are all operators or all field names. */
function checkCondition(value: unknown, path: string, report: Report): void {
  const empty = emptyValueText(value);
  if (empty !== null) report(warning('wide-filter', path, `${path} ${empty}`, value));
  if (!isObject(value) || isTypedValue(value)) return;
  const names = Object.keys(value);
  const operators = names.filter(isOperatorName);
  if (operators.length === 0) return checkEmbedded(value, path, report, true);
  const stranger = names.find((name) => !isOperatorName(name));
  if (stranger !== undefined) {
    const message = `${path}: an expression holds operators (${excerpt(operators[0] ?? '')}) or field names ("${excerpt(stranger)}"), not both: give the field its own dot path`;
    report(error('bad-query', path, message, value));
  }
  for (const name of operators) checkFieldOperator(name, value[name], memberPath(path, name), report);
}

function checkFieldOperator(name: string, operand: unknown, path: string, report: Report): void {
  const operator = operatorOf(name);
  if (operator === null) return report(unknownOperator(name, path));
  if (operator.place === 'query') {
    const example = operator.words === null ? '…' : '[{…}, …]';
    const remedy = `Write it at the top of the query, next to the fields: {"${name}": ${example}}`;
    return report(error('bad-query', path, `${path}: ${name} cannot stand inside a field. ${remedy}`, operand));
  }
  if (operator.place === 'inside') {
    const message = `${path}: ${name} cannot stand here: it is a part of what another operator takes`;
    return report(error('bad-query', path, message, operand));
  }
  if (!checkOperand(name, operator, operand, path, report)) return;
  if (name === '$not') checkCondition(operand, path, report);
  else if (name === '$elemMatch') checkElement(operand as Body, path, report);
  else if (name === '$all')
    for (const [i, each] of (operand as unknown[]).entries())
      if (isObject(each) && Object.hasOwn(each, '$elemMatch')) checkCondition(each, memberPath(path, i), report);
}

/** @returns whether the operator can have it */
function checkOperand(name: string, operator: Operator, operand: unknown, path: string, report: Report): boolean {
  const { isRight, words, place } = operator;
  if (words !== null && !isRight(operand)) {
    report(error('bad-query', path, `${path}: ${name} takes ${words}`, operand));
    return false;
  }
  const empty = place === 'beside' || name === '$comment' ? null : emptyOperandText(name, operand);
  if (empty !== null) report(warning('wide-filter', path, `${path} ${empty}`, operand));
  return true;
}

/** Conditions on the element itself, or a query on its fields. */
function checkElement(operand: Body, path: string, report: Report): void {
  const places = Object.keys(operand).map((name) => operatorOf(name)?.place ?? 'query');
  if (places.some((place) => place !== 'query')) return checkCondition(operand, path, report);
  if (checkQuery(operand, path, report)) return;
  const message = `${path} has no condition, so any object in the list meets it. Add the condition`;
  report(warning('wide-filter', path, message, operand));
}

/**
 * An object that is compared as a whole: an operator within it is compared, too, and not read.
 * @param isOuter it is the whole condition of a field
 */
function checkEmbedded(value: Body, path: string, report: Report, isOuter = false): void {
  for (const [name, member] of Object.entries(value)) {
    const inner = memberPath(path, name);
    const operator = isOuter ? operatorWithoutDollar(name, member) : null;
    if (operator !== null) report(missingDollar(inner, operator, member));
    else if (isOperatorName(name)) {
      const message = `${inner}: ${excerpt(name)} stands in an object that is compared as a whole, so it is not read as an operator. Write the name of the field as a dot path, such as "address.city"`;
      report(error('bad-query', inner, message, member));
    } else if (isObject(member) && !isTypedValue(member)) checkEmbedded(member, inner, report);
  }
}

/** Whether a name is `$and`, `$or` or `$nor` but for its dollar sign. */
function isBareBranching(name: string, value: unknown): boolean {
  return ['and', 'or', 'nor'].includes(name) && Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function missingDollar(path: string, operator: string, value: unknown): Finding {
  const message = `${path}: "${operator.slice(1)}" without a dollar sign is the name of a field. If you mean the operator, write "${operator}"`;
  return warning('missing-dollar', path, message, value);
}

function unknownOperator(name: string, path: string): Finding {
  const message = `${path}: ${excerpt(name)} is not an operator of the query language.${didYouMean(name, OPERATOR_NAMES)}`;
  return warning('unknown-operator', path, message, name);
}

function hasNoMembers(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** What an empty value selects, and what to do; null for any other value. */
function emptyValueText(value: unknown): string | null {
  if (value === null)
    return 'is null, so it matches only workers without this field. If you mean that, write {"$eq": null}; else write the value';
  if (value === '') return 'is an empty text, so it matches only workers whose field is empty too. Write the value';
  if (Array.isArray(value) && value.length === 0)
    return 'is an empty list, so it matches only workers whose field is an empty list too. Write the values';
  if (hasNoMembers(value))
    return 'is an empty object, so it matches only workers whose field is an empty object too. Write the condition';
  return null;
}

/** What an operator with an empty operand selects. `$not` and `$nor` turn it around, so it says nothing of workers. */
function emptyOperandText(name: string, operand: unknown): string | null {
  if (Array.isArray(operand) && operand.length === 0)
    return `is an empty list${EMPTY_LIST_EFFECTS[name] ?? ''}. Write the values`;
  if (operand !== '') return null;
  const effect = name === '$regex' ? 'is empty, so it fits every text' : 'is an empty text';
  return `${effect}. Write the value, or remove this condition`;
}

const EMPTY_LIST_EFFECTS: Readonly<Record<string, string>> = {
  $in: ', so no value meets this condition',
  $all: ', so no value meets this condition',
  $nin: ', so every value meets this condition',
  $eq: ', so only an empty list meets this condition',
  $ne: ', so every value but an empty list meets this condition',
};

/** Each field must be 1 (ascending) or -1 (descending). */
export function checkSort(sort: Body, path: string, report: Report): void {
  for (const [name, value] of Object.entries(sort)) {
    if (value === 1 || value === -1) continue;
    const message = `${path}: "${excerpt(name)}" is sorted by 1 (ascending) or -1 (descending)`;
    report(error('not-allowed', memberPath(path, name), message, value));
  }
}
