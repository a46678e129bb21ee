/** Conditions between fields of one object. service-interface.md, "Rules" 1 to 3. */
import type { Body, Rule } from './field.js';
import { error } from './issue.js';
import { isBlank } from './misleading-text.js';
import { type CheckContext, surroundingSpace } from './scalars.js';

/** @param input the object as it was read: a value that is wrong in itself is reported elsewhere and not as missing */
export function checkConditions(rules: readonly Rule[], input: Body, prefix: string, context: CheckContext): void {
  for (const rule of rules) {
    if (rule.rule === 'one-of') checkOneOf(rule, input, prefix, context);
    else checkCompanion(rule, input, prefix, context);
  }
}

function isGiven(input: Body, name: string, prefix: string, { unreadable }: CheckContext): boolean {
  const value = input[name];
  return (value !== undefined && value !== null) || (unreadable?.has(prefix + name) ?? false);
}

function checkOneOf(rule: Extract<Rule, { rule: 'one-of' }>, input: Body, prefix: string, context: CheckContext): void {
  let blank: string | null = null;
  let isMet = false;
  for (const name of rule.fields) {
    if (!isGiven(input, name, prefix, context)) continue;
    if (isBlank(input[name])) blank ??= name;
    else isMet = true;
  }
  if (isMet) {
    // A blank field beside the filled one would be sent too.
    if (blank !== null && input[blank] !== '') context.report(surroundingSpace(prefix + blank, input[blank]));
    return;
  }
  const [first, second] = rule.fields;
  if (blank === null) {
    const message = `neither ${prefix}${first} nor ${prefix}${second} is given; ${rule.because}`;
    context.report(error('missing-one-of', prefix + first, message));
    return;
  }
  const path = prefix + blank;
  context.report(error('blank', path, `${path} is blank; ${rule.because}`, input[blank]));
}

function checkCompanion(
  rule: Extract<Rule, { rule: 'companion' }>,
  input: Body,
  prefix: string,
  context: CheckContext,
): void {
  if (!isGiven(input, rule.given, prefix, context)) return;
  const path = prefix + rule.needs;
  if (!isGiven(input, rule.needs, prefix, context)) {
    const message = `${path} is missing; with ${prefix}${rule.given} it is required: ${rule.because}`;
    context.report(error('missing-companion', path, message));
  } else if (isBlank(input[rule.needs])) {
    context.report(error('blank', path, `${path} is blank; ${rule.because}`, input[rule.needs]));
  }
}
