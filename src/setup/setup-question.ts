/** What setup says and asks about a file, as data. The wizard asks it; without a person, its flags are printed. */
import type { LayoutAnalysis } from './analyze.js';
import type { SetupAnswer } from './answers.js';

/** One subject of the setup. An answer makes another analysis, and so other steps. */
export interface SetupQuestion {
  readonly id: string;
  /** What must be known before it makes sense. */
  readonly needs: 'nothing' | 'header line' | 'record type';
  /** About each column, field or kind of row that it concerns. None if nothing needs to be said. */
  readonly steps: (analysis: LayoutAnalysis) => Iterable<SetupStep>;
}

/** A prompt, or a sentence about an answer that is certain. */
export type SetupStep = SetupPrompt | string;

export type SetupPrompt = ChoicePrompt | TextPrompt;

interface PromptText {
  /** What was found in the file, in sentences. */
  readonly fact?: string;
  readonly ask: string;
  /** Shown before it: lines that keep their layout. */
  readonly shown?: { readonly title: string; readonly lines: (room: number) => readonly string[] };
  /** The flags that decide it on the command line, if they are not those of its choices. */
  readonly flags?: readonly string[] | undefined;
  /** Only a person is asked: the file is proof enough. */
  readonly isOptional?: boolean;
}

export interface ChoicePrompt extends PromptText {
  /** None if no answer helps: then setup shows the fact, and stops. */
  readonly choices: readonly PromptChoice<ChoiceEffect>[];
  /** The index of the choice that Enter takes. Without one, Enter alone takes none. */
  readonly first?: number | undefined;
}

export interface TextPrompt extends PromptText {
  readonly initial: string;
  /** Returns the problem of the text, or null. */
  readonly check: (text: string) => string | null;
  readonly answerOf: (text: string) => SetupAnswer;
}

export interface PromptChoice<T> {
  readonly value: T;
  readonly label: string;
  /** The label must be seen as a whole: what the choice pays. */
  readonly isWhole?: boolean;
  /** Shown next to it while Enter would take it. */
  readonly hint?: string | undefined;
  /** On the command line, the flags of this answer are not enough. */
  readonly isOnlyAsked?: boolean;
}

/** The consequence of a choice: an answer, or another prompt. */
export type ChoiceEffect = SetupAnswer | SetupPrompt | 'back' | 'stop';

export const STOP: PromptChoice<'stop'> = { value: 'stop', label: 'Stop, and write nothing' };
