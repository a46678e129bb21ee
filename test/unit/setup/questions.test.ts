import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createAnalyzer, type Analyze, type LayoutAnalysis } from '../../../src/setup/analyze.js';
import { applyAnswer, type SetupAnswer } from '../../../src/setup/answers.js';
import { promptFlags, QUESTIONS, questionsFor } from '../../../src/setup/questions.js';
import type { SetupPrompt } from '../../../src/setup/setup-question.js';
import { NO_ANSWERS } from './no-answers.js';

// The table of questions: what each file leaves open, and what an answer does to it. Whole calls: test/cli/setup*.test.ts.

function analyzerOf(text: string): Analyze {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file.csv'), text);
  const rules = { format: null, encoding: null, delimiter: null, sheet: null, ignoreColumns: new Set<string>() };
  const from = { cwd: folder, stdin: Readable.from([]), stop: new AbortController().signal };
  return createAnalyzer({ path: 'file.csv', rules, from });
}

/** The prompts that keep setup from doing without a person, with the question of each. */
function openPrompts(analysis: LayoutAnalysis): { readonly id: string; readonly prompt: SetupPrompt }[] {
  return questionsFor(analysis).flatMap(({ id, steps }) => {
    const prompts = [...steps(analysis)].filter((step) => typeof step !== 'string');
    return prompts.filter(({ isOptional }) => isOptional !== true).map((prompt) => ({ id, prompt }));
  });
}

const HEADER = 'user_id;title;amount;cost_center_key';

const FILES: readonly (readonly [text: string, open: readonly string[]])[] = [
  [`${HEADER}\nu1;Bonus;5;PP-7\n`, []],
  ['u1;1.200,50;Bonus\nu2;89,90;Bonus\n', ['header line']],
  [`${HEADER};x\nu1;Bonus;5;PP-7\n`, ['short rows']],
  ['Name;Ort\nu1;Köln\n', ['record type']],
  ['Supplier;title;ammount;cost_center_key\nu1;Bonus;5;PP-7\n', ['suggested columns', 'suggested columns']],
  ['user_id;amount\nu1;5\n', ['missing fields', 'missing fields']],
  [`${HEADER};billing_date\nu1;Bonus;5;PP-7;0512\n`, ['unread columns']],
  [`${HEADER};Kontoart\nu1;Bonus;5;PP-7;EUR\nu2;Bonus;5;PP-7;USD\n`, ['currency columns']],
  [`${HEADER}\nu1;Bonus;1.234;PP-7\n`, ['decimal mark']],
  [`${HEADER}\nu1;Bonus;1.200,50;PP-7\nu2;Bonus;1,200.50;PP-7\n`, ['decimal mark', 'unfilled rows']],
  [`${HEADER};billing_date\nu1;Bonus;5;PP-7;05.12.2026\n`, ['date order']],
  [`${HEADER}\nu1;Bonus;$5.00;PP-7\n`, ['currency']],
  [`${HEADER};S/H\nu1;Bonus;5;PP-7;S\nu2;Bonus;5;PP-7;H\n`, ['status columns']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nSumme;;5.50;\n`, ['total rows']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nu2;Bonus;-1.50;PP-7\nu3;Bonus;1.50;PP-7\n`, ['signs']],
  [`${HEADER}\nu1;Bonus;-5;PP-7\n`, ['signs']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nu2;Bonus;;PP-7\n;Bonus;5.50;PP-7\n`, ['unfilled rows', 'unfilled rows']],
];

it.each(FILES)('asks about %j: %j', async (text, open) => {
  const analysis = await analyzerOf(text)(NO_ANSWERS);
  expect(openPrompts(analysis).map(({ id }) => id)).toEqual(open);
});

it('has each question among these files', () => {
  const asked = new Set(FILES.flatMap(([, open]) => open));
  // Whether the columns are right is only asked of a person.
  expect(QUESTIONS.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual(['agreement']);
});

/** The answers of a prompt, those of the prompts behind its choices included. */
function answersTo(prompt: SetupPrompt): SetupAnswer[] {
  if ('answerOf' in prompt) return [prompt.answerOf('EUR')];
  return prompt.choices.flatMap(({ value }) => {
    if (typeof value === 'string') return [];
    return 'ask' in value ? answersTo(value) : [value];
  });
}

it.each(FILES)('asks nothing twice of %j', async (text) => {
  const analyze = analyzerOf(text);
  for (const { prompt } of openPrompts(await analyze(NO_ANSWERS)))
    for (const answer of answersTo(prompt)) {
      const again = openPrompts(await analyze(applyAnswer(NO_ANSWERS, answer)));
      expect(again.map((each) => each.prompt.fact ?? each.prompt.ask)).not.toContain(prompt.fact ?? prompt.ask);
    }
});

it('names the flags that decide a prompt, where one answer is enough', async () => {
  const flagsOf = async (text: string): Promise<unknown> =>
    openPrompts(await analyzerOf(text)(NO_ANSWERS)).map(({ prompt }) => promptFlags(prompt, 'linux'));
  expect(await flagsOf(`${HEADER};S/H\nu1;Bonus;5;PP-7;S\nu2;Bonus;5;PP-7;H\n`)).toEqual([
    ['--only S/H=S', '--only S/H=H', '--ignore-column S/H'],
  ]);
  expect(await flagsOf(`${HEADER}\nu1;Bonus;-5;PP-7\n`)).toEqual([['--negate']]);
  expect(await flagsOf('Supplier;title;amount;cost_center_key\nu1;Bonus;5;PP-7\n')).toEqual([
    ['--map Supplier=user_id'],
  ]);
});
