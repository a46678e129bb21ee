/** What a person can be asked, and how a dialogue comes to its end. */
import type { Answers } from '../../input/setup/answers.js';
import type { Conclusion } from '../../input/setup/conclusion.js';
import type { Look, Survey } from '../../input/setup/survey.js';

export interface Question {
  /** Where the file does not prove it. */
  readonly open: OpenPoint | null;
  /** Where a person is asked, be it only to agree. */
  readonly asked: Asked | null;
  /** Told in place of a question whose answer is certain. */
  readonly told?: string;
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
  /** The place of the choice that Enter takes. Without one, Enter alone takes none. */
  readonly first?: number | undefined;
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

export const STOP: Choice<'stop'> = { value: 'stop', label: 'Stop, and write nothing' };

/** Every question throws {@link Stopped}, or {@link Back}. Text from files may be handed in as it is. */
export interface Prompts {
  say(text: string): void;
  /** Lines that keep their form: they are cut where the terminal ends. */
  show(title: string, lines: readonly string[]): void;
  /** @param first the place of the choice that Enter takes; without one, Enter alone takes none */
  choose<T>(question: string, choices: readonly Choice<T>[], first?: number): Promise<T>;
  type(question: string, text: Text): Promise<string>;
  /** How many columns of the terminal lines may take. */
  readonly room: number;
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

/** The person wants to answer the question before this one once more. */
export class Back extends Error {
  override readonly name = 'Back';
}

/** Remembers what was answered, the oldest first, for a dialogue that ends early. */
export type Remember = (history: readonly Answers[]) => void;

/** All questions about a file. Each answer is what is known with it, and the questions are then made again. */
export class Dialogue {
  private readonly history: Answers[];
  private readonly told = new Set<string>();
  private readonly prompts: Prompts;
  private readonly remember: Remember;

  /** @param history answers of this file that were given before, the oldest first; at least one */
  constructor(history: readonly Answers[], prompts: Prompts, remember: Remember) {
    this.history = [...history];
    this.prompts = prompts;
    this.remember = remember;
  }

  /** Asks until nothing is left to ask. @throws Stopped, FileFault */
  async untilKnown(look: Look, questionsOf: (survey: Survey) => Iterable<Question>): Promise<Survey> {
    for (;;) {
      const survey = await look(this.history.at(-1) as Answers);
      const asked = this.nextOf(questionsOf(survey));
      if (asked === null) return survey;
      try {
        this.history.push(await this.ask(asked));
      } catch (cause) {
        if (!(cause instanceof Back)) throw cause;
        this.goBack();
      }
      this.remember(this.history);
    }
  }

  /** Takes the last answer back. */
  goBack(): void {
    if (this.history.length > 1) this.history.pop();
    else this.prompts.say('This is the first question.');
  }

  private nextOf(questions: Iterable<Question>): Asked | null {
    for (const { asked, told } of questions) {
      if (asked !== null) return asked;
      if (told === undefined || this.told.has(told)) continue;
      this.told.add(told);
      this.prompts.say(told);
    }
    return null;
  }

  /** @throws Stopped, Back */
  private async ask({ shown, because, question, choices, first, text }: Asked): Promise<Answers> {
    const { prompts } = this;
    if (shown !== undefined) prompts.show(shown.title, shown.lines);
    if (because !== undefined) prompts.say(because);
    if (text !== undefined) return text.take(await prompts.type(question, text));
    const step = choices.length === 0 ? 'stop' : await prompts.choose(question, choices, first);
    if (step === 'stop') throw new Stopped();
    if (!('question' in step)) return step;
    try {
      return await this.ask(step);
    } catch (cause) {
      if (!(cause instanceof Back)) throw cause;
      return this.ask({ question, choices, first });
    }
  }
}
