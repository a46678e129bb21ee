/** Questions that are answered with the arrow keys. Only setup loads this, and only at a terminal. */
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { setImmediate } from 'node:timers/promises';
import { styleText } from 'node:util';
import * as clack from '@clack/prompts';
import { printable } from '../report/printable.js';
import { widthOf, wrapText } from '../report/table.js';
import type { TerminalStream } from '../util/output.js';
import type { StopSignal } from '../errors.js';
import type { World } from '../world.js';
import type { PromptChoice } from './setup-question.js';
import { type Prompts, WizardBack, WizardStopped } from './wizard.js';

/** The bar at the left edge, and the mark of a line after it. */
const EDGE = 3;
const MARK = 2;
/** Options are broken this far before the edge. */
const MARGIN = 12;
const MOST_OPTIONS = 8;

const BACK = '<';
const NOTHING_CHOSEN = '(nothing chosen: use the arrow keys)';
const CHOICE_NEEDED = 'Choose one first: use the arrow keys, then press Enter.';

export function openPrompts({ stdin, stderr }: World, color: boolean, signal: AbortSignal): Prompts {
  const output = color ? stderr.terminal : uncoloured(stderr.terminal);
  // In this mode the terminal sends no signal and no end of input for these keys.
  clack.updateSettings({ aliases: { '\u0004': 'cancel', [BACK]: 'cancel' } });
  const room = (): number => Math.max(20, widthOf(stderr) - EDGE);
  const fitted = (text: string): string =>
    wrapText(printable(text), room())
      .map((line) => line.trimStart())
      .join('\n');
  const cut = (text: string, most: number): string => {
    const shown = Array.from(printable(text));
    return shown.length <= most ? shown.join('') : `${shown.slice(0, most - 1).join('')}…`;
  };
  /** Each question has a separate signal, because it listens to it until the end of the process. */
  const answered = async <T>(
    ask: (common: clack.CommonOptions) => Promise<T | typeof clack.CANCEL_SYMBOL>,
    isAgain = false,
  ): Promise<T> => {
    // The same question was shown just before, and no time was spent on computing.
    if (!isAgain) await dropTyped(stdin);
    let last: string | undefined;
    const notice = (key: string | undefined): void => void (last = key);
    stdin.on('keypress', notice);
    try {
      const answer = await ask({ input: stdin, output, signal: AbortSignal.any([signal]) });
      if (!clack.isCancel(answer)) return answer;
      throw last === BACK && !signal.aborted ? new WizardBack() : new WizardStopped(signalOf(signal));
    } finally {
      stdin.off('keypress', notice);
    }
  };
  return {
    get room() {
      return room() - MARK;
    },
    say: (text) => clack.log.message(fitted(text), { output }),
    show: (title, lines) =>
      clack.log.message([printable(title), ...lines.map((line) => `  ${cut(line, room() - MARK)}`)], { output }),
    choose: async <T>(question: string, choices: readonly PromptChoice<T>[], first?: number) => {
      const options = choices.map(({ label, hint }, value) => ({
        value,
        label: cut(label, room() - MARGIN),
        ...(hint === undefined ? {} : { hint: printable(hint) }),
      }));
      const isCut = ({ isWhole, label }: PromptChoice<T>): boolean =>
        isWhole === true && cut(label, room() - MARGIN) !== printable(label);
      const long = choices.filter(isCut).map(({ label }) => fitted(label));
      if (long.length > 0) clack.log.message(long.join('\n'), { output });
      const all = first === undefined ? [{ value: -1, label: NOTHING_CHOSEN }, ...options] : options;
      const asked = { options: all, initialValue: first ?? -1, maxItems: MOST_OPTIONS };
      for (let isAgain = false; ; isAgain = true) {
        // Without a word, a question that appears again looks as if Enter had no effect.
        const message = isAgain ? `${fitted(question)}\n${fitted(CHOICE_NEEDED)}` : fitted(question);
        const index = await answered((common) => clack.select({ ...common, ...asked, message }), isAgain);
        if (index >= 0) return (choices[index] as PromptChoice<T>).value;
      }
    },
    type: async ({ ask: question, initial, check }) => {
      const validate = (text: string | undefined): string | undefined => check((text ?? '').trim()) ?? undefined;
      // Unlike the other questions, this one has no bar on its further lines.
      const message = fitted(question).replaceAll('\n', `\n${styleText('gray', clack.S_BAR)}  `);
      const asked = { message, initialValue: initial, validate };
      return (await answered((common) => clack.text({ ...common, ...asked }))).trim();
    },
  };
}

/** A key that interrupts counts as Ctrl-C. */
function signalOf({ reason }: AbortSignal): StopSignal {
  return (reason as StopSignal | undefined) ?? 'SIGINT';
}

/** Keys that were typed before a question appeared must not answer it. @throws Stopped */
async function dropTyped(stdin: World['stdin']): Promise<void> {
  let isStopped = false;
  const drop = (keys: Buffer): void => void (isStopped ||= keys.includes(CTRL_C));
  // Without this mode, a terminal holds text back until Enter.
  (stdin as Partial<ReadStream>).setRawMode?.(true);
  stdin.on('data', drop);
  stdin.resume();
  // Between these two, pending input of the terminal is read.
  await setImmediate();
  await setImmediate();
  stdin.off('data', drop);
  if (isStopped) throw new WizardStopped('SIGINT');
}

const CTRL_C = 0x03;

const COLOR = /\u001b\[[\d;]*m/g;

/** The same terminal without colours. Codes that move the cursor stay: the questions need them. */
function uncoloured(terminal: TerminalStream): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string | Buffer, _encoding, done) => void terminal.write(text.toString().replace(COLOR, ''), done),
  });
  const sized = terminal as TerminalStream & { readonly rows?: number };
  Object.defineProperties(stream, {
    columns: { get: () => sized.columns },
    rows: { get: () => sized.rows },
    isTTY: { value: true },
  });
  terminal.on('resize', () => stream.emit('resize'));
  return stream;
}
