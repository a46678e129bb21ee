/** The questions to a person, and the ends of a dialogue. */
import type { Answers } from '../../input/setup/answers.js';
import type { Conclusion } from '../../input/setup/conclusion.js';
import type { Look, Survey } from '../../input/setup/survey.js';

export interface Question {
  /** Set if the file does not prove the answer. */
  readonly open: OpenPoint | null;
  /** Set if a person is asked, even if only to agree. */
  readonly asked: Asked | null;
  /** Shown instead of a question whose answer is certain. */
  readonly told?: string;
}

export interface OpenPoint {
  /** One sentence without its full stop. */
  readonly text: string;
  /** Flags, one of which decides it; none if no flag does. */
  readonly say: readonly string[];
}

/** Null for a proven conclusion. */
export function pointOf(what: string, { isProven, because, say }: Conclusion<unknown>): OpenPoint | null {
  return isProven ? null : { text: `${what}: ${because}`, say };
}

export interface Asked {
  /** Shown before it: lines that keep their layout. */
  readonly shown?: { readonly title: string; readonly lines: readonly string[] };
  /** Shown before it. */
  readonly because?: string;
  readonly question: string;
  /** None if no answer helps: then setup shows the reason, and stops. */
  readonly choices: readonly Choice<Step>[];
  /** The index of the choice that Enter takes. Without one, Enter alone takes none. */
  readonly first?: number | undefined;
  /** Instead of choices. */
  readonly text?: Text & { readonly take: (text: string) => Answers };
}

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
}

/** The consequence of a choice: new answers, another question, or the end. */
export type Step = Answers | Asked | 'stop';

export const STOP: Choice<'stop'> = { value: 'stop', label: 'Stop, and write nothing' };

/** Every question throws {@link Stopped}, or {@link Back}. Text from files may be passed unchanged. */
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
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly isInterrupt: boolean;
  constructor(isInterrupt = false) {
    super('stopped');
    this.isInterrupt = isInterrupt;
  }
}

/** The person wants to answer the question before this one again. */
export class Back extends Error {
  override readonly name = 'Back';
}

/** Remembers the answers, oldest first, for a dialogue that ends early. */
export type Remember = (history: readonly Answers[]) => void;

/** All questions about a file. Each answer adds to the known facts, and the questions are then made again. */
export class Dialogue {
  private readonly history: Answers[];
  private readonly told = new Set<string>();
  private readonly prompts: Prompts;
  private readonly remember: Remember;

  /** @param history earlier answers for this file, oldest first; at least one */
  constructor(history: readonly Answers[], prompts: Prompts, remember: Remember) {
    this.history = [...history];
    this.prompts = prompts;
    this.remember = remember;
  }

  /** Asks until no question is left. @throws Stopped, FileFault */
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
      if (told === undefined || told === '' || this.told.has(told)) continue;
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
