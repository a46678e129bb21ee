/** The questions about a file. Setup asks them at a terminal; without a person, it prints the flags of the open ones. */
import { shellCommand } from '../util/shell-quote.js';
import type { LayoutAnalysis } from './analyze.js';
import { answerFlags } from './answers.js';
import {
  agreementSteps,
  currencyColumnSteps,
  missingFieldSteps,
  suggestedColumnSteps,
  unreadColumnSteps,
} from './column-questions.js';
import {
  currencySteps,
  dateOrderSteps,
  decimalMarkSteps,
  headerLineSteps,
  recordTypeSteps,
  shortRowSteps,
} from './file-questions.js';
import { isDecided, inferredValue } from './inference.js';
import { signSteps, statusColumnSteps, totalRowSteps, unfilledRowSteps } from './row-questions.js';
import { isPrompt, type SetupPrompt, type SetupQuestion, type SetupStep } from './setup-question.js';

/** In the order in which they are asked. */
export const QUESTIONS: readonly SetupQuestion[] = [
  { id: 'header line', needs: 'nothing', steps: headerLineSteps },
  { id: 'short rows', needs: 'header line', steps: shortRowSteps },
  { id: 'record type', needs: 'header line', steps: recordTypeSteps },
  { id: 'suggested columns', needs: 'record type', steps: suggestedColumnSteps },
  { id: 'missing fields', needs: 'record type', steps: missingFieldSteps },
  { id: 'agreement', needs: 'record type', steps: agreementSteps },
  { id: 'unread columns', needs: 'record type', steps: unreadColumnSteps },
  { id: 'currency columns', needs: 'record type', steps: currencyColumnSteps },
  { id: 'decimal mark', needs: 'record type', steps: decimalMarkSteps },
  { id: 'date order', needs: 'record type', steps: dateOrderSteps },
  { id: 'currency', needs: 'record type', steps: currencySteps },
  { id: 'status columns', needs: 'record type', steps: statusColumnSteps },
  { id: 'total rows', needs: 'record type', steps: totalRowSteps },
  { id: 'signs', needs: 'record type', steps: signSteps },
  { id: 'unfilled rows', needs: 'record type', steps: unfilledRowSteps },
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
  if ('input' in prompt) return [];
  const lines = prompt.choices.map(({ value, isOnlyAsked }) =>
    isOnlyAsked === true || typeof value === 'string' || isPrompt(value) ? [] : answerFlags(value),
  );
  return lines.filter((flags) => flags.length > 0).map((flags) => shellCommand(flags, platform));
}
