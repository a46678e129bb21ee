/** Checks one record against its type and builds the canonical body to send. Reports all findings, not just one. */
import { type Body, canonicalFields, type Field, isObject, needOf, type Rule } from './field.js';
import { type Report, error, memberPath, shownValue } from './issue.js';
import { inputFields, type Shape } from './kind.js';
import { isBlank } from './misleading-text.js';
import { didYouMean } from './nearest.js';
import { checkFilter, checkSort } from './query.js';
import { type CheckContext, checkScalar, surroundingSpace, wrongType } from './scalars.js';

/** The body has `idempotency_key` and price if the record has them. It is complete only if no finding is an error. */
export function checkRecord(shape: Shape, input: Body, given: CheckContext): Body {
  const context = given.typed === undefined ? given : { ...given, report: showTyped(given.report, given.typed) };
  const body = checkMembers(inputFields(shape), input, '', context);
  checkRules(shape.rules, input, '', context);
  shape.doubts?.(body, context.report);
  return body;
}

/** Findings show a value as the person typed it, not as the reader converted it. */
function showTyped(report: Report, typed: ReadonlyMap<string, string>): Report {
  return (finding) => {
    const text = finding.field === null ? undefined : typed.get(finding.field);
    report(text === undefined || finding.value === null ? finding : { ...finding, value: shownValue(text) });
  };
}

function checkMembers(fields: readonly Field[], input: Body, prefix: string, context: CheckContext): Body {
  const body: Body = {};
  let seen = 0;
  for (const field of canonicalFields(fields)) {
    const value = input[field.name];
    if (value !== undefined || Object.hasOwn(input, field.name)) seen++;
    if (value === undefined || value === null) {
      if (field.sentDefault !== undefined) body[field.name] = field.sentDefault;
      else if (field.required) reportMissing(field, prefix, context);
      continue;
    }
    const checked = checkValue(field, value, prefix + field.name, context);
    if (checked !== undefined) body[field.name] = checked;
  }
  if (seen < Object.keys(input).length) reportUnknown(fields, input, prefix, context);
  return body;
}

function reportMissing(field: Field, prefix: string, { report, unreadable }: CheckContext): void {
  const path = prefix + field.name;
  if (unreadable?.has(path)) return;
  report(error('missing-field', path, `${path} is missing. ${needOf(field)}`));
}

function reportUnknown(fields: readonly Field[], input: Body, prefix: string, context: CheckContext): void {
  const names = fields.map((field) => field.name);
  for (const name of Object.keys(input)) {
    if (names.includes(name)) continue;
    const usual = prefix === '' ? (context.usual?.(name) ?? null) : null;
    const probably = usual === null || Object.hasOwn(input, usual) ? '' : ` It is probably "${usual}".`;
    const hint = didYouMean(name, names) || probably || ` Known fields: ${names.join(', ')}.`;
    const path = memberPath('', prefix + name);
    context.report(error('unknown-field', path, `there is no field "${path}".${hint}`, input[name]));
  }
}

/** The value as it will be sent, or undefined if it is wrong (this function has reported why). */
function checkValue(field: Field, value: unknown, path: string, context: CheckContext): unknown {
  switch (field.kind) {
    case 'object':
      return checkObject(field, value, path, context);
    case 'list':
      return checkList(field, value, path, context);
    case 'json':
    case 'filter':
    case 'sort': {
      if (!isObject(value)) return wrongType(path, 'an object: {…}', value, context);
      if (field.kind === 'filter') checkFilter(value, path, context.report);
      if (field.kind === 'sort') checkSort(value, path, context.report);
      return value;
    }
    default:
      return checkScalar(field, value, path, context);
  }
}

function checkObject(field: Field, value: unknown, path: string, context: CheckContext): Body | undefined {
  if (!isObject(value)) return wrongType(path, 'an object: {…}', value, context);
  const body = checkMembers(field.members ?? [], value, `${path}.`, context);
  checkRules(field.rules ?? [], value, `${path}.`, context);
  return body;
}

function checkList(field: Field, value: unknown, path: string, context: CheckContext): Body[] | undefined {
  if (!Array.isArray(value)) return wrongType(path, 'a list of objects: [{…}]', value, context);
  return value.map((element: unknown, i) => {
    if (isObject(element)) return checkMembers(field.members ?? [], element, `${path}.${i}.`, context);
    wrongType(`${path}.${i}`, 'an object: {…}', element, context);
    return {};
  });
}

/**
 * Conditions between the fields of one object. service-interface.md, "Rules" 1 to 3.
 * @param input the object as it was read: wrong values have their own findings and do not count as missing
 */
function checkRules(rules: readonly Rule[], input: Body, prefix: string, context: CheckContext): void {
  for (const rule of rules) {
    if (rule.given === null || isGiven(input, rule.given, prefix, context)) checkRule(rule, input, prefix, context);
  }
}

function isGiven(input: Body, name: string, prefix: string, { unreadable }: CheckContext): boolean {
  const value = input[name];
  return (value !== undefined && value !== null) || (unreadable?.has(prefix + name) ?? false);
}

function checkRule({ needs, given, because }: Rule, input: Body, prefix: string, context: CheckContext): void {
  const found = needs.filter((name) => isGiven(input, name, prefix, context));
  const blank = found.find((name) => isBlank(input[name]));
  const path = prefix + (blank ?? needs[0]);
  if (found.some((name) => !isBlank(input[name]))) {
    // A blank field next to a filled one would be sent too.
    if (blank !== undefined && input[blank] !== '') context.report(surroundingSpace(path, input[blank]));
  } else if (blank !== undefined) {
    context.report(error('blank', path, `${path} is blank. ${because}`, input[blank]));
  } else {
    const code = given === null ? 'missing-one-of' : 'missing-companion';
    context.report(error(code, path, `${path} is missing. ${because}`));
  }
}
