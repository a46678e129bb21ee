/** Asks a person about a file, question by question. The answers are kept until the profile is written. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasNoStateDir, stateDir } from '../config/journal-location.js';
import { NO_SETTINGS } from '../config/resolve.js';
import { UsageError } from '../errors.js';
import { FileFault } from '../input/raw-record.js';
import { hashFile } from '../input/source.js';
import type { StopSignal } from '../errors.js';
import { createAnalyzer, type LayoutAnalysis } from './analyze.js';
import { applyAnswer, type SetupAnswer } from './answers.js';
import { type SetupCall, WRITE_AGREED } from './setup-call.js';
import type { PromptChoice, SetupPrompt, SetupStep, TextPrompt } from './setup-question.js';

/** Every question throws {@link WizardStopped}, or {@link WizardBack}. Text from files may be passed unchanged. */
export interface Prompts {
  say(text: string): void;
  /** Lines that keep their layout: they are cut at the edge of the terminal. */
  show(title: string, lines: readonly string[]): void;
  /** @param first index of the choice that Enter takes; without one, Enter alone takes none */
  choose<T>(question: string, choices: readonly PromptChoice<T>[], first?: number): Promise<T>;
  type(prompt: TextPrompt): Promise<string>;
  /** The number of terminal columns that lines may take. */
  readonly room: number;
}

/** The person has stopped: by an answer, or by a key or a signal that interrupts. */
export class WizardStopped extends Error {
  override readonly name = 'WizardStopped';
  /** Null for an answer. */
  readonly signal: StopSignal | null;
  constructor(signal: StopSignal | null = null) {
    super('stopped');
    this.signal = signal;
  }
}

/** The person wants to answer the question before this one again. */
export class WizardBack extends Error {
  override readonly name = 'WizardBack';
}

/** All questions about a file. Each answer adds to the known facts, and the questions are then made again. */
export async function createWizard(call: SetupCall, prompts: Prompts) {
  const path = await answersPath(call);
  const history = path === null ? [] : keptAnswers(path);
  const analyzeWith = createAnalyzer(call.source);
  const analyze = (): Promise<LayoutAnalysis> => analyzeWith(history.reduce(applyAnswer, call.answers));
  const told = new Set<string>();
  /** On the way to the next prompt, tells what is certain, once. */
  const nextPrompt = async (steps: AsyncIterable<SetupStep>): Promise<SetupPrompt | null> => {
    for await (const step of steps) {
      if (typeof step !== 'string') return step;
      if (!told.has(step)) prompts.say(step);
      told.add(step);
    }
    return null;
  };
  /** An answer that the file does not allow is taken back, and never kept. */
  const take = async (answer: SetupAnswer): Promise<void> => {
    history.push(answer);
    try {
      await analyze();
    } catch (cause) {
      if (!(cause instanceof FileFault) && !(cause instanceof UsageError)) throw cause;
      history.pop();
      prompts.say(`This answer does not work: ${cause.message}.`);
    }
  };
  return {
    /** Answers of an earlier call are there. */
    isResumed: history.length > 0,
    /** With the answers so far. @throws FileFault, UsageError */
    analyze,
    /** Asks until no prompt is left. @throws WizardStopped, FileFault */
    askAll: async (stepsOf: (analysis: LayoutAnalysis) => AsyncIterable<SetupStep>): Promise<LayoutAnalysis> => {
      for (;;) {
        const analysis = await analyze();
        const prompt = await nextPrompt(stepsOf(analysis));
        if (prompt === null) return analysis;
        try {
          await take(await ask(prompt, prompts));
        } catch (cause) {
          if (!(cause instanceof WizardBack)) throw cause;
          if (history.pop() === undefined) prompts.say('This is the first question.');
        }
        if (path !== null) keepAnswers(history, path);
      }
    },
    /** The profile is written. */
    forget: (): void => {
      if (path !== null) rmSync(path, { force: true });
    },
  };
}

/** @throws WizardStopped, WizardBack */
async function ask(prompt: SetupPrompt, prompts: Prompts): Promise<SetupAnswer> {
  const { shown, fact = '' } = prompt;
  if (fact !== '') prompts.say(fact);
  if (shown !== undefined) prompts.show(shown.title, shown.lines(prompts.room));
  if ('answerOf' in prompt) return prompt.answerOf(await prompts.type(prompt));
  for (;;) {
    const { choices, first } = prompt;
    const effect = choices.length === 0 ? 'stop' : await prompts.choose(prompt.ask, choices, first);
    if (effect === 'stop') throw new WizardStopped();
    if (effect === 'back') throw new WizardBack();
    if (!('ask' in effect)) return effect;
    try {
      return await ask(effect, prompts);
    } catch (cause) {
      if (!(cause instanceof WizardBack)) throw cause;
    }
  }
}

/**
 * Where answers are kept: for the same bytes under the same path, and the same answers on the command line. Null
 * without a folder for them.
 */
async function answersPath(call: SetupCall): Promise<string | null> {
  const { file, flags, answers, world } = call;
  const settings = { ...NO_SETTINGS, flags, env: world.env };
  if (hasNoStateDir(settings, world)) return null;
  const given = { ...answers, profile: null, baseUrl: null };
  const parts = [resolve(world.cwd(), file), await hashFile(file, world.cwd()), flags.sheet ?? null, given];
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Map || value instanceof Set ? [...value] : value;
  const name = createHash('sha256').update(JSON.stringify(parts, plain)).digest('hex');
  return join(stateDir(settings, world), 'setup', `${name}.json`);
}

/** Answers are only a help: if the folder cannot be written, setup continues. */
function keepAnswers(history: readonly SetupAnswer[], path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(history), { mode: 0o600 });
  } catch {
    return;
  }
}

/** Empty if there are none, or if the file was cut off while it was written. */
function keptAnswers(path: string): SetupAnswer[] {
  try {
    const answers = JSON.parse(readFileSync(path, 'utf8')) as SetupAnswer[];
    return answers.filter(({ settled }) => settled !== WRITE_AGREED);
  } catch {
    return [];
  }
}
