/** A terminal at which somebody answers each question with the next line; then the input ends. */
import { PassThrough } from 'node:stream';
import { terminalDialog } from '../../../src/report/dialog.js';
import { Output } from '../../../src/util/output.js';

export function answering(...answers: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let said = '';
  const left = [...answers];
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (!/[:\]] $/.test(text)) return;
    const answer = left.shift();
    if (answer === undefined) stdin.end();
    else stdin.write(`${answer}\n`);
  });
  return {
    dialog: terminalDialog(stdin, new Output(stderr, () => 0)),
    /** What was said, without line breaks within a sentence. */
    said: () => said.replaceAll(/\n {4,}(?=\S)/g, ' '),
    signal: new AbortController().signal,
  };
}
