/** The dialogue with a person: its questions, and the answers, which are kept until the profile is written. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasNoStateDir, stateDir } from '../config/journal-location.js';
import { NO_SETTINGS } from '../config/resolve.js';
import { UsageError } from '../errors.js';
import { FileFault } from '../input/raw-record.js';
import { type Answer, applyAnswer } from './answers.js';
import { createAnalyzer, type LayoutAnalysis } from './analyze.js';
import { hashFile } from '../input/source.js';
import type { StopSignal } from '../world.js';
import type { SetupCall } from './setup-call.js';

export interface Question {
  /** What was found in the file, in sentences. */
  readonly fact?: string;
  readonly ask: string;
  /** None if no answer helps: then setup shows the fact, and stops. */
  readonly choices: readonly Choice<ChoiceEffect>[];
  /** The index of the choice that Enter takes. Without one, Enter alone takes none. */
  readonly first?: number | undefined;
  /** In place of choices. */
  readonly text?: Text & { readonly take: (text: string) => Answer };
  /** Shown before it: lines that keep their layout. */
  readonly shown?: { readonly title: string; readonly lines: (room: number) => readonly string[] };
  /** The options that decide it on the command line, if they are not those of its choices. */
  readonly options?: readonly string[];
  /** Only a person is asked: the file is proof enough. */
  readonly isOptional?: boolean;
}

/** A question, or the words about an answer that is certain; empty if nothing needs to be said. */
export type SetupStep = Question | string;

export interface Text {
  readonly initial: string;
  /** Returns the problem of the text, or null. */
  readonly check: (text: string) => string | null;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** Shown next to it while Enter would take it. */
  readonly hint?: string | undefined;
  /** On the command line, the option of this answer is not enough. */
  readonly isOnlyAsked?: boolean;
}

/** The consequence of a choice. */
export type ChoiceEffect = Answer | Question | 'back' | 'stop';

export const STOP: Choice<'stop'> = { value: 'stop', label: 'Stop, and write nothing' };

/** The agreement to write the profile: never kept for another call. */
export const WRITE = 'write';

/** Every question throws {@link WizardStopped}, or {@link WizardBack}. Text from files may be passed unchanged. */
export interface Prompts {
  say(text: string): void;
  /** Lines that keep their layout: they are cut at the edge of the terminal. */
  show(title: string, lines: readonly string[]): void;
  /** @param first index of the choice that Enter takes; without one, Enter alone takes none */
  choose<T>(question: string, choices: readonly Choice<T>[], first?: number): Promise<T>;
  type(question: string, text: Text): Promise<string>;
  /** The number of terminal columns that lines may take. */
  readonly room: number;
}

/** The person has stopped: by an answer, or by a key or a signal that interrupts. */
export class WizardStopped extends Error {
  override readonly name = 'Stopped';
  /** Null for an answer. */
  readonly signal: StopSignal | null;
  constructor(signal: StopSignal | null = null) {
    super('stopped');
    this.signal = signal;
  }
}

/** The person wants to answer the question before this one again. */
export class WizardBack extends Error {
  override readonly name = 'Back';
}

/** All questions about a file. Each answer adds to the known facts, and the questions are then made again. */
export async function createWizard(call: SetupCall, prompts: Prompts) {
  const place = await placeOf(call);
  const history = place === null ? [] : keptAt(place);
  const look = createAnalyzer(call.source);
  const survey = (): Promise<LayoutAnalysis> => look(history.reduce(applyAnswer, call.answers));
  const nextOf = createStatementPrinter(prompts);
  /** An answer that the file does not allow is taken back, and never kept. */
  const answer = async (given: Answer): Promise<void> => {
    history.push(given);
    try {
      await survey();
    } catch (cause) {
      if (!(cause instanceof FileFault) && !(cause instanceof UsageError)) throw cause;
      history.pop();
      prompts.say(`This answer does not work: ${cause.message}.`);
    }
  };
  return {
    /** Answers of an earlier call are there. */
    isResumed: history.length > 0,
    /** With the answers so far. */
    survey,
    /** Asks until no question is left. @throws Stopped, FileFault */
    untilKnown: async (pointsOf: (analysis: LayoutAnalysis) => AsyncIterable<SetupStep>): Promise<LayoutAnalysis> => {
      for (;;) {
        const known = await survey();
        const question = await nextOf(pointsOf(known));
        if (question === null) return known;
        try {
          await answer(await ask(question, prompts));
        } catch (cause) {
          if (!(cause instanceof WizardBack)) throw cause;
          if (history.pop() === undefined) prompts.say('This is the first question.');
        }
        if (place !== null) keep(history, place);
      }
    },
    /** The profile is written. */
    forget: (): void => {
      if (place !== null) rmSync(place, { force: true });
    },
  };
}

/** Returns the next question; on the way to it, tells what is certain, once. */
function createStatementPrinter(prompts: Prompts): (points: AsyncIterable<SetupStep>) => Promise<Question | null> {
  const told = new Set<string>(['']);
  return async (points) => {
    for await (const point of points) {
      if (typeof point !== 'string') return point;
      if (!told.has(point)) prompts.say(point);
      told.add(point);
    }
    return null;
  };
}

/** @throws Stopped, Back */
async function ask(question: Question, prompts: Prompts): Promise<Answer> {
  const { shown, fact = '', ask: words, choices, first, text } = question;
  if (fact !== '') prompts.say(fact);
  if (shown !== undefined) prompts.show(shown.title, shown.lines(prompts.room));
  if (text !== undefined) return text.take(await prompts.type(words, text));
  const step = choices.length === 0 ? 'stop' : await prompts.choose(words, choices, first);
  if (step === 'stop') throw new WizardStopped();
  if (step === 'back') throw new WizardBack();
  if (!('ask' in step)) return step;
  try {
    return await ask(step, prompts);
  } catch (cause) {
    if (!(cause instanceof WizardBack)) throw cause;
    return ask({ ask: words, choices, first }, prompts);
  }
}

/** Where answers are kept: for the same bytes under the same path, and the same answers on the command line. */
async function placeOf({ file, flags, answers, world }: SetupCall): Promise<string | null> {
  const settings = { ...NO_SETTINGS, flags, env: world.env };
  if (hasNoStateDir(settings, world)) return null;
  const said = { ...answers, profile: null, baseUrl: null };
  const named = [resolve(world.cwd(), file), await hashFile(file, world.cwd()), flags.sheet ?? null, said];
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : value;
  const name = createHash('sha256').update(JSON.stringify(named, plain)).digest('hex');
  return join(stateDir(settings, world), 'setup', `${name}.json`);
}

/** Answers are only a help: if the folder cannot be written, setup continues. */
function keep(history: readonly Answer[], place: string): void {
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeFileSync(place, JSON.stringify(history), { mode: 0o600 });
  } catch {
    return;
  }
}

/** Empty if there are none, or if the file was cut off while it was written. */
function keptAt(place: string): Answer[] {
  try {
    const answers = JSON.parse(readFileSync(place, 'utf8')) as Answer[];
    return answers.filter(({ settled }) => settled !== WRITE);
  } catch {
    return [];
  }
}
