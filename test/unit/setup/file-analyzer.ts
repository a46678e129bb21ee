import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type Analyze, createAnalyzer, type LayoutAnalysis } from '../../../src/setup/analyze.js';
import { questionsFor } from '../../../src/setup/questions.js';
import type { SetupPrompt } from '../../../src/setup/setup-question.js';

/** Analyzes a CSV file of this text. */
export function analyzerOf(text: string): Analyze {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file.csv'), text);
  return analyzerOfFile('file.csv', folder);
}

/** Analyzes a file of a folder. */
export function analyzerOfFile(path: string, folder: string): Analyze {
  const rules = {
    format: null,
    encoding: null,
    delimiter: null,
    sheet: null,
    ignoreColumns: new Set<string>(),
    ignoreOtherColumns: false,
  };
  const from = { cwd: folder, stdin: Readable.from([]), stop: new AbortController().signal };
  return createAnalyzer({ path, rules, from, platform: 'linux' });
}

export interface AskedPrompt {
  /** Of the question. */
  readonly id: string;
  readonly prompt: SetupPrompt;
}

/** All prompts that the answers so far leave. */
export function promptsIn(analysis: LayoutAnalysis): AskedPrompt[] {
  return questionsFor(analysis).flatMap(({ id, steps }) => {
    const prompts = [...steps(analysis)].filter((step) => typeof step !== 'string');
    return prompts.map((prompt) => ({ id, prompt }));
  });
}

/** Those that keep setup from doing without a person. */
export function openPrompts(analysis: LayoutAnalysis): AskedPrompt[] {
  return promptsIn(analysis).filter(({ prompt }) => prompt.isOptional !== true);
}
