import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { applyAnswer, type Answers, type SetupAnswer } from '../../../src/setup/answers.js';
import { stepsOf } from '../../../src/setup/questions.js';
import type { ChoiceEffect, SetupPrompt } from '../../../src/setup/setup-question.js';
import { analyzerOfFile } from './file-analyzer.js';
import { NO_ANSWERS } from './no-answers.js';

// How many questions a person answers until setup has the profile of a finance sample: never more than needed.

interface SampleProfile {
  readonly map: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, string>>;
  readonly only?: readonly string[];
  readonly header_line?: number;
  readonly decimal?: string;
  readonly date_format?: string;
  readonly negate?: boolean;
}

const FOLDER = new URL('../../../samples/finance/', import.meta.url);
const { profiles } = JSON.parse(readFileSync(new URL('config.json', FOLDER), 'utf8')) as {
  profiles: Record<string, SampleProfile>;
};

/** Whether the profile says what the answer says. */
function agrees(answer: SetupAnswer, profile: SampleProfile): boolean {
  const { map, set, only, headerLine, decimal, dateOrder, negate } = answer;
  if (map !== undefined) return profile.map[map[0]] === map[1];
  if (set !== undefined) return profile.set?.[set[0]] === set[1];
  if (only !== undefined) return profile.only?.includes(only) === true;
  if (headerLine !== undefined) return profile.header_line === headerLine;
  if (decimal !== undefined) return profile.decimal === decimal;
  if (dateOrder !== undefined) return profile.date_format === dateOrder;
  if (negate !== undefined) return (profile.negate ?? false) === negate;
  return false;
}

/** The answer of the person whose profile it is. */
function answerFor(prompt: SetupPrompt, profile: SampleProfile): SetupAnswer {
  if ('answerOf' in prompt) {
    const values = Object.entries(profile.set ?? {}).map(([path, value]) => [path, value] as const);
    const given = values.map(([, value]) => prompt.answerOf(value)).find((answer) => agrees(answer, profile));
    return given ?? prompt.answerOf('');
  }
  const answersOf = (effect: ChoiceEffect): SetupAnswer[] => {
    if (typeof effect === 'string') return [];
    return 'ask' in effect ? [answerFor(effect, profile)] : [effect];
  };
  const settling = prompt.choices.flatMap(({ value }) =>
    typeof value !== 'string' && !('ask' in value) ? [value] : [],
  );
  const answers = prompt.ask === 'Is this right?' ? settling : prompt.choices.flatMap(({ value }) => answersOf(value));
  const kept = ({ drop }: SetupAnswer): boolean => drop?.some((name) => profile.map[name] !== undefined) === true;
  const chosen =
    answers.find((answer) => agrees(answer, profile)) ??
    answers.find((answer) => answer.drop !== undefined && !kept(answer)) ??
    answers.find(({ settled }) => settled !== undefined) ??
    answers[prompt.first ?? 0];
  if (chosen === undefined) throw new Error(`no answer to: ${prompt.fact ?? ''} ${prompt.ask}`);
  return chosen;
}

const MOST = 40;

/** The questions, in their order. */
async function questionsAbout(file: string, profile: SampleProfile): Promise<string[]> {
  const analyze = analyzerOfFile(file, FOLDER.pathname);
  const asked: string[] = [];
  let answers: Answers = NO_ANSWERS;
  while (asked.length < MOST) {
    const analysis = await analyze(answers);
    const prompt = [...stepsOf(analysis)].find((step) => typeof step !== 'string');
    if (prompt === undefined) return asked;
    asked.push(prompt.ask);
    answers = applyAnswer(answers, answerFor(prompt, profile));
  }
  throw new Error(`${file} asks without end: ${asked.slice(-3).join(' / ')}`);
}

it.each([
  ['payroll', 'erp-export.txt', 5],
  ['uk-council', 'uk-council-payments.csv', 4],
  ['uk-bank', 'uk-bank-statement.csv', 8],
  ['de-datev', 'de-datev-stapel.csv', 10],
  ['de-bank', 'de-bank-camt.csv', 8],
  ['fr-virements', 'fr-virements.csv', 8],
  ['ch-honorare', 'ch-honorare.csv', 5],
  ['us-payable', 'us-accounts-payable.csv', 6],
  ['nl-betaallijst', 'nl-betaallijst.csv', 8],
  ['platform', 'platform-tasks.tsv', 4],
  ['at-honorare', 'at-honorare.xlsx', 4],
  ['de-umsatzliste', 'de-umsatzliste.csv', 5],
  ['fr-releve', 'fr-releve.csv', 9],
  ['uk-money-out', 'uk-money-out.csv', 13],
])('%s (%s): %i questions', async (name, file, count) => {
  const asked = await questionsAbout(file, profiles[name]!);
  expect(asked.length, asked.join('\n')).toBe(count);
});
