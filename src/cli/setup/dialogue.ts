/** What a person can be asked, and how a dialogue comes to its end. */
import type { Answers } from '../../input/setup/answers.js';
import type { Conclusion } from '../../input/setup/conclusion.js';
import type { Look, Survey } from '../../input/setup/survey.js';

export interface Question {
  /** Once it is answered, it is not asked again under this name. */
  readonly id: string;
  /** Where the file does not prove it. */
  readonly open: OpenPoint | null;
  /** Where a person is asked, be it only to agree. */
  readonly asked: Asked | null;
}

export interface OpenPoint {
  /** One sentence without its full stop. */
  readonly text: string;
  /** Flags of which one decides it; none where no flag does. */
  readonly say: readonly string[];
}

/** Null for what is proven. */
export function pointOf(what: string, { isProven, because, say }: Conclusion<unknown>): OpenPoint | null {
  return isProven ? null : { text: `${what}: ${because}`, say };
}

export interface Asked {
  /** Shown before it: lines that keep their form. */
  readonly shown?: { readonly title: string; readonly lines: readonly string[] };
  /** Said before it. */
  readonly because?: string;
  readonly question: string;
  /** None where no answer helps: then it is said why, and setup stops. */
  readonly choices: readonly Choice<Step>[];
  /** The place of the choice that Enter takes. */
  readonly first?: number;
  /** In place of choices. */
  readonly text?: Text & { readonly take: (text: string) => Answers };
}

export interface Text {
  readonly initial: string;
  /** Gives what is wrong with the text, or null. */
  readonly check: (text: string) => string | null;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** Shown beside it while it is the one that Enter takes. */
  readonly hint?: string | undefined;
}

/** What follows from a choice: what is known with it, another question, or the end. */
export type Step = Answers | Asked | 'stop';

/** Every question throws {@link Stopped}. Text from files may be handed in as it is. */
export interface Prompts {
  say(text: string): void;
  /** Lines that keep their form: they are cut where the terminal ends. */
  show(title: string, lines: readonly string[]): void;
  /** @param first the place of the choice that Enter takes */
  choose<T>(question: string, choices: readonly Choice<T>[], first?: number): Promise<T>;
  yes(question: string): Promise<boolean>;
  type(question: string, text: Text): Promise<string>;
}

/** The person has stopped: by an answer, or by a key or a signal that interrupts. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly isInterrupt: boolean;
  constructor(isInterrupt = false) {
    super('stopped');
    this.isInterrupt = isInterrupt;
  }
}

/**
 * Asks until nothing is left to ask: an answer is what is known with it, and the questions are made again.
 * @throws Stopped, FileFault
 */
export async function askAll(
  first: Answers,
  look: Look,
  questionsOf: (survey: Survey) => Iterable<Question>,
  prompts: Prompts,
): Promise<Survey> {
  let survey = await look(first);
  /** Answered without anything being known more: others are no more when they are answered. */
  const settled = new Set<string>();
  for (;;) {
    const found = nextOf(questionsOf(survey), settled);
    if (found === null) return survey;
    const answers = await ask(found.asked, prompts);
    if (answers === survey.answers) settled.add(found.id);
    else survey = await look(answers);
  }
}

function nextOf(
  questions: Iterable<Question>,
  settled: ReadonlySet<string>,
): { readonly id: string; readonly asked: Asked } | null {
  for (const { id, asked } of questions) if (asked !== null && !settled.has(id)) return { id, asked };
  return null;
}

async function ask({ shown, because, question, choices, first, text }: Asked, prompts: Prompts): Promise<Answers> {
  if (shown !== undefined) prompts.show(shown.title, shown.lines);
  if (because !== undefined) prompts.say(because);
  if (text !== undefined) return text.take(await prompts.type(question, text));
  const step = choices.length === 0 ? 'stop' : await prompts.choose(question, choices, first);
  if (step === 'stop') throw new Stopped();
  return 'question' in step ? ask(step, prompts) : step;
}
