/** Questions that are answered with the arrow keys. Loaded by setup alone, and only at a terminal. */
import { Writable } from 'node:stream';
import * as clack from '@clack/prompts';
import { printable } from '../../report/printable.js';
import { widthOf, wrapped } from '../../report/table.js';
import type { TerminalStream } from '../../util/output.js';
import type { World } from '../../world.js';
import { type Choice, type Prompts, Stopped } from './dialogue.js';

/** The bar at the left edge, and the mark of a line behind it. */
const EDGE = 3;
const MARK = 2;
/** Options are broken so much before the edge. */
const MARGIN = 12;
const MOST_SHOWN = 8;

export function openPrompts({ stdin, stderr }: World, color: boolean, signal: AbortSignal): Prompts {
  const output = color ? stderr.terminal : uncoloured(stderr.terminal);
  // In this mode the terminal sends no signal and no end of input for these keys.
  clack.updateSettings({ aliases: { '\u0004': 'cancel' } });
  const room = (): number => Math.max(20, widthOf(stderr) - EDGE);
  const fitted = (text: string): string =>
    wrapped(printable(text), room())
      .map((line) => line.trimStart())
      .join('\n');
  const cut = (text: string, most: number): string => {
    const shown = Array.from(printable(text));
    return shown.length <= most ? shown.join('') : `${shown.slice(0, most - 1).join('')}…`;
  };
  /** Each question has a signal of its own: it listens to it until the end of the process. */
  const answered = async <T>(
    ask: (common: clack.CommonOptions) => Promise<T | typeof clack.CANCEL_SYMBOL>,
  ): Promise<T> => {
    const answer = await ask({ input: stdin, output, signal: AbortSignal.any([signal]) });
    if (clack.isCancel(answer)) throw new Stopped(true);
    return answer;
  };
  return {
    say: (text) => clack.log.message(fitted(text), { output }),
    show: (title, lines) =>
      clack.log.message([printable(title), ...lines.map((line) => `  ${cut(line, room() - MARK)}`)], { output }),
    choose: async <T>(question: string, choices: readonly Choice<T>[], first = 0) => {
      const options = choices.map(({ label, hint }, value) => ({
        value,
        label: cut(label, room() - MARGIN),
        ...(hint === undefined ? {} : { hint: printable(hint) }),
      }));
      const asked = { message: fitted(question), options, initialValue: first, maxItems: MOST_SHOWN };
      const index = await answered((common) => clack.select({ ...common, ...asked }));
      return (choices[index] as Choice<T>).value;
    },
    yes: (question) => answered((common) => clack.confirm({ ...common, message: fitted(question) })),
    type: async (question, { initial, check }) => {
      const validate = (text: string | undefined): string | undefined => check((text ?? '').trim()) ?? undefined;
      const asked = { message: fitted(question), initialValue: initial, validate };
      return (await answered((common) => clack.text({ ...common, ...asked }))).trim();
    },
  };
}

const COLOR = /\u001b\[[\d;]*m/g;

/** The same terminal without colours. What moves the cursor stays: the questions could not be drawn without. */
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
