/** Runs one input and says what is wrong with what came of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gigworkProcess } from '../support/cli.js';
import { type Ended, runHere } from '../support/here.js';
import { type Case } from './cases.js';

import { compareBodies } from './oracle.js';
import { faultsOf } from './verdict.js';
import { wordsOf } from './words.js';

export interface Judgement {
  readonly code: number;
  /** Bodies that were held against the input. */
  readonly bodies: number;
  /** Empty when everything holds. */
  readonly faults: readonly string[];
}

/** Of so many inputs, one is cut into other pieces too, and one is given to the program as a process of its own. */
const CUT_AGAIN = 20;
const AS_PROCESS = 1000;

/** @param folder for the input's file */
export async function judge(one: Case, folder: string): Promise<Judgement> {
  if (one.file !== null) writeFileSync(join(folder, one.file), one.bytes);
  const words = wordsOf(one);
  const ended = await runHere(words, folder, one.bytes, one.pieces);
  const { code } = ended;
  const faults = faultsOf(ended, one.flags.includes('--debug'));
  if (faults.length > 0) return { code, bodies: 0, faults };
  const { bodies, strange } = compareBodies(one, ended);
  faults.push(...strange);
  if (one.number % CUT_AGAIN === 0 && one.file === null) {
    const again = await runHere(words, folder, one.bytes, [3, 1, 7]);
    if (!areAlike(again.stdout, ended.stdout)) faults.push('cut into other pieces, it is read otherwise');
  }
  if (one.number % AS_PROCESS === 0) faults.push(...(await processFaults(one, words, ended, folder)));
  return { code, bodies, faults };
}

/** Of two faults of an encoding, which is met first may hang on the pieces in which the bytes come. */
function areAlike(one: string, other: string): boolean {
  return one === other || (one.includes('"bad-encoding"') && other.includes('"bad-encoding"'));
}

/** The program as a process must say the same. Its clock is the real one, so doubts about dates are left out. */
async function processFaults(one: Case, words: readonly string[], ended: Ended, folder: string): Promise<string[]> {
  const { code, signal, stdout, stderr } = await gigworkProcess([...words], { input: one.bytes, cwd: folder });
  if (code === null) return [`the process ended by ${signal}`];
  const faults = faultsOf({ code, stdout, stderr }, one.flags.includes('--debug'));
  const told = (text: string): string => text.replace(/.*"distant-date".*\n|.*"event":"summary".*/g, '');
  if (!one.flags.includes('--strict') && !areAlike(told(stdout), told(ended.stdout))) {
    faults.push('the process tells something else');
  }
  return faults;
}
