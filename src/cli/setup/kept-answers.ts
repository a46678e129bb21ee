/** Keeps the answers of a dialogue that ended early in the state directory, for the next call on the same file. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isHomeless, stateDir } from '../../config/journal.js';
import { NOTHING_SAID } from '../../config/sources.js';
import { type Answers, answersFrom, answersText } from '../../input/setup/answers.js';
import { hashFile } from '../../input/source.js';

import type { World } from '../../world.js';
import type { SetupCall } from './setup-call.js';

export interface KeptAnswers {
  /** Oldest first, beginning with those on the command line. */
  readonly history: readonly Answers[];
  readonly keep: (history: readonly Answers[]) => void;
  readonly forget: () => void;
}

/** Answers count for the same bytes under the same path, and only if the command line has the same flags as then. */
export async function keptAnswers({ file, flags, answers }: SetupCall, world: World): Promise<KeptAnswers> {
  const settings = { ...NOTHING_SAID, flags, env: world.env };
  if (isHomeless(settings, world)) return { history: [answers], keep: () => {}, forget: () => {} };
  const cwd = world.cwd();
  const named = JSON.stringify([resolve(cwd, file), await hashFile(file, cwd), flags.sheet ?? null]);
  const name = createHash('sha256').update(named).digest('hex');
  const path = join(stateDir(settings, world), 'setup', `${name}.json`);
  const first = answersText(answers);
  return {
    history: [answers, ...read(path, first)],
    keep: (history) => {
      // Answers are only a help: if the folder cannot be written, setup continues.
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, JSON.stringify({ first, later: history.slice(1).map(answersText) }), { mode: 0o600 });
      } catch {
        return;
      }
    },
    forget: () => rmSync(path, { force: true }),
  };
}

/** Empty if there are none, if they belong to another call, or if the file was cut off while it was written. */
function read(path: string, first: string): Answers[] {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly first: string;
      readonly later: readonly string[];
    };
    return kept.first === first ? kept.later.map(answersFrom) : [];
  } catch {
    return [];
  }
}
