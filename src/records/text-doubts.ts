/** What common sense doubts in texts and IDs: hidden characters, and what no person wrote. CONTRACT: "Records". */
import { encodingDoubtIn } from './doubtful-encoding.js';
import type { Field } from './fields.js';
import { error, excerpt, type Finding, memberPath, type Report, warning } from './issue.js';
import { hiddenAtEnds, hiddenIn, isBlank, looksLikeFormula } from './misleading-text.js';
import { isNarrowCell, isSpreadsheetError, mayBeError } from './spreadsheet-errors.js';
import { isObject } from './types.js';
import { type IdDoubt, idDoubtOf, isOrdinaryId, type Mangling, manglingOf } from './unwritten-id.js';

export interface TextContext {
  readonly report: Report;
  /** The encoding of the record's file was guessed. */
  readonly isEncodingGuessed?: boolean | undefined;
  /** The texts are cells, so `--trim` drops the spaces around IDs and choices. */
  readonly isTable?: boolean;
}

export function doubtText(value: string, path: string, context: TextContext): void {
  const { report } = context;
  if (isSpreadsheetError(value)) return report(spreadsheetError(path, value));
  const hidden = hiddenAtEnds(value);
  if (hidden !== null) report(surroundingSpace(path, value, hidden, context));
  doubtApostrophe(value, path, report);
  doubtLetters(value, path, context);
  doubtPlaceholder(value, path, report);
}

export function doubtId(value: string, path: string, context: TextContext, { inRule }: Field): void {
  if (isOrdinaryId(value)) return;
  const { report } = context;
  if (isSpreadsheetError(value)) return report(spreadsheetError(path, value));
  const mangling = manglingOf(value);
  if (mangling !== null) return report(mangledId(path, value, mangling));
  const hidden = hiddenIn(value);
  if ((hidden !== null || value !== value.trim()) && !(inRule === true && isBlank(value)))
    report(surroundingSpace(path, value, hidden, context));
  doubtApostrophe(value, path, report);
  doubtLetters(value, path, context, true);
  doubtPlaceholder(value, path, report);
  const doubt = idDoubtOf(value);
  if (doubt !== null) report(doubtfulId(path, value, doubt));
}

/**
 * The warning about spaces around an ID, a blank ID, or a hidden character.
 * @param hidden the name of the hidden character, or null
 */
export function surroundingSpace(
  path: string,
  value: unknown,
  hidden: string | null,
  { isTable }: TextContext,
): Finding {
  const problem =
    hidden === null
      ? `has spaces around it, and they would be sent${isTable === true ? '. --trim drops them' : ''}`
      : `holds a hidden character, ${hidden}, and it would be sent; remove it`;
  return warning('surrounding-space', path, `${path} ${problem}`, value);
}

export function doubtApostrophe(value: string, path: string, report: Report): void {
  if (!value.startsWith("'") || !looksLikeFormula(value)) return;
  const message = `${path} begins with an apostrophe before what looks like a formula, and it would be sent`;
  report(warning('leading-apostrophe', path, message, value));
}

/** Where every filled cell of a column has a warning of this name, it is told once. An error is told of each record. */
function columnDoubt(name: string, finding: Finding): Finding {
  return { ...finding, columnDoubt: name };
}

export function spreadsheetError(path: string, value: string): Finding {
  const shown = JSON.stringify(excerpt(value.trim()));
  const problem = isNarrowCell(value)
    ? `${shown}: the column of the spreadsheet was too narrow, so the file does not have the value. Make the column wider and save the file again`
    : `${shown}, an error of the spreadsheet and not a value. Correct the cell in the spreadsheet, and save the file again`;
  return error('spreadsheet-error', path, `${path} is ${problem}`, value);
}

function mangledId(path: string, value: string, { kind, meaning }: Mangling): Finding {
  const shown = excerpt(value.trim());
  let problem =
    'a spreadsheet shortened a long number, and its last digits are lost. Two people may have the same text now. Take the ID from the original file, and format the cell as text before you enter it';
  if (kind === 'formula')
    problem =
      meaning === null
        ? 'a formula and not its result. In the spreadsheet, copy the column and paste it as values'
        : `a formula, and the cell means ${excerpt(meaning)}. Write ${excerpt(meaning)}, without = and quotes. In a spreadsheet, format the cell as text first, so that no zero is lost`;
  return error('mangled-id', path, `${path} is ${shown}: ${problem}`, value);
}

const ID_PROBLEMS: Readonly<Record<IdDoubt, string>> = {
  word: 'and programs write that where there is no value. If there is no ID, leave it empty; else write the ID',
  date: 'and that is a date: a spreadsheet may have changed the ID. Compare it with the original file',
  short:
    'and a spreadsheet may have shortened a long number to that. Take the ID from the original file, and format the cell as text before you enter it',
  quotes: 'and its quotes would be sent. Remove them if they do not belong to the ID',
  apostrophe:
    'and its apostrophe would be sent. If it does not belong to the ID, remove it. In a spreadsheet, format the cell as text first, so that no zero is lost',
};

function doubtfulId(path: string, value: string, doubt: IdDoubt): Finding {
  const message = `${path} is ${excerpt(value.trim())}, ${ID_PROBLEMS[doubt]}`;
  return columnDoubt(doubt, warning('doubtful-id', path, message, value));
}

/** @param isId two people could share it, so it is an error */
export function doubtLetters(value: string, path: string, context: TextContext, isId = false): void {
  const doubt = encodingDoubtIn(value, context.isEncodingGuessed === true);
  if (doubt === null) return;
  const message = `${path}: ${JSON.stringify(doubt.word)} ${doubt.problem}`;
  if (isId) context.report(error('doubtful-encoding', path, message, value));
  else context.report(columnDoubt('letters', warning('doubtful-encoding', path, message, value)));
}

/** `${CITY}`, `{{city}}`, `{base_url}`; not the `{Lu}` of a pattern's `\\p{Lu}`. */
const PLACEHOLDER = /\$\{[^{}]+\}|\{\{[^{}]+\}\}|(?<!\\[pP])\{[\p{L}_][\p{L}\p{N}_.]*\}/u;

/** The first variable that nobody filled in; null for none. */
export function placeholderIn(value: string): string | null {
  return value.includes('{') ? (PLACEHOLDER.exec(value)?.[0] ?? null) : null;
}

export function doubtPlaceholder(value: string, path: string, report: Report): void {
  const found = placeholderIn(value);
  if (found === null) return;
  const message = `${path} has a variable that nobody filled in: ${excerpt(found)}. Write the value in its place`;
  report(columnDoubt('variable', warning('placeholder', path, message, value)));
}

/** Whether a text of a record that is not an ID has no doubt of this module. Only for speed: any other text may have none, too. */
export function isOrdinaryText(text: string): boolean {
  return !mayBeError(text) && !text.includes('{') && !text.includes('\ufffd');
}

/**
 * The texts in a query, or in a payload, which may have variables for the service and any text of its own.
 * @param value depth is limited where JSON is read
 */
export function doubtTextsWithin(value: unknown, path: string, context: TextContext, isPayload: boolean): void {
  if (typeof value === 'string') return doubtTextWithin(value, path, context, isPayload);
  if (Array.isArray(value)) value.forEach((each, i) => doubtTextsWithin(each, memberPath(path, i), context, isPayload));
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const inner = memberPath(path, name);
      if (!isPayload) doubtPlaceholder(name, inner, context.report);
      doubtTextsWithin(member, inner, context, isPayload);
    }
}

function doubtTextWithin(value: string, path: string, context: TextContext, isPayload: boolean): void {
  if (isOrdinaryText(value) && context.isEncodingGuessed !== true) return;
  // A payload may have a `#` as an address or a color.
  if (isSpreadsheetError(value) && !(isPayload && isNarrowCell(value)))
    return context.report(spreadsheetError(path, value));
  doubtLetters(value, path, context);
  if (!isPayload) doubtPlaceholder(value, path, context.report);
}
