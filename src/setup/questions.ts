/** The questions about a file. Setup asks them at a terminal; without a person, it prints the flags of the open ones. */
import { shellCommand } from '../util/shell-quote.js';
import type { LayoutAnalysis } from './analyze.js';
import { answerFlags } from './answers.js';
import * as columns from './column-questions.js';
import * as currency from './currency-questions.js';
import * as file from './file-questions.js';
import { inferredValue, isDecided } from './inference.js';
import * as rows from './row-questions.js';
import type { SetupPrompt, SetupQuestion, SetupStep } from './setup-question.js';

/** In the order in which they are asked. */
export const QUESTIONS: readonly SetupQuestion[] = [
  { id: 'header line', needs: 'nothing', steps: file.headerLineSteps },
  { id: 'short rows', needs: 'header line', steps: file.shortRowSteps },
  { id: 'record type', needs: 'header line', steps: file.recordTypeSteps },
  { id: 'suggested columns', needs: 'record type', steps: columns.suggestedColumnSteps },
  { id: 'amount columns', needs: 'record type', steps: columns.rivalAmountSteps },
  { id: 'missing fields', needs: 'record type', steps: columns.missingFieldSteps },
  { id: 'currency columns', needs: 'record type', steps: currency.currencyColumnSteps },
  { id: 'agreement', needs: 'record type', steps: columns.agreementSteps },
  { id: 'unread columns', needs: 'record type', steps: columns.unreadColumnSteps },
  { id: 'decimal mark', needs: 'record type', steps: file.decimalMarkSteps },
  { id: 'spaces', needs: 'record type', steps: columns.paddedCellSteps },
  { id: 'mixed dates', needs: 'record type', steps: columns.mixedDateSteps },
  { id: 'date order', needs: 'record type', steps: file.dateOrderSteps },
  { id: 'currency', needs: 'record type', steps: currency.currencySteps },
  { id: 'status columns', needs: 'record type', steps: rows.statusColumnSteps },
  { id: 'total rows', needs: 'record type', steps: rows.totalRowSteps },
  { id: 'subtotal rows', needs: 'record type', steps: rows.subtotalRowSteps },
  { id: 'signs', needs: 'record type', steps: rows.signSteps },
  { id: 'unfilled rows', needs: 'record type', steps: rows.unfilledRowSteps },
];

/** The questions that make sense, as far as the answers to earlier ones allow. */
export function questionsFor({ header, type }: LayoutAnalysis): readonly SetupQuestion[] {
  // The apparent names on a line that may not be a header are of no use.
  if (!isDecided(header)) return QUESTIONS.filter(({ needs }) => needs === 'nothing');
  return inferredValue(type) === null ? QUESTIONS.filter(({ needs }) => needs !== 'record type') : QUESTIONS;
}

/** What is certain of a file, and what it leaves open. */
export function* stepsOf(analysis: LayoutAnalysis): Iterable<SetupStep> {
  for (const { steps } of questionsFor(analysis)) yield* steps(analysis);
}

/** The flags that decide a prompt on the command line: one line for each way to answer it. */
export function promptFlags(prompt: SetupPrompt, platform: NodeJS.Platform): readonly string[] {
  if (prompt.flags !== undefined) return prompt.flags;
  if ('answerOf' in prompt) return [];
  const lines = prompt.choices.map(({ value, isOnlyAsked }) =>
    isOnlyAsked === true || typeof value === 'string' || 'ask' in value ? [] : answerFlags(value),
  );
  return lines.filter((flags) => flags.length > 0).map((flags) => shellCommand(flags, platform));
}
